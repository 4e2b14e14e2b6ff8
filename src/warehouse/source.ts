import type { Label } from '../data/labels.ts';
import { suggest } from '../data/suggest.ts';
import type { EngineColumn, QueryOptions, SqlEngine } from '../engines/engine.ts';
import { quoteIdentifier, quotePath, quoteString } from '../engines/sql/dialect.ts';
import { type Frame, freePrefix } from '../engines/sql/frame.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { PolyaError, refuse, show } from '../errors.ts';

/** A table function of the engine, such as ClickHouse's `s3Cluster`: its name, and its arguments as texts. */
export interface TableFunction {
  readonly function: string;
  readonly arguments: readonly string[];
}

/** A table or view: its name, the parts of its name (catalog, schema, table), or a table function. */
export type TableName = string | readonly string[] | TableFunction;

/** Rows in an engine, and the roles of their columns. */
export interface EngineRows extends QueryOptions {
  /** An open engine. */
  readonly engine: SqlEngine;
  readonly table: TableName;
  /** The label column: texts, integers, or booleans. */
  readonly target: string;
  /** The columns to learn from, in the order of the model. Default: all except target and weight. */
  readonly features?: readonly string[] | undefined;
  /** Only rows with these values are counted; a value is compared as the type of its column. Default: all rows. */
  readonly where?: Readonly<Record<string, string>> | undefined;
  /** The column with the weight of each row. Default: every row has weight 1. */
  readonly weight?: string | undefined;
  /** Whether the table is text that each query parses again, such as CSV files. Default: detected for DuckDB. */
  readonly oneScan?: boolean | undefined;
}

/** A described table: its columns exist, and their types are known. */
export interface Opened {
  readonly frame: Frame;
  readonly target: EngineColumn;
  readonly features: readonly EngineColumn[];
  /** The names of the columns that are neither target nor features. */
  readonly others: readonly string[];
}

/** The FROM clause of a table. */
export function relationOf({ dialect }: SqlEngine, table: TableName): string {
  if (typeof table === 'string' || !('function' in table)) return quotePath(dialect, table);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(table.function)) {
    refuse('E_IDENTIFIER', `${show(table.function)} is not the name of a table function`, { name: table.function });
  }
  return `${table.function}(${table.arguments.map((text) => quoteString(dialect, text)).join(', ')})`;
}

/**
 * Describes a table before anything is counted; throws for a table or column that does not exist, with the nearest
 * name.
 */
export async function openSource(source: EngineRows): Promise<Opened> {
  const { engine, table, target, weight, signal, onShare, where = {} } = source;
  const whole = relationOf(engine, table);
  const columns = await describeTable(engine, table, whole, signal);
  const find = (name: string) => columns.find((column) => column.name === name) ?? refuseColumn(name, columns);
  const prefix = freePrefix(columns.map(({ name }) => name));
  const conditions = Object.entries(where).map(([name, value]) => isValue(engine, find(name), value));
  const relation =
    conditions.length === 0
      ? whole
      : `(SELECT * FROM ${whole} WHERE ${conditions.join(' AND ')}) AS ${quoteIdentifier(engine.dialect, `${prefix}rows`)}`;
  const label = find(target);
  const others = columns.filter(({ name }) => name !== target && name !== weight);
  const features = source.features ? source.features.map(find) : others;
  requireDifferent(features, target);
  if (features.length === 0) refuse('E_EMPTY_INPUT', 'the table has no column beside the label', { features: 0 });
  const weighed = weight === undefined ? undefined : numberText(engine, requireNumber(find(weight)));
  const oneScan = source.oneScan ?? (table === engine.table && engine.oneScan);
  const frame: Frame = {
    engine,
    relation,
    label: labelText(engine, label),
    weight: weighed,
    prefix,
    oneScan,
    options: { signal, onShare: onShare && rising(onShare) },
  };
  const used = new Set([target, ...features.map(({ name }) => name)]);
  const unused = columns.map(({ name }) => name).filter((name) => !used.has(name));
  return { frame, target: label, features, others: unused };
}

/** Reports only progress; some engines go back when they begin another stage. */
function rising(onShare: (share: number) => void): (share: number) => void {
  let most = 0;
  return (share) => {
    if (share > most) onShare((most = share));
  };
}

/**
 * The condition that a column has a value. The literal has the type of the column, so that engines can skip other
 * partitions; a value of another type is an error of the engine.
 */
export function isValue({ dialect }: SqlEngine, { name, kind, type }: EngineColumn, value: string): string {
  const column = quoteIdentifier(dialect, name);
  const literal = quoteString(dialect, value);
  return `${column} = ${kind === 'text' ? literal : `CAST(${literal} AS ${type})`}`;
}

/** A numeric column as a double. */
export function numberText({ dialect }: SqlEngine, { name }: EngineColumn): string {
  return wordsOf(dialect).double(quoteIdentifier(dialect, name));
}

/** A numeric column; throws for other types. */
export function requireNumber(column: EngineColumn): EngineColumn {
  const { name, kind, type } = column;
  if (kind === 'integer' || kind === 'real') return column;
  return refuse(
    'E_TYPE',
    `column ${show(name)} is of type ${type}, and numbers are expected; leave it out with features`,
    {
      column: name,
      actual: type,
    },
  );
}

/** The label as a text: true and false are the same for every engine. */
function labelText({ dialect }: SqlEngine, { name, kind, type }: EngineColumn): string {
  const column = quoteIdentifier(dialect, name);
  if (kind === 'boolean') return `CASE WHEN ${column} THEN 'true' WHEN NOT ${column} THEN 'false' END`;
  if (kind === 'text' || kind === 'integer') return wordsOf(dialect).text(column);
  return refuse(
    'E_LABEL_TYPE',
    `labels are texts, whole numbers, or true and false; column ${show(name)} is of type ${type}`,
    { column: name, actual: type },
  );
}

/** A label as in the table. */
export function labelOf(text: string, { kind, name }: EngineColumn): Label {
  if (kind === 'text') return text;
  if (kind === 'boolean') return text === 'true';
  const label = Number(text);
  if (Number.isSafeInteger(label)) return label;
  return refuse(
    'E_LABEL_TYPE',
    `the label ${show(text)} of column ${show(name)} is too large to be a whole number here`,
    {
      column: name,
    },
  );
}

/** The columns of a table; throws for one that does not exist, with the nearest name. */
export async function describeTable(
  engine: SqlEngine,
  table: TableName,
  relation: string,
  signal?: AbortSignal,
): Promise<readonly EngineColumn[]> {
  try {
    return await engine.describe(relation, { signal });
  } catch (cause) {
    if (!(cause instanceof PolyaError) || cause.code !== 'E_ENGINE_QUERY') throw cause;
    if (typeof table === 'string' || !('function' in table)) await refuseTable(engine, table, cause);
    throw cause;
  }
}

/** Throws for a table that the engine does not list, with the nearest name; otherwise the error was a different one. */
async function refuseTable(engine: SqlEngine, table: string | readonly string[], cause: PolyaError): Promise<void> {
  const parts = typeof table === 'string' ? [table] : table;
  const tables = await engine.tables();
  const ends = (known: readonly string[]) => parts.every((part, k) => part === known[known.length - parts.length + k]);
  if (tables.some(ends)) return;
  const whole = parts.join('.');
  const near = suggest(
    whole,
    tables.map((known) => known.slice(-parts.length).join('.')),
  );
  refuse(
    'E_ENGINE_QUERY',
    `${engine.name} has no table ${show(whole)} that can be read here${near === undefined ? '' : `; did you mean ${show(near)}?`}`,
    { table: whole, ...(near !== undefined && { suggestion: near }) },
    cause,
  );
}

function refuseColumn(name: string, columns: readonly EngineColumn[]): never {
  const names = columns.map((column) => column.name);
  const near = suggest(name, names);
  return refuse(
    'E_FEATURE_MISSING',
    `the table has no column ${show(name)}${near === undefined ? '' : `; did you mean ${show(near)}?`}`,
    { feature: name, ...(near !== undefined && { suggestion: near }), columns: names.slice(0, 100) },
  );
}

function requireDifferent(features: readonly EngineColumn[], target: string): void {
  const seen = new Set<string>();
  for (const { name } of features) {
    if (name === target) refuse('E_PARAM', `the target ${show(target)} cannot be a feature too`, { name: 'features' });
    if (seen.has(name)) refuse('E_FEATURE_DUPLICATE', `feature ${show(name)} is named twice`, { feature: name });
    seen.add(name);
  }
}
