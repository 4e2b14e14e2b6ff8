import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entryPoints } from '../scripts/entry-points.mjs';
import { errorsPage } from '../scripts/reference-errors.ts';
import { optionsPage } from '../scripts/reference-options.ts';
import { refusals } from '../src/index.ts';
import { models } from '../src/models/index.ts';
import { steady } from './cli/sessions.ts';
import { allPages, anchorsOf, proseOf, root } from './pages.ts';
import { terminalPicture } from './terminal-picture.ts';

const pages = allPages();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe.each(pages.map((page) => [page.path, page] as const))('%s', (path, { text, blocks }) => {
  test('leads nowhere that is not there', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
    for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
      const [file, anchor] = link.split('#');
      const target = file === '' ? path : relative(root, join(root, dirname(path), file));
      expect(target.startsWith('..'), `${link} stays in the repository`).toBe(false);
      expect(existsSync(join(root, target)), `${link} is there`).toBe(true);
      if (anchor && target.endsWith('.md')) expect([...anchorsOf(read(target))], link).toContain(anchor);
    }
  });

  test.skipIf(path === 'docs/options.md')('spells as the others do', () => {
    const prose = proseOf(text);
    for (const [wrong, right] of spelling) expect(prose.match(wrong)?.[0], `is written ${right}`).toBeUndefined();
  });

  test('has one title, and blocks that name their language', () => {
    const body = text.replaceAll(/^```.*?^```$/gms, '');
    if (!/^---\nlayout: home/.test(text)) expect(body.match(/^# /gm)?.length).toBe(1);
    for (const { language } of blocks) expect(language, 'ts, console, text …').not.toBe('');
  });
});

/** Words that have one spelling here (docs/options.md has the words of doc comments): what is wrong, what is right, and a sentence that has it wrong. */
const spelling: readonly (readonly [RegExp, string, string])[] = [
  [/\bPolya\b(?!\.)/, 'Pólya', 'Polya classifies by counting'],
  [/\bNaïve\b/i, 'naive Bayes', 'a naïve model'],
  [/(?<!wink-)\bnaive-bayes\b|\bnaive bayes\b/, 'naive Bayes', 'so naive bayes answers'],
  [/[a-z,] Naive Bayes/, 'naive Bayes inside a sentence', 'so Naive Bayes answers'],
  [/\blog likelihood\b|\bloglikelihood\b/i, 'log-likelihood', 'the log likelihood'],
  [/\blog odds\b/i, 'log-odds', 'the log odds'],
  [/\blog loss\b|\blogloss\b/i, 'log-loss', 'the log loss'],
  [/\bscikit learn\b|\bSciKit\b|\bScikit-learn\b/, 'scikit-learn', 'as Scikit-learn has it'],
  [/\btypescript\b|\bTypescript\b|\bJavascript\b/, 'TypeScript, JavaScript', 'in Typescript'],
  [/[a-z,.] {2,}[a-z]/i, 'one space between words', 'two  spaces'],
  [/\p{Script=Han}[,;:?!](?=\p{Script=Han})/u, 'with Chinese punctuation between Chinese characters', '计数,然后估计'],
  [
    /[\p{Script=Han}，。：；、]\n *\p{Script=Han}/u,
    'in one line: a break between Chinese characters is shown as a space',
    '模型学到的\n只是几个总和',
  ],
  [/\d \d{3}(?![\d\p{L}])/u, 'with commas between thousands: 300,000', 'has 300 000 pairs'],
  [/\bdataset\b/i, 'data set', 'a public dataset'],
  [/\bvectoriser|\bnormaliz|\bregulariz|\bcolor\b/i, 'vectorizer; normalise, regularise, colour', 'the vectoriser'],
];

test.each(spelling)('the rule %s can fail', (wrong, _, example) => {
  expect(proseOf(example)).toMatch(wrong);
});

test('no page of the site is without an example: a block, a picture, or for a decision the pages that show it at work', () => {
  const example = /^```|^!\[|^See it at work: \[|^\| \[|^\d+\. \[/m;
  const bare = pages.filter(({ path, text }) => path.startsWith('docs/') && !example.test(text));
  expect(bare.map(({ path }) => path)).toEqual([]);
});

test('pages of models, statistics and engines have an equation, a program that runs, and their source', () => {
  const own = pages.filter(({ path }) => /^docs\/(models|statistics|engines)\/(?!index)/.test(path));
  expect(own.length).toBeGreaterThan(25);
  for (const { path, text, blocks } of own) {
    expect(text, `${path} has an equation`).toMatch(/^\$\$/m);
    expect(text, `${path} links its source`).toMatch(/\]\(\.\.\/\.\.\/src\//);
    const runs = blocks.some(({ language, excuse }) => language === 'ts' && excuse === undefined);
    expect(runs, `${path} has a program that runs`).toBe(true);
    if (!path.startsWith('docs/models/')) continue;
    const order = ['Example', 'Options', 'Mathematics', 'Statistic', 'Estimators'].map((title) =>
      text.indexOf(`\n## ${title}\n`),
    );
    expect(order.includes(-1), `${path}: example, options, mathematics, statistic, estimators`).toBe(false);
    expect(order, `${path}: in this order`).toEqual(order.toSorted((x, y) => x - y));
    expect(text, path).toMatch(/^## Statistic\n[^#]*\]\(\.\.\/statistics\//m);
    const [example] = blocks;
    expect(example.output, `${path} shows what its example prints`).not.toBe('');
  }
});

test('every program shows what it prints, except a worker, which answers messages', () => {
  const taught = pages.filter(({ path }) => /^(README|docs\/(?!decisions|(zh\/)?lessons))/.test(path));
  const silent = taught.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language, excuse, runBy }) => language === 'ts' && excuse === undefined && runBy === undefined)
      .filter(({ code, output }) => output === '' && !code.startsWith('// worker.ts'))
      .map(({ code }) => `${path}: ${code.split('\n')[0]}`),
  );
  expect(silent).toEqual([]);
});

test('every model has its page', () => {
  const written = readdirSync(join(root, 'docs', 'models'));
  for (const name of Object.keys(models))
    expect(
      written.some((page) => page.startsWith(name)),
      `a page about ${name}`,
    ).toBe(true);
});

test('every statistic has its page', () => {
  const registered = [...read('src/stats/index.ts').matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => `${name}.md`);
  expect(registered).toContain('sums.md');
  const written = readdirSync(join(root, 'docs', 'statistics'));
  for (const page of registered) expect(written).toContain(page);
});

test('a Chinese page has the programs and the sessions of its English original', () => {
  const chinese = pages.filter(({ path }) => path.startsWith('docs/zh/') && path !== 'docs/zh/index.md');
  expect(chinese.length).toBeGreaterThan(25);
  for (const { path, blocks } of chinese) {
    const original = pages.find((page) => page.path === path.replace('docs/zh/', 'docs/'));
    expect(original, `${path} has an English original`).toBeDefined();
    const of = (own: typeof blocks, kind: string) => own.filter(({ language }) => language === kind);
    expect(of(blocks, 'ts').length, `programs of ${path}`).toBe(of(original!.blocks, 'ts').length);
    expect(of(blocks, 'console'), 'sessions are the same: npm run sessions').toEqual(of(original!.blocks, 'console'));
  }
});

test('CONTRIBUTING.md has a line for every npm script, and for no other', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [, table] = read('CONTRIBUTING.md').split('<!-- scripts');
  const named = [...table.split('\n\nSingle things')[0].matchAll(/^\| `npm (?:run )?([\w:]+)[^`]*`/gm)].map(
    ([, name]) => name,
  );
  expect(named.sort()).toEqual(Object.keys(scripts).sort());
});

test('docs/promises.md names every code, and no other', () => {
  const named = new Set(read('docs/promises.md').match(/\bE_[A-Z_]+\b/g));
  expect([...named].sort()).toEqual(Object.keys(refusals).sort());
});

test('ARCHITECTURE.md describes every folder', () => {
  const house = read('ARCHITECTURE.md');
  const rooms = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of rooms) expect(house, `the room ${name}`).toMatch(new RegExp(`\\| .*\`${name}\`.* \\|`));
  const files = ['src', 'studio', 'kernels', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
  );
  for (const [, name] of house.matchAll(/`([\w/-]+\.ts)`/g))
    expect(
      files.some((file) => file.endsWith(`/${name}`)),
      `${name} is there`,
    ).toBe(true);
});

test('pages for people in a hurry are short', () => {
  const lines = (path: string) => read(path).split('\n').length;
  for (const path of ['README.md', 'README.zh-CN.md']) expect(lines(path), path).toBeLessThan(200);
  expect(lines('ARCHITECTURE.md')).toBeLessThan(150);
});

test('the picture of a terminal shows the session of the guide: npx tsx scripts/terminal-picture.ts', () => {
  expect(steady(read('docs/images/terminal.svg'))).toBe(steady(terminalPicture()));
});

test('the API reference has every entry point of the package', () => {
  const { exports: entries } = JSON.parse(read('package.json')) as { exports: Record<string, { types: string }> };
  const { entryPoints: documented } = JSON.parse(read('typedoc.json')) as { entryPoints: string[] };
  const declared = Object.values(entries).flatMap(({ types }) => (types ? [types] : []));
  const named = Object.keys(entryPoints).map((name) => `./dist/lib/${name}.d.ts`);
  expect(declared.sort()).toEqual(named.sort());
  expect(documented.sort()).toEqual(Object.values(entryPoints).sort());
});

test('error codes and options are listed as the source declares them: npm run reference', () => {
  expect(read('docs/errors.md')).toBe(errorsPage());
  expect(read('docs/options.md')).toBe(optionsPage());
  for (const code of Object.keys(refusals))
    expect([...anchorsOf(read('docs/errors.md'))]).toContain(code.toLowerCase());
});

interface Item {
  readonly text?: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

test('every page is in the sidebar, and the Chinese one says which pages are in English only', async () => {
  const { sidebar } = await import(join(root, 'docs', '.vitepress', 'sidebar.ts'));
  const itemsOf = (items: readonly Item[]): Item[] =>
    items.flatMap((item) => [...(item.link ? [item] : []), ...itemsOf(item.items ?? [])]);
  const pageOf = ({ link = '' }: Item) => `docs${link.endsWith('/') ? `${link}index` : link}.md`;
  const [english, chinese] = ['en', 'zh'].map((language) => itemsOf(sidebar(language)));
  const written = pages
    .map(({ path }) => path)
    .filter((path) => path.startsWith('docs/') && !/^docs\/(zh\/)?index/.test(path));
  const isChinese = (path: string) => path.startsWith('docs/zh/');
  expect(english.map(pageOf).sort()).toEqual(written.filter((path) => !isChinese(path)).sort());
  expect(chinese.map(pageOf).filter(isChinese).sort()).toEqual(written.filter(isChinese).sort());
  expect(chinese.length).toBe(english.length);
  for (const item of chinese) expect(/（英文）$/.test(item.text ?? ''), item.text).toBe(!isChinese(pageOf(item)));
});
