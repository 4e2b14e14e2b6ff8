import { expect } from 'vitest';
import type { SqlEngine } from '../../src/engines/engine.ts';
import type { PolyaError } from '../../src/index.ts';
import type { Countable } from '../../src/warehouse/fit.ts';
import type { EngineRows } from '../../src/warehouse/source.ts';
import type { Cell, TestTable } from './load.ts';

/** An engine under law: how a test puts a table into it, and what the engine cannot do. */
export interface EngineUnderLaw {
  readonly engine: SqlEngine;
  /** Puts a table into the engine and tells where it is; a cluster spreads the rows, and may leave shards empty. */
  load(name: string, table: TestTable): Promise<EngineRows['table']>;
  close(): Promise<void>;
  /** Names that the engine cannot carry, such as those that Spark takes for variables. */
  readonly refusedNames?: readonly string[];
  /** The engine has no truth values of its own: true and false are 1 and 0. */
  readonly bitsAreNumbers?: boolean;
  readonly oneScan?: boolean;
  /** A release of long ago, tested for its shards: it counts, and current SQL for scoring and partitions is not sent to it. */
  readonly countsOnly?: boolean;
}

/** The code of what a promise is refused with, and its details. */
export async function refusal(promise: Promise<unknown>): Promise<Pick<PolyaError, 'code' | 'details' | 'message'>> {
  try {
    await promise;
  } catch (error) {
    return error as PolyaError;
  }
  return { code: 'accepted' as never, details: {}, message: '' };
}

/** What a law works with: the engine, and how an estimator learns a table inside it. */
export interface Bench {
  under(): EngineUnderLaw;
  learned<E extends Countable>(
    estimator: E,
    table: TestTable,
    target: string,
    features: readonly string[],
    more?: Partial<EngineRows>,
  ): Promise<E>;
}

/** The cells of a column. */
export const column = (table: TestTable, name: string): Cell[] => {
  const at = table.columns.findIndex(([own]) => own === name);
  return table.rows.map((row) => row[at]);
};

/** The rows as records of some columns. */
export const records = (table: TestTable, names: readonly string[]) =>
  table.rows.map((row) =>
    Object.fromEntries(names.map((name) => [name, row[table.columns.findIndex(([own]) => own === name)]])),
  );

/** Two models of the same bytes: their counts are the same to the bit. */
export function expectSameCounts(
  actual: { toBytes(): Uint8Array },
  expected: { toBytes(): Uint8Array },
  what = '',
): void {
  expect(Buffer.from(actual.toBytes()).equals(Buffer.from(expected.toBytes())), what).toBe(true);
}

/** The hostile names of columns and tables. */
export const hostileNames = ['select', '"', '__proto__', ';--', '🎉', 'a b', "it's", '`', 'ünï', 'y', 'x0'];

/** A table of counts and levels, with names that are keywords and signs. */
export const countTable = (rows: readonly (readonly Cell[])[]): TestTable => ({
  columns: [
    ['the label', 'text'],
    ['n1', 'integer'],
    ['select', 'integer'],
    ['c1', 'text'],
    ['"', 'text'],
  ],
  rows,
});

/** A table of measured numbers: of any size, far from zero, and small. */
export const realTable = (rows: readonly (readonly Cell[])[]): TestTable => ({
  columns: [
    ['y', 'integer'],
    ['far', 'real'],
    ['offset', 'real'],
    ['small', 'real'],
  ],
  rows,
});

/** The columns of that table. */
export const realNames = ['far', 'offset', 'small'];
