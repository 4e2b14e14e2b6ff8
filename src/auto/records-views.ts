import { Matrix } from '../data/matrix.ts';
import { mdlCuts } from '../features/mdlp.ts';
import type { Frame } from './records.ts';

/**
 * How one feature of a model comes from a column: first the cell, or the number of its bin (cuts), or whether it is one level
 * (level); then less the mean and divided by the scale. What is missing stays NaN, or becomes `fill`.
 */
export interface ViewFeature {
  readonly column: number;
  readonly cuts?: readonly number[];
  readonly level?: number;
  readonly mean?: number;
  readonly scale?: number;
  readonly fill?: number;
}

/** The features of a model, as plain data. */
export type View = readonly ViewFeature[];

/** Rows as a model sees them. */
export function look(view: View, frame: Frame): Matrix {
  const out = new Matrix(frame.rows, view.length);
  view.forEach((feature, k) => {
    const column = frame.columns[feature.column];
    const { mean = 0, scale = 1, fill = Number.NaN } = feature;
    for (let i = 0; i < frame.rows; i++) {
      const value = column[i];
      out.data[i * view.length + k] = Number.isNaN(value) ? fill : (valueOf(value, feature) - mean) / scale;
    }
  });
  return out;
}

function valueOf(value: number, { cuts, level }: ViewFeature): number {
  const v = cuts ? binOf(value, cuts) : value;
  return level === undefined ? v : Number(v === level);
}

/** How many cuts are at or below a value. */
function binOf(value: number, cuts: readonly number[]): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cuts[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How numbers are cut into bins: by description length, or into equally many rows. */
export type Cutting = 'mdl' | 'frequency';

/** Columns with as few values as this keep each of them apart. */
const FEW_VALUES = 12;
const MOST_BINS = 10;
/** Bins of equal frequency hold at least about so many rows. */
const ROWS_PER_BIN = 25;

/** The cuts of a column. */
export function cutColumn(column: Float64Array, codes: Int32Array, classes: number, cutting: Cutting): number[] {
  const present = Int32Array.from(column.keys()).filter((i) => !Number.isNaN(column[i]));
  const x = Float64Array.from(present, (i) => column[i]);
  if (x.length === 0) return [];
  if (cutting === 'frequency') return frequencyCuts(x);
  const y = Int32Array.from(present, (i) => codes[i]);
  const options = { criterion: 'fayyad-irani', betterEncoding: false } as const;
  return Array.from(mdlCuts(x, y, new Float64Array(x.length).fill(1), classes, options));
}

/** Bins of about equally many rows, equal values together; cuts lie midway between values. */
function frequencyCuts(x: Float64Array): number[] {
  const values = Float64Array.from(new Set(x)).sort();
  const between = (v: number) => (values[v - 1] + values[v]) / 2;
  if (values.length <= FEW_VALUES) return Array.from({ length: values.length - 1 }, (_, v) => between(v + 1));
  const bins = Math.max(3, Math.min(MOST_BINS, Math.floor(x.length / ROWS_PER_BIN)));
  const sorted = x.slice().sort();
  const cuts = new Set<number>();
  for (let b = 1; b < bins; b++) {
    const edge = sorted[Math.floor((b * sorted.length) / bins)];
    const place = values.indexOf(edge);
    if (place > 0) cuts.add(between(place));
  }
  return [...cuts];
}

/** Mean and standard deviation of what is there. */
export function momentsOf(values: Float64Array): { mean: number; deviation: number } {
  let [n, mean, squares] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const delta = value - mean;
    mean += delta / ++n;
    squares += delta * (value - mean);
  }
  return { mean, deviation: n > 0 ? Math.sqrt(squares / n) : 0 };
}

/** A feature with mean 0 and deviation 1; none where it never varies. */
export function standardised(feature: ViewFeature, frame: Frame, fill?: number): ViewFeature[] {
  const { mean, deviation } = momentsOf(look([feature], frame).data);
  if (!(deviation > 1e-12 * Math.abs(mean))) return [];
  return [{ ...feature, mean, scale: deviation, ...(fill !== undefined && { fill }) }];
}
