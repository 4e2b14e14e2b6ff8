import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applicationOf, executors } from '../../../scripts/engines/spark-cluster.ts';
import { openDuckDb } from '../../../src/engines/duckdb/index.ts';
import type { ColumnBatch, SqlEngine } from '../../../src/engines/engine.ts';
import { openSpark } from '../../../src/engines/spark/index.ts';
import { textColumns } from '../../../src/engines/text-columns.ts';
import { CountVectorizer, GaussianNB, MultinomialNB, makePipeline } from '../../../src/index.ts';
import { fitFromEngine } from '../../../src/warehouse/fit.ts';
import { expectSameCounts, refusal } from '../laws.ts';
import { startedServers } from '../servers.ts';
import { executorProcess } from './processes.ts';

const { url, rest, folder } = startedServers<{ url: string; rest: string; folder: string }>();
const SECRET = 'a-secret-that-is-never-printed';

describe('a cluster of two executors', () => {
  let spark: SqlEngine;
  const files = join(folder, 'documents');
  const text = () => makePipeline(new CountVectorizer(), new MultinomialNB());
  const documents = { target: 'label', features: ['body'] };
  const inSpark = () => ({ engine: spark, table: ['parquet', files], ...documents });
  let reference: ReturnType<typeof text>;

  beforeAll(async () => {
    await writeParquet(files);
    spark = await openSpark(url, {});
    const duckdb = await openDuckDb({ files: join(files, '*.parquet') });
    reference = await fitFromEngine(text(), { engine: duckdb, table: 'files', ...documents });
    await duckdb.close();
  });
  afterAll(() => spark.close());

  test('words of Parquet files are counted as DuckDB counts them, by both executors, over a shuffle', async () => {
    expectSameCounts(await fitFromEngine(text(), inSpark()), reference);
    const atWork = async () =>
      (await executors(rest)).filter(({ completedTasks, totalShuffleWrite }) => completedTasks * totalShuffleWrite > 0);
    await expect.poll(atWork).toHaveLength(2); // Spark's status is slightly delayed
  });

  test('moments of Parquet files are those of DuckDB, to 1e-12', async () => {
    const numbers = { target: 'label', features: ['size', 'far'] };
    const duckdb = await openDuckDb({ files: join(files, '*.parquet') });
    const near = await fitFromEngine(new GaussianNB(), { engine: duckdb, table: 'files', ...numbers });
    await duckdb.close();
    const model = await fitFromEngine(new GaussianNB(), { ...inSpark(), ...numbers });
    expect(model.classCount).toEqual(near.classCount);
    near.theta.data.forEach((mean, k) => void expect(Math.abs(model.theta.data[k] / mean - 1)).toBeLessThan(1e-12));
    near.var.data.forEach((variance, k) => void expect(Math.abs(model.var.data[k] / variance - 1)).toBeLessThan(1e-9));
  });

  test('killing an executor during a query does not change counts', async () => {
    const application = await applicationOf(rest);
    let victim: string | undefined;
    while (victim === undefined) {
      let ended = false;
      const fitting = fitFromEngine(text(), inSpark()).finally(() => (ended = true));
      while (victim === undefined && !ended) victim = await busyExecutor(); // a query may be over before the check
      if (victim !== undefined) process.kill(executorProcess(application, victim), 'SIGKILL');
      expectSameCounts(await fitting, reference);
    }
    const lives = async () => (await executors(rest)).find(({ id }) => id === victim)?.isActive;
    await expect.poll(lives).toBe(false);
  });

  test('progress is reported, an abort ends the query in Spark, and the session remains usable', async () => {
    const long =
      'SELECT CAST(sum(hash(id, a)) AS DOUBLE) FROM range(100000000) CROSS JOIN (SELECT id AS a FROM range(100))';
    const [[version]] = await textColumns(spark.query('SELECT version()'), 1);
    const shares: number[] = [];
    const asking = new AbortController();
    const onShare = (share: number) => shares.push(share);
    const refused = refusal(drained(spark.query(long, { signal: asking.signal, onShare })));
    await expect.poll(busyExecutor).toBeDefined();
    if (!version.startsWith('3.')) await expect.poll(() => shares.length).toBeGreaterThan(0); // since Spark 4
    asking.abort();
    expect((await refused).code).toBe('E_CANCELLED');
    // Between two stages all tasks planned so far are done.
    for (const share of shares) expect(share).toBeLessThanOrEqual(1);
    await expect.poll(busyExecutor).toBeUndefined();
    expect(await drained(spark.query('SELECT 1 UNION ALL SELECT 2'))).toBe(2);
  });

  const busyExecutor = async () =>
    (await executors(rest)).find(({ isActive, activeTasks }) => isActive && activeTasks > 0)?.id;

  test('an unreachable server and a wrong address are reported without the token', async () => {
    for (const address of ['sc://127.0.0.1:1', rest.replace('http', 'sc').replace('/api/v1', '')]) {
      const { code, message, details } = await refusal(openSpark(`${address}/;token=${SECRET}`, {}));
      expect(code).toBe('E_ENGINE_UNAVAILABLE');
      expect(message + JSON.stringify(details)).not.toContain(SECRET);
    }
  });

  test('a query in a closed session is lost, and the estimator is unchanged', async () => {
    const other = await openSpark(url, {});
    await other.close();
    await other.close();
    const model = new MultinomialNB().fit([[1]], ['before']);
    const before = model.toBytes();
    const { code } = await refusal(fitFromEngine(model, { ...inSpark(), engine: other, features: ['size'] }));
    expect(code).toBe('E_ENGINE_QUERY');
    expect(model.toBytes()).toEqual(before);
  });
});

/** Eight files of documents in three classes, with a number far from zero. */
async function writeParquet(folder: string): Promise<void> {
  mkdirSync(folder);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const word = (seed: string) => `'w' || CAST(floor(pow(random() * ${seed}, 3)) AS INTEGER)`;
  await connection.run(`CREATE TABLE d AS SELECT setseed(0.5)`);
  for (let file = 0; file < 8; file++) {
    const words = Array.from({ length: 30 }, () => word('20')).join(" || ' ' || ");
    await connection.run(
      `COPY (SELECT 'c' || g % 3 AS label, ${words} AS body, g % 11 AS size, 1e9 + random() AS far
       FROM range(1000) AS t(g)) TO '${join(folder, `part-${file}.parquet`)}' (FORMAT parquet)`,
    );
  }
  connection.closeSync();
}

async function drained(batches: AsyncIterable<ColumnBatch>): Promise<number> {
  let rows = 0;
  for await (const batch of batches) rows += batch.rows;
  return rows;
}
