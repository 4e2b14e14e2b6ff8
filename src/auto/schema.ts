import { requireItems, requireOptions } from '../data/arguments.ts';
import { type DatePart, partLevels, partPlace } from '../data/cell-date.ts';
import { type CellFormat, type FormatOptions, formatFor, isFormat, momentOf, readWords } from '../data/cell-format.ts';
import { type DataRow, isBlank, isMarker, missingWords, numberOf, wordOf } from '../data/cells.ts';
import { type ColumnTable, numbersIn, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import { didYouMean } from '../data/suggest.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import {
  type ColumnDescription,
  type ColumnTally,
  countWords,
  describeColumn,
  describeTally,
  tallyCells,
  tallyColumn,
} from './schema-kinds.ts';

/** What a column holds; 'split': which rows are for training and which for testing. */
export type ColumnKind = 'number' | 'category' | 'boolean' | 'text' | 'date' | 'identifier' | 'constant' | 'split';

/** What a column is for. */
export type ColumnRole = 'target' | 'feature' | 'ignored';

/** What is known about a column, and why. */
export interface SchemaColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly role: ColumnRole;
  /** Why, as a sentence without its full stop. */
  readonly reason: string;
  /** How many cells are missing. */
  readonly missing: number;
  /** How many different values there are. */
  readonly distinct: number;
  /** The words of a category, the most frequent first; all that come after the last are one further level. */
  readonly levels?: readonly string[];
  /** How the cells are read; without it, numbers are plain and only blank cells of a category are missing. */
  readonly format?: CellFormat;
  /** How the cells are read where another way is possible too, as a part of a sentence. */
  readonly ambiguous?: string;
}

/** The columns of a table with their kinds and roles. */
export interface Schema {
  readonly target: string;
  readonly rows: number;
  /** How many rows the missing cells and different values of features were counted in, if not in all. */
  readonly sampled?: number;
  readonly columns: readonly SchemaColumn[];
}

/** What is known before looking. */
export interface SchemaOptions extends FormatOptions {
  readonly target: string;
  /** The columns to classify by, identifiers included; without it, all that are informative. */
  readonly features?: readonly string[] | undefined;
  /** The column that says which rows are for training. */
  readonly splitColumn?: string | undefined;
}

/** How many words of a category are kept apart. */
export const MOST_LEVELS = 100;

/**
 * Detects kinds and roles of columns from the cells of all rows.
 *
 * A cell is missing when it is null, undefined, NaN or blank, and when it is a word such as "?" or "NA". Which words those are is a
 * part of the format of each column, as are the decimal mark of numbers and the order of day and month.
 */
export function inferSchema(rows: readonly DataRow[], options: SchemaOptions): Schema {
  requireOptions('inferSchema', ['target', 'features', 'splitColumn', 'decimal', 'dateOrder'], options);
  if (options.features !== undefined) requireItems(options.features, 'a list of column names as features');
  requireRecords(rows);
  return schemaOf(new RecordTable(flattenRows(rows)), options);
}

/** Refuses what is no list of records. */
export function requireRecords(rows: readonly DataRow[]): void {
  for (const [i, row] of requireItems(rows, 'a list of records').entries()) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      refuse('E_TYPE', `row ${i} is ${show(row)}, not a record with named cells`, { row: i });
    }
  }
}

/** The same for a table. */
export function schemaOf(table: ColumnTable, options: SchemaOptions): Schema {
  return schemaBy(
    { rows: table.length, names: table.names },
    options,
    (name) => tallyColumn(table.column(name)),
    (name) => descriptionOf(table, name, options),
  );
}

/** The same for columns whose cells were counted. */
export function schemaOfTallies(
  tallies: ReadonlyMap<string, ColumnTally>,
  rows: number,
  options: SchemaOptions,
): Schema {
  const tally = (name: string) => tallies.get(name)!;
  return schemaBy({ rows, names: [...tallies.keys()] }, options, tally, (name) =>
    describeTally(name, tally(name), options),
  );
}

function schemaBy(
  { rows, names }: { readonly rows: number; readonly names: readonly string[] },
  options: SchemaOptions,
  tally: (name: string) => ColumnTally,
  description: (name: string) => ColumnDescription,
): Schema {
  const { target, features, splitColumn } = options;
  if (rows === 0) refuse('E_EMPTY_INPUT', 'there are no rows to learn from', { rows: 0 });
  for (const name of [target, ...(features ?? []), ...(splitColumn === undefined ? [] : [splitColumn])]) {
    if (names.includes(name)) continue;
    const meant = didYouMean(String(name), names) || `; there are ${names.map(show).join(', ')}`;
    refuse('E_FEATURE_MISSING', `there is no column ${show(name)}${meant}`.slice(0, 400), { feature: name });
  }
  if (features?.includes(target)) refuse('E_PARAM', 'the target cannot be a feature', { name: 'features' });
  const columns = names.map((name) =>
    name === target ? targetColumn(name, tally(name)) : featureColumn(name, description(name), options),
  );
  return { target, rows, columns };
}

const descriptions = new WeakMap<ColumnTable, Map<string, ColumnDescription>>();

/** What a column of a table holds; it is remembered, because several ask. */
function descriptionOf(table: ColumnTable, name: string, options: FormatOptions): ColumnDescription {
  const known = descriptions.get(table) ?? new Map<string, ColumnDescription>();
  descriptions.set(table, known);
  const key = JSON.stringify([name, options.decimal, options.dateOrder]);
  const description = known.get(key) ?? describeColumn(name, table.column(name), options);
  known.set(key, description);
  return description;
}

/** A feature that models take: a column, or a part of a column of dates. */
export interface ColumnFeature {
  /** The name of the column, or that of the part: `signup.weekday`. */
  readonly name: string;
  /** The column whose cells are read. */
  readonly column: SchemaColumn;
  readonly part?: DatePart;
  readonly levels?: readonly string[];
}

/** The features of a column. */
export function columnFeatures(column: SchemaColumn): ColumnFeature[] {
  const { name, levels, format } = column;
  if (!format?.dates) return [{ name, column, ...(levels && { levels }) }];
  return (format.parts ?? []).map((part) => ({
    name: `${name}.${part}`,
    column,
    part,
    ...(part !== 'days' && { levels: partLevels[part] }),
  }));
}

/**
 * The values of the features of a column: numbers as they are, words as their place among the levels (the first place past them for
 * all others), NaN for what is missing. The arrays are read-only: one may be the column itself.
 */
export function readColumn(table: ColumnTable, { name, levels, format }: SchemaColumn): Float64Array[] {
  const column = table.column(name);
  const order = format?.dates;
  if (order) {
    const moments = Float64Array.from(column.cells(), (cell) => momentOf(cell, order));
    return (format.parts ?? []).map((part) => moments.map((moment) => partPlace(moment, part)));
  }
  if (!levels) return [numbersIn(column, format?.numbers).values];
  const places = new Map(levels.map((word, v) => [word, v]));
  const place = (word: string | null): number => (word === null ? Number.NaN : (places.get(word) ?? levels.length));
  return [readWords(column.codes(), format).map(place).toNumbers()];
}

function targetColumn(name: string, cells: ColumnTally): SchemaColumn {
  const values = [...cells];
  const present = values.filter(([cell]) => !isBlank(cell));
  const missing = values.reduce((sum, [cell, count]) => sum + (isBlank(cell) ? count : 0), 0);
  return {
    name,
    kind: present.every(([cell]) => typeof cell === 'boolean') ? 'boolean' : 'category',
    role: 'target',
    reason: labelReason(present.length),
    missing,
    distinct: present.length,
  };
}

/** The schema of all rows, of which it was made by a sample. */
export function schemaOfAll(sample: Schema, rows: number, classes: number): Schema {
  if (rows === sample.rows) return sample;
  const columns = sample.columns.map((column) =>
    column.role === 'target' ? { ...column, reason: labelReason(classes), distinct: classes } : column,
  );
  return { ...sample, rows, sampled: sample.rows, columns };
}

const labelReason = (classes: number): string => `the label, with ${classes} classes`;

/** Kinds of columns that are ignored unless they are asked for. */
const useless: ReadonlySet<ColumnKind> = new Set(['identifier', 'split']);

function featureColumn(
  name: string,
  description: ColumnDescription,
  { features, splitColumn }: SchemaOptions,
): SchemaColumn {
  const { kind, reason, missing, distinct, format, ambiguous } = description;
  const asked = features?.includes(name);
  const base = { name, missing, distinct, ...(ambiguous !== undefined && { ambiguous }) };
  const ignored = (why: string): SchemaColumn => ({ ...base, kind, role: 'ignored', reason: why });
  if (name === splitColumn) return { ...ignored('the split into training and test rows'), kind: 'split' };
  if (features && !asked) return ignored(`${reason}; not among the features asked for`);
  if (kind === 'constant') return ignored(reason);
  if (useless.has(kind) && !asked) return ignored(reason);
  return {
    ...base,
    kind,
    role: 'feature',
    reason: asked ? `${reason}; used because asked for` : reason,
    ...readingOf(kind, description, format),
  };
}

/** How the cells of a feature are read: its levels and its format. */
export function readingOf(
  kind: ColumnKind,
  { counts }: Pick<ColumnDescription, 'counts'>,
  format: CellFormat,
): Pick<SchemaColumn, 'levels' | 'format'> {
  if (kind === 'text') return {};
  if (kind === 'number' || kind === 'date') return Object.keys(format).length > 0 ? { format } : {};
  return { levels: frequentWords(counts), format: { ...format, missing: format.missing ?? missingWords } };
}

/** The words of a category, the most frequent first, equals by their order. */
function frequentWords(counts: ColumnDescription['counts']): string[] {
  const order = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return order.slice(0, MOST_LEVELS).map(([word]) => word);
}

/** The columns to classify by that are of the given kinds. */
export function featuresOf({ columns }: Schema, wanted: 'columns' | 'text'): SchemaColumn[] {
  return columns.filter(({ role, kind }) => role === 'feature' && (kind === 'text') === (wanted === 'text'));
}

const kindNames = ['number', 'category', 'boolean', 'date', 'text', 'ignored'] as const;

/** What a column holds, as asked for; 'ignored': it is not a feature. */
export type GivenKind = (typeof kindNames)[number];

/** What is known of the columns before the rows are looked at. */
export interface ColumnOptions extends FormatOptions {
  /** The column that holds the label. */
  readonly target: string;
  /** The columns to classify by. Default: all informative ones. */
  readonly features?: readonly string[] | undefined;
  /** The kinds of some columns. Default: inferred from their cells. */
  readonly kinds?: Readonly<Record<string, GivenKind>> | undefined;
  /** The schema of another classifier, instead of `features` and `kinds`, so that the two can be merged. Default: none. */
  readonly schema?: ClassifierSchema | Schema | undefined;
  /** The column with the weight of each row; a blank is 1. Default: none. */
  readonly weight?: string | undefined;
  /**
   * The column with `train`, `test`, `val` or `dev` for each row: the classifier learns the training rows and is evaluated on the test
   * rows, or on the validation rows if there are no test rows. Default: none.
   */
  readonly splitColumn?: string | undefined;
}

/**
 * The schema of rows: given, or inferred from the cells. A classifier that goes on learning takes the columns that it is asked to
 * take even where the first rows have a single value.
 */
export function schemaFor(table: ColumnTable, options: ColumnOptions, learnsOn: boolean): ClassifierSchema {
  const { target, features, kinds = {}, schema, weight, decimal, dateOrder, splitColumn } = options;
  if (schema) return readSchema(schema, options);
  const detected = schemaOf(table, { target, features, decimal, dateOrder, splitColumn });
  const names = new Set(detected.columns.map(({ name }) => name));
  for (const name of [...Object.keys(kinds), ...(weight === undefined ? [] : [weight])]) {
    if (!names.has(name)) refuse('E_FEATURE_MISSING', `there is no column ${show(name)}`, { feature: name });
  }
  if (weight === target) refuse('E_PARAM', 'the weight cannot be the target', { name: 'weight' });
  const columns = detected.columns.map((column): ClassifierColumn => {
    if (column.name === weight) return { ...column, role: 'ignored', reason: 'the weight of each row' };
    if (column.role === 'target') return column;
    if (Object.hasOwn(kinds, column.name)) return withKind(column, kinds[column.name], table, options);
    const lonely = learnsOn && column.kind === 'constant' && features?.includes(column.name);
    const kind = lonely ? kindOfOne(table, column.name) : undefined;
    return kind
      ? { ...withKind(column, kind, table, options), reason: `${column.reason}; used because asked for` }
      : column;
  });
  return { ...detected, columns };
}

/** What a column holds whose cells are all alike; undefined where all are blank. */
function kindOfOne(table: ColumnTable, name: string): GivenKind | undefined {
  const cell = table
    .column(name)
    .cells()
    .find((own) => !isBlank(own));
  if (cell === undefined) return undefined;
  if (!Number.isNaN(numberOf(cell))) return 'number';
  return wordOf(cell).split(/\s+/).length >= WORDS_OF_TEXT ? 'text' : 'category';
}

/** A cell of this many words is text. */
const WORDS_OF_TEXT = 3;

function withKind(
  { levels: _, format: __, ...column }: SchemaColumn,
  kind: GivenKind,
  table: ColumnTable,
  options: ColumnOptions,
): SchemaColumn {
  if (!kindNames.includes(kind)) {
    const list = kindNames.join(', ');
    refuse('E_PARAM', `column ${show(column.name)} has the unknown kind ${show(kind)}; kinds are ${list}`, {
      name: 'kinds',
    });
  }
  if (kind === 'ignored') return { ...column, role: 'ignored', reason: 'left out because asked for' };
  const role = options.features && !options.features.includes(column.name) ? 'ignored' : 'feature';
  const base = { ...column, kind, role, reason: `${kind}, because asked for` } as const;
  const all = table.column(column.name).cells();
  const cells = [...tallyCells(all)].filter(([cell]) => !isBlank(cell));
  const format = formatFor(kind, cells, options);
  if (kind === 'number') requireAll(all, column.name, 'numbers', (cell) => numberOf(cell, format.numbers));
  if (kind === 'date') requireAll(all, column.name, 'dates', (cell) => momentOf(cell, format.dates ?? 'day-first'));
  return { ...base, ...readingOf(kind, { counts: countWords(cells, format) }, format) };
}

/** Refuses a cell that is not what the column is said to hold: it would silently count as missing. */
function requireAll(cells: readonly unknown[], name: string, what: string, read: (cell: unknown) => number): void {
  for (const [i, cell] of cells.entries()) {
    if (!Number.isNaN(read(cell)) || isBlank(cell) || isMarker(cell)) continue;
    const sentence = `row ${i}: column ${show(name)} is said to hold ${what}, and here ${show(cell)}`;
    refuse('E_TYPE', sentence, { row: i, feature: name, actual: typeof cell });
  }
}

const knownKinds: readonly string[] = [
  ...['number', 'category', 'boolean', 'text', 'date', 'identifier', 'constant', 'split'],
];
const knownRoles: readonly string[] = ['target', 'feature', 'ignored'];

function readSchema(schema: Schema, { target, features, kinds, weight }: ColumnOptions): ClassifierSchema {
  const fault = (sentence: string): never => refuse('E_PARAM', sentence, { name: 'schema' });
  if (kinds) fault('a schema has the kinds already: give one of the two');
  const columns: unknown = schema?.columns;
  const fits = Array.isArray(columns) && columns.every(isColumn);
  if (!fits) return fault('the schema is not a list of columns with names, kinds and roles');
  const known = schema.columns.filter(({ role }) => role === 'feature').map(({ name }) => name);
  if (features && [...features].sort().join('\n') !== known.sort().join('\n')) {
    fault('the schema has other features than those that are asked for');
  }
  if (schema.target !== target) fault(`the schema is for the target ${show(schema.target)}, not for ${show(target)}`);
  const used = schema.columns.find(({ name, role }) => name === weight && role === 'feature');
  if (used) fault(`the weight ${show(weight)} is a feature of the schema`);
  return structuredClone(schema);
}

function isColumn(column: unknown): boolean {
  const { name, kind, role, format } = (column ?? {}) as Partial<SchemaColumn>;
  return (
    typeof name === 'string' &&
    knownKinds.includes(kind as string) &&
    knownRoles.includes(role as string) &&
    (format === undefined || isFormat(format))
  );
}

/** The weights of rows: as given, or from a column; undefined where all weigh 1. */
export function weightsOf(table: ColumnTable, name: string | undefined, given?: Weights): Float64Array | undefined {
  if (given !== undefined) return readWeights(given, table.length);
  if (name === undefined) return undefined;
  const column = table.column(name);
  const { values, odd } = numbersIn(column);
  const words = new Set(Array.from(odd));
  const weights = values.map((value, i) => {
    if (value >= 0) return value;
    if (Number.isNaN(value) && (!words.has(i) || isBlank(column.cell(i)))) return 1;
    return refuse('E_WEIGHT_INVALID', `row ${i}: ${show(column.cell(i))} in ${show(name)} is not a weight`, { row: i });
  });
  return readWeights(weights, table.length);
}
