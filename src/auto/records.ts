import { isBlank } from '../data/cells.ts';
import type { ColumnTable } from '../data/column-table.ts';
import { encodeCodes, type Label } from '../data/labels.ts';
import type { CodedColumn } from '../data/packed-columns.ts';
import { refuse, show } from '../errors.ts';
import { logShares } from '../math/logs.ts';
import { type Cutting, cutColumn } from './records-views.ts';
import { readColumn, type SchemaColumn } from './schema.ts';

/** How a column is read: as numbers, or as levels. */
export type Reading = 'number' | 'level';

/** Rows to learn from: everything that is learned in a fold is learned from its training rows alone, cuts and scales too. */
export class TrainingRows {
  readonly frame: Frame;
  readonly codes: Int32Array;
  readonly classes: number;
  readonly readings: readonly Reading[];
  /** How much each row counts; one without it. */
  readonly weights: Float64Array | undefined;
  private readonly known = new Map<string, number[]>();

  constructor(
    frame: Frame,
    codes: Int32Array,
    classes: number,
    readings: readonly Reading[],
    weights?: Float64Array | undefined,
  ) {
    this.frame = frame;
    this.codes = codes;
    this.classes = classes;
    this.readings = readings;
    this.weights = weights;
  }

  /** Some of the rows. */
  part(rows: ArrayLike<number>): TrainingRows {
    const codes = Int32Array.from(rows, (i) => this.codes[i]);
    const { weights } = this;
    const own = weights && Float64Array.from(rows, (i) => weights[i]);
    return new TrainingRows(takeFrame(this.frame, rows), codes, this.classes, this.readings, own);
  }

  /** Labels as estimators take them. */
  get labels(): number[] {
    return Array.from(this.codes);
  }

  /** ln p(c) as counted. */
  get logPrior(): Float64Array {
    const counts = new Float64Array(this.classes);
    this.codes.forEach((code, i) => {
      counts[code] += this.weights?.[i] ?? 1;
    });
    return logShares(counts);
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
    const found = cutColumn(this.frame.columns[j], this.codes, this.classes, cutting, this.weights);
    this.known.set(key, found);
    return found;
  }
}

/** One split: the training rows, and the held-out rows. */
export interface Fold {
  readonly training: TrainingRows;
  readonly frame: Frame;
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
