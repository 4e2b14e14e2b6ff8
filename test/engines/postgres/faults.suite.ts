import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ColumnBatch, SqlEngine } from '../../../src/engines/engine.ts';
import { openPostgres } from '../../../src/engines/postgres/index.ts';
import { CategoricalNB, MultinomialNB } from '../../../src/index.ts';
import { fitFromEngine } from '../../../src/warehouse/fit.ts';
import { refusal } from '../laws.ts';
import { startedServers } from '../servers.ts';

const { url } = startedServers<{ url: string }>();
const SECRET = 'a-secret-that-is-never-printed';
let engine: SqlEngine;

beforeAll(async () => {
  engine = await openPostgres(url, {});
  await engine.execute(`CREATE TABLE stock (y text, x float8, t text);
    INSERT INTO stock SELECT 'c' || g % 3, g % 7, 'w' || g FROM generate_series(1, 50000) AS g;
    DROP ROLE IF EXISTS visitor; CREATE ROLE visitor LOGIN PASSWORD 'visitor'`);
});
afterAll(() => engine.close());

async function rowsIn(batches: AsyncIterable<ColumnBatch>): Promise<number> {
  let rows = 0;
  for await (const batch of batches) rows += batch.rows;
  return rows;
}

test('columns are complete, in any number of batches', async () => {
  const numbers: number[] = [];
  const texts: (string | null)[] = [];
  for await (const { columns } of engine.query(
    "SELECT g::float8 / 7, CASE WHEN g % 2 = 0 THEN 'ü' || g END FROM generate_series(1, 30000) AS g",
  )) {
    numbers.push(...(columns[0] as Float64Array));
    texts.push(...(columns[1] as string[]));
  }
  expect(numbers).toEqual(Array.from({ length: 30000 }, (_, i) => (i + 1) / 7));
  expect(texts).toEqual(Array.from({ length: 30000 }, (_, i) => (i % 2 === 1 ? `ü${i + 1}` : null)));
});

test('a partly read result leaves the connection free for the next query', async () => {
  for (let round = 0; round < 5; round++) {
    for await (const batch of engine.query('SELECT g::float8 FROM generate_series(1, 3000000) AS g')) {
      expect(batch.rows).toBeGreaterThan(0);
      break;
    }
    expect(await rowsIn(engine.query('SELECT y FROM stock'))).toBe(50000);
  }
});

test('an abort ends only its own query', async () => {
  const sleeping = refusal(rowsIn(engine.query('SELECT pg_sleep(6000)', { signal: AbortSignal.timeout(300) })));
  const waiting = refusal(rowsIn(engine.query('SELECT y FROM stock', { signal: AbortSignal.timeout(100) })));
  const patient = rowsIn(engine.query('SELECT y FROM stock'));
  expect((await sleeping).code).toBe('E_CANCELLED');
  expect((await waiting).code).toBe('E_CANCELLED');
  expect(await patient).toBe(50000); // it shares the connection with the query that would have slept for long
});

test('rows that another session adds between two queries are not counted, and count the next time', async () => {
  const writer = await openPostgres(url, {});
  await writer.execute(
    "CREATE TABLE moving AS SELECT 'c' || g % 2 AS y, 'v' || g % 5 AS a FROM generate_series(1, 100) AS g",
  );
  let queries = 0;
  const disturbed: SqlEngine = Object.create(engine, {
    query: {
      async *value(sql: string) {
        if (++queries > 1) await writer.execute("INSERT INTO moving VALUES ('c0', 'v0'), ('new', 'v9')");
        yield* engine.query(sql);
      },
    },
  });
  const counted = async (own: SqlEngine) =>
    (await fitFromEngine(new CategoricalNB(), { engine: own, table: 'moving', target: 'y' })).classCount;
  expect([...(await counted(disturbed))]).toEqual([50, 50]);
  expect(queries).toBeGreaterThan(1);
  expect([...(await counted(engine))]).toEqual([50 + queries - 1, 50, queries - 1]);
  await writer.close();
});

test('a rejected user and an unreachable server are reported without the password', async () => {
  for (const address of [
    url.replace('open-sesame', SECRET),
    url.replace(':open-sesame', ''),
    url.replace('owner:open-sesame', `unknown-user:${SECRET}`),
    url.replace(/\/postgres$/, '/no-such-database'),
    `postgres://owner:${SECRET}@127.0.0.1:1/postgres`,
    `postgres://owner:${SECRET}@no-such-host.invalid/postgres`,
  ]) {
    const { code, message, details } = await refusal(openPostgres(address, {}));
    expect(code).toBe('E_ENGINE_UNAVAILABLE');
    expect(message + JSON.stringify(details)).not.toMatch(/a-secret-that|open-sesame/);
  }
  expect((await refusal(openPostgres('postgres:nothing', {}))).code).toBe('E_ENGINE_UNAVAILABLE');
  expect((await refusal(openPostgres('mysql://host/x', {}))).code).toBe('E_PARAM');
});

test('user and password may come from the environment; an unreadable table is an error', async () => {
  const visitor = await openPostgres(url.replace('owner:open-sesame@', ''), {
    PGUSER: 'visitor',
    PGPASSWORD: 'visitor',
  });
  const model = new MultinomialNB().fit([[1]], ['before']);
  const before = model.toBytes();
  const rows = { engine: visitor, table: 'stock', target: 'y', features: ['x'] };
  expect((await refusal(fitFromEngine(model, rows))).code).toBe('E_ENGINE_QUERY');
  expect(model.toBytes()).toEqual(before);
  await visitor.close();
});

test('a lost connection leaves the estimator unchanged', async () => {
  const victim = await openPostgres(url, {});
  const [pid] = await columnOf(victim, 'SELECT pg_backend_pid()::float8');
  const running = refusal(rowsIn(victim.query('SELECT pg_sleep(30)')));
  await engine.execute(`SELECT pg_terminate_backend(${pid})`);
  expect((await running).code).toBe('E_ENGINE_QUERY');
  const model = new MultinomialNB().fit([[1]], ['before']);
  const before = model.toBytes();
  const rows = { engine: victim, table: 'stock', target: 'y', features: ['x'] };
  expect((await refusal(fitFromEngine(model, rows))).code).toBe('E_ENGINE_QUERY');
  expect(model.toBytes()).toEqual(before);
  await victim.close();
  await victim.close();
});

async function columnOf(from: SqlEngine, sql: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { columns } of from.query(sql)) found.push(...(columns[0] as Float64Array));
  return found;
}
