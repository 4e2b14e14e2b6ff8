import { requireNumber, requireOptions } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { cellAt } from '../data/packed-columns.ts';
import { selectRows } from '../evaluate/rows.ts';
import { readTable, type TableRows } from '../features/table.ts';
import type { Family } from '../models/mixed.ts';
import { learnFolds, partOf, readFolds } from './fold-learning.ts';
import { logLikelihood } from './log-likelihood.ts';
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
 * cells of the column is fitted to all folds but one and scores that one by ln p(x, y). The normal distribution is kept unless another is
 * better by ln n, where n is the number of rows; columns of words, booleans and lists keep the family that `MixedNB` infers.
 */
export function chooseFamilies(
  X: MixedFeatures,
  y: ArrayLike<Label>,
  options: ChooseFamiliesOptions = {},
): Readonly<Record<string, Family>> | readonly Family[] {
  const { cv = 5, maxRows = 5000 } = requireOptions('chooseFamilies', ['cv', 'maxRows'], options);
  requireNumber('maxRows', maxRows, 'a whole number above 1', (value) => Number.isInteger(value) && value > 1);
  const columns = new MixedNB().fit(X, y).columns;
  const blocks = new Set(columns.filter(({ width }) => width !== undefined).map(({ name }) => name));
  const isTable = !Array.isArray(X) && !(X instanceof Matrix);
  const single = isTable ? Object.fromEntries(Object.entries(X).filter(([name]) => !blocks.has(name))) : X;
  const table = readTable(single as TableRows, { absent: true });
  const step = Math.max(1, Math.ceil(table.rows / maxRows));
  const chosen = Array.from({ length: Math.ceil(table.rows / step) }, (_, i) => i * step);
  const labels = selectRows(y, chosen);
  const families = columns.map(({ family, width, name }, k): Family => {
    if (family !== 'gaussian' || width !== undefined) return family;
    const cells = table.columns[name === null ? k : (table.names ?? []).indexOf(name)];
    const numbers = chosen.map((i) => Number(cellAt(cells, i) ?? Number.NaN));
    return bestFamily(numbers, labels, candidatesOf(numbers.filter((x) => !Number.isNaN(x))), cv);
  });
  const names = columns.map(({ name }) => name);
  return names.includes(null) ? families : Object.fromEntries(names.map((name, k) => [name, families[k]]));
}

/**
 * The families that could have these cells. Counts are compared among each other and with the normal density, which is nearly the
 * probability of a whole number. Repeated zeros among amounts have a probability, which is not comparable with a density.
 */
function candidatesOf(cells: readonly number[]): readonly Family[] {
  const least = cells.reduce((a, b) => Math.min(a, b), Infinity);
  if (least >= 0 && cells.every(Number.isInteger)) {
    return ['gaussian', 'poisson', 'negativebinomial', 'zeroinflatedpoisson', 'zeroinflatednegativebinomial'];
  }
  if (least === 0 && cells.filter((x) => x === 0).length > 1) return ['zeroinflatedgamma', 'zeroinflatedlognormal'];
  const real: Family[] = ['gaussian', 'studentt'];
  if (!(least > 0)) return real;
  return [...real, 'exponential', 'gamma', 'lognormal', ...(cells.every((x) => x < 1) ? ['beta'] : [])];
}

/** The family with the greatest likelihood of held-out cells; the first is kept unless another is better by ln n. */
function bestFamily(cells: readonly number[], y: ArrayLike<Label>, families: readonly Family[], cv: number): Family {
  const folded = readFolds(
    cells.map((x) => [x]),
    y,
    { cv },
  );
  const scores = families.map((family) => {
    let [total, fold] = [0, 0];
    for (const model of learnFolds(new MixedNB({ columns: [family], priorAlpha: 1 }), folded)) {
      const { X, y: labels } = partOf(folded, folded.splits[fold++][1]);
      total += logLikelihood(model, X as number[][], labels);
    }
    return total;
  });
  const best = Math.max(...scores);
  return best - scores[0] > Math.log(cells.length) ? families[scores.indexOf(best)] : families[0];
}
