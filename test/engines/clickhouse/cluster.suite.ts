import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openClickHouse } from '../../../src/engines/clickhouse/index.ts';
import type { ColumnBatch, SqlEngine } from '../../../src/engines/engine.ts';
import { MultinomialNB } from '../../../src/index.ts';
import { fitFromEngine } from '../../../src/warehouse/fit.ts';
import { engineLaws, expectSameCounts, refusal } from '../laws.ts';
import type { Cell, TestTable } from '../load.ts';
import { startedServers } from '../servers.ts';
import { makeSpreadTable, PARTS } from './tables.ts';

const { shards } = startedServers<{ shards: { url: string; pid: number }[] }>();
const urls = shards.map(({ url }) => url.replace('http:', 'clickhouse:'));
const SECRET = 'a-secret-that-is-never-printed';

/** Rows are in all shards, in two of three, or only in the last. */
const spreads = [(row: number) => row % 3, (row: number) => row % 2, () => 2];

engineLaws('ClickHouse, a cluster of three shards,', async () => {
  const engines = await Promise.all(urls.map((url) => openClickHouse(url, {})));
  let tables = 0;
  return {
    engine: engines[0],
    load: async (name, table) => {
      await makeSpreadTable(engines, name, table, spreads[tables++ % spreads.length]);
      return name;
    },
    bitsAreNumbers: true,
    countsOnly: true,
    close: async () => {
      for (const engine of engines) await engine.close();
    },
  };
});

describe('a cluster of three shards', () => {
  let engines: SqlEngine[];
  const rows = Array.from({ length: 3000 }, (_, i): Cell[] => [`c${i % 4}`, i % 7, i % 3]);
  const table: TestTable = {
    columns: [
      ['y', 'text'],
      ['a', 'integer'],
      ['b', 'integer'],
    ],
    rows,
  };
  const inMemory = new MultinomialNB().fit(
    rows.map(([, a, b]) => ({ a: a as number, b: b as number })),
    rows.map(([y]) => y as string),
  );
  const source = (engine: SqlEngine) => ({ engine, table: 'stock', target: 'y', features: ['a', 'b'] });

  beforeAll(async () => {
    engines = await Promise.all(urls.map((url) => openClickHouse(url, {})));
    await makeSpreadTable(engines, 'stock', table, (row) => row % 3);
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
  });

  test('each shard reads its rows, and the first adds the results', async () => {
    const watched = await openClickHouse(urls[0].replace('//', '//watched@'), {});
    expectSameCounts(await fitFromEngine(new MultinomialNB(), source(watched)), inMemory);
    await watched.close();
    const read =
      "SELECT toFloat64(max(read_rows)) FROM system.query_log WHERE type = 2 AND query LIKE '%stock%' AND query NOT LIKE '%query_log%'";
    const most = async (shard: SqlEngine) => (await numbers(shard.query(read)))[0];
    await expect.poll(() => Promise.all(engines.map(most))).toEqual([3000, 1000, 1000]);
  });

  test('a table function can replace a table', async () => {
    const everywhere = { function: 'cluster', arguments: ['polya', PARTS, 'stock'] };
    expectSameCounts(await fitFromEngine(new MultinomialNB(), { ...source(engines[0]), table: everywhere }), inMemory);
  });

  test('a rejected user and an unreachable server are reported without the password', async () => {
    for (const address of [
      urls[0].replace('//', `//visitor:${SECRET}@`),
      urls[0].replace('//', `//unknown-user:${SECRET}@`),
      `clickhouse://default:${SECRET}@127.0.0.1:1`,
      `clickhouse://default:${SECRET}@no-such-host.invalid`,
    ]) {
      const { code, message, details } = await refusal(openClickHouse(address, {}));
      expect(code).toBe('E_ENGINE_UNAVAILABLE');
      expect(message + JSON.stringify(details)).not.toContain(SECRET);
    }
  });

  test('an unreadable table is an error, and the estimator is unchanged', async () => {
    const visitor = await openClickHouse(urls[0], { CLICKHOUSE_USER: 'visitor', CLICKHOUSE_PASSWORD: 'open-sesame' });
    await untouched({ ...source(visitor), table: ['default', 'stock'] });
    await visitor.close();
  });

  test('an abort ends the query in the server too', async () => {
    const endless =
      'SELECT toFloat64(sum(sipHash64(number))) FROM (SELECT number FROM system.numbers LIMIT 100000000000)';
    const { code } = await refusal(numbers(engines[0].query(endless, { signal: AbortSignal.timeout(300) })));
    expect(code).toBe('E_CANCELLED');
    await expect.poll(() => running(engines[0], 'sipHash64')).toBe(0);
  });

  test('a missing shard is an error, not an undercount', async () => {
    process.kill(shards[2].pid, 'SIGKILL');
    await expect
      .poll(() =>
        fetch(`${shards[2].url}/ping`).then(
          () => true,
          () => false,
        ),
      )
      .toBe(false);
    await untouched(source(engines[0]));
  });

  test('a server that dies during a query loses it, and the estimator is unchanged', async () => {
    const slow =
      'SELECT toFloat64(sum(sleepEachRow(0.02))) FROM (SELECT number FROM system.numbers LIMIT 100000) SETTINGS max_block_size = 10';
    const lost = refusal(numbers(engines[1].query(slow)));
    await expect.poll(() => running(engines[1], 'sleepEachRow')).toBe(1);
    process.kill(shards[1].pid, 'SIGKILL');
    expect((await lost).code).toBe('E_ENGINE_QUERY');
    await untouched({ ...source(engines[1]), table: [PARTS, 'stock'] }, 'E_ENGINE_UNAVAILABLE');
  });
});

/** Expects a fit to fail, and the estimator to be unchanged. */
async function untouched(rows: Parameters<typeof fitFromEngine>[1], expected = 'E_ENGINE_QUERY'): Promise<void> {
  const model = new MultinomialNB().fit([[1]], ['before']);
  const before = model.toBytes();
  const { code, message } = await refusal(fitFromEngine(model, rows));
  expect(code).toBe(expected);
  expect(message).not.toMatch(/SELECT|open-sesame/);
  expect(model.toBytes()).toEqual(before);
}

/** The number of running queries with this word. */
async function running(server: SqlEngine, word: string): Promise<number> {
  const sql = `SELECT toFloat64(count()) FROM system.processes WHERE query LIKE '%${word}%' AND query NOT LIKE '%processes%'`;
  return (await numbers(server.query(sql)))[0];
}

async function numbers(batches: AsyncIterable<ColumnBatch>): Promise<number[]> {
  const found: number[] = [];
  for await (const { columns } of batches) found.push(...(columns[0] as Float64Array));
  return found;
}
