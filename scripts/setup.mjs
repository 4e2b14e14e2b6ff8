// Installs the dependencies of the lock file if they are missing. Every npm script for newcomers starts with this.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Pólya needs Node 20.19 or newer, this is ${process.versions.node}.`);
  process.exit(1);
}

const mark = 'node_modules/.polya-lock';
const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) process.exit(0);

console.log('installing the dependencies of package-lock.json …');
const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
writeFileSync(mark, lock);
