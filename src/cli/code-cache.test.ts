import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepCode } from './code-cache.ts';

let folder: string;
let own: string;
let usual: NodeJS.RequireExtensions['.js'];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'polya-code-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }'); // as in dist/cli
  own = pathToFileURL(join(folder, 'main.js')).href;
  usual = createRequire(own).extensions['.js'];
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '');
  writeFileSync(
    join(folder, 'chunk-hashed_1.js'),
    "exports.twice = (n) => 2 * n; exports.file = __filename; require('./chunk-hashed_2.js');",
  );
  writeFileSync(join(folder, 'chunk-hashed_2.js'), 'exports.loaded = true;');
});

afterEach(() => {
  createRequire(own).extensions['.js'] = usual;
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Loads the chunks as a run of the command does, and returns the files with kept code. */
function run(): string[] {
  const save = keepCode(own);
  const require = createRequire(own);
  for (const name of ['chunk-hashed_1.js', 'chunk-hashed_2.js']) delete require.cache[join(folder, name)];
  const chunk = require(join(folder, 'chunk-hashed_1.js')) as { twice(n: number): number; file: string };
  expect(chunk.twice(21)).toBe(42);
  expect(chunk.file).toBe(join(folder, 'chunk-hashed_1.js'));
  save();
  createRequire(own).extensions['.js'] = usual;
  const code = join(folder, 'cache', 'polya', 'code');
  try {
    const [version] = readdirSync(code);
    return readdirSync(join(code, version)).map((name) => join(code, version, name));
  } catch {
    return [];
  }
}

test('compiled code is kept by the first run and not written again by the next', () => {
  const files = run();
  expect(files.map((file) => file.slice(-21))).toEqual(['chunk-hashed_1.js.bin', 'chunk-hashed_2.js.bin']);
  for (const file of files) utimesSync(file, new Date(), new Date(Date.now() - 60_000));
  const before = files.map((file) => statSync(file).mtimeMs);
  expect(run().map((file) => statSync(file).mtimeMs)).toEqual(before);
});

test('code of a file whose name has no hash is not kept', () => {
  writeFileSync(join(folder, 'entry.js'), 'exports.own = 1;');
  const save = keepCode(own);
  expect(createRequire(own)(join(folder, 'entry.js'))).toEqual({ own: 1 });
  save();
  expect(readdirSync(folder)).not.toContain('cache');
});

test('damaged code is not run but replaced', () => {
  const [file] = run();
  const bytes = readFileSync(file);
  const damaged = bytes.with(bytes.length >> 1, bytes[bytes.length >> 1] ^ 1);
  writeFileSync(file, damaged);
  expect(readFileSync(run()[0]).equals(damaged)).toBe(false);
});

test('code of versions that are no longer used is removed', () => {
  const [file] = run();
  const old = `${file}-old`;
  writeFileSync(old, '');
  utimesSync(old, new Date(), new Date(Date.now() - 31 * 24 * 3600 * 1000));
  rmSync(file);
  expect(run()).not.toContain(old);
});

test('the variable that turns off the cache of Node turns off this one', () => {
  vi.stubEnv('NODE_DISABLE_COMPILE_CACHE', '1');
  expect(run()).toEqual([]);
});

test('a chunk that imports packages is loaded as Node loads it', async () => {
  mkdirSync(join(folder, 'node_modules', 'optional'), { recursive: true });
  writeFileSync(join(folder, 'node_modules', 'optional', 'index.mjs'), 'export const answer = 42;');
  writeFileSync(join(folder, 'node_modules', 'optional', 'package.json'), '{ "exports": "./index.mjs" }');
  writeFileSync(join(folder, 'chunk-hashed_2.js'), "exports.load = () => import('optional');");
  expect(run()).toHaveLength(1);
  const { load } = createRequire(own)(join(folder, 'chunk-hashed_2.js')) as { load(): Promise<{ answer: number }> };
  expect((await load()).answer).toBe(42);
});
