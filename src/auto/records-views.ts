import { Matrix } from '../data/matrix.ts';
import { cutBetween, frequencyEdges } from '../features/bins.ts';
import { mdlCuts } from '../features/mdlp.ts';
import { sum } from '../math/arrays.ts';
import { binOf } from './learner-table.ts';
import type { Frame } from './records.ts';

/**
 * How one feature of a model comes from a column: first the cell, or the number of its bin (cuts), or whether it is one level
 * (level); then less the mean and divided by the scale. What is missing stays NaN, or becomes `fill` in files of version 0.1.
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
  const width = view.length;
  const out = new Matrix(frame.rows, width);
  let base: { of: ViewFeature; values: Float64Array } | undefined;
  view.forEach((feature, k) => {
    const { column, cuts, level, mean = 0, scale = 1, fill = Number.NaN } = feature;
    // Indicators of the levels of one column follow each other and share their bins.
    if (base?.of.column !== column || base.of.cuts !== cuts) base = { of: feature, values: valuesOf(feature, frame) };
    const { values } = base;
    const { data } = out;
    if (level === undefined) {
      for (let i = 0, at = k; i < values.length; i++, at += width) {
        data[at] = Number.isNaN(values[i]) ? fill : (values[i] - mean) / scale;
      }
    } else {
      const [off, on] = [-mean / scale, (1 - mean) / scale];
      for (let i = 0, at = k; i < values.length; i++, at += width) {
        data[at] = values[i] === level ? on : Number.isNaN(values[i]) ? fill : off;
      }
    }
  });
  return out;
}

/** The cells of a column, or the numbers of their bins. */
function valuesOf({ column, cuts }: ViewFeature, { columns }: Frame): Float64Array {
  const cells = columns[column];
  return cuts ? cells.map((value) => (Number.isNaN(value) ? value : binOf(value, cuts))) : cells;
}

/** How numbers are cut into bins: by description length, or into equally many rows. */
export type Cutting = 'mdl' | 'frequency';

/** Columns with as few values as this keep each of them apart. */
const FEW_VALUES = 12;
const MOST_BINS = 10;
/** Bins of equal frequency hold at least about so many rows. */
const ROWS_PER_BIN = 25;

/** The cuts of a column; rows count once, or by their weights. */
export function cutColumn(
  column: Float64Array,
  codes: Int32Array,
  classes: number,
  cutting: Cutting,
  weights?: Float64Array,
): number[] {
  const [x, w, y] = [new Float64Array(column.length), new Float64Array(column.length), new Int32Array(column.length)];
  let count = 0;
  for (let i = 0; i < column.length; i++) {
    if (Number.isNaN(column[i])) continue;
    x[count] = column[i];
    w[count] = weights ? weights[i] : 1;
    y[count++] = codes[i];
  }
  if (count === 0) return [];
  const [values, shares] = [x.subarray(0, count), w.subarray(0, count)];
  if (cutting === 'frequency') return frequencyCuts(values, shares);
  return Array.from(mdlCuts(values, y, shares, classes, { criterion: 'fayyad-irani', betterEncoding: false }));
}

/** Cuts between bins of about equally many rows; of few values, between all of them. */
function frequencyCuts(x: Float64Array, w: Float64Array): number[] {
  const weights = new Map<number, number>();
  for (let i = 0; i < x.length; i++) weights.set(x[i], (weights.get(x[i]) ?? 0) + w[i]);
  const values = Float64Array.from(weights.keys()).sort();
  if (values.length <= FEW_VALUES) return Array.from(values.subarray(1), (value, v) => cutBetween(values[v], value));
  const bins = Math.max(3, Math.min(MOST_BINS, Math.floor(sum(w) / ROWS_PER_BIN)));
  const column = { values, weights: values.map((value) => weights.get(value)!) };
  return Array.from(frequencyEdges(column, bins).subarray(1, -1));
}

/** Mean and standard deviation of what is there; rows count once, or by their weights. */
export function momentsOf(values: Float64Array, weights?: Float64Array): { mean: number; deviation: number } {
  let [n, mean, squares] = [0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const [value, weight] = [values[i], weights ? weights[i] : 1];
    if (Number.isNaN(value)) continue;
    const delta = value - mean;
    n += weight;
    mean += (delta * weight) / n;
    squares += delta * weight * (value - mean);
  }
  return { mean, deviation: n > 0 ? Math.sqrt(squares / n) : 0 };
}

/** Rows of a frame, each of which counts once, or by its weight. */
interface Weighed {
  readonly frame: Frame;
  readonly weights: Float64Array | undefined;
}

/** A number with mean 0 and deviation 1 in these rows; none where it never varies. */
export function standardised(column: number, { frame, weights }: Weighed): ViewFeature[] {
  return scaled({ column }, momentsOf(frame.columns[column], weights));
}

/** The same of an indicator that is on in a share of the rows. */
export function standardisedLevel(feature: ViewFeature, share: number): ViewFeature[] {
  return scaled(feature, { mean: share, deviation: Math.sqrt(share * (1 - share)) });
}

function scaled(feature: ViewFeature, { mean, deviation }: ReturnType<typeof momentsOf>): ViewFeature[] {
  return deviation > 1e-12 * Math.abs(mean) ? [{ ...feature, mean, scale: deviation }] : [];
}
