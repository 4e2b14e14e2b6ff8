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

interface ClassWeights extends Pick<ShiftedSums, 'features' | 'shift'> {
  readonly n: Float64Array;
  readonly m?: Float64Array;
}

/**
 * Counts the weight of each class and, with `m`, of its missing cells. The shift of a cell without values so far is its
 * first value.
 */
export function countRows(sums: ClassWeights, { rows, x, y, w }: LabelledRows): void {
  const { features, n, m } = sums;
  const canMiss = m !== undefined && m.length > 0;
  const begun = new Uint8Array(n.length);
  for (let c = 0; c < n.length; c++) begun[c] = hasShifts(sums, c);
  for (let i = 0; i < rows; i++) {
    const c = y[i];
    const from = i * features;
    if (begun[c] === 0 || (canMiss && hasGap(x, from, from + features))) {
      noteCells(sums, c, x, from, w[i]);
      n[c] += w[i];
      begun[c] = hasShifts(sums, c);
    } else n[c] += w[i];
  }
}

/** Makes the first value of a cell its shift, and counts the missing cells of a row. */
function noteCells({ features, n, m, shift }: ClassWeights, c: number, x: Float64Array, from: number, w: number): void {
  const gaps = m && m.length > 0 ? m : undefined;
  for (let j = 0, cell = c * features, at = from; j < features; j++, cell++, at++) {
    const value = x[at];
    if (!Number.isNaN(value)) {
      if (n[c] === 0 || (gaps && gaps[cell] === n[c])) shift[cell] = value;
    } else if (gaps) gaps[cell] += w;
  }
}

/** 1 if every cell of a class has a shift: the class has some weight, and none of its cells was always missing. */
function hasShifts({ features, n, m }: ClassWeights, c: number): number {
  if (n[c] === 0) return 0;
  return Number(!m?.subarray(c * features, (c + 1) * features).includes(n[c]));
}

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
 * classes that occur are copied to the kernel and back. Loops over rows are functions of their own: V8 optimises them
 * in a millisecond, and this function, called for each block, not at all.
 */
export function addRows(
  kernel: 'moments' | 'scatter',
  { classes, features, shift, s1, s2 }: ShiftedSums,
  { rows, x, y, w }: LabelledRows,
): void {
  if (rows === 0) return;
  const { places, present } = classesIn(y, rows, classes);
  const block = Math.min(rowsAtOnce(features), rows);
  const sums = [shift, s1, s2];
  const widths = sums.map(({ length }) => length / classes);
  const lengths = widths.map((width) => width * present.length);
  const { kernels, arrays } = workspace(...lengths, block * features, block, block, features);
  const [a, first, second, cells, weights, codes, d] = arrays;
  const own = codesIn(codes);
  for (let k = 0; k < sums.length; k++) gatherRows(sums[k], widths[k], present, arrays[k]);
  for (let from = 0; from < rows; from += block) {
    const to = Math.min(rows, from + block);
    cells.set(x.subarray(from * features, to * features));
    weights.set(w.subarray(from, to));
    translate(y, from, to, places, own);
    kernels[kernel](to - from, features, cells, own, weights, a, first, second, d);
  }
  for (let k = 1; k < sums.length; k++) scatterRows(arrays[k], widths[k], present, sums[k]);
}

/** The classes that occur, and by class its place among them. */
function classesIn(y: Int32Array, rows: number, classes: number): { places: Int32Array; present: number[] } {
  const places = new Int32Array(classes).fill(-1);
  const present: number[] = [];
  for (let i = 0; i < rows; i++) if (places[y[i]] < 0) places[y[i]] = present.push(y[i]) - 1;
  return { places, present };
}

function translate(y: Int32Array, from: number, to: number, places: Int32Array, out: Uint32Array): void {
  for (let i = from; i < to; i++) out[i - from] = places[y[i]];
}

function gatherRows(from: Float64Array, width: number, rows: readonly number[], to: Float64Array): void {
  for (let k = 0; k < rows.length; k++) to.set(from.subarray(rows[k] * width, (rows[k] + 1) * width), k * width);
}

function scatterRows(from: Float64Array, width: number, rows: readonly number[], to: Float64Array): void {
  for (let k = 0; k < rows.length; k++) to.set(from.subarray(k * width, (k + 1) * width), rows[k] * width);
}
