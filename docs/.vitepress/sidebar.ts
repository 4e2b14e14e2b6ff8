import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const docs = new URL('..', import.meta.url).pathname;

/** The first heading of a page, without its marks and without what the group says already. */
function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8')) ?? [];
  const short = title.replaceAll(/[`*]/g, '').replace(/^(Getting started: the |入门：)/, '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}

const item = (page: string): DefaultTheme.SidebarItem => ({
  text: titleOf(page),
  link: `/${page.replace(/(index)?\.md$/, '')}`,
});

const pagesOf = (folder: string): string[] =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .sort()
    .map((name) => `${folder}/${name}`);

const there = (pages: readonly string[]): string[] => {
  const known = new Set(readdirSync(docs, { recursive: false, encoding: 'utf8' }));
  return pages.filter((page) => page.includes('/') || known.has(page));
};

const group = (text: string, pages: readonly string[], collapsed = false): DefaultTheme.SidebarItem => ({
  text,
  collapsed,
  items: pages.map(item),
});

/** The words of one language. */
export interface Words {
  readonly start: string;
  readonly guides: string;
  readonly lessons: string;
  readonly models: string;
  readonly statistics: string;
  readonly engines: string;
  readonly parts: string;
  readonly project: string;
  readonly decisions: string;
}

const start = ['library', 'command-line', 'server', 'studio'];
const guides = [
  'choosing-a-model',
  'spam-filter',
  'tickets',
  'missing-values',
  'rare-classes',
  'chinese-text',
  'online',
  'warehouse',
  'from-scikit-learn',
];

/** What a language has of its own: getting started, guides, lessons. */
export function pagesInLanguage(base: string, words: Words): DefaultTheme.SidebarItem[] {
  return [
    group(
      words.start,
      start.map((name) => `${base}start/${name}.md`),
    ),
    group(
      words.guides,
      guides.map((name) => `${base}guides/${name}.md`),
    ),
    group(words.lessons, [`${base}lessons/index.md`, ...pagesOf(`${base}lessons`)], true),
  ];
}

/** What is there in English alone. */
export function reference(words: Words): DefaultTheme.SidebarItem[] {
  const engines = readdirSync(docs).includes('engines') ? pagesOf('engines') : [];
  return [
    group(words.models, pagesOf('models'), true),
    group(words.statistics, ['statistics/index.md', ...pagesOf('statistics')], true),
    group(words.engines, [...there(['engines.md']), ...engines], true),
    group(
      words.parts,
      there([
        'data.md',
        'text.md',
        'auto.md',
        'evaluation.md',
        'explain.md',
        'model-file.md',
        'exchange.md',
        'exchange-sql.md',
        'exchange-pmml.md',
        'exchange-targets.md',
        'from-scikit-learn.md',
        'cli.md',
        'cli-sessions.md',
        'server.md',
        'studio.md',
      ]),
      true,
    ),
    group(words.project, there(['promises.md', 'conformance.md', 'performance.md', 'reliability.md']), true),
    group(words.decisions, pagesOf('decisions'), true),
  ];
}

/** The entry points of the package, as its `exports` name them. */
const { name, exports } = JSON.parse(readFileSync(join(docs, '..', 'package.json'), 'utf8')) as {
  name: string;
  exports: Record<string, unknown>;
};
const entries = Object.keys(exports)
  .filter((entry) => !entry.endsWith('.json'))
  .map((entry) => entry.replace('.', name));
const kinds = ['Classes', 'Functions', 'Interfaces', 'Type Aliases', 'Variables'];

/** One page per entry point, with the kinds of names on it; typedoc writes them before the site is built. */
export function apiPages(): DefaultTheme.SidebarItem[] {
  return entries.map((entry) => {
    const file = join(docs, 'api', `${entry}.md`);
    const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const items = kinds.filter((kind) => page.includes(`\n## ${kind}\n`));
    return {
      text: entry,
      link: `/api/${entry}`,
      items: items.map((kind) => ({
        text: kind.toLowerCase(),
        link: `/api/${entry}#${kind.toLowerCase().replace(' ', '-')}`,
      })),
    };
  });
}
