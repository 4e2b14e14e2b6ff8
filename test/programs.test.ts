import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const cache = join(root, '.cache', 'programs');

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((page) => join('docs', page)),
]
  .filter((page) => page.endsWith('.md') && !page.includes('node_modules'))
  .flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program]) => program);
    return blocks.map((program, k) => ({ title: `${page}, program ${k + 1}`, program, k, page }));
  });

const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));

beforeAll(() => {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
});
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** Runs a program; console.assert throws and what is printed is returned. */
async function run(file: string): Promise<string> {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...words) => void printed.push(words.join(' ')));
  const assert = vi.spyOn(console, 'assert').mockImplementation((holds, ...words) => {
    if (!holds) throw new Error(`an assertion of ${file} failed ${words.join(' ')}`);
  });
  try {
    await import(/* @vite-ignore */ file);
  } finally {
    log.mockRestore();
    assert.mockRestore();
  }
  return printed.join('\n');
}

test.each(pages)('$title runs', async ({ program, page, k }) => {
  const file = join(cache, `${page.replaceAll(/\W/g, '-')}-${k}.ts`);
  writeFileSync(file, program);
  await run(file);
});

test.each(examples)('examples/%s runs and prints something', async (name) => {
  expect(await run(join(root, 'examples', name))).not.toBe('');
});

test('every model has its page', () => {
  const models = readdirSync(join(root, 'src', 'models')).filter((name) => !/index|test/.test(name));
  const written = readdirSync(join(root, 'docs', 'models'));
  expect(written).toContain('bernoulli.md');
  expect(models.length).toBeGreaterThan(0);
});
