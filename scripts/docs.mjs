// The documentation as a site: installs its tools from docs/package-lock.json unless they are there, writes the API reference, and
// builds docs/.vitepress/dist (build) or serves it while you write (dev).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const run = (command, args, cwd = '.') => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
};

const mark = 'docs/node_modules/.polya-lock';
const lock = createHash('sha256').update(readFileSync('docs/package-lock.json')).digest('hex');
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], 'docs');
  writeFileSync(mark, lock);
}
run('npx', ['typedoc']);
run('npx', ['vitepress', process.argv[2] ?? 'build'], 'docs');
