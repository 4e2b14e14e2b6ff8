import { openDuckDb } from '../../src/engines/duckdb/index.ts';
import { engineLaws } from './laws.ts';
import { makeTable } from './load.ts';

for (const threads of [1, 2]) {
  engineLaws(`DuckDB with ${threads} thread${threads > 1 ? 's' : ''}`, async () => {
    const engine = await openDuckDb({ threads });
    return {
      engine,
      load: async (name, table) => {
        await makeTable(engine, name, table);
        return name;
      },
      oneScan: threads === 2,
      close: () => engine.close(),
    };
  });
}
