import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filledFolder } from './cache.ts';

/** A folder of the cache with these npm packages, which are too large for the project's dependencies. */
export function npmFolder(name: string, packages: readonly string[]): string {
  return filledFolder(name, (folder) => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true }));
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], {
      cwd: folder,
      stdio: 'ignore',
    });
  });
}
