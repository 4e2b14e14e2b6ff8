import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './pages.ts';
import { fillProgramFolder } from './program-folder.ts';
import { rounded } from './replay-pages.ts';
import { printedBy } from './run-program.ts';
import { taskPrograms } from './task-programs.ts';

const folder = join(root, '.cache', 'tasks');
const programs = taskPrograms();

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  fillProgramFolder(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there is a program or a session for every task of the guides', () => {
  const guides = new Map([
    ['bun-and-deno', 'bun-and-deno'],
    ['framework', 'frameworks'],
    ['from-scikit-learn', 'from-scikit-learn'],
    ['imbalanced-classes', 'rare-classes'],
    ['web-worker', 'browser'],
  ]);
  const written = readdirSync(join(root, 'examples', 'tasks')).map((name) => name.replace(/\.(ts|md)$/, ''));
  expect(written.length).toBe(15);
  const pages = readdirSync(join(root, 'docs', 'guides')).map((name) => name.slice(0, -3));
  for (const name of written) expect(pages, name).toContain(guides.get(name) ?? name);
});

test.each(programs)('$name prints what it says: npm run outputs -- examples/tasks', async ({ file, output }) => {
  expect(output).not.toBe('');
  expect(rounded(await printedBy(file, folder))).toBe(rounded(output));
});

test('the programs type-check under strict against the built declarations', () => {
  const typed = join(root, '.cache', 'typed-tasks');
  rmSync(typed, { recursive: true, force: true });
  mkdirSync(typed, { recursive: true });
  writeFileSync(join(typed, 'wrong.ts'), "import { MultinomialNB } from 'polya';\nnew MultinomialNB({ aplha: 1 });\n");
  const config = {
    extends: '../../test/types/tsconfig.json',
    compilerOptions: { noUncheckedIndexedAccess: true },
    include: ['wrong.ts', '../../examples/tasks/*.ts'],
  };
  writeFileSync(join(typed, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', typed, '--pretty', 'false'], { encoding: 'utf8' });
  rmSync(typed, { recursive: true });
  const faults = stdout.split('\n').filter((line) => line.includes('error TS'));
  expect(faults.filter((line) => !line.includes('wrong.ts'))).toEqual([]);
  expect(faults.length).toBe(1); // the check finds a mistake
});
