import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/close.ts';
import { type DialectName, dialectNames, numberLiteral, quoteIdentifier, quotePath, quoteString } from './dialect.ts';

const hostile = [
  'select',
  '"',
  '`',
  "'",
  '\\',
  "\\'",
  ';--',
  '*/',
  'a"; DROP TABLE t; --',
  '🎉',
  '__proto__',
  'ünï',
  ' ',
  '\n',
  '%s',
  `\${x}`,
  'a.b',
  "''",
  '\\u0041',
  'x\u202e',
];

test('DuckDB reads back every text, number and identifier that was quoted', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()[0][0];
  for (const text of hostile) {
    expect(await ask(`SELECT ${quoteString('duckdb', text)}`)).toBe(text);
    const name = quoteIdentifier('duckdb', text);
    expect(await ask(`WITH t AS (SELECT 7 AS ${name}) SELECT ${name} FROM t`)).toBe(7);
    const result = await connection.runAndReadAll(`SELECT 1 AS ${name}`);
    expect(result.columnNames()).toEqual([text]);
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double(), { minLength: 20, maxLength: 60 }),
      fc.string({ unit: 'binary' }),
      async (numbers, text) => {
        if (!text.includes('\0')) expect(await ask(`SELECT ${quoteString('duckdb', text)}`)).toBe(text);
        const read = await connection.runAndReadAll(
          `SELECT ${numbers.map((value) => numberLiteral('duckdb', value)).join(', ')}`,
        );
        const back = read.getRows()[0] as number[];
        numbers.forEach(
          (value, k) =>
            void expect(back[k] === value || (Number.isNaN(value) && Number.isNaN(back[k])), `${value}`).toBe(true),
        );
        expect(new Set(read.columnTypes().map(String))).toEqual(new Set(['DOUBLE']));
      },
    ),
    { numRuns: 200 },
  );
  connection.closeSync();
});

test('numbers at the limits of their range keep their bits', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const value of [
    5e-324,
    2.2250738585072014e-308,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    0.1,
    1 / 3,
    2 ** 53 + 2,
    1e22,
    123456789.12345679,
  ]) {
    const [[back]] = (await connection.runAndReadAll(`SELECT ${numberLiteral('duckdb', value)}`)).getRows();
    expect(back).toBe(value);
  }
  connection.closeSync();
});

test('each dialect escapes its special characters', () => {
  const strings: Record<DialectName, string> = {
    duckdb: "'a''\\'",
    postgres: "'a''\\'",
    clickhouse: "'a\\'\\\\'",
    spark: "'a\\'\\\\'",
  };
  const names: Record<DialectName, string> = {
    duckdb: '"a""`\\"',
    postgres: '"a""`\\"',
    clickhouse: '`a"\\`\\\\`',
    spark: '`a"``\\`',
  };
  for (const dialect of dialectNames) {
    expect(quoteString(dialect, "a'\\")).toBe(strings[dialect]);
    expect(quoteIdentifier(dialect, 'a"`\\')).toBe(names[dialect]);
  }
  expect(quoteString('spark', `\${env:HOME}`)).toBe("'\\u0024{env:HOME}'");
  expect(quotePath('postgres', ['my schema', 'a.b'])).toBe('"my schema"."a.b"');
  expect(numberLiteral('postgres', -1.5)).toBe("(-CAST('1.5e0' AS DOUBLE PRECISION))");
  expect(numberLiteral('spark', 1e-7)).toBe('1e-7D');
  expect(numberLiteral('clickhouse', -Infinity)).toBe("CAST('-Infinity' AS Float64)");
});

test('text that no engine supports is an error', () => {
  for (const dialect of dialectNames) {
    for (const text of ['a\0b', '\ud800', 'x\udfff']) {
      expect(refusalOf(() => quoteIdentifier(dialect, text)).code).toBe('E_IDENTIFIER');
      expect(refusalOf(() => quoteString(dialect, text)).code).toBe('E_IDENTIFIER');
    }
    expect(refusalOf(() => quoteIdentifier(dialect, '')).code).toBe('E_IDENTIFIER');
    expect(refusalOf(() => quotePath(dialect, [])).code).toBe('E_IDENTIFIER');
  }
  expect(refusalOf(() => quoteIdentifier('postgres', 'é'.repeat(32))).code).toBe('E_IDENTIFIER');
  expect(quoteIdentifier('postgres', 'e'.repeat(63))).toHaveLength(65);
  expect(refusalOf(() => quoteIdentifier('spark', `a\${b}`)).code).toBe('E_IDENTIFIER');
});
