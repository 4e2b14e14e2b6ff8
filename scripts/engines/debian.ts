import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Unpacks a Debian package and its missing libraries into a folder. Nothing is installed and no service is started. */
export function unpackDebian(packageName: string, folder: string): void {
  const listed = execFileSync(
    'apt-get',
    ['install', '--print-uris', '-qq', '-y', '--no-install-recommends', packageName],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const names = [...listed.matchAll(/^'[^']+' ([^_\s]+)_/gm)].map(([, name]) => name);
  execFileSync('apt-get', ['download', '-qq', ...names], { cwd: folder, stdio: 'ignore' });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', file, folder], { cwd: folder });
    rmSync(join(folder, file));
  }
}
