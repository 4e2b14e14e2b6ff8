import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { filledFolder } from './cache.ts';

/** The release of DuckDB for Node, without its own revision. */
const { version } = createRequire(import.meta.url)('@duckdb/node-api/package.json') as { version: string };
const RELEASE = version.split('-')[0];

/** A home folder in which DuckDB finds these extensions installed; pip brings them into the cache. */
export function homeWithExtensions(names: readonly string[]): string {
  return filledFolder(`duckdb-${RELEASE}-${names.join('-')}`, (home) => {
    const packages = join(home, 'packages');
    const wanted = names.map((name) => `duckdb-extension-${name}==${RELEASE}`);
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--target', packages];
    const python = process.env.POLYA_PYTHON ?? 'python3';
    execFileSync(python, ['-m', 'pip', 'install', ...options, ...wanted], { stdio: ['ignore', 'ignore', 'inherit'] });
    const own = join(home, '.duckdb/extensions', `v${RELEASE}`, 'linux_amd64');
    mkdirSync(own, { recursive: true });
    for (const file of readdirSync(packages, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.duckdb_extension'))
        copyFileSync(join(packages, file), join(own, file.slice(file.lastIndexOf('/') + 1)));
    }
  });
}
