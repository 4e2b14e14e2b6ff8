// Runs test/runtimes/program.mjs in Node, Bun and Deno. A runtime that is not installed is skipped with one line.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'test', 'runtimes', 'program.mjs');
const runtimes = [
  ['node', []],
  ['bun', ['run']],
  ['deno', ['run', '--allow-read', '--allow-env', '--allow-sys']],
];

const folder = mkdtempSync(join(tmpdir(), 'polya-'));
const data = join(folder, 'sms.csv');
writeFileSync(data, brotliDecompressSync(readFileSync(join(root, 'data', 'sms.csv.br'))));
let failed = false;
for (const [name, options] of runtimes) {
  const { error, stdout: version } = spawnSync(name, ['--version'], { encoding: 'utf8' });
  if (error) {
    console.log(`${name}: skipped, it is not installed (npm install --global ${name})`);
    continue;
  }
  const { status, stdout, stderr } = spawnSync(name, [...options, program, data], { encoding: 'utf8' });
  const right = status === 0 && stdout.trim() === 'ok';
  console.log(`${name} ${version.split('\n')[0]}: ${right ? 'ok' : `failed\n${stdout}${stderr}`}`);
  failed ||= !right;
}
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
