import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

const docs = new URL('..', import.meta.url).pathname;

/** The languages of the site. */
export type Language = 'en' | 'zh';

/** A group of the sidebar: its title in both languages, and its pages by their path without `.md`. */
interface Group {
  readonly title: readonly [english: string, chinese: string];
  readonly pages?: readonly string[];
  readonly groups?: readonly Group[];
  readonly collapsed?: boolean;
}

/** All pages of a folder, in the order of their names. */
const folder = (name: string): string[] =>
  readdirSync(join(docs, name))
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .sort()
    .map((file) => `${name}/${file.slice(0, -3)}`);

const inFolder = (name: string, pages: readonly string[]): string[] => pages.map((page) => `${name}/${page}`);

/** The pages of the site by kind: learn by doing, do a task, understand, look up, take the course. */
const groups: readonly Group[] = [
  { title: ['Tutorial', '教程'], pages: ['tutorial'] },
  {
    title: ['How-to guides', '操作指南'],
    groups: [
      {
        title: ['Texts and tables', '文本与表格'],
        pages: inFolder('guides', [
          'spam-filter',
          'sentiment',
          'intents',
          'tickets',
          'multi-label',
          'chinese-text',
          'dates-and-money',
        ]),
      },
      {
        title: ['Better models', '改进模型'],
        pages: inFolder('guides', ['choosing-a-model', 'rare-classes', 'feature-selection', 'semi-supervised']),
      },
      {
        title: ['Use a model', '使用模型'],
        pages: inFolder('guides', [
          'load-in-node',
          'typed-rows',
          'frameworks',
          'browser',
          'server',
          'docker',
          'bun-and-deno',
          'studio',
        ]),
      },
      { title: ['Move from', '迁移'], pages: inFolder('guides', ['from-scikit-learn', 'from-natural']) },
      { title: ['When it goes wrong', '出了问题'], pages: ['guides/troubleshooting'] },
    ],
  },
  {
    title: ['Concepts', '概念'],
    pages: inFolder('concepts', [
      'glossary',
      'automatic-choice',
      'calibration',
      'missing-values',
      'counting-and-forgetting',
      'scaling-out',
    ]),
  },
  {
    title: ['Reference', '参考'],
    groups: [
      { title: ['Models', '模型'], pages: folder('models'), collapsed: true },
      {
        title: ['Library', '类库'],
        pages: ['options', 'errors', 'auto', 'data', 'text', 'evaluation', 'explain'],
        collapsed: true,
      },
      { title: ['Command and studio', '命令行与工作室'], pages: ['cli', 'cli-sessions', 'studio'], collapsed: true },
      { title: ['Server', '服务器'], pages: ['server', 'reliability'], collapsed: true },
      {
        title: ['Files and formats', '文件与格式'],
        pages: ['model-file', 'exchange', 'exchange-sql', 'exchange-pmml', 'exchange-targets', 'from-scikit-learn'],
        collapsed: true,
      },
      { title: ['Statistics', '统计量'], pages: ['statistics/', ...folder('statistics')], collapsed: true },
      { title: ['Engines', '引擎'], pages: ['engines', ...folder('engines')], collapsed: true },
    ],
  },
  { title: ['Course', '课程'], pages: ['lessons/', ...folder('lessons')], collapsed: true },
  {
    title: ['Project', '项目'],
    pages: ['promises', 'conformance', 'performance'],
    groups: [{ title: ['Decisions', '决策记录'], pages: folder('decisions'), collapsed: true }],
    collapsed: true,
  },
];

const fileOf = (page: string): string => join(docs, `${page.replace(/\/$/, '/index')}.md`);

/** The first heading of a page, without its marks. */
function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(fileOf(page), 'utf8')) ?? [];
  const short = title.replaceAll(/[`*]/g, '');
  return short.charAt(0).toUpperCase() + short.slice(1);
}

/** A page in a language; where there is no Chinese one, the English one, which is marked. */
function item(page: string, language: Language): DefaultTheme.SidebarItem {
  if (language === 'en') return { text: titleOf(page), link: `/${page}` };
  const own = `zh/${page}`;
  return existsSync(fileOf(own))
    ? { text: titleOf(own), link: `/${own}` }
    : { text: `${titleOf(page)}（英文）`, link: `/${page}` };
}

const itemOf = (
  { title, pages = [], groups: inner = [], collapsed }: Group,
  language: Language,
): DefaultTheme.SidebarItem => ({
  text: title[language === 'en' ? 0 : 1],
  ...(collapsed === undefined ? {} : { collapsed }),
  items: [...pages.map((page) => item(page, language)), ...inner.map((group) => itemOf(group, language))],
});

/** The sidebar in a language. */
export const sidebar = (language: Language): DefaultTheme.SidebarItem[] =>
  groups.map((group) => itemOf(group, language));

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
