import { type CellCounts, type CellFormat, detectCells, type FormatOptions, levelReader } from '../data/cell-format.ts';
import { cellOf, type DataRow, isBlank, isMarker, numberOf, wordOf } from '../data/cells.ts';
import type { TableColumn } from '../data/column-table.ts';
import { refuse, show } from '../errors.ts';
import { countCodes } from '../math/arrays.ts';
import { RowIndex } from '../math/row-index.ts';
import type { ColumnKind } from './schema.ts';

/** What the cells of a column look like. */
export interface ColumnDescription {
  readonly kind: ColumnKind;
  readonly reason: string;
  readonly missing: number;
  /** How many different values there are. */
  readonly distinct: number;
  /** How often each value occurs, as a word; empty for numbers. */
  readonly counts: ReadonlyMap<string, number>;
  /** How the cells are read. */
  readonly format: CellFormat;
  /** How they are read where another way is possible too, as a part of a sentence. */
  readonly ambiguous?: string;
}

/** With fewer rows than this, it says little that all values are different. */
const LEAST_ROWS = 20;
/** Identifiers differ in nearly every row. */
const NEARLY_ALL = 0.95;

/** Names of identifiers: whatever their values are, unless these are few. */
const idNames = [
  /(^|[^a-z])(id|uuid|guid)$/i,
  /[a-z](Id|ID|Uuid|UUID|Guid|GUID)$/,
  /^(row[ _]?(id|num|number|no|nr)|unnamed: 0|)$/i,
];
/** Names that identifiers have if their values differ in nearly every row. */
const perhapsIdNames = [
  /(^|[^a-z])(key|number|num|no|nr)\.?$/i,
  /[a-z](Key|Number|Num|No|Nr)$/,
  /^(id|index|#)([^a-z]|$)/i,
  /^(user|customer|client|account|order|item|product|doc|document|post|message|record|session|case|patient)id$/i,
];
const isIdName = (name: string): boolean => idNames.some((pattern) => pattern.test(name));
const isPerhapsIdName = (name: string): boolean => perhapsIdNames.some((pattern) => pattern.test(name));
/** Whether a column is named like an identifier. */
export const namedLikeId = (name: string): boolean => isIdName(name) || isPerhapsIdName(name);

/** An identifier of few values, each of them in many rows, is a category: that of a shop, for example. */
const FEW_IDS = 50;
const ROWS_PER_ID = 10;

const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$|^[0-9a-f]{24,}$/i;

/** The words of a column that says which rows are for training and which are held out. */
const trainWords: ReadonlySet<string> = new Set(['train', 'training']);
const heldOutWords: ReadonlySet<string> = new Set([
  ...['test', 'testing', 'val', 'valid', 'validation', 'dev', 'development', 'eval', 'holdout'],
]);

/** Whether a cell of a split column says that its row is for training, for testing, or for validation. */
export function splitOf(cell: unknown): 'train' | 'test' | 'validation' | undefined {
  const word = isBlank(cell) ? '' : wordOf(cell).toLowerCase();
  if (trainWords.has(word)) return 'train';
  if (!heldOutWords.has(word)) return undefined;
  return word.startsWith('test') || word === 'holdout' ? 'test' : 'validation';
}

/** Numbers of the rows to learn from and of those to evaluate on. */
export interface SplitRows {
  readonly train: readonly number[];
  readonly test: readonly number[];
  /** What the held-out rows are: 'test', or 'validation' where there are no test rows. */
  readonly held: 'test' | 'validation';
}

/** Divides rows by the words of their split column; where there are test rows, validation rows are left aside. */
export function splitRows(rows: readonly DataRow[], column: string): SplitRows {
  const parts: Record<'train' | 'test' | 'validation', number[]> = { train: [], test: [], validation: [] };
  rows.forEach((row, i) => {
    const cell = cellOf(row, column);
    const part = splitOf(cell);
    if (part) parts[part].push(i);
    else {
      refuse(
        'E_PARAM',
        `row ${i}: the split column ${show(column)} holds train, test, val or dev, and here ${show(cell)}`,
        {
          name: 'splitColumn',
          row: i,
        },
      );
    }
  });
  const held = parts.test.length > 0 ? 'test' : 'validation';
  const empty = parts.train.length === 0 ? 'training' : parts[held].length === 0 ? 'test' : undefined;
  if (empty) refuse('E_EMPTY_INPUT', `the split column ${show(column)} has no ${empty} rows`, { feature: column });
  return { train: parts.train, test: parts[held], held };
}

/** Scripts that put no blanks between words: a few characters are a sentence. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** How often each value occurs in a column, as it stands in its cells. */
export type ColumnTally = ReadonlyMap<unknown, number>;

/** Counts the values of a column. */
export function tallyCells(cells: Iterable<unknown>): ColumnTally {
  const counts = new Map<unknown, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
}

/** Counts the values of a column of a table. */
export function tallyColumn(column: TableColumn): ColumnTally {
  const { codes, values } = column.codes();
  const times = countCodes(codes, values.length);
  const counts = new Map<unknown, number>();
  for (const [code, value] of values.entries()) counts.set(value, (counts.get(value) ?? 0) + times[code]);
  return counts;
}

/** Detects the kind of a column, with the reason. */
export function describeColumn(name: string, column: TableColumn, options: FormatOptions = {}): ColumnDescription {
  const { values, odd } = column.numbers();
  // Fractions in plain notation can be nothing but numbers; whole numbers may be codes, which their digits show.
  if (
    odd.length === 0 &&
    options.decimal !== 'comma' &&
    values.some((value) => value % 1 !== 0 && !Number.isNaN(value))
  ) {
    const { distinct, present } = distinctNumbers(values);
    const { kind, reason } = describeNumbers(name, distinct, present);
    const missing = values.length - present;
    if (kind === 'number') return { kind, reason, missing, distinct: distinct.length, counts: new Map(), format: {} };
  }
  return describeTally(name, tallyColumn(column), options);
}

/** The different numbers in the order of their first rows, and how many there are in all. */
function distinctNumbers(values: Float64Array): { distinct: Float64Array; present: number } {
  const distinct = new Float64Array(values.length);
  const [index, kept] = [new RowIndex(2), new Uint32Array(distinct.buffer)];
  const number = new Float64Array(1);
  const words = new Uint32Array(number.buffer);
  let [size, present] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    present++;
    number[0] = values[i] + 0; // 0 for −0
    if (index.place(words, 0, kept, size) === size) distinct[size++] = number[0];
  }
  return { distinct: distinct.subarray(0, size), present };
}

/** Detects the kind of a column by its counted cells, with the reason. */
export function describeTally(name: string, cells: ColumnTally, options?: FormatOptions): ColumnDescription {
  const present = [...cells].filter(([cell]) => !isBlank(cell));
  const { kind, format, ambiguous, note = ambiguous } = detectCells(present, options);
  const said = kind === 'number' || kind === 'date' ? present.filter(([cell]) => !isMarker(cell)) : present;
  const counts = countWords(said, format);
  const missing = total(cells) - total(counts);
  const about = { missing, distinct: counts.size, counts, format, ...(ambiguous && { ambiguous }) };
  const tell = (own: Kind) => ({ ...about, ...own, ...(note && { reason: `${own.reason}; ${note}` }) });
  if (kind === 'number') return tell(describeNumbers(name, numbersOf(said, format), total(said)));
  if (kind === 'date') return tell(describeDates(format, counts));
  if (kind === 'boolean') return tell({ kind: 'boolean', reason: `${format.truth?.join(' or ')}` });
  return tell(describeWords(name, counts, kind === 'code' ? 'codes with leading zeros' : 'words'));
}

/** How often each word occurs in counted cells, as a format reads them. */
export function countWords(cells: CellCounts, format: CellFormat): Map<string, number> {
  const counts = new Map<string, number>();
  const read = levelReader(format);
  for (const [cell, count] of cells) {
    const word = read(cell);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return counts;
}

/** The different numbers of cells. */
const numbersOf = (cells: CellCounts, { numbers }: CellFormat): Float64Array =>
  Float64Array.from(new Set(Array.from(cells, ([cell]) => numberOf(cell, numbers))));

function total(counts: Iterable<readonly [unknown, number]>): number {
  let sum = 0;
  for (const [, count] of counts) sum += count;
  return sum;
}

type Kind = Pick<ColumnDescription, 'kind' | 'reason'>;

/** `values` are the different numbers of `cells` cells. */
function describeNumbers(name: string, values: Float64Array, cells: number): Kind {
  if (values.length < 2) return { kind: 'constant', reason: 'always the same number' };
  const whole = values.every(Number.isInteger);
  if (isIdName(name)) return describeId(values.length, cells);
  if (whole && values.length === cells && areRowNumbers(values))
    return { kind: 'identifier', reason: 'whole numbers that count the rows' };
  const all = values.length >= NEARLY_ALL * cells && cells >= LEAST_ROWS;
  if (whole && all && isPerhapsIdName(name))
    return { kind: 'identifier', reason: 'different in nearly every row, and named like an identifier' };
  if (values.length === 2) return { kind: 'category', reason: 'numbers, but only two of them' };
  return { kind: 'number', reason: `${whole ? 'whole numbers' : 'numbers'}, ${values.length} different` };
}

/** What a column with the name of an identifier is. */
function describeId(values: number, cells: number): Kind {
  return values <= FEW_IDS && cells >= ROWS_PER_ID * values
    ? { kind: 'category', reason: `named like an identifier, but with only ${values} values` }
    : { kind: 'identifier', reason: 'named like an identifier' };
}

/** ln 1e-6: numbers that are different by chance are rarely as lucky. */
const LUCK = -6 * Math.LN10;

/**
 * Whether different whole numbers were drawn without replacement from a row of them: they fill at least half of their range, in which
 * n numbers drawn with replacement would all be different with a probability Π (1 − i / range) below 1e-6.
 */
function areRowNumbers(values: Float64Array): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  const range = most - least + 1;
  if (values.length < range / 2) return false;
  let log = 0;
  for (let i = 1; i < values.length && log >= LUCK; i++) log += Math.log1p(-i / range);
  return log < LUCK;
}

function describeDates({ dates }: CellFormat, counts: ReadonlyMap<string, number>): Kind {
  if (counts.size < 2) return { kind: 'constant', reason: 'always the same date' };
  const order = [...counts.keys()].some((word) => /^\d{1,2}[-/.]/.test(word)) ? `, ${dates?.replace('-', ' ')}` : '';
  return { kind: 'date', reason: `dates${order}, ${counts.size} different` };
}

function describeWords(name: string, counts: ReadonlyMap<string, number>, what: string): Kind {
  if (counts.size === 0) return { kind: 'constant', reason: 'every cell is missing' };
  if (counts.size < 2) return { kind: 'constant', reason: 'always the same value' };
  const words = [...counts.keys()];
  if (isSplit(words)) return { kind: 'split', reason: `says which rows are for training: ${words.join(', ')}` };
  const cells = total(counts);
  const share = counts.size / cells;
  const id = describeId(counts.size, cells);
  if (id.kind === 'identifier' && words.every((word) => UUID.test(word)))
    return { kind: 'identifier', reason: 'UUIDs or hashes' };
  const length = averageWords(words);
  if (length >= 3 && counts.size >= Math.min(LEAST_ROWS, 0.5 * cells) && share > 0.2) {
    return { kind: 'text', reason: `sentences: ${length.toFixed(0)} words on average, most of them different` };
  }
  if (isIdName(name)) return id;
  const most = cells >= LEAST_ROWS && (share >= NEARLY_ALL || (share > 0.5 && isPerhapsIdName(name)));
  if (most) return { kind: 'identifier', reason: `${what} that differ in nearly every row` };
  return { kind: 'category', reason: `${what}, ${counts.size} different in ${cells} rows` };
}

function isSplit(words: readonly string[]): boolean {
  const parts = new Set(words.map(splitOf));
  return parts.has('train') && parts.size > 1 && !parts.has(undefined);
}

/** Looking at this many different cells, or characters in all, is enough to know how long cells are. */
const ENOUGH_CELLS = 1000;
const ENOUGH_CHARACTERS = 100_000;

/** Words in a cell on average; where a script has no blanks, two characters count as a word. */
function averageWords(words: readonly string[]): number {
  let [sum, cells, characters] = [0, 0, 0];
  for (const word of words) {
    sum += UNSPACED.test(word) ? word.length / 2 : word.split(/\s+/).length;
    cells++;
    characters += word.length;
    if (cells === ENOUGH_CELLS || characters > ENOUGH_CHARACTERS) break;
  }
  return sum / cells;
}
