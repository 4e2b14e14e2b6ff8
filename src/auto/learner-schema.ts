import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { cellOf, type DataRow, isBlank, isMarker, numberOf, wordOf } from './cells.ts';
import type { ClassifierColumn, ClassifierSchema } from './learner-columns.ts';
import { inferSchema, type Schema, type SchemaColumn } from './schema.ts';

const kindNames = ['number', 'category', 'boolean', 'text', 'ignored'] as const;

/** What a column is said to hold; 'ignored': it is no feature. */
export type GivenKind = (typeof kindNames)[number];

/** What is known of the columns before the rows are looked at. */
export interface ColumnOptions {
  /** The column that holds the label. */
  readonly target: string;
  /** The columns to classify by; without it, all that say something. */
  readonly features?: readonly string[] | undefined;
  /** What some columns hold, in the place of what their cells look like. */
  readonly kinds?: Readonly<Record<string, GivenKind>> | undefined;
  /** The schema of another classifier, in the place of features and kinds: the two can be merged. */
  readonly schema?: ClassifierSchema | Schema | undefined;
  /** The column that holds the weight of each row; a blank is 1. */
  readonly weight?: string | undefined;
}

/**
 * The schema of rows: given, or told from the cells. A classifier that learns on takes the columns that it is asked to take,
 * also where the first rows have one value alone.
 */
export function schemaFor(rows: readonly DataRow[], options: ColumnOptions, learnsOn: boolean): ClassifierSchema {
  const { target, features, kinds = {}, schema, weight } = options;
  if (schema) return readSchema(schema, options);
  const told = inferSchema(rows, { target, features });
  const names = new Set(told.columns.map(({ name }) => name));
  for (const name of [...Object.keys(kinds), ...(weight === undefined ? [] : [weight])]) {
    if (!names.has(name)) refuse('E_FEATURE_MISSING', `there is no column ${show(name)}`, { feature: name });
  }
  if (weight === target) refuse('E_PARAM', 'the weight cannot be the target', { name: 'weight' });
  const columns = told.columns.map((column): ClassifierColumn => {
    if (column.name === weight) return { ...column, role: 'ignored', reason: 'the weight of each row' };
    if (column.role === 'target') return column;
    if (Object.hasOwn(kinds, column.name)) return withKind(column, kinds[column.name], rows, features);
    const lonely = learnsOn && column.kind === 'constant' && features?.includes(column.name);
    const kind = lonely ? kindOfOne(rows, column.name) : undefined;
    return kind
      ? { ...withKind(column, kind, rows, features), reason: `${column.reason}; used because asked for` }
      : column;
  });
  return { ...told, columns };
}

/** What a column holds whose cells are all alike; nothing where all are blank. */
function kindOfOne(rows: readonly DataRow[], name: string): GivenKind | undefined {
  const cell = rows.map((row) => cellOf(row, name)).find((own) => !isBlank(own));
  if (cell === undefined) return undefined;
  if (!Number.isNaN(numberOf(cell))) return 'number';
  return wordOf(cell).split(/\s+/).length >= WORDS_OF_TEXT ? 'text' : 'category';
}

/** A cell of so many words is text. */
const WORDS_OF_TEXT = 3;

/** How many words of a category are told apart, as in `inferSchema`. */
const MOST_LEVELS = 100;

function withKind(
  { levels: _, ...column }: SchemaColumn,
  kind: GivenKind,
  rows: readonly DataRow[],
  features: readonly string[] | undefined,
): SchemaColumn {
  if (!kindNames.includes(kind)) {
    const list = kindNames.join(', ');
    refuse('E_PARAM', `column ${show(column.name)} is said to be ${show(kind)}; kinds are ${list}`, { name: 'kinds' });
  }
  if (kind === 'ignored') return { ...column, role: 'ignored', reason: 'left out because asked for' };
  const role = features && !features.includes(column.name) ? 'ignored' : 'feature';
  const base = { ...column, kind, role, reason: `${kind}, because asked for` } as const;
  if (kind === 'number') requireNumbers(rows, column.name);
  if (kind === 'number' || kind === 'text') return base;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const cell = cellOf(row, column.name);
    if (!isBlank(cell)) counts.set(wordOf(cell), (counts.get(wordOf(cell)) ?? 0) + 1);
  }
  const order = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { ...base, levels: order.slice(0, MOST_LEVELS).map(([word]) => word) };
}

/** Refuses a word in a column that is said to hold numbers: to be learned, it would count as missing without anyone knowing. */
function requireNumbers(rows: readonly DataRow[], name: string): void {
  for (const [i, row] of rows.entries()) {
    const cell = cellOf(row, name);
    if (!Number.isNaN(numberOf(cell)) || isBlank(cell) || isMarker(cell)) continue;
    const sentence = `row ${i}: column ${show(name)} is said to hold numbers, and here ${show(cell)}`;
    refuse('E_TYPE', sentence, { row: i, feature: name, actual: typeof cell });
  }
}

const knownKinds: readonly string[] = ['number', 'category', 'boolean', 'text', 'date', 'identifier', 'constant'];
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
  const { name, kind, role } = (column ?? {}) as Partial<SchemaColumn>;
  return typeof name === 'string' && knownKinds.includes(kind as string) && knownRoles.includes(role as string);
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
