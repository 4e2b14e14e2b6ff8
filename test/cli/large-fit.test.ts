import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { folder } from './harness.ts';

const root = new URL('../../', import.meta.url).pathname;
const { path, remove } = folder();
afterAll(remove);

beforeAll(async () => {
  for (const configFile of ['vite.cli.config.ts', 'vite.worker.config.ts']) {
    const own = { configFile: join(root, configFile), build: { outDir: join(path, 'cli') } };
    await build({ root, logLevel: 'error', ...own });
  }
  const random = new Random(4);
  const word = () => `w${Math.floor(20_000 ** random.uniform())}`;
  const rows = Array.from({ length: 30_000 }, (_, i) => {
    return { label: `c${i % 4}`, text: `${Array.from({ length: 45 }, word).join(' ')} own${i % 4}${i % 9}` };
  });
  writeFileSync(join(path, 'large.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join('')); // above 8 MB
});

function learned(file: string, ...words: string[]) {
  const asked = ['fit', file, '--model', 'multinomial', '--json', '-o', 'm.polya', '-f', ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(path, 'cli', 'cli.js'), ...asked], {
    ...{ cwd: path, encoding: 'utf8', maxBuffer: 1 << 28 },
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const { seconds, repeat, ...told } = JSON.parse(stdout);
  return { told, model: readFileSync(join(path, 'm.polya')) };
}

test('threads that were started ahead, none, and many give the same model and the same judgement', () => {
  const one = learned('large.jsonl', '--threads', '1');
  expect(learned('large.jsonl')).toEqual(one);
  expect(learned('large.jsonl', '--threads', '4', '--target', 'label', '--text', 'text').told.judgement).toEqual(
    one.told.judgement,
  );
});
