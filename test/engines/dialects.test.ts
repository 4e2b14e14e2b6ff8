import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { ColumnBatch, SqlEngine } from '../../src/engines/engine.ts';
import type { SqlDialect } from '../../src/engines/sql/dialect.ts';
import {
  BernoulliNB,
  CategoricalNB,
  CountVectorizer,
  GaussianNB,
  KDependenceNB,
  KernelNB,
  MixedNB,
  MultinomialNB,
  QuadraticDiscriminantAnalysis,
  TreeAugmentedNB,
} from '../../src/index.ts';
import { type Countable, fitFromEngine } from '../../src/warehouse/fit.ts';
import { rulesOf } from '../../src/warehouse/text.ts';
import { rootQuery, wordQuery } from '../../src/warehouse/text-query.ts';
import { expectSameCounts } from './laws.ts';
import { makeTable } from './load.ts';

/** Services that cannot be run here: an engine of theirs is a client that somebody brings along. */
const services = ['bigquery', 'snowflake', 'trino'] as const;

const numbers = ['x', 'n'];
const levels = ['c', 'd'];
const families: readonly (readonly [() => Countable, readonly string[]])[] = [
  [() => new MultinomialNB(), ['n']],
  [() => new BernoulliNB({ binarize: 1 }), ['n']],
  [() => new GaussianNB(), numbers],
  [() => new QuadraticDiscriminantAnalysis({ regParam: 0.5 }), numbers],
  [() => new KernelNB(), ['x']],
  [() => new CategoricalNB(), levels],
  [() => new TreeAugmentedNB(), levels],
  [() => new KDependenceNB({ k: 1, selectColumns: false, concentration: 1 }), levels],
  [() => new MixedNB({ columns: { x: 'gamma' } }), ['x', 'n', 'c']],
];

let duckdb: SqlEngine;
beforeAll(async () => {
  duckdb = await openDuckDb({ threads: 1 });
  await makeTable(duckdb, 'shop', {
    columns: [
      ['y', 'text'],
      ['x', 'real'],
      ['n', 'integer'],
      ['c', 'text'],
      ['d', 'text'],
    ],
    rows: Array.from({ length: 60 }, (_, i) => [
      'ab'[i % 2],
      1 + ((i * 7) % 11),
      i % 5,
      `u${(i * 3) % 4}`,
      `v${i % 3}`,
    ]),
  });
});
afterAll(() => duckdb.close());

/** DuckDB as an engine of another dialect: it answers with the results that it gave before, query by query. */
function replayed(dialect: SqlDialect, results: ColumnBatch[][], listen: (sql: string) => void): SqlEngine {
  return {
    name: dialect,
    dialect,
    execute: async () => undefined,
    describe: (_relation, options) => duckdb.describe('"shop"', options),
    tables: (options) => duckdb.tables(options),
    close: async () => undefined,
    inSnapshot: (work) => work(),
    async *query(sql) {
      listen(sql);
      yield* results.shift() ?? [];
    },
  };
}

/** DuckDB, keeping its results. */
function recorded(results: ColumnBatch[][]): SqlEngine {
  return {
    ...replayed('duckdb', [], () => {}),
    async *query(sql, options) {
      const batches: ColumnBatch[] = [];
      results.push(batches);
      for await (const batch of duckdb.query(sql, options)) {
        batches.push(batch);
        yield batch;
      }
    },
  };
}

test.each(services)(
  '%s: a model of its counts is that of other engines, and its queries are well-formed',
  async (dialect) => {
    const queries: string[] = [];
    for (const [make, features] of families) {
      const results: ColumnBatch[][] = [];
      const source = { table: 'shop', target: 'y', features };
      const expected = await fitFromEngine(make(), { ...source, engine: recorded(results) });
      const engine = replayed(dialect, results, (sql) => queries.push(sql));
      expectSameCounts(await fitFromEngine(make(), { ...source, engine }), expected);
    }
    const engine = replayed(dialect, [], () => {});
    const frame = { engine, relation: 'mails', label: 'label' };
    const vectorizers = [
      new CountVectorizer({ ngramRange: [1, 2], stopWords: ['the', "it's"] }),
      new CountVectorizer({ analyzer: 'char', ngramRange: [1, 2] }),
      new CountVectorizer({ analyzer: 'char_wb', ngramRange: [2, 5] }),
    ];
    for (const vectorizer of vectorizers) {
      if (dialect === 'snowflake') expect(() => rulesOf(engine, vectorizer)).toThrow(/not counted in Snowflake/);
      else {
        const rules = rulesOf(engine, vectorizer);
        queries.push(wordQuery(frame, 'body', rules, { least: 3, most: 100, limit: 50, by: 'tf' }));
        queries.push(rootQuery(frame, 'body', rules));
      }
    }
    const program =
      'import json, sys, sqlglot\nfor sql in json.load(sys.stdin): sqlglot.parse_one(sql, read=sys.argv[1])';
    const python = process.env.POLYA_PYTHON ?? 'python3';
    const parser = spawnSync(python, ['-c', program, dialect], { input: JSON.stringify(queries), encoding: 'utf8' });
    // without Python or sqlglot only the brackets are compared
    if (!parser.error && !/No module named/.test(parser.stderr)) expect(parser.stderr).toBe('');
    for (const sql of queries) {
      const bare = sql.replace(/'(?:[^'\\]|\\.|'')*'/gs, '');
      expect(bare.match(/\(/g)?.length, sql).toBe(bare.match(/\)/g)?.length);
    }
  },
);
