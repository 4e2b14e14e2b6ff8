import { requireNumber, requireOptions } from '../data/arguments.ts';
import { encodeLabels, type Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { cellAt } from '../data/packed-columns.ts';
import { selectRows } from '../evaluate/rows.ts';
import { readTable, type TableRows } from '../features/table.ts';
import type { Family } from '../models/mixed.ts';
import { bestFamily } from './best-family.ts';
import { type MixedFeatures, MixedNB } from './mixed-nb.ts';

/** Options of `chooseFamilies`. */
export interface ChooseFamiliesOptions {
  /** The number of folds. Default: 5. */
  readonly cv?: number | undefined;
  /** The most rows used, evenly spaced. Default: 5,000. */
  readonly maxRows?: number | undefined;
}

/**
 * The family of each column under which held-out rows are most likely: what to give to `MixedNB` as `columns`. Every family that admits the
 * cells of the column is fitted to all folds but one and scores that one by ln p(x | y). The normal distribution is kept unless another is
 * better by ln n, where n is the number of rows; columns of words, booleans and lists keep the family that `MixedNB` infers.
 */
export function chooseFamilies(
  X: MixedFeatures,
  y: ArrayLike<Label>,
  options: ChooseFamiliesOptions = {},
): Readonly<Record<string, Family>> | readonly Family[] {
  const { cv = 5, maxRows = 5000 } = requireOptions('chooseFamilies', ['cv', 'maxRows'], options);
  for (const [name, value] of Object.entries({ cv, maxRows })) {
    requireNumber(name, value, 'a whole number above 1', (own) => Number.isInteger(own) && own > 1);
  }
  const columns = new MixedNB().fit(X, y).columns;
  const blocks = new Set(columns.filter(({ width }) => width !== undefined).map(({ name }) => name));
  const isTable = !Array.isArray(X) && !(X instanceof Matrix);
  const single = isTable ? Object.fromEntries(Object.entries(X).filter(([name]) => !blocks.has(name))) : X;
  const table = readTable(single as TableRows, { absent: true });
  const step = Math.max(1, Math.ceil(table.rows / maxRows));
  const chosen = Array.from({ length: Math.ceil(table.rows / step) }, (_, i) => i * step);
  const { classes, codes } = encodeLabels(selectRows(y, chosen));
  const families = columns.map(({ family, width, name }, k): Family => {
    if (family !== 'gaussian' || width !== undefined) return family;
    const cells = table.columns[name === null ? k : (table.names ?? []).indexOf(name)];
    const numbers = chosen.map((i) => Number(cellAt(cells, i) ?? Number.NaN));
    return bestFamily({ cells: numbers, codes, classes: classes.length }, { cv });
  });
  const names = columns.map(({ name }) => name);
  return names.includes(null) ? families : Object.fromEntries(names.map((name, k) => [name, families[k]]));
}
