import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filledFolder } from './cache.ts';
import { unpackDebian } from './debian.ts';
import { freePorts, start, waitFor } from './processes.ts';

/** One server of the cluster. */
export interface ClickHouseShard {
  readonly url: string;
  readonly pid: number;
}

interface Ports {
  readonly http: number;
  readonly native: number;
  readonly between: number;
}

/** Debian's server and the libraries it needs, unpacked into the cache. */
export function unpackedClickHouse(): string {
  return filledFolder('clickhouse-debian', (folder) => unpackDebian('clickhouse-server', folder));
}

/** Starts this many servers on loopback ports, as the shards of the cluster `polya`. */
export async function startClickHouse(shards: number, folder: string): Promise<ClickHouseShard[]> {
  const unpacked = unpackedClickHouse();
  const numbers = await freePorts(3 * shards);
  const ports = Array.from({ length: shards }, (_, k) => {
    const [http, native, between] = numbers.slice(3 * k);
    return { http, native, between };
  });
  return Promise.all(ports.map((own, k) => startShard(unpacked, join(folder, `shard-${k + 1}`), own, ports)));
}

async function startShard(
  unpacked: string,
  folder: string,
  own: Ports,
  all: readonly Ports[],
): Promise<ClickHouseShard> {
  for (const name of ['data', 'temporary', 'formats', 'files']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'config.xml'), configuration(folder, own, all));
  writeFileSync(join(folder, 'users.xml'), users);
  const log = join(folder, 'output.log');
  const child = start(join(unpacked, 'usr/sbin/clickhouse-server'), [`--config-file=${join(folder, 'config.xml')}`], {
    log,
    cwd: folder,
    env: {
      LD_LIBRARY_PATH: ['usr/lib', 'lib'].map((lib) => join(unpacked, lib, 'x86_64-linux-gnu')).join(':'),
    },
  });
  const url = `http://127.0.0.1:${own.http}`;
  await waitFor('a ClickHouse server', async () => (await fetch(`${url}/ping`)).ok, { seconds: 300, child, log });
  return { url, pid: child.pid! };
}

function configuration(folder: string, own: Ports, all: readonly Ports[]): string {
  const shards = all.map(({ native }) => {
    const replica = `<replica><host>127.0.0.1</host><port>${native}</port></replica>`;
    return `<shard><internal_replication>true</internal_replication>${replica}</shard>`;
  });
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/errors.log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${own.http}</http_port>
  <tcp_port>${own.native}</tcp_port>
  <interserver_http_port>${own.between}</interserver_http_port>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/temporary/</tmp_path>
  <user_files_path>${folder}/files/</user_files_path>
  <format_schema_path>${folder}/formats/</format_schema_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  <timezone>UTC</timezone>
  <remote_servers><polya>${shards.join('')}</polya></remote_servers>
  <query_log><database>system</database><table>query_log</table><flush_interval_milliseconds>200</flush_interval_milliseconds></query_log>
</yandex>
`;
}

/**
 * `default` has all rights, and so has `watched`, whose queries are logged: a log of all queries would be thousands of
 * files. `visitor` has a password and sees only the database `lobby`.
 */
const users = `<?xml version="1.0"?>
<yandex>
  <profiles><default/><watched><log_queries>1</log_queries></watched></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password><profile>default</profile><quota>default</quota>
      <networks><ip>127.0.0.1</ip></networks>
    </default>
    <watched>
      <password></password><profile>watched</profile><quota>default</quota>
      <networks><ip>127.0.0.1</ip></networks>
    </watched>
    <visitor>
      <password>open-sesame</password><profile>default</profile><quota>default</quota>
      <networks><ip>127.0.0.1</ip></networks>
      <allow_databases><database>lobby</database></allow_databases>
    </visitor>
  </users>
</yandex>
`;
