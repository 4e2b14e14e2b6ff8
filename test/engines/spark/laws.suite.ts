import { openSpark } from '../../../src/engines/spark/index.ts';
import { engineLaws } from '../laws.ts';
import { startedServers } from '../servers.ts';
import { makeView } from './tables.ts';

const { url } = startedServers<{ url: string }>();

engineLaws('Spark, a cluster of two executors,', async () => {
  const engine = await openSpark(url, {});
  return {
    engine,
    load: async (name, table) => {
      await makeView(engine, name, table);
      return name;
    },
    close: () => engine.close(),
  };
});
