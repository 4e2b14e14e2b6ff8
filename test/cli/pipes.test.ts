import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { atMost } from '../quiet.ts';
import { folder, polya } from './harness.ts';

const why = spawnSync('mkfifo', ['--version']).error ? ' (skipped: there is no mkfifo)' : '';

function newFolder(): string {
  const { path, remove } = folder();
  onTestFinished(remove);
  execFileSync('mkfifo', [join(path, 'pipe')]);
  const rows = Array.from({ length: 20 }, (_, k) => `${k},${k % 2 ? 'a' : 'b'}`).join('\n');
  writeFileSync(join(path, 'data.csv'), `x,label\n${rows}\n`);
  return path;
}

test.skipIf(why !== '').each([
  ['inspect', 'pipe'],
  ['fit', 'pipe', '--target', 'label'],
  ['info', 'pipe'],
  ['predict', 'data.csv', '-m', 'pipe'],
])(`a pipe without a writer is refused within five seconds: %s %s${why}`, async (...words) => {
  const start = performance.now();
  const { code, err } = await polya(words, { cwd: newFolder() });
  expect(code).toBe(5);
  expect(err).toContain('without a writer');
  expect(performance.now() - start).toBeLessThan(atMost(5000));
});

test.skipIf(!existsSync('/dev/zero')).each([
  ['inspect', '/dev/zero'],
  ['fit', '/dev/zero', '--target', 'label'],
  ['info', '/dev/zero'],
  ['predict', 'data.csv', '-m', '/dev/zero'],
])('a device without an end is refused: %s %s', async (...words) => {
  const { code, err } = await polya(words, { cwd: newFolder() });
  expect(code).toBe(5);
  expect(err).toContain('a device without an end');
});

test.skipIf(why !== '')(`a model that comes late through a pipe is read${why}`, async () => {
  const cwd = newFolder();
  expect((await polya(['fit', 'data.csv', '--target', 'label', '-o', 'm.polya'], { cwd })).code).toBe(0);
  const writer = spawn('sh', ['-c', 'sleep 0.5; cat m.polya > pipe'], { cwd });
  onTestFinished(() => void writer.kill());
  const { code, err } = await polya(['info', 'pipe'], { cwd });
  expect(code, err).toBe(0);
});
