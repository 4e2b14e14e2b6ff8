import type { State } from '../../core/artifact.ts';
import type { Shape } from '../../data/batch.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse } from '../../errors.ts';
import type { CountingClassifier } from '../../estimators/classifier.ts';
import { readLearned } from '../../estimators/learned.ts';
import { restore } from '../../estimators/restore.ts';
import type { Known } from './fields.ts';

// biome-ignore lint/suspicious/noExplicitAny: the parameters belong to the model of the estimator, whichever it is
type AnyClassifier = CountingClassifier<any, any, any, any>;

const learnedOf = ({ classes, features, names }: Known) => ({
  classes: [...classes],
  features,
  ...(names && { names: [...names] }),
});

/** An estimator with these parameters and no counts: it predicts and explains but cannot learn further. */
export function withParameters<E extends AnyClassifier>(estimator: E, known: Known, params: Shape): E {
  const learned = { slim: true, closed: true, ...learnedOf(known) };
  const state: State = { kind: estimator.kind, params: {}, learned, arrays: {} };
  return estimator.adopt(
    (statisticKind) => readLearned(statisticKind, state),
    () => params,
  );
}

/**
 * An estimator with these counts. The list of classes is open, unless one of them has no rows: it was given, and an
 * open list would not hold it.
 */
export function withCounts<E extends AnyClassifier>(
  estimator: E,
  known: Known,
  arrays: { readonly n: Float64Array } & Readonly<Record<string, Float64Array>>,
  more: Readonly<Record<string, JsonValue>> = {},
): E {
  const learned = { closed: arrays.n.includes(0), ...learnedOf(known), ...more };
  const tensors = Object.entries(arrays).map(
    ([name, data]) => [`stats.${name}`, { shape: [data.length], data }] as const,
  );
  return restore(estimator, { kind: estimator.kind, params: {}, learned, arrays: Object.fromEntries(tensors) });
}

/** The tolerance between parameters derived from counts and those of scikit-learn; it allows only for rounding. */
const AGREEMENT = 1e-12;

const isClose = (a: number, b: number) =>
  a === b || Math.abs(a - b) <= AGREEMENT * Math.max(1, Math.abs(a), Math.abs(b));

/** The first cell in which two tables differ, −1 if none does; `cares` excludes cells that affect no prediction. */
export function differenceIn(
  ours: Float64Array,
  theirs: Float64Array,
  cares: (cell: number) => boolean = () => true,
): number {
  if (ours.length !== theirs.length) return 0;
  return ours.findIndex((own, cell) => !isClose(own, theirs[cell]) && cares(cell));
}

/**
 * Throws if the parameters of a model differ from those that Pólya derives from its counts: a parameter was changed after the fit, or
 * scikit-learn has a defect there.
 */
export function requireAgreement(name: string, ...[ours, theirs, cares]: Parameters<typeof differenceIn>): void {
  const cell = differenceIn(ours, theirs, cares);
  if (cell < 0) return;
  refuse('E_FORMAT', `${name} holds ${theirs[cell]} where the counts and parameters of the model give ${ours[cell]}`, {
    name,
    cell,
  });
}
