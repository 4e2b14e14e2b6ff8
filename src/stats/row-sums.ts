import type { DenseRows } from '../data/batch.ts';
import { codesIn, rowsAtOnce, workspace } from '../math/kernels.ts';

/** Rows of cells with the class and the weight of each. */
export interface LabelledRows extends Pick<DenseRows, 'rows' | 'x'> {
  readonly y: Int32Array;
  readonly w: Float64Array;
}

/** Sums of distances from a shift by class and feature, and of their squares or products. */
interface ShiftedSums {
  readonly classes: number;
  readonly features: number;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array;
}

/**
 * Counts the weight of each class and, with `m`, of its missing cells. The shift of a cell without values so far is its
 * first value.
 */
export function countRows(
  { features, n, m, shift }: Pick<ShiftedSums, 'features' | 'shift'> & { readonly n: Float64Array; m?: Float64Array },
  { rows, x, y, w }: LabelledRows,
): void {
  const gaps = m && m.length > 0 ? m : undefined;
  const begun = Uint8Array.from(n, (weight, c) =>
    Number(hasShifts(weight, gaps?.subarray(c * features, (c + 1) * features))),
  );
  for (let i = 0; i < rows; i++) {
    const c = y[i];
    const from = i * features;
    if (begun[c] === 0 || (gaps && hasGap(x, from, from + features))) {
      for (let j = 0, cell = c * features, at = from; j < features; j++, cell++, at++) {
        const value = x[at];
        if (!Number.isNaN(value)) {
          if (n[c] === 0 || (gaps && gaps[cell] === n[c])) shift[cell] = value;
        } else if (gaps) gaps[cell] += w[i];
      }
      n[c] += w[i];
      begun[c] = Number(hasShifts(n[c], gaps?.subarray(c * features, (c + 1) * features)));
    } else n[c] += w[i];
  }
}

/** Whether every cell of a class has a shift: the class has some weight, and none of its cells was always missing. */
const hasShifts = (weight: number, gaps: Float64Array | undefined): boolean => weight !== 0 && !gaps?.includes(weight);

/**
 * Whether a cell is NaN. One addition each is faster than a comparison; a sum that overflows to NaN only costs a second
 * pass.
 */
function hasGap(x: Float64Array, from: number, to: number): boolean {
  let sum = 0;
  for (let k = from; k < to; k++) sum += x[k];
  return Number.isNaN(sum);
}

/**
 * Adds rows whose classes have shifts to s1 and to s2, the squares of `moments` or the products of `scatter`. Only the
 * classes that occur are copied to the kernel and back.
 */
export function addRows(
  kernel: 'moments' | 'scatter',
  { classes, features, shift, s1, s2 }: ShiftedSums,
  { rows, x, y, w }: LabelledRows,
): void {
  if (rows === 0) return;
  const places = new Int32Array(classes).fill(-1);
  const present: number[] = [];
  for (let i = 0; i < rows; i++) if (places[y[i]] < 0) places[y[i]] = present.push(y[i]) - 1;
  const block = Math.min(rowsAtOnce(features), rows);
  const sums = [shift, s1, s2].map((array) => ({ array, width: array.length / classes }));
  const lengths = sums.map(({ width }) => width * present.length);
  const { kernels, arrays } = workspace(...lengths, block * features, block, block, features);
  const [a, first, second, cells, weights, codes, d] = arrays;
  const own = codesIn(codes);
  sums.forEach(({ array, width }, k) => {
    present.forEach((c, at) => {
      arrays[k].set(array.subarray(c * width, (c + 1) * width), at * width);
    });
  });
  for (let from = 0; from < rows; from += block) {
    const to = Math.min(rows, from + block);
    cells.set(x.subarray(from * features, to * features));
    weights.set(w.subarray(from, to));
    for (let i = from; i < to; i++) own[i - from] = places[y[i]];
    kernels[kernel](to - from, features, cells, own, weights, a, first, second, d);
  }
  sums.slice(1).forEach(({ array, width }, k) => {
    present.forEach((c, at) => {
      array.set(arrays[k + 1].subarray(at * width, (at + 1) * width), c * width);
    });
  });
}
