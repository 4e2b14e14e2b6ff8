import { expect } from 'vitest';
import type { SqlEngine } from '../../src/engines/engine.ts';
import type { PolyaError } from '../../src/index.ts';
import type { Countable } from '../../src/warehouse/fit.ts';
import type { EngineRows } from '../../src/warehouse/source.ts';
import type { Cell, TestTable } from './load.ts';

/** An engine under test: how a test creates a table in it, and its limitations. */
export interface EngineUnderLaw {
  readonly engine: SqlEngine;
  /** Creates a table in the engine and returns its name; a cluster distributes the rows, and may leave shards empty. */
  load(name: string, table: TestTable): Promise<EngineRows['table']>;
  close(): Promise<void>;
  /** Names that the engine does not support, such as those that Spark takes for variables. */
  readonly refusedNames?: readonly string[];
  /** Whether the engine has no boolean type: true and false are 1 and 0. */
  readonly bitsAreNumbers?: boolean;
  readonly oneScan?: boolean;
  /** An old release, tested for its shards: it counts, but does not support current SQL for scoring and partitions. */
  readonly countsOnly?: boolean;
}

/** The error code of a rejected promise, and its details. */
export async function refusal(promise: Promise<unknown>): Promise<Pick<PolyaError, 'code' | 'details' | 'message'>> {
  try {
    await promise;
  } catch (error) {
    return error as PolyaError;
  }
  return { code: 'accepted' as never, details: {}, message: '' };
}

/** The context of a law: the engine, and how an estimator is fitted to a table inside it. */
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

/** Expects two models to have the same bytes, so their counts are equal to the bit. */
export function expectSameCounts(
  actual: { toBytes(): Uint8Array },
  expected: { toBytes(): Uint8Array },
  what = '',
): void {
  expect(Buffer.from(actual.toBytes()).equals(Buffer.from(expected.toBytes())), what).toBe(true);
}

/** Difficult names of columns and tables. */
export const hostileNames = ['select', '"', '__proto__', ';--', '🎉', 'a b', "it's", '`', 'ünï', 'y', 'x0'];

/** A table of counts and levels, with names that are keywords and symbols. */
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

/** A table of measurements: of any size, far from zero, and small. */
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
