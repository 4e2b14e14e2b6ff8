import type { Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import type { Pairs } from '../stats/pairs.ts';

/** A table of pairs has no more cells than this: 256 MB of counts, such as 2 classes and 4096 levels. */
export const MOST_PAIR_CELLS: number = 2 ** 25;

/** Refuses a table of pairs, classes × levels², that would not fit in memory. */
export function requirePairs({ classes, features, levels = new Int32Array(0) }: Shape): void {
  const count = Math.max(
    features, // of a column without levels nothing is counted, and its pairs are still looked at
    levels.reduce((sum, own) => sum + own, 0),
  );
  const cells = classes * count * count;
  if (cells <= MOST_PAIR_CELLS) return;
  const sentence = `${classes} classes and ${count} levels make ${cells} pairs to count, ${MOST_PAIR_CELLS} are the limit`;
  refuse('E_LIMIT', `${sentence}; join rare levels, or use CategoricalNB`, { limit: MOST_PAIR_CELLS, actual: cells });
}

/** The weight of every level: the diagonal of the table of pairs, over all classes. */
export function diagonal({ classes, levels, p }: Pairs): Float64Array {
  const width = levels.reduce((sum, own) => sum + own, 0);
  const weights = new Float64Array(width);
  for (let c = 0; c < classes; c++) {
    for (let u = 0; u < width; u++) weights[u] += p[(c * width + u) * width + u];
  }
  return weights;
}
