import { type FormatOptions, formatFor, isFormat, momentOf } from '../data/cell-format.ts';
import { isBlank, isMarker, numberOf, wordOf } from '../data/cells.ts';
import { type ColumnTable, numbersIn } from '../data/column-table.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { readingOf, type Schema, type SchemaColumn, schemaOf } from './schema.ts';
import { countWords, tallyCells } from './schema-kinds.ts';

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
    refuse('E_PARAM', `column ${show(column.name)} is said to be ${show(kind)}; kinds are ${list}`, { name: 'kinds' });
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
export function weightsOf(table: ColumnTable, name: string | undefined, given?: Weights): Float64Array | undefined {
  if (given !== undefined) return readWeights(given, table.length);
  if (name === undefined) return undefined;
  const column = table.column(name);
  const { values, odd } = numbersIn(column);
  const words = new Set(Array.from(odd));
  const weights = values.map((value, i) => {
    if (value >= 0) return value;
    if (Number.isNaN(value) && (!words.has(i) || isBlank(column.cell(i)))) return 1;
    return refuse('E_WEIGHT_INVALID', `row ${i}: ${show(column.cell(i))} in ${show(name)} is no weight`, { row: i });
  });
  return readWeights(weights, table.length);
}
