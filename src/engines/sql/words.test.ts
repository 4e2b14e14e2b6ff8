import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { numberLiteral } from './dialect.ts';
import { wordsOf } from './words.ts';

test('a product is 0 or infinite where PostgreSQL would fail, and exact elsewhere', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const products = [
    [[3, 4], 12],
    [[1e-100, 1e-100], 1e-100 * 1e-100],
    [[-1e150, 1e149], -1e150 * 1e149],
    [[5e-324, 5e-324], 0],
    [[-1e200, 2], Infinity],
    [[2, 3, 5, 7], 210],
    [[1e-90, 1e-90, 1, 1], 0],
    [[0, 1], 0],
  ] as const;
  for (const [factors, expected] of products) {
    // DuckDB reads this SQL too, and multiplies as JavaScript does
    const sql = wordsOf('postgres').product(...factors.map((factor) => numberLiteral('postgres', factor)));
    const [[actual]] = (await connection.runAndReadAll(`SELECT ${sql}`)).getRows();
    expect(actual, String(factors)).toBe(expected);
  }
  expect(wordsOf('spark').product('a', 'b')).toBe('a * b');
  connection.closeSync();
});
