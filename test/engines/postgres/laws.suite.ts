import { openPostgres } from '../../../src/engines/postgres/index.ts';
import { engineLaws } from '../laws.ts';
import { makeTable } from '../load.ts';
import { startedServers } from '../servers.ts';

const { url } = startedServers<{ url: string }>();

for (const [name, settings] of [
  ['PostgreSQL', []],
  [
    'PostgreSQL with parallel workers',
    [
      'SET max_parallel_workers_per_gather = 2',
      'SET parallel_setup_cost = 0',
      'SET parallel_tuple_cost = 0',
      'SET min_parallel_table_scan_size = 0',
    ],
  ],
] as const) {
  engineLaws(name, async () => {
    const engine = await openPostgres(url, {});
    for (const setting of settings) await engine.execute(setting);
    return {
      engine,
      load: async (table, content) => {
        await makeTable(engine, table, content);
        return table;
      },
      close: () => engine.close(),
    };
  });
}
