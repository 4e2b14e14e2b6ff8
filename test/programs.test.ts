import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tar } from './tar.ts';

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

const lessons = readdirSync(join(root, 'examples', 'lessons')).map((name) => name.slice(0, -3));

test.each(lessons.filter((name) => !name.startsWith('11')))('lesson %s prints what its page shows', async (name) => {
  const page = readFileSync(join(root, 'docs', 'lessons', `${name}.md`), 'utf8');
  const shown = /```text\n(.*?)```/s.exec(page)?.[1] ?? '';
  const printed = await run(join(root, 'examples', 'lessons', `${name}.ts`));
  expect(`${printed}\n`.replaceAll(/ +$/gm, ''), 'npm run lessons writes it anew').toBe(shown);
});

test('lesson 11 runs on a small archive of the layout of 20 Newsgroups', async () => {
  const posts = {
    'soc.religion.christian': 'God is love, and love is of God',
    'comp.graphics': 'OpenGL on the GPU draws fast graphics',
    'alt.atheism': 'no gods were needed for this argument',
    'sci.med': 'the doctor gave a dose of medicine',
  };
  const entries = Object.entries(posts).flatMap(([group, text]) =>
    ['train', 'test'].map((part, k) => ({
      name: `20news-bydate-${part}/${group}/${k + 1}`,
      content: `From: someone\nSubject: ${group}\n\n${text}\n`,
    })),
  );
  const archive = join(cache, '20news-bydate.tar.gz');
  writeFileSync(archive, gzipSync(tar(entries)));
  process.env.POLYA_NEWSGROUPS = archive;
  expect(await run(join(root, 'examples', 'lessons', '11-newsgroups.ts'))).toBe(
    "'God is love' => soc.religion.christian\n'OpenGL on the GPU is fast' => comp.graphics\naccuracy 1.0000 on 4 documents",
  );
});

test('every model has its page', () => {
  const models = readdirSync(join(root, 'src', 'models')).filter((name) => !/index|test/.test(name));
  const written = readdirSync(join(root, 'docs', 'models'));
  expect(written).toContain('bernoulli.md');
  expect(models.length).toBeGreaterThan(0);
});
