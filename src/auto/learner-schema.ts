import { type FormatOptions, formatFor, isFormat, levelReader, momentOf } from '../data/cell-format.ts';
import { flattenRows } from '../data/flatten.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { cellOf, type DataRow, isBlank, isMarker, numberOf, wordOf } from './cells.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { inferSchema, readingOf, type Schema, type SchemaColumn } from './schema.ts';
import { tallyCells } from './schema-kinds.ts';

const kindNames = ['number', 'category', 'boolean', 'date', 'text', 'ignored'] as const;

/** What a column holds, as asked for; 'ignored': it is not a feature. */
export type GivenKind = (typeof kindNames)[number];

/** What is known of the columns before the rows are looked at. */
export interface ColumnOptions extends FormatOptions {
  /** The column that holds the label. */
  readonly target: string;
  /** The columns to classify by; without it, all that are informative. */
  readonly features?: readonly string[] | undefined;
  /** What some columns hold, in the place of what their cells look like. */
  readonly kinds?: Readonly<Record<string, GivenKind>> | undefined;
  /** The schema of another classifier, in the place of features and kinds: the two can be merged. */
  readonly schema?: ClassifierSchema | Schema | undefined;
  /** The column that holds the weight of each row; a blank is 1. */
  readonly weight?: string | undefined;
  /**
   * The column that says `train`, `test`, `val` or `dev` of each row: the classifier learns from the training rows and is evaluated on
   * the test rows, or on the validation rows where there are no test rows.
   */
  readonly splitColumn?: string | undefined;
}

/**
 * The schema of rows: given, or inferred from the cells. A classifier that goes on learning takes the columns that it is asked to
 * take even where the first rows have a single value.
 */
export function schemaFor(given: readonly DataRow[], options: ColumnOptions, learnsOn: boolean): ClassifierSchema {
  const { target, features, kinds = {}, schema, weight, decimal, dateOrder, splitColumn } = options;
  if (schema) return readSchema(schema, options);
  const told = inferSchema(given, { target, features, decimal, dateOrder, splitColumn });
  const rows = flattenRows(given);
  const names = new Set(told.columns.map(({ name }) => name));
  for (const name of [...Object.keys(kinds), ...(weight === undefined ? [] : [weight])]) {
    if (!names.has(name)) refuse('E_FEATURE_MISSING', `there is no column ${show(name)}`, { feature: name });
  }
  if (weight === target) refuse('E_PARAM', 'the weight cannot be the target', { name: 'weight' });
  const columns = told.columns.map((column): ClassifierColumn => {
    if (column.name === weight) return { ...column, role: 'ignored', reason: 'the weight of each row' };
    if (column.role === 'target') return column;
    if (Object.hasOwn(kinds, column.name)) return withKind(column, kinds[column.name], rows, options);
    const lonely = learnsOn && column.kind === 'constant' && features?.includes(column.name);
    const kind = lonely ? kindOfOne(rows, column.name) : undefined;
    return kind
      ? { ...withKind(column, kind, rows, options), reason: `${column.reason}; used because asked for` }
      : column;
  });
  return { ...told, columns };
}

/** What a column holds whose cells are all alike; undefined where all are blank. */
function kindOfOne(rows: readonly DataRow[], name: string): GivenKind | undefined {
  const cell = rows.map((row) => cellOf(row, name)).find((own) => !isBlank(own));
  if (cell === undefined) return undefined;
  if (!Number.isNaN(numberOf(cell))) return 'number';
  return wordOf(cell).split(/\s+/).length >= WORDS_OF_TEXT ? 'text' : 'category';
}

/** A cell of this many words is text. */
const WORDS_OF_TEXT = 3;

function withKind(
  { levels: _, format: __, ...column }: SchemaColumn,
  kind: GivenKind,
  rows: readonly DataRow[],
  options: ColumnOptions,
): SchemaColumn {
  if (!kindNames.includes(kind)) {
    const list = kindNames.join(', ');
    refuse('E_PARAM', `column ${show(column.name)} is said to be ${show(kind)}; kinds are ${list}`, { name: 'kinds' });
  }
  if (kind === 'ignored') return { ...column, role: 'ignored', reason: 'left out because asked for' };
  const role = options.features && !options.features.includes(column.name) ? 'ignored' : 'feature';
  const base = { ...column, kind, role, reason: `${kind}, because asked for` } as const;
  const cells = [...tallyCells(rows.map((row) => cellOf(row, column.name)))].filter(([cell]) => !isBlank(cell));
  const format = formatFor(kind, cells, options);
  if (kind === 'number') requireAll(rows, column.name, 'numbers', (cell) => numberOf(cell, format.numbers));
  if (kind === 'date') requireAll(rows, column.name, 'dates', (cell) => momentOf(cell, format.dates ?? 'day-first'));
  const counts = new Map<string, number>();
  const read = levelReader(format);
  for (const [cell, count] of cells) {
    const word = read(cell);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return { ...base, ...readingOf(kind, { counts }, format) };
}

/** Refuses a cell that is not what the column is said to hold: it would count as missing without anybody noticing. */
function requireAll(rows: readonly DataRow[], name: string, what: string, read: (cell: unknown) => number): void {
  for (const [i, row] of rows.entries()) {
    const cell = cellOf(row, name);
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
  if (kinds) fault('a schema tells the kinds already: give either');
  const columns: unknown = schema?.columns;
  const fits = Array.isArray(columns) && columns.every(isColumn);
  if (!fits) return fault('the schema is no list of columns with names, kinds and roles');
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
export function weightsOf(
  rows: readonly DataRow[],
  column: string | undefined,
  given?: Weights,
): Float64Array | undefined {
  if (given !== undefined) return readWeights(given, rows.length);
  if (column === undefined) return undefined;
  const cells = Float64Array.from(rows, (row, i) => {
    const cell = cellOf(row, column);
    const value = isBlank(cell) ? 1 : numberOf(cell);
    if (value >= 0) return value;
    return refuse('E_WEIGHT_INVALID', `row ${i}: ${show(cell)} in ${show(column)} is no weight`, { row: i });
  });
  return readWeights(cells, rows.length);
}
