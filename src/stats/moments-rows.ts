import type { DenseRows } from '../data/batch.ts';
import { CELLS_AT_ONCE, denseKernels, lay } from '../math/dense.ts';
import type { Moments } from './moments.ts';

/** Rows of cells with the class and the weight of each. */
export interface LabelledRows extends Pick<DenseRows, 'rows' | 'x'> {
  readonly y: Int32Array;
  readonly w: Float64Array;
}

/** Counts the weight of each class and of its missing cells, where they are counted; the first row of a class is its shift. */
export function countRows(
  { features, n, m, shift }: Pick<Moments, 'features' | 'n' | 'shift'> & { readonly m?: Float64Array },
  { rows, x, y, w }: LabelledRows,
): void {
  const gaps = m && m.length > 0 ? m : undefined;
  for (let i = 0; i < rows; i++) {
    const c = y[i];
    if (gaps || n[c] === 0) {
      for (let j = 0; j < features; j++) {
        const value = x[i * features + j];
        if (!Number.isNaN(value)) {
          if (n[c] === 0) shift[c * features + j] = value;
        } else if (gaps) gaps[c * features + j] += w[i];
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
 * `addRows` in WebAssembly, bit for bit; returns whether it was done. With `counting`, it also adds to the weights of the classes and of
 * their missing cells. With a limit, it is not done where a cell is of larger magnitude or no number; the statistic is as it was then.
 */
export function addRowsFast(
  stats: Moments,
  { rows, x, y, w }: LabelledRows,
  { counting = false, limit }: { readonly counting?: boolean; readonly limit?: number | undefined } = {},
): boolean {
  const { classes, features } = stats;
  const kernels = rows < ROWS_A_CLASS * classes ? null : denseKernels();
  if (!kernels) return false;
  const block = Math.max(1, Math.floor(CELLS_AT_ONCE / features));
  const sums = [stats.n, stats.m, stats.shift, stats.s1, stats.s2];
  const views = lay(kernels, ...sums.map(({ length }) => length), block * features, block, block);
  if (!views) return false;
  const [cells, weights, places] = views.slice(sums.length);
  for (const [k, array] of sums.entries()) views[k].set(array);
  const codes = new Int32Array(places.buffer, places.byteOffset, block);
  const [n, m, shift, s1, s2] = views.map(({ byteOffset }) => byteOffset);
  const [inN, inM] = [counting ? n : 0, stats.m.length > 0 ? m : 0];
  for (let from = 0; from < rows; from += block) {
    const some = Math.min(block, rows - from);
    cells.set(x.subarray(from * features, (from + some) * features));
    weights.set(w.subarray(from, from + some));
    codes.set(y.subarray(from, from + some));
    const inside = cells.byteOffset;
    if (limit !== undefined && !kernels.within(some * features, inside, limit)) return false;
    kernels.moments(some, features, inside, codes.byteOffset, weights.byteOffset, inN, inM, shift, s1, s2);
  }
  for (const [k, array] of sums.entries()) array.set(views[k]);
  return true;
}
