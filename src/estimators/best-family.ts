import { count, score } from '../core/model.ts';
import { readOptions } from '../core/options.ts';
import { label } from '../data/batch.ts';
import { type Family, modelNamed } from '../models/mixed.ts';
import { familyOptions, mixedKind } from './kinds/mixed.ts';

/** The cells of one column in labelled rows; NaN is missing. */
export interface LabelledCells {
  readonly cells: ArrayLike<number>;
  readonly codes: ArrayLike<number>;
  readonly classes: number;
  readonly weights?: ArrayLike<number> | undefined;
}

/**
 * The families that could have these cells; with `sums` only those that are estimated from sums. Above zero densities are nearly the
 * probabilities of whole numbers; beside zero only where no family of overdispersed counts can be had. Zeros that come back among amounts have a probability of their own, which no
 * density can be compared with.
 */
function familiesOf(cells: readonly number[], sums: boolean): Family[] {
  const least = cells.reduce((a, b) => Math.min(a, b), Infinity);
  const most = cells.reduce((a, b) => Math.max(a, b), -Infinity);
  const zeros = cells.filter((x) => x === 0).length;
  if (least >= 0 && cells.every(Number.isInteger)) {
    const counts = ['gaussian', 'poisson', 'zeroinflatedpoisson'] as const;
    if (zeros === 0) return [...counts, ...(sums ? [] : (['negativebinomial'] as const)), ...amounts];
    if (!sums) return [...counts, 'negativebinomial', 'zeroinflatednegativebinomial'];
    return [...counts, 'exponential', ...(zeros > 1 ? (['zeroinflatedgamma', 'zeroinflatedlognormal'] as const) : [])];
  }
  if (least === 0 && zeros > 1) return ['zeroinflatedgamma', 'zeroinflatedlognormal'];
  const turns = most - least > Math.PI && most - least <= 2 * Math.PI && least >= -Math.PI && most <= 2 * Math.PI;
  const free = sums ? [] : (['studentt', 'kernel'] as const);
  const real: Family[] = ['gaussian', ...free, ...(turns ? (['vonmises'] as const) : [])];
  return least > 0 ? [...real, ...amounts, ...(most < 1 ? (['beta'] as const) : [])] : real;
}

const amounts = ['exponential', 'gamma', 'lognormal'] as const;

/**
 * The family under which held-out cells are most likely: each is learned from all folds but one and scores that one by ln p(x | c). The first
 * of them, mostly the normal distribution, stays unless another is ahead by ln n, where n is the number of cells.
 */
export function bestFamily(
  { cells, codes, classes, weights }: LabelledCells,
  { cv, sums = false }: { readonly cv: number; readonly sums?: boolean },
): Family {
  const present = Array.from(cells, (_, i) => i).filter((i) => !Number.isNaN(cells[i]));
  const families = familiesOf(present.map((i) => cells[i]), sums); // biome-ignore format: short
  if (families.length === 1) return families[0];
  const dealt = new Int32Array(classes);
  const fold = Int32Array.from(present, (i) => dealt[codes[i]]++ % cv);
  const part = (k: number, held: boolean) => {
    const own = present.filter((_, at) => (fold[at] === k) === held);
    const rows = { rows: own.length, features: 1, x: Float64Array.from(own, (i) => cells[i]) };
    const w = weights && Float64Array.from(own, (i) => weights[i]);
    return label(
      rows,
      { classes, features: 1 },
      Int32Array.from(own, (i) => codes[i]),
      w,
    );
  };
  const folds = Array.from({ length: cv }, (_, k) => ({ learn: part(k, false), held: part(k, true) }));
  const defaults = readOptions(mixedKind.name, mixedKind.spec, {});
  const totals = families.map((family) => {
    const model = modelNamed(family)!;
    const options = { ...familyOptions(defaults, family), classPrior: 'uniform' };
    let total = 0;
    for (const { learn, held } of folds) {
      const scores = score(model, model.estimate(count(model.statistic, learn), options), held);
      for (let i = 0; i < held.rows; i++) total += held.w[i] * scores[i * classes + held.y[i]];
    }
    return total;
  });
  const best = Math.max(...totals);
  return best - totals[0] > Math.log(present.length) ? families[totals.indexOf(best)] : families[0];
}
