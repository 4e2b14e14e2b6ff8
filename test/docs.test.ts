import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusals } from '../src/index.ts';
import { steady } from './cli/sessions.ts';
import { allPages, anchorsOf, blocksOf, proseOf, root } from './pages.ts';
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

  test('spells as the others do', () => {
    const prose = proseOf(text);
    for (const [wrong, right] of spelling) expect(prose.match(wrong)?.[0], `is written ${right}`).toBeUndefined();
  });

  test('has one title, and blocks that name their language', () => {
    const body = text.replaceAll(/^```.*?^```$/gms, '');
    if (!/^---\nlayout: home/.test(text)) expect(body.match(/^# /gm)?.length).toBe(1);
    for (const { language } of blocks) expect(language, 'ts, console, text …').not.toBe('');
  });

  test('excuses no block without a reason', () => {
    for (const { excuse } of blocks) if (excuse !== undefined) expect(excuse.length).toBeGreaterThan(10);
  });
});

/** Words that have one spelling here: what is wrong, what is right, and a sentence that has it wrong. */
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
];

test.each(spelling)('the rule %s can fail', (wrong, _, example) => {
  expect(proseOf(example)).toMatch(wrong);
});

/** Where console and sh blocks are run, by folder or page. */
const shellTests: readonly (readonly [RegExp, string])[] = [
  [/^docs\/cli-sessions\.md$/, 'test/cli/process.test.ts'],
  [/^docs\/(zh\/)?(start|guides)\//, 'test/docs-sessions.test.ts'],
];

test('every block for a shell is run, or says why it is not', () => {
  const left = pages.flatMap(({ path, blocks }) => {
    const own = blocks.filter(({ language, excuse }) => /^(console|sh|bash)$/.test(language) && excuse === undefined);
    return own.length === 0 || shellTests.some(([pattern]) => pattern.test(path)) ? [] : [path];
  });
  expect(left.filter((path) => path !== 'docs/cli.md')).toEqual([]); // its examples are those of the commands: help.test.ts
  for (const [, file] of shellTests) expect(existsSync(join(root, file)), file).toBe(true);
});

test('every page of models, statistics, engines, guides and first steps has a program or a session', () => {
  const folder = /^docs\/(zh\/)?(models|statistics|engines|guides|start)\//;
  const bare = pages.filter(
    ({ path, blocks }) => folder.test(path) && !blocks.some(({ language }) => /ts|console|sql/.test(language)),
  );
  expect(bare.map(({ path }) => path)).toEqual([]);
});

test('every statistic has its page', () => {
  const registered = [...read('src/stats/index.ts').matchAll(/^ {2}(\w+),$/gm)].map(([, name]) => `${name}.md`);
  expect(registered).toContain('sums.md');
  const written = readdirSync(join(root, 'docs', 'statistics'));
  for (const page of registered) expect(written).toContain(page);
});

test('the Chinese pages are those of the English ones that are meant to be translated', () => {
  for (const folder of ['start', 'guides', 'lessons']) {
    const english = readdirSync(join(root, 'docs', folder)).sort();
    expect(readdirSync(join(root, 'docs', 'zh', folder)).sort()).toEqual(english);
    for (const name of english) {
      const blocks = (path: string, kind: string) => blocksOf(read(path)).filter(({ language }) => language === kind);
      const [own, original] = [`docs/zh/${folder}/${name}`, `docs/${folder}/${name}`];
      expect(blocks(own, 'ts').length, `programs of ${name}`).toBe(blocks(original, 'ts').length);
      expect(blocks(own, 'console'), 'sessions are the same: npm run sessions').toEqual(blocks(original, 'console'));
    }
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

test('pages for people in a hurry are short', () => {
  const lines = (path: string) => read(path).split('\n').length;
  for (const path of ['README.md', 'README.zh-CN.md']) expect(lines(path), path).toBeLessThan(200);
  expect(lines('ARCHITECTURE.md')).toBeLessThan(150);
});

test('the picture of a terminal shows the session of the guide: npx tsx scripts/terminal-picture.ts', () => {
  expect(steady(read('docs/images/terminal.svg'))).toBe(steady(terminalPicture()));
});

interface Item {
  readonly link?: string;
  readonly items?: readonly Item[];
}

test('every page has its place in the sidebar of the site', async () => {
  const { pagesInLanguage, reference } = await import(join(root, 'docs', '.vitepress', 'sidebar.ts'));
  const linksOf = (items: readonly Item[]): string[] =>
    items.flatMap(({ link, items: inner = [] }) => [...(link ? [link] : []), ...linksOf(inner)]);
  const words = new Proxy({}, { get: () => 'a word' });
  const items = [...pagesInLanguage('', words), ...pagesInLanguage('zh/', words), ...reference(words)];
  const reached = linksOf(items).map((link) => `docs${link.endsWith('/') ? `${link}index` : link}.md`);
  const homes = ['docs/index.md', 'docs/zh/index.md'];
  const written = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !homes.includes(path));
  expect(reached.sort()).toEqual(written.sort());
});
