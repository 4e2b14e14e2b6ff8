import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCommands } from '../src/cli/registry.ts';
import { allPages, type Block, blocksOf, root } from './pages.ts';

const SESSIONS = 'test/docs-sessions.test.ts';

/** The test that runs a block, by its language and page. */
const usual: readonly (readonly [kind: RegExp, page: RegExp, test: string])[] = [
  [/^ts$/, /./, 'test/programs.test.ts'],
  [/^console$/, /^docs\/cli-sessions\.md$/, 'test/cli/process.test.ts'],
  [
    /^console$/,
    /^(README(\.zh-CN)?\.md$|docs\/((zh\/)?(tutorial\.md$|(guides|concepts|lessons)\/)|cli\.md$)|examples\/tasks\/)/,
    SESSIONS,
  ],
];

/** Blocks with a separate test, which must search for them. */
const special: readonly (readonly [test: string, page: RegExp])[] = [
  ['test/programs.test.ts', /^docs\/(zh\/)?lessons\//],
  ['test/cli/help.test.ts', /^docs\/cli\.md$/],
  [SESSIONS, /^docs\/(cli|(zh\/)?guides\/server)\.md$/],
];

/** Which test runs a block, or why none does; undefined if neither is stated. */
function accountOf(path: string, { language, excuse, runBy }: Block): string | undefined {
  if (excuse !== undefined) return excuse.length > 10 ? `not run: ${excuse}` : undefined;
  if (runBy !== undefined) return special.find(([file, page]) => file === runBy && page.test(path))?.[0];
  return usual.find(([kind, page]) => kind.test(language) && page.test(path))?.[2];
}

describe.each(allPages().map((page) => [page.path, page] as const))('%s', (path, { blocks }) => {
  test('runs every block, or states why not', () => {
    const left = blocks.filter((block) => accountOf(path, block) === undefined);
    expect(left.map(({ language, code }) => `${language}: ${code.split('\n')[0]}`)).toEqual([]);
  });
});

test('the check can fail: no tag, an empty reason, a test that does not read the page', () => {
  const accounts = (path: string, text: string) => blocksOf(text).map((block) => accountOf(path, block));
  expect(accounts('docs/new.md', '```python\nx\n```\n')).toEqual([undefined]);
  expect(accounts('docs/new.md', '```console\n$ polya\n```\n')).toEqual([undefined]);
  expect(accounts('docs/new.md', '<!-- not run: no -->\n```sh\nx\n```\n')).toEqual([undefined]);
  expect(accounts('docs/new.md', '<!-- run by test/programs.test.ts -->\n```ts\nx\n```\n')).toEqual([undefined]);
  expect(accounts('docs/new.md', '```ts\nx\n```\n')).toEqual(['test/programs.test.ts']);
});

test('the tests that run blocks exist', () => {
  for (const file of [...usual.map(([, , own]) => own), ...special.map(([own]) => own)])
    expect(existsSync(join(root, file)), file).toBe(true);
});

test('the blocks of docs/cli.md that help.test.ts runs are the examples of the commands', async () => {
  const [page] = allPages().filter(({ path }) => path === 'docs/cli.md');
  const lines = (await allCommands()).map(({ examples }) =>
    Object.entries(examples)
      .map(([line, does]) => `$ ${line}   # ${does}\n`)
      .join(''),
  );
  const tagged = page.blocks.filter(({ runBy }) => runBy === 'test/cli/help.test.ts');
  expect(tagged.length).toBeGreaterThan(20);
  for (const { code } of tagged) expect(lines).toContain(code);
});
