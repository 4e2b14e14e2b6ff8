import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import type { CellRequest } from '../engines/sql/cells.ts';
import { numberLiteral, quoteIdentifier } from '../engines/sql/dialect.ts';
import type { Demand } from '../engines/sql/faults.ts';
import { wordsOf } from '../engines/sql/words.ts';
import { refuse, show } from '../errors.ts';
import type { SumDistribution } from '../models/column-model.ts';
import type { AnyClassifier } from './engine-counts.ts';
import { numberText, requireNumber } from './source.ts';

/** Beyond this, squares of differences overflow. */
export const LARGEST = 1e150;

/** How cells are read. */
export interface Reading {
  readonly missing: boolean;
  readonly nonNegative: boolean;
  readonly limit: number;
}

/** What an estimator expects of its cells. */
export function readingOf(estimator: AnyClassifier, limit: number): Reading {
  const { nonNegative, missing } = estimator.capabilities;
  return { nonNegative, missing, limit };
}

/** A column as it is counted, and the conditions on its numbers. */
export interface Reader {
  readonly request: CellRequest;
  readonly demand: Demand | undefined;
  /** Whether cells that are not allowed are NaN in the request, which makes their sum NaN. */
  readonly marked?: boolean;
}

/** Maps NaN to a missing cell, if cells may be missing; integers have no NaN. */
function cleaned({ dialect }: SqlEngine, { kind }: EngineColumn, value: string, missing: boolean): string {
  if (!missing || kind !== 'real') return value;
  return `CASE WHEN NOT ${wordsOf(dialect).isNaN(value)} THEN ${value} END`;
}

/** A column of numbers for sums or moments. */
export function numberReader(
  engine: SqlEngine,
  column: EngineColumn,
  kind: 'sum' | 'moments',
  reading: Reading,
): Reader {
  const raw = numberText(engine, requireNumber(column));
  const sql = cleaned(engine, column, raw, reading.missing);
  const request = { kind, name: column.name, sql, whole: column.kind === 'integer' };
  return { request, demand: { name: column.name, sql: raw, ...reading } };
}

/**
 * A column that is 1 above a threshold and 0 elsewhere; without a threshold, cells are 0 or 1. Other values become NaN,
 * which is an error.
 */
export function bitReader(engine: SqlEngine, column: EngineColumn, threshold: number | null, reading: Reading): Reader {
  const { dialect } = engine;
  const number = (value: number) => numberLiteral(dialect, value);
  const { isNaN, bit } = wordsOf(dialect);
  if (column.kind === 'boolean') {
    const sql = bit(quoteIdentifier(dialect, column.name));
    return { request: { kind: 'sum', name: column.name, sql }, demand: { name: column.name, sql, ...reading } };
  }
  const raw = numberText(engine, requireNumber(column));
  const [one, none, bad] = [number(1), number(0), number(Number.NaN)];
  const nan = column.kind === 'real' ? `WHEN ${isNaN(raw)} THEN ${reading.missing ? 'NULL' : bad} ` : '';
  const far = `WHEN ${raw} > ${number(Number.MAX_VALUE)} OR ${raw} < ${number(-Number.MAX_VALUE)} THEN ${bad} `;
  const rest =
    threshold === null
      ? `WHEN ${raw} = ${one} THEN ${one} WHEN ${raw} = ${none} THEN ${none} WHEN ${raw} IS NOT NULL THEN ${bad}`
      : `WHEN ${raw} > ${number(threshold)} THEN ${one} WHEN ${raw} IS NOT NULL THEN ${none}`;
  const sql = `CASE ${nan}${far}${rest} END`;
  return { request: { kind: 'sum', name: column.name, sql }, demand: { name: column.name, sql: raw, ...reading } };
}

/** Functions of a cell whose sums a distribution is estimated from, by the names that `columnModel` gives them. */
const cellFunctions: Readonly<Record<string, (x: string, number: (value: number) => string) => string>> = {
  x: (x) => x,
  logX: (x) => `ln(${x})`,
  logSquare: (x) => `ln(${x}) * ln(${x})`,
  logRest: (x, number) => `ln(${number(1)} - ${x})`,
  cosine: (x, number) => `${number(1)} + cos(${x})`,
  sine: (x, number) => `${number(1)} + sin(${x})`,
};

/** The sums of a column that its distribution is estimated from. Cells outside of its support become NaN, which is an error. */
export function distributionReaders(
  engine: SqlEngine,
  column: EngineColumn,
  { name, support = 'real', statistics }: SumDistribution,
): Reader[] {
  const { dialect } = engine;
  const number = (value: number) => numberLiteral(dialect, value);
  const reading = { missing: true, nonNegative: support !== 'real', limit: LARGEST };
  const { request, demand } = numberReader(engine, column, 'sum', reading);
  const x = request.sql;
  const [zero, one, bad] = [number(0), number(1), number(Number.NaN)];
  const inflated = Object.hasOwn(statistics, 'zero');
  const inside = {
    real: `${x} > ${number(-LARGEST)} AND ${x} < ${number(LARGEST)}`,
    nonNegative: `${x} > ${zero} AND ${x} < ${number(LARGEST)}`,
    positive: `${x} > ${zero} AND ${x} < ${number(LARGEST)}`,
    unit: `${x} > ${zero} AND ${x} < ${one}`,
  };
  return Object.keys(statistics).map((own) => {
    const of = own === 'zero' ? () => zero : cellFunctions[own];
    if (!of) refuseFamily(column.name, name);
    const atZero = inflated ? (own === 'zero' ? one : zero) : own === 'x' ? zero : undefined;
    const ends = support === 'nonNegative' && atZero !== undefined ? ` WHEN ${x} = ${zero} THEN ${atZero}` : '';
    const sql = `CASE WHEN ${inside[support]} THEN ${of(x, number)}${ends} WHEN ${x} IS NOT NULL THEN ${bad} END`;
    return { request: { ...request, sql }, demand, marked: true };
  });
}

/** Throws for a column of a family that a database cannot count. */
export function refuseFamily(column: string, family: string): never {
  const sentence = `column ${show(column)}: a database does not count columns of the family ${family}; fit from rows`;
  return refuse('E_ENGINE_CAPABILITY', sentence, { column, family });
}

/** A column of levels: words, integers, booleans, dates. */
export function levelReader({ dialect }: SqlEngine, { name, kind, type }: EngineColumn): Reader {
  const column = quoteIdentifier(dialect, name);
  const words = wordsOf(dialect);
  if (kind === 'other') {
    refuse('E_TYPE', `column ${show(name)} is of type ${type}, and levels are words, whole numbers or dates`, {
      column: name,
      actual: type,
    });
  }
  const value = words.double(column);
  const number = kind === 'real' ? `CASE WHEN NOT ${words.isNaN(value)} THEN ${value} END` : column;
  const truth = `CASE WHEN ${column} THEN 'true' WHEN NOT ${column} THEN 'false' END`;
  const sql = kind === 'boolean' ? truth : words.text(number);
  return { request: { kind: 'levels', name, sql }, demand: undefined };
}
