import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import { expect, test } from 'vitest';
import { type ClickHouseClient, clickHouseEngine } from '../../../src/engines/clickhouse/engine.ts';
import { engineLaws, refusal } from '../laws.ts';
import { startedServers } from '../servers.ts';
import { makeLocalTable } from './tables.ts';

const { chdb } = startedServers<{ chdb: string }>();
const { createChdbConnection } = createRequire(join(chdb, 'package.json'))('chdb/connection');

/** The current ClickHouse, in this process: the same client uses it without a network. */
function inProcess() {
  const client = createClient({ connection: createChdbConnection({ path: ':memory:' }) } as object);
  return clickHouseEngine(client as unknown as ClickHouseClient);
}

for (const threads of [1, 2]) {
  engineLaws(
    `current ClickHouse, in process, with ${threads > 1 ? 'two threads and MergeTree tables' : 'one thread and tables in memory'}`,
    async () => {
      const engine = inProcess();
      await engine.execute(`SET max_threads = ${threads}`);
      return {
        engine,
        load: async (name, table) => {
          const storage = threads === 2 ? 'MergeTree ORDER BY tuple()' : 'Memory';
          await makeLocalTable(engine, name, table, undefined, storage);
          return name;
        },
        bitsAreNumbers: true,
        close: () => engine.close(),
      };
    },
  );
}

test('errors of current ClickHouse are reported without the query', async () => {
  const engine = inProcess();
  for (const sql of [
    'SELECT shape FROM (SELECT 1 AS size)',
    'SELECT 1 FROM nowhere',
    'SELECT FROM WHERE',
    'SELECT throwIf(1)',
  ]) {
    const { code, message } = await refusal(drained(engine.query(sql)));
    expect(code).toBe('E_ENGINE_QUERY');
    expect(message).toMatch(/\(code \d+\)/);
    expect(message).not.toMatch(/SELECT/);
  }
  await engine.close();
});

async function drained(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}
