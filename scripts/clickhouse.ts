import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startClickHouse, unpackedClickHouse } from './engines/clickhouse-cluster.ts';
import { npmFolder } from './engines/npm.ts';
import { runSuite, skip } from './engines/suite.ts';

/** `npm run test:clickhouse`: a cluster of three servers, and the current ClickHouse in the process of the tests. */

const CHDB = '3.4.0';

function prepared(): { server: string; chdb: string } | string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'ClickHouse is tested on Linux x64';
  try {
    const server = unpackedClickHouse();
    if (!existsSync(join(server, 'usr/sbin/clickhouse-server'))) return 'the package clickhouse-server holds no server';
    return { server, chdb: npmFolder(`chdb-${CHDB}`, [`chdb@${CHDB}`]) };
  } catch (error) {
    return `ClickHouse cannot be fetched here (${(error as Error).message.split('\n')[0]})`;
  }
}

const ready = prepared();
if (typeof ready === 'string') skip('clickhouse', ready);
else {
  await runSuite('clickhouse', async (folder) => {
    const shards = await startClickHouse(3, folder);
    return {
      servers: { shards, chdb: ready.chdb },
      ran: 'a cluster of three ClickHouse 18.16 servers, and chDB in process',
    };
  });
}
