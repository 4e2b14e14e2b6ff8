import type { binnings } from '../core/model-options.ts';
import { type DatePart, partPlace, partWord } from '../data/cell-date.ts';
import { type CellFormat, momentOf, readWords, truthOf } from '../data/cell-format.ts';
import { hasLeadingZero } from '../data/cell-number.ts';
import { isBlank, isMarker, missingWords, numberOf, wordOf } from '../data/cells.ts';
import {
  type ColumnNumbers,
  type ColumnTable,
  numberColumns,
  numbersIn,
  type TableColumn,
  textOfCell,
} from '../data/column-table.ts';
import { CodedColumn, type PackedColumn } from '../data/packed-columns.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse, show } from '../errors.ts';
import { binBetween } from '../features/bins.ts';
import { stackColumns } from '../features/columns.ts';
import { cutColumn } from '../features/cuts.ts';
import { type FamilyName, familyOf } from './learner-families.ts';
import type { Schema, SchemaColumn } from './schema.ts';

/** What a cell is for a model: a document, a measured number, a count, true or false, a level, or the bin of a number. */
export type Reading = 'text' | 'number' | 'count' | 'flag' | 'level' | 'bin';

/** A column that a model reads, with all that decides what its cells mean. */
export interface ReadColumn {
  readonly name: string;
  readonly reading: Reading;
  /** Where a number is cut into bins. */
  readonly cuts?: readonly number[];
  /** The number that stands for a blank cell, in files of version 0.1. */
  readonly fill?: number;
  /** Its own family, where it was asked for. */
  readonly family?: ColumnFamily;
  /** How its cells are read, where they are not as version 0.1 read them. */
  readonly format?: CellFormat;
  /** The part of the dates of a column that it is, and the name of that column. */
  readonly part?: DatePart;
  readonly from?: string;
}

/** A schema with what the first rows settled: hand it to another fit, and the two models merge. */
export interface ClassifierSchema extends Schema {
  readonly columns: readonly ClassifierColumn[];
}

/** A column with its cuts, where numbers are cut into bins, and its own family. */
export type ClassifierColumn = SchemaColumn & Pick<ReadColumn, 'cuts' | 'fill' | 'family'>;

/** How numbers are cut into bins: by description length, or into equally many rows. */
export type Bins = (typeof binnings)[number];

/** The family of a column where models take each column by itself. */
export type ColumnFamily = 'gaussian' | 'poisson' | 'categorical' | 'bins';

/** What is known of columns beside their kinds. */
interface Wishes {
  /** Columns that were asked for by name. */
  readonly asked: ReadonlySet<string>;
  readonly families: Readonly<Record<string, ColumnFamily>>;
}

/** Whether all cells are numbers; codes such as 08713 are none. */
const isNumeric = ({ kind, levels, format }: SchemaColumn): boolean =>
  kind === 'number' ||
  (levels !== undefined &&
    levels.length > 0 &&
    levels.every((word) => !hasLeadingZero(word) && !Number.isNaN(numberOf(word, format?.numbers))));

const areDates = ({ format }: SchemaColumn): boolean => format?.dates !== undefined;

/**
 * How a model reads the features of a schema. A column that it cannot take is refused by its name, except for dates that were not
 * asked for: a model of counts leaves them out.
 */
export function readingsOf(model: FamilyName, { columns }: Schema, wishes: Wishes): ReadColumn[] {
  const { takes } = familyOf(model);
  const all = columns.filter(({ role }) => role === 'feature') as ClassifierColumn[];
  const features = takes === 'counts' ? all.filter((own) => !areDates(own) || wishes.asked.has(own.name)) : all;
  if (features.length === 0) refuse('E_EMPTY_INPUT', 'no column is informative about the label', { features: 0 });
  const unknown = Object.keys(wishes.families).find((name) => !features.some((column) => column.name === name));
  if (unknown !== undefined) {
    refuse('E_FEATURE_MISSING', `families names ${show(unknown)}, which is not a feature`, { feature: unknown });
  }
  const asText = takes === 'counts' && features.some((column) => isWords(column, wishes));
  const taken = new Set(columns.map(({ name }) => name));
  return features.flatMap((column): ReadColumn[] => {
    const { name, cuts, format } = column;
    if (areDates(column)) return dateReadings(column, { model, asText, ...wishes }, taken);
    const reading = { counts: countReading, numbers: numberReading, levels: levelReading, anything: anyReading }[takes];
    const own = reading(column, { model, asText, ...wishes });
    const family = takes === 'anything' ? wantedFamily(column, wishes) : undefined;
    const kept = { ...(own === 'bin' && cuts && { cuts }), ...(own !== 'text' && format && { format }) };
    return [{ name, reading: own, ...(family && { family }), ...kept }];
  });
}

/** The features of a column of dates: the days as a number, and the other parts as levels where a model takes levels. */
function dateReadings(column: ClassifierColumn, context: Context, taken: Set<string>): ReadColumn[] {
  const { takes } = familyOf(context.model);
  if (takes === 'counts') return refuseColumn(column, context.model, context.asText ? 'text' : 'text or counts');
  const { name: from, format, cuts } = column;
  const family = takes === 'anything' ? wantedFamily(column, context) : undefined;
  if (family === 'categorical' || family === 'poisson') refuseColumn(column, context.model, `${family} cells`);
  const binned = takes === 'levels' || family === 'bins';
  return (format?.parts ?? []).flatMap((part): ReadColumn[] => {
    if (part !== 'days' && takes === 'numbers') return [];
    let name = `${from}.${part}`;
    while (taken.has(name)) name += '_';
    taken.add(name);
    const own = { name, from, part, ...(format && { format }) };
    if (part !== 'days') return [{ ...own, reading: 'level' }];
    if (binned) return [{ ...own, reading: 'bin', ...(family && { family }), ...(cuts && { cuts }) }];
    return [{ ...own, reading: 'number', ...(family && { family }) }];
  });
}

interface Context extends Wishes {
  readonly model: FamilyName;
  /** The columns are read as text. */
  readonly asText: boolean;
}

/** Whether a column is text for models of words: by its kind, or because words were asked for by name. */
const isWords = (column: SchemaColumn, { asked }: Wishes): boolean =>
  column.kind === 'text' || (asked.has(column.name) && !isNumeric(column) && column.kind !== 'boolean');

function countReading(column: SchemaColumn, context: Context): Reading {
  if (context.asText)
    return isWords(column, context) ? 'text' : refuseColumn(column, context.model, 'text, as others do');
  if (isNumeric(column)) return 'count';
  if (context.model === 'bernoulli' && column.kind === 'boolean') return 'flag';
  return refuseColumn(column, context.model, 'text or counts');
}

function numberReading(column: SchemaColumn, { model }: Context): Reading {
  return isNumeric(column) ? 'number' : refuseColumn(column, model, 'numbers');
}

function levelReading(column: SchemaColumn, { model }: Context): Reading {
  if (column.kind === 'text') return refuseColumn(column, model, 'levels or numbers');
  return column.kind === 'number' ? 'bin' : 'level';
}

const wantedFamily = ({ name, family }: ClassifierColumn, { families }: Wishes): ColumnFamily | undefined =>
  Object.hasOwn(families, name) ? families[name] : family;

function anyReading(column: SchemaColumn, context: Context): Reading {
  const { model } = context;
  const wanted = wantedFamily(column, context);
  if (column.kind === 'text') return wanted ? refuseColumn(column, model, `${wanted} cells`) : 'text';
  if (wanted === 'categorical' || (wanted === undefined && column.kind !== 'number')) return 'level';
  if (!isNumeric(column)) return refuseColumn(column, model, 'numbers');
  return wanted === 'bins' ? 'bin' : wanted === 'poisson' ? 'count' : 'number';
}

const holds = {
  number: 'numbers',
  category: 'words',
  boolean: 'true and false',
  date: 'dates',
  text: 'text',
} as const;

function refuseColumn({ name, kind }: SchemaColumn, model: FamilyName, expected: string): never {
  const actual = Object.hasOwn(holds, kind) ? holds[kind as keyof typeof holds] : 'words';
  const advice = "leave it out with features, or take the model 'mixed'";
  return refuse(
    'E_PARAM',
    `model ${show(model)} takes ${expected}, and column ${show(name)} holds ${actual}: ${advice}`,
    {
      name: 'model',
      feature: name,
      expected,
      actual,
    },
  );
}

/** As many different whole numbers are levels; more are cut into bins. */
const FEW_LEVELS = 32;

/** How a family reads columns, before rows have settled cuts. */
export interface Readings {
  readonly model: FamilyName;
  readonly columns: readonly ReadColumn[];
  readonly bins: Bins;
}

/** What the first rows settle: cuts of numbers that are to be bins, unless they are few whole numbers and so levels already. */
export function settleColumns(
  { model, columns, bins }: Readings,
  table: ColumnTable,
  codes: Int32Array,
  classes: number,
): ReadColumn[] {
  return columns.map((column) => {
    const { reading, cuts, part, format } = column;
    if (reading !== 'bin' || cuts) return column;
    const numbers = readNumbers(table, column, false);
    const levels = familyOf(model).takes === 'levels' && !part && !format?.numbers && areLevels(numbers);
    if (levels) return { ...column, reading: 'level', format: { ...format, missing: missingWords } };
    return { ...column, cuts: cutColumn(numbers, codes, classes, bins) };
  });
}

function areLevels(numbers: Float64Array): boolean {
  const values = new Set(numbers);
  return values.size <= FEW_LEVELS && [...values].every((value) => Number.isNaN(value) || Number.isInteger(value));
}

/** The schema with what was settled; a column that the model does not take is ignored. */
export function settledSchema(schema: Schema, columns: readonly ReadColumn[]): ClassifierSchema {
  const read = new Map<string, ReadColumn>();
  for (const column of columns) {
    const name = column.from ?? column.name;
    if (!read.has(name)) read.set(name, column); // of dates the days come first, which are all that is settled
  }
  return {
    ...schema,
    columns: schema.columns.map((column) => {
      const own = read.get(column.name);
      if (!own) return column.role === 'feature' ? unread(column) : column;
      const { reading, cuts, fill, family, format } = own;
      const settled = {
        ...(cuts && { cuts }),
        ...(fill !== undefined && { fill }),
        ...(family && { family }),
        ...(format && { format }),
      };
      if (reading === 'text') return { ...column, kind: 'text', ...settled };
      const counted = reading === 'level' && column.kind === 'number' && !settled.family;
      return { ...column, kind: counted ? 'category' : column.kind, ...settled };
    }),
  };
}

const unread = (column: SchemaColumn): SchemaColumn => ({
  ...column,
  role: 'ignored',
  reason: `${column.reason}; the model takes no dates`,
});

/** Whether a cell is missing, in a column of numbers or dates. */
const isMissing = (cell: unknown): boolean => isBlank(cell) || isMarker(cell);

/** The moments of a column of dates. A cell that is no date is missing; when learning, one that is not blank either is refused. */
function readMoments(table: ColumnTable, { name, from = name, format }: ReadColumn, learning: boolean): Float64Array {
  const order = format?.dates ?? 'day-first';
  return Float64Array.from(table.column(from).cells(), (cell, i) => {
    const moment = momentOf(cell, order);
    if (Number.isNaN(moment) && learning && !isMissing(cell)) refuseWord(cell, from, i, 'dates');
    return moment;
  });
}

/**
 * The cells of a column of numbers. A cell that is no number is missing; when learning, one that is not blank either is refused. The
 * result is read-only: it may be the column itself.
 */
function readNumbers(table: ColumnTable, column: ReadColumn, learning: boolean): Float64Array {
  const { name, reading, format, part, fill } = column;
  if (part) {
    const moments = readMoments(table, column, learning);
    return moments.map((moment) => (Number.isNaN(moment) ? (fill ?? Number.NaN) : partPlace(moment, part)));
  }
  const cells = table.column(name);
  const { values, odd } = reading === 'flag' ? readFlags(cells) : numbersIn(cells, format?.numbers);
  const word = learning ? Array.from(odd).find((i) => !isMissing(cells.cell(i))) : undefined;
  if (reading === 'count') requireCounts(values, name, word ?? values.length);
  if (word !== undefined) refuseWord(cells.cell(word), name, word, 'numbers');
  return fill === undefined ? values : values.map((value) => (Number.isNaN(value) ? fill : value));
}

/** 1 for true, 0 for false; `odd` are the rows with neither. */
function readFlags(column: TableColumn): ColumnNumbers {
  const odd: number[] = [];
  const values = Float64Array.from(column.cells(), (cell, i) => {
    const truth = truthOf(wordOf(cell));
    const value = truth === undefined ? numberOf(cell) : Number(truth);
    if (Number.isNaN(value)) odd.push(i);
    return value;
  });
  return { values, odd };
}

/** Refuses a negative number in the rows before `end`. */
function requireCounts(values: Float64Array, name: string, end: number): void {
  for (let i = 0; i < end; i++) {
    if (!(values[i] < 0)) continue;
    refuse('E_NEGATIVE', `row ${i}: column ${show(name)} holds ${values[i]}, and counts are not negative`, {
      row: i,
      feature: name,
      actual: values[i],
    });
  }
}

function refuseWord(cell: unknown, name: string, row: number, what: string): never {
  return refuse('E_TYPE', `row ${row}: column ${show(name)} holds ${what}, and here ${show(cell)}`, {
    row,
    feature: name,
    actual: typeof cell,
  });
}

/** The cells of a column of levels: words, null where they are missing, or numbers of bins, NaN where they are missing. */
function readLevels(
  table: ColumnTable,
  column: ReadColumn,
  learning: boolean,
): readonly (string | null)[] | Float64Array | CodedColumn<string | null> {
  const { name, cuts = [], part, format } = column;
  if (column.reading === 'bin') {
    return readNumbers(table, column, learning).map((value) => (Number.isNaN(value) ? value : binBetween(cuts, value)));
  }
  if (part && part !== 'days') {
    return Array.from(readMoments(table, column, learning), (moment) => partWord(moment, part) ?? null);
  }
  return readWords(table.column(name).codes(), format);
}

/** Rows as an estimator takes them: counts of words side by side, or columns by name, blocks of words among them. */
export type EstimatorInput = SparseMatrix | Readonly<Record<string, InputColumn>>;

type InputColumn = ArrayLike<unknown> | PackedColumn | SparseMatrix;

/** The documents of a column as strings; an empty one where a cell is missing. */
export const textsOf = (table: ColumnTable, name: string): string[] => table.column(name).cells().map(textOfCell);

/** The columns of text. */
export const textColumns = (columns: readonly ReadColumn[]): ReadColumn[] =>
  columns.filter(({ reading }) => reading === 'text');

/** Reads a table into what the estimator of a family takes; `blocks` are the counted texts, in order. */
export function readTable(
  model: FamilyName,
  columns: readonly ReadColumn[],
  table: ColumnTable,
  blocks: readonly SparseMatrix[],
  learning: boolean,
): EstimatorInput {
  const { takes, blank } = familyOf(model);
  if (takes === 'counts' && blocks.length > 0)
    return blocks.length === 1 ? blocks[0] : (stackColumns(blocks, table.length, true) as SparseMatrix);
  let next = 0;
  const plain = blank === 'zero' ? [] : columns.filter(isPlain).map(({ name }) => name);
  const packed = new Map(numberColumns(table, plain).map((own, j) => [plain[j], own]));
  const named = columns.map((column): [string, InputColumn] => {
    if (column.reading === 'text') return [column.name, blocks[next++]];
    if (column.reading === 'level' || column.reading === 'bin')
      return [column.name, readLevels(table, column, learning)];
    const own = packed.get(column.name);
    if (own && own.odd.length === 0) return [column.name, own.values];
    const numbers = readNumbers(table, column, learning);
    return [column.name, blank === 'zero' ? numbers.map((value) => (Number.isNaN(value) ? 0 : value)) : numbers];
  });
  return Object.fromEntries(named);
}

/** Whether the numbers of a column are taken as they stand in the table. */
const isPlain = ({ reading, format, part, fill }: ReadColumn): boolean =>
  reading === 'number' && part === undefined && fill === undefined && !format?.numbers;

/** In which rows a number or a level is missing. */
function blankCells(table: ColumnTable, column: ReadColumn): readonly boolean[] {
  const { fill: _, ...plain } = column;
  const levels = column.reading === 'level' || column.reading === 'bin';
  const cells = levels ? readLevels(table, column, false) : readNumbers(table, plain, false);
  const isGap = (cell: unknown) => cell === null || Number.isNaN(cell);
  return cells instanceof CodedColumn ? cells.map(isGap).toArray() : Array.from<unknown, boolean>(cells, isGap);
}

/** How many columns of each row are present: a number or a level that could be read, a text with a known word. */
export function countPresent(
  table: ColumnTable,
  columns: readonly ReadColumn[],
  blocks: readonly SparseMatrix[],
): Float64Array {
  const counts = new Float64Array(table.length);
  let next = 0;
  for (const column of columns) {
    if (column.reading === 'text') {
      const { indptr } = blocks[next++];
      for (let i = 0; i < counts.length; i++) if (indptr[i + 1] > indptr[i]) counts[i]++;
    } else {
      blankCells(table, column).forEach((blank, i) => {
        if (!blank) counts[i]++;
      });
    }
  }
  return counts;
}
