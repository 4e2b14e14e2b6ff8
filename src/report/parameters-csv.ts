import { formatCsv, harmless } from '../data/csv-format.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';

/** What estimators show of their parameters. */
interface Shown {
  readonly kind: string;
  readonly classes: readonly Label[];
  readonly steps?: readonly unknown[];
  readonly featureLogProb?: Matrix;
  readonly theta?: Matrix;
  readonly var?: Matrix;
  readonly featureNamesIn?: readonly (string | null)[] | undefined;
  getFeatureNamesOut?(): string[] | undefined;
}

/** The parameters of a model as a table: a row for each feature, a column for each class (two for a bell curve). */
export function parametersCsv(opened: unknown): string {
  const isRecords = typeof opened === 'object' && opened !== null && 'classifyAll' in opened && 'estimator' in opened;
  const whole = (isRecords ? opened.estimator : opened) as Shown | undefined;
  const last = (whole?.steps?.at(-1) ?? whole) as Shown | undefined;
  const names = whole?.getFeatureNamesOut?.() ?? last?.featureNamesIn ?? [];
  const tables = last?.featureLogProb
    ? [['log_p', last.featureLogProb] as const]
    : last?.theta && last.var
      ? [['mean', last.theta] as const, ['variance', last.var] as const]
      : [];
  if (!last || tables.length === 0)
    return refuse('E_CONFLICT', `a ${last?.kind ?? 'pool'} has no parameters by feature that a table could show`, {
      op: 'csv',
    });
  const header = ['feature', ...tables.flatMap(([name]) => last.classes.map((label) => `${name}_${label}`))];
  const rows = Array.from({ length: tables[0][1].cols }, (_, j) => [
    names[j] ?? `x${j}`,
    ...tables.flatMap(([, table]) => last.classes.map((_, c) => String(table.at(c, j)))),
  ]);
  return formatCsv([header.map(harmless), ...rows.map(([name, ...cells]) => [harmless(name), ...cells])]);
}
