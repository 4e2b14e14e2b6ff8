import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFamilies } from './families.ts';
import { start, stopAll, withServers } from './processes.ts';

/** What a suite needs to know about its servers, and what is printed when it has passed. */
export interface StartedServers {
  /** Passed as POLYA_SERVERS, as JSON. */
  readonly servers: object;
  readonly ran: string;
}

/** Prints in one line why a suite does not run here. That is not a failure. */
export function skip(name: string, why: string): void {
  console.log(`test:${name} skipped: ${why}`);
}

/**
 * Starts servers, runs the suite of `test/engines/<name>` on them, stops them, and writes what was shown into docs/engines.md. Files of the servers are removed,
 * except if the suite fails.
 */
export async function runSuite(name: string, startServers: (folder: string) => Promise<StartedServers>): Promise<void> {
  await withServers(async () => {
    const began = Date.now();
    const { servers, ran, folder } = await started(name, startServers);
    const results = join(folder, 'results.jsonl');
    const status = await vitest(name, servers, results);
    await stopAll();
    if (status !== 0) {
      console.error(`test:${name} failed; the logs of its servers are in ${folder}`);
      return status;
    }
    if (existsSync(results)) writeFamilies(results);
    rmSync(folder, { recursive: true, force: true });
    console.log(`test:${name} passed on ${ran}, in ${Math.round((Date.now() - began) / 1000)} s`);
    return 0;
  });
}

/** Starts the servers. A free port may be taken before they listen on it, so there are three attempts. */
async function started(
  name: string,
  startServers: (folder: string) => Promise<StartedServers>,
  tries = 3,
): Promise<StartedServers & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), `polya-${name}-`));
  try {
    return { ...(await startServers(folder)), folder };
  } catch (error) {
    await stopAll();
    if (tries === 1) throw error;
    console.warn(`test:${name} starts its servers again: ${(error as Error).message.split('\n')[0]}`);
    rmSync(folder, { recursive: true, force: true });
    return started(name, startServers, tries - 1);
  }
}

function vitest(name: string, servers: object, results: string): Promise<number> {
  const program = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
  const chosen = process.argv.slice(2).map((file) => `test/engines/${name}/${file}`); // all files unless some are named
  const files = chosen.length > 0 ? chosen : [`test/engines/${name}/`];
  const child = start(process.execPath, [program, 'run', '--config', 'vitest.engines.config.ts', ...files], {
    cwd: join(import.meta.dirname, '../..'),
    env: { POLYA_SERVERS: JSON.stringify(servers), POLYA_RESULTS: results },
  });
  return new Promise((done) => {
    child.on('error', () => done(1));
    child.on('exit', (code) => done(code ?? 1));
  });
}
