import { isBlank } from '../data/cells.ts';
import type { ColumnTable } from '../data/column-table.ts';
import { encodeCodes, type Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { CodedColumn } from '../data/packed-columns.ts';
import { refuse, show } from '../errors.ts';
import { binBetween } from '../features/bins.ts';
import { type Cutting, cutColumn } from '../features/cuts.ts';
import { readColumn, type SchemaColumn } from './schema.ts';

/** How a column is read: as numbers, or as levels. */
export type Reading = 'number' | 'level';

/** Rows to learn from: everything that is learned in a fold is learned from its training rows alone, cuts and scales too. */
export class TrainingRows {
  readonly frame: Frame;
  readonly codes: Int32Array;
  readonly classes: number;
  readonly readings: readonly Reading[];
  private readonly known = new Map<string, number[]>();

  constructor(frame: Frame, codes: Int32Array, classes: number, readings: readonly Reading[]) {
    this.frame = frame;
    this.codes = codes;
    this.classes = classes;
    this.readings = readings;
  }

  /** Some of the rows. */
  part(rows: ArrayLike<number>): TrainingRows {
    const codes = Int32Array.from(rows, (i) => this.codes[i]);
    return new TrainingRows(takeFrame(this.frame, rows), codes, this.classes, this.readings);
  }

  /** Labels as estimators take them. */
  get labels(): number[] {
    return Array.from(this.codes);
  }

  /** The columns that are read in this way. */
  columns(reading: Reading): number[] {
    return [...this.readings.keys()].filter((j) => this.readings[j] === reading);
  }

  /** The cuts of a column of numbers. */
  cuts(j: number, cutting: Cutting): number[] {
    const key = `${cutting}${j}`;
    const known = this.known.get(key);
    if (known) return known;
    const found = cutColumn(this.frame.columns[j], this.codes, this.classes, cutting);
    this.known.set(key, found);
    return found;
  }
}

/**
 * Rows as columns of numbers: numbers as they are, words as their place among the levels of the schema (the first place
 * past them for all others), NaN for what is missing.
 */
export interface Frame {
  readonly rows: number;
  readonly columns: readonly Float64Array[];
}

/** Reads the features of some columns of a table. */
export function readFrame(table: ColumnTable, columns: readonly SchemaColumn[]): Frame {
  return { rows: table.length, columns: columns.flatMap((column) => readColumn(table, column)) };
}

/** Some rows of a frame. */
export function takeFrame({ columns }: Frame, rows: ArrayLike<number>): Frame {
  return { rows: rows.length, columns: columns.map((column) => Float64Array.from(rows, (i) => column[i])) };
}

/** Rows that are scored or learned at once: features of many rows side by side take far more memory than the columns. */
const BLOCK = 2 ** 14;

/** The rows of a frame in blocks, each with the number of its first row. */
export function* blocksOf({ rows, columns }: Frame): Generator<{ readonly start: number; readonly frame: Frame }> {
  for (let start = 0; start < rows || start === 0; start += BLOCK) {
    const end = Math.min(rows, start + BLOCK);
    yield { start, frame: { rows: end - start, columns: columns.map((column) => column.subarray(start, end)) } };
  }
}

/** How many cells of each row are present. */
export function countCells({ rows, columns }: Frame): Float64Array {
  const counts = new Float64Array(rows);
  for (const column of columns) for (let i = 0; i < rows; i++) if (!Number.isNaN(column[i])) counts[i]++;
  return counts;
}

/** Labels as numbers among the sorted classes. */
export interface Coded {
  readonly classes: readonly Label[];
  readonly codes: Int32Array;
}

/** The labels in the target column; one that is missing is refused. */
export const labelsOf = (table: ColumnTable, target: string): readonly Label[] => labelCodes(table, target).toArray();

/** The same as numbers into a list of the different ones. */
export function labelCodes(table: ColumnTable, target: string): CodedColumn<Label> {
  const labels = table.column(target).codes();
  const row = labels.findIndex((cell) => !isLabel(cell));
  if (row < 0) return labels as CodedColumn<Label>;
  if (isBlank(labels.at(row))) refuse('E_LABEL_MISSING', `row ${row} has no label in ${show(target)}`, { row });
  return refuse('E_LABEL_TYPE', `the label of row ${row} is neither text nor a number nor true or false`, { row });
}

const isLabel = (cell: unknown): boolean => !isBlank(cell) && ['string', 'number', 'boolean'].includes(typeof cell);

/** The labels in the target column as class numbers. */
export function readTarget(table: ColumnTable, target: string): Coded {
  return encodeCodes(labelCodes(table, target));
}

/** A column, or the bins of one. */
interface BinnedColumn {
  readonly column: number;
  readonly cuts?: readonly number[];
}

/**
 * How one feature of a model comes from a column: first the cell, or the number of its bin (cuts), or whether it is one level
 * (level); then less the mean and divided by the scale. What is missing, or not between `least` and `most`, stays NaN, or becomes `fill` in files of version 0.1.
 */
export interface ViewFeature extends BinnedColumn {
  readonly level?: number;
  readonly mean?: number;
  readonly scale?: number;
  readonly fill?: number;
  /** Other cells count as missing. */
  readonly least?: number;
  readonly most?: number;
  /** Another column of levels, of which there are `size`: the feature is the pair, first · size + other. */
  readonly with?: BinnedColumn & { readonly size: number };
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
    if (base?.of.column !== column || base.of.cuts !== cuts || feature.with)
      base = { of: feature, values: valuesOf(feature, frame) };
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

/** The cells of a column that are within bounds, the numbers of their bins, or pairs of them with those of another column. */
function valuesOf({ column, cuts, least, most = Infinity, with: other }: ViewFeature, frame: Frame): Float64Array {
  const cells = frame.columns[column];
  if (least !== undefined) return cells.map((value) => (value >= least && value <= most ? value : Number.NaN));
  const own = cuts ? cells.map((value) => (Number.isNaN(value) ? value : binBetween(cuts, value))) : cells;
  if (!other) return own;
  const second = valuesOf(other, frame);
  return own.map((value, i) => value * other.size + Math.min(second[i], other.size - 1));
}

/** Mean and standard deviation of the values that are present. */
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

/** A number with mean 0 and deviation 1 in these rows; none where it never varies. */
export const standardised = (column: number, { columns }: Frame): ViewFeature[] =>
  scaled({ column }, momentsOf(columns[column]));

/** The same of an indicator that is on in a share of the rows. */
export function standardisedLevel(feature: ViewFeature, share: number): ViewFeature[] {
  return scaled(feature, { mean: share, deviation: Math.sqrt(share * (1 - share)) });
}

function scaled(feature: ViewFeature, { mean, deviation }: ReturnType<typeof momentsOf>): ViewFeature[] {
  return deviation > 1e-12 * Math.abs(mean) ? [{ ...feature, mean, scale: deviation }] : [];
}
