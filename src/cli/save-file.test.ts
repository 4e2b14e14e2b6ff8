import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folder } from '../../test/cli/harness.ts';
import { saveFile } from './save-file.ts';

const { path, remove } = folder();
afterAll(remove);
const bytes = new TextEncoder().encode('new');
const never = () => () => undefined;

test('a file is replaced whole, through a link as well, and what dead processes left is cleared away', async () => {
  writeFileSync(join(path, 'model'), 'old');
  symlinkSync(join(path, 'model'), join(path, 'link'));
  writeFileSync(join(path, '.model.999999999.tmp'), 'half');
  writeFileSync(join(path, `.model.${process.ppid}.tmp`), 'of a living process');
  await saveFile(join(path, 'link'), bytes, never);
  expect(readFileSync(join(path, 'model'), 'utf8')).toBe('new');
  expect(lstatSync(join(path, 'link')).isSymbolicLink()).toBe(true);
  expect(readdirSync(path).filter((name) => name.endsWith('.tmp'))).toEqual([`.model.${process.ppid}.tmp`]);
});

test.each([
  ['a folder that is not there', 'none/model', 'E_PATH'],
  ['a folder in its place', 'folder', 'E_PATH'],
])('%s is refused', async (_, name, code) => {
  mkdirSync(join(path, 'folder'), { recursive: true });
  await expect(saveFile(join(path, name), bytes, never)).rejects.toMatchObject({ code });
  expect(readdirSync(path).filter((own) => own.includes(`${process.pid}.tmp`))).toEqual([]);
});

test.runIf(process.platform === 'linux')('a full disk is said, and nothing is changed', async () => {
  await expect(saveFile('/dev/full', bytes, never)).rejects.toMatchObject({ code: 'E_DISK_FULL' });
});

test('a file is guarded under its other name while it is written, and its parts follow each other', async () => {
  const guarded: string[] = [];
  await saveFile(join(path, 'other'), [Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)], (file) => {
    guarded.push(file);
    return () => guarded.push('written');
  });
  expect(guarded).toEqual([join(path, `.other.${process.pid}.tmp`), 'written']);
  expect([...readFileSync(join(path, 'other'))]).toEqual([1, 2, 3]);
});
