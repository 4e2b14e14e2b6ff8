import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GaussianNB } from '../estimators/gaussian-nb.ts';
import { readModel, writeModel } from './model-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-model-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const model = (at = 0) => new GaussianNB().fit([[at], [1 + at], [5], [6]], ['a', 'a', 'b', 'b']);
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { code: string }) => error.code,
  );

test('a model is written and read back, by path or by URL, and nothing else is left in the folder', async () => {
  const path = join(folder, 'm.polya');
  const card = await writeModel(path, model(), { provenance: { rows: 4 } });
  expect(card).toMatchObject({ kind: 'GaussianNB', classes: ['a', 'b'], provenance: { rows: 4 } });
  expect(new Uint8Array(await readFile(path))).toEqual(model().toBytes({ provenance: { rows: 4 } }));
  for (const address of [path, pathToFileURL(path)]) {
    const back = (await readModel(address)) as GaussianNB;
    expect(back.predict([[0.5], [5.5]])).toEqual(['a', 'b']);
  }
  expect(await readdir(folder)).toEqual(['m.polya']);
});

test('an existing file is replaced only with force', async () => {
  const path = join(folder, 'm.polya');
  await writeModel(path, model());
  expect(await code(writeModel(path, model(1)))).toBe('E_CONFLICT');
  expect(new Uint8Array(await readFile(path))).toEqual(model().toBytes());
  await writeModel(path, model(1), { force: true });
  expect(new Uint8Array(await readFile(path))).toEqual(model(1).toBytes());
  expect(await readdir(folder)).toEqual(['m.polya']);
});

test('of many concurrent writers of a new file, one succeeds', async () => {
  const path = join(folder, 'm.polya');
  const codes = await Promise.all(Array.from({ length: 8 }, (_, k) => code(writeModel(path, model(k)))));
  expect(codes.filter((own) => own === 'none')).toHaveLength(1);
  expect(codes.filter((own) => own === 'E_CONFLICT')).toHaveLength(7);
  expect(await readdir(folder)).toEqual(['m.polya']);
});

test('a reader always gets a complete model while the file is rewritten', async () => {
  const path = join(folder, 'm.polya');
  await writeModel(path, model());
  let writing = true;
  const writers = [1, 2].map(async (writer) => {
    for (let k = 0; k < 40; k++) await writeModel(path, model(writer * k), { force: true });
  });
  const reader = (async () => {
    for (let reads = 0; ; reads++) {
      expect(((await readModel(path)) as GaussianNB).classes).toEqual(['a', 'b']);
      if (!writing) return reads;
    }
  })();
  await Promise.all(writers);
  writing = false;
  expect(await reader).toBeGreaterThan(0);
  expect(await readdir(folder)).toEqual(['m.polya']);
});

test('a draft of a dead process is removed by the next write; one of a living process stays', async () => {
  const path = join(folder, 'm.polya');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  const dead = await new Promise<number>((resolve) => {
    const gone = spawn(process.execPath, ['-e', '']);
    gone.on('exit', () => resolve(gone.pid!));
  });
  const drafts = [
    `.m.polya.${dead}-0.part`,
    `.m.polya.${child.pid}-3.part`,
    '.other.polya.1-0.part',
    '.m.polya.x.part',
  ];
  for (const name of drafts) await writeFile(join(folder, name), 'half');
  await writeModel(path, model());
  expect((await readdir(folder)).sort()).toEqual([...drafts.slice(1), 'm.polya'].sort());
  child.kill();
});

test('read and write errors have the name of the file, without its folder', async () => {
  const wrong: [string, () => Promise<unknown>][] = [
    ['E_PATH', () => readModel(join(folder, 'none.polya'))],
    ['E_PATH', () => readModel(folder)],
    ['E_PATH', () => readModel(new URL('https://example.org/m.polya'))],
    ['E_PATH', () => writeModel(join(folder, 'none', 'm.polya'), model())],
    ['E_PATH', () => writeModel(new URL('https://example.org/m.polya'), model())],
  ];
  for (const [expected, work] of wrong) {
    const error = await work().then(
      () => undefined,
      (cause: Error & { code: string }) => cause,
    );
    expect(error?.code).toBe(expected);
    expect(error?.message).not.toContain(folder);
  }
  await writeFile(join(folder, 'x.polya'), 'not a model');
  expect(await code(readModel(join(folder, 'x.polya')))).toMatch(/^E_MODEL_/);
  expect(await readdir(folder)).toEqual(['x.polya']);
});

test.skipIf(process.getuid?.() === 0)('a read-only folder is an error', async () => {
  await chmod(folder, 0o500);
  expect(await code(writeModel(join(folder, 'm.polya'), model()))).toBe('E_PATH');
  await chmod(folder, 0o700);
});

test('a model that cannot be saved leaves the file unchanged', async () => {
  const path = join(folder, 'm.polya');
  await writeModel(path, model());
  expect(await code(writeModel(path, model(1), { force: true, float32: true }))).toBe('E_PARAM');
  expect(new Uint8Array(await readFile(path))).toEqual(model().toBytes());
});
