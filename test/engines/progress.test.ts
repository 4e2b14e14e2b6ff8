import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import type { SqlEngine } from '../../src/engines/engine.ts';
import { CategoricalNB, CountVectorizer, GaussianNB, MixedNB, MultinomialNB, makePipeline, TreeAugmentedNB } from '../../src/index.ts'; // biome-ignore format: one line
import { classifierFromEngine } from '../../src/warehouse/classifier.ts';
import { fitFromEngine } from '../../src/warehouse/fit.ts';
import { type Cell, makeTable } from './load.ts';

let duckdb: SqlEngine;
/** The engine, which tells nothing of progress within a query. */
const silent = (): SqlEngine => ({
  name: duckdb.name,
  dialect: duckdb.dialect,
  execute: duckdb.execute.bind(duckdb),
  describe: duckdb.describe.bind(duckdb),
  tables: duckdb.tables.bind(duckdb),
  close: async () => undefined,
  query(sql, { onShare: _, ...options } = {}) {
    return duckdb.query(sql, options);
  },
});

beforeAll(async () => {
  duckdb = await openDuckDb({ threads: 1 });
  const rows = Array.from({ length: 300 }, (_, i): Cell[] => [i % 2 ? 'a' : 'b', i % 7, `v${i % 3}`, `u${i % 5}`, `word${i % 5} other`]); // biome-ignore format: one line
  const columns = [['y', 'text'], ['x', 'real'], ['c', 'text'], ['d', 'text'], ['t', 'text']] as const; // biome-ignore format: one line
  await makeTable(duckdb, 'steps', { columns, rows });
});
afterAll(() => duckdb.close());

test.each([
  ['numbers', new GaussianNB(), ['x'], 1],
  ['levels', new CategoricalNB(), ['c', 'd'], 2],
  ['numbers and levels', new MixedNB(), ['x', 'c', 'd'], 2],
  ['pairs of levels', new TreeAugmentedNB(), ['c', 'd'], 3],
  ['words', makePipeline(new CountVectorizer(), new MultinomialNB()), ['t'], 1],
] as const)('progress is that of the whole fit: %s', async (_, estimator, features, steps) => {
  const shares: number[] = [];
  const onShare = (share: number) => void shares.push(share);
  await fitFromEngine(estimator.clone(), { engine: silent(), table: 'steps', target: 'y', features, onShare });
  expect(shares).toHaveLength(steps);
  expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

test('progress is that of the whole fit: an ensemble', async () => {
  const shares: number[] = [];
  const onShare = (share: number) => void shares.push(share);
  await classifierFromEngine({ engine: silent(), table: 'steps', target: 'y', onShare });
  expect(shares.length).toBeGreaterThanOrEqual(3);
  expect(shares.slice(0, 2)).toEqual([0.25, 0.5]);
  expect(shares.at(-1)).toBeCloseTo(1, 10);
});
