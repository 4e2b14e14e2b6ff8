import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { queryFailed } from '../../src/engines/failure.ts';
import {
  CategoricalNB,
  CountVectorizer,
  columnModel,
  DiscriminativeMultinomialNB,
  GaussianNB,
  MixedNB,
  MultinomialNB,
  makePipeline,
  registerFamily,
  TfidfVectorizer,
  TreeAugmentedNB,
} from '../../src/index.ts';
import { fitFromEngine } from '../../src/warehouse/fit.ts';
import { expectSameCounts, refusal } from './laws.ts';
import { type Cell, makeTable, type TestTable } from './load.ts';

let duckdb: SqlEngine;
beforeAll(async () => {
  duckdb = await openDuckDb({ threads: 1 });
});
afterAll(() => duckdb.close());

/** The engine with an action before, or instead of, its query number n. */
function disturbed(n: number, what: () => Promise<void>): SqlEngine {
  let asked = 0;
  return {
    name: duckdb.name,
    dialect: duckdb.dialect,
    execute: (sql, options) => duckdb.execute(sql, options),
    describe: (relation, options) => duckdb.describe(relation, options),
    tables: (options) => duckdb.tables(options),
    close: async () => undefined,
    async *query(sql, options) {
      if (++asked === n) await what();
      yield* duckdb.query(sql, options);
    },
  };
}

const table: TestTable = {
  columns: [
    ['y', 'text'],
    ['x', 'real'],
    ['c', 'text'],
    ['t', 'text'],
  ], // prettier-ignore
  rows: Array.from({ length: 50 }, (_, i): Cell[] => [i % 2 ? 'a' : 'b', i % 7, `v${i % 3}`, `word${i % 5} other`]),
};

describe('a failure in the middle leaves the estimator unchanged', () => {
  const lost = async () => queryFailed('DuckDB', new Error('the connection was reset'));
  const makers = {
    moments: () => new GaussianNB(),
    levels: () => new CategoricalNB(),
    words: () => makePipeline(new CountVectorizer(), new MultinomialNB()),
  };
  for (const [name, make] of Object.entries(makers)) {
    test(`a lost connection: ${name}`, async () => {
      await makeTable(duckdb, 'middle', table);
      const features = { moments: ['x'], levels: ['c'], words: ['t'] }[name] as string[];
      const model = make();
      const before = model.toBytes();
      const queries = name === 'words' ? [1] : [1, 2]; // texts are read by one
      for (const n of queries) {
        const engine = disturbed(n, lost);
        const refused = await refusal(fitFromEngine(model, { engine, table: 'middle', target: 'y', features }));
        expect(refused.code).toBe('E_ENGINE_QUERY');
        expect(model.toBytes()).toEqual(before);
      }
    });
  }

  test('a table that changes between two queries is an error', async () => {
    const insert = (row: string) => () => duckdb.execute(`INSERT INTO changing VALUES ${row}`);
    for (const [model, features, n] of [
      [new CategoricalNB(), ['c'], 2],
      [new MixedNB(), ['x', 'c'], 3],
      [new TreeAugmentedNB(), ['c', 't'], 4], // pairs tell nothing of rows without a cell
    ] as const) {
      for (const row of ["('a', 1, 'v0', 'w')", "('new', 1, 'v0', 'w')"]) {
        await makeTable(duckdb, 'changing', table);
        const engine = disturbed(n, insert(row));
        const source = { engine, table: 'changing', target: 'y', features };
        expect((await refusal(fitFromEngine(model, source))).code).toBe('E_ENGINE_QUERY');
      }
    }
  });

  test('a count that would not be exact is an error', async () => {
    await makeTable(duckdb, 'huge', {
      columns: [
        ['y', 'text'],
        ['x', 'real'],
      ],
      rows: [
        ['a', 2 ** 53],
        ['a', 2 ** 53],
      ],
    }); // prettier-ignore
    const source = { engine: duckdb, table: 'huge', target: 'y' };
    expect((await refusal(fitFromEngine(new MultinomialNB(), source))).code).toBe('E_COUNT_OVERFLOW');
  });
});

describe('tables of many columns', () => {
  test('are counted by several queries, together with levels', async () => {
    const width = 300;
    const names = Array.from({ length: width }, (_, j) => `x${j}`);
    const levels = Array.from({ length: 35 }, (_, j) => `c${j}`);
    const rows = Array.from({ length: 30 }, (_, i): Cell[] => [
      i % 3,
      ...names.map((_, j) => (i * 7 + j) % 11),
      ...levels.map((_, j) => `v${(i + j) % 4}`),
    ]);
    const wide: TestTable = {
      columns: [
        ['y', 'integer'],
        ...names.map((name) => [name, 'integer'] as const),
        ...levels.map((name) => [name, 'text'] as const),
      ],
      rows,
    };
    await makeTable(duckdb, 'wide', wide);
    const y = rows.map(([label]) => label as number);
    for (const oneScan of [false, true]) {
      const source = { engine: duckdb, table: 'wide', target: 'y', oneScan };
      const sums = await fitFromEngine(new MultinomialNB(), { ...source, features: names });
      const X = rows.map((row) => Object.fromEntries(names.map((name, j) => [name, row[j + 1] as number])));
      expectSameCounts(sums, new MultinomialNB().fit(X, y));
      const few = [...names.slice(0, 3), ...levels];
      const cells = rows.map((row) =>
        Object.fromEntries(few.map((name) => [name, row[wide.columns.findIndex(([own]) => own === name)]])),
      );
      const mixed = await fitFromEngine(new MixedNB(), { ...source, features: few });
      expect(mixed.columns).toEqual(new MixedNB().fit(cells as never, y).columns);
      const part = await fitFromEngine(new MixedNB({ columns: { x0: 'multinomial', x1: 'poisson' } }), {
        ...source,
        features: few.slice(0, 8),
      });
      expect(part.columns[0].family).toBe('multinomial');
    }
  });
});

describe('what an engine cannot count for', () => {
  test('columns of families that a program has registered', async () => {
    const family = { name: 'sevenths', statistics: { seventh: (x: number) => x / 7 }, parameters: ['mean'] };
    registerFamily(
      columnModel({
        ...family,
        estimate: ([mean]) => [mean],
        logDensity: ({ 0: mean }, x) => -Math.abs(x - mean),
        sample: () => 0,
      }),
    );
    await duckdb.execute(
      "CREATE OR REPLACE TABLE waits AS SELECT * FROM (VALUES ('a', 1.5), ('b', 2.5)) AS rows (y, wait)",
    );
    const source = { engine: duckdb, table: 'waits', target: 'y' };
    const model = new MixedNB({ columns: { wait: 'sevenths' } });
    expect((await refusal(fitFromEngine(model, source))).code).toBe('E_ENGINE_CAPABILITY');
  });

  test('is an error before anything is counted', async () => {
    await makeTable(duckdb, 'plain', table);
    const source = { engine: duckdb, table: 'plain', target: 'y' };
    const code = async (model: never, more = {}) => (await refusal(fitFromEngine(model, { ...source, ...more }))).code;
    expect(await code(new DiscriminativeMultinomialNB() as never, { features: ['x'] })).toBe('E_ENGINE_CAPABILITY');
    expect(await code(makePipeline(new TfidfVectorizer(), new MultinomialNB()) as never)).toBe('E_ENGINE_CAPABILITY');
    expect(await code({} as never)).toBe('E_ENGINE_CAPABILITY');
    const words = makePipeline(new CountVectorizer(), new MultinomialNB()) as never;
    expect(await code(words)).toBe('E_PARAM');
    expect(await code(words, { features: ['x'] })).toBe('E_TYPE');
    expect(await code(new MultinomialNB() as never, { features: [] })).toBe('E_EMPTY_INPUT');
    expect(await code(new MultinomialNB() as never, { features: ['y'] })).toBe('E_PARAM');
    expect(await code(new MultinomialNB() as never, { target: 'x', features: ['c'] })).toBe('E_LABEL_TYPE');
    const empty = makePipeline(new CountVectorizer({ stopWords: ['v0', 'v1', 'v2'] }), new MultinomialNB()) as never;
    expect(await code(empty, { features: ['c'] })).toBe('E_EMPTY_INPUT');
    await duckdb.execute(
      `CREATE OR REPLACE TABLE odd AS SELECT 'a' AS y, ['2020'] AS d, 9007199254740993 AS big, NULL::VARCHAR AS gone`,
    );
    const odd = { engine: duckdb, table: 'odd', target: 'y' };
    expect((await refusal(fitFromEngine(new MixedNB(), { ...odd, features: ['d'] }))).code).toBe('E_TYPE');
    expect((await refusal(fitFromEngine(new CategoricalNB(), { ...odd, features: ['d'] }))).code).toBe('E_TYPE');
    expect((await refusal(fitFromEngine(new CategoricalNB(), { ...odd, features: ['big'] }))).code).toBe(
      'E_VALUE_RANGE',
    );
    expect((await refusal(fitFromEngine(new CategoricalNB(), { ...odd, features: ['gone'] }))).code).toBe('E_TYPE');
    expect((await refusal(fitFromEngine(new MultinomialNB(), { ...odd, target: 'big', features: ['y'] }))).code).toBe(
      'E_TYPE',
    );
    const ofText = makePipeline(new CountVectorizer(), new MultinomialNB());
    expect((await refusal(fitFromEngine(ofText, { ...odd, features: ['gone'] }))).code).toBe('E_TYPE');
    const label = { ...odd, target: 'big', features: ['d'] };
    expect((await refusal(fitFromEngine(new MixedNB({ columns: { d: 'categorical' } }), label))).code).toBe('E_TYPE');
    expect((await refusal(fitFromEngine(new CategoricalNB(), { ...odd, target: 'd', features: ['y'] }))).code).toBe(
      'E_LABEL_TYPE',
    );
    expect((await refusal(fitFromEngine(new CategoricalNB(), { ...odd, target: 'big', features: ['y'] }))).code).toBe(
      'E_LABEL_TYPE',
    );
  });
});
