import { requireItems, requireOptions } from '../data/arguments.ts';
import { type DatePart, partLevels, partPlace } from '../data/cell-date.ts';
import { type CellFormat, type FormatOptions, momentOf, readWords } from '../data/cell-format.ts';
import { type DataRow, isBlank, missingWords } from '../data/cells.ts';
import { type ColumnTable, numbersIn, RecordTable } from '../data/column-table.ts';
import { flattenRows } from '../data/flatten.ts';
import { didYouMean } from '../data/suggest.ts';
import { refuse, show } from '../errors.ts';
import {
  type ColumnDescription,
  type ColumnTally,
  describeColumn,
  describeTally,
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
