import type { DenseRows } from '../data/batch.ts';
import { CELLS_AT_ONCE, denseKernels, lay } from '../math/dense.ts';
import type { Moments } from './moments.ts';

/** Rows of cells with the class and the weight of each. */
export interface LabelledRows extends Pick<DenseRows, 'rows' | 'x'> {
  readonly y: Int32Array;
  readonly w: Float64Array;
}

/** Counts the weight of each class; the first row of a class is its shift. */
export function countRows(
  { features, n, shift }: Pick<Moments, 'features' | 'n' | 'shift'>,
  { rows, x, y, w }: LabelledRows,
): void {
  for (let i = 0; i < rows; i++) {
    const c = y[i];
    if (n[c] === 0) {
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j];
        if (!Number.isNaN(value)) shift[c * features + j] = value;
      }
    }
    n[c] += w[i];
  }
}

/** Adds rows whose classes have shifts to their sums, as `moments` says; a cell that is NaN adds nothing. */
export function addRows({ features, shift, s1, s2 }: Moments, { rows, x, y, w }: LabelledRows): void {
  for (let i = 0, at = 0; i < rows; i++) {
    const weight = w[i];
    const cell = y[i] * features - at;
    for (const end = at + features; at < end; at++) {
      const value = x[at];
      if (Number.isNaN(value)) continue;
      const distance = value - shift[cell + at];
      const weighted = weight * distance;
      s1[cell + at] += weighted;
      s2[cell + at] += weighted * distance;
    }
  }
}

/** Below so many rows a class, sums are not worth the way to the kernels and back. */
export const ROWS_A_CLASS = 8;

/**
 * `addRows` in WebAssembly, bit for bit; answers whether it was done. With a limit, it is not done where a cell is of larger
 * magnitude or no number; the statistic is as it was then.
 */
export function addRowsFast(stats: Moments, { rows, x, y, w }: LabelledRows, limit?: number): boolean {
  const { classes, features, shift, s1, s2 } = stats;
  const kernels = rows < ROWS_A_CLASS * classes ? null : denseKernels();
  if (!kernels) return false;
  const block = Math.max(1, Math.floor(CELLS_AT_ONCE / features));
  const sums = [shift, s1, s2];
  const views = lay(kernels, ...sums.map(({ length }) => length), block * features, block, block);
  if (!views) return false;
  const [, , , cells, weights, places] = views;
  for (const [k, array] of sums.entries()) views[k].set(array);
  const starts = new Uint32Array(places.buffer, places.byteOffset, block);
  const [at, first, second, inside, weigh, where] = views.map(({ byteOffset }) => byteOffset);
  for (let from = 0; from < rows; from += block) {
    const to = Math.min(rows, from + block);
    cells.set(x.subarray(from * features, to * features));
    weights.set(w.subarray(from, to));
    for (let i = from; i < to; i++) starts[i - from] = 8 * features * y[i];
    if (limit !== undefined && !kernels.within((to - from) * features, inside, limit)) return false;
    kernels.moments(to - from, features, inside, where, weigh, at, first, second);
  }
  s1.set(views[1]);
  s2.set(views[2]);
  return true;
}
