import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
const check = (folder: string) =>
  spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' }).stdout;

test('the declarations of the package have the types that programs rely on', () => {
  expect(check(join(root, 'test', 'types'))).toBe('');
});

test('the check of the declarations finds a mistake', () => {
  const folder = join(root, '.cache', 'wrong-types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'test', 'types', 'tsconfig.json'), join(folder, 'tsconfig.json'));
  writeFileSync(
    join(folder, 'wrong.ts'),
    "import { GaussianNB } from 'polya';\nexport const wrong: number[] = new GaussianNB().fit([[1]], ['a']).predict([[1]]);\n",
  );
  const found = check(folder);
  rmSync(folder, { recursive: true });
  expect(found).toMatch(/TS2322/);
});
