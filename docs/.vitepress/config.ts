import type MarkdownIt from 'markdown-it';
import { defineConfig, type MarkdownEnv } from 'vitepress';
import { hideComments } from './comments.ts';
import { pagesInLanguage, reference, type Words } from './sidebar.ts';
import { copySources, linkSources } from './sources.ts';

const english: Words = {
  start: 'Getting started',
  guides: 'Guides',
  lessons: 'Lessons',
  models: 'Models',
  statistics: 'Statistics',
  engines: 'Engines',
  parts: 'Reference',
  project: 'Promises and figures',
  decisions: 'Decisions',
};

const chinese: Words = {
  start: '入门',
  guides: '指南',
  lessons: '课程',
  models: '模型（英文）',
  statistics: '统计量（英文）',
  engines: '引擎（英文）',
  parts: '参考（英文）',
  project: '承诺与数据（英文）',
  decisions: '决策记录（英文）',
};

const api = { text: 'API', link: '/api/' };

/** What pages have beyond Markdown. */
function extend(markdown: MarkdownIt): void {
  hideComments(markdown);
  linkSources(markdown);
}

/** The text of a page as the search knows it; the reference is found by its own lists. */
function searchable(text: string, env: MarkdownEnv, markdown: MarkdownIt): string {
  return env.relativePath.startsWith('api/') ? '' : markdown.render(text, env);
}

/** The site: everything is rendered when it is built, formulas included, and nothing is loaded from elsewhere. */
export default defineConfig({
  title: 'Pólya',
  description: 'Generative classification by counting',
  cleanUrls: false,
  lastUpdated: false,
  srcExclude: ['node_modules/**'],
  ignoreDeadLinks: [/^\/source\//],
  markdown: {
    math: true,
    html: false,
    config: extend,
  },
  buildEnd: ({ outDir }) => copySources(outDir),
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: 'local', options: { _render: searchable } },
    outline: [2, 3],
    externalLinkIcon: false,
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: {
        nav: [
          { text: 'Start', link: '/start/library' },
          { text: 'Guides', link: '/guides/choosing-a-model' },
          { text: 'Lessons', link: '/lessons/' },
          api,
        ],
        sidebar: { '/api/': [], '/': [...pagesInLanguage('', english), ...reference(english)] },
      },
    },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '用计数做生成式分类',
      themeConfig: {
        nav: [
          { text: '入门', link: '/zh/start/library' },
          { text: '指南', link: '/zh/guides/choosing-a-model' },
          { text: '课程', link: '/zh/lessons/' },
          api,
        ],
        sidebar: { '/zh/': [...pagesInLanguage('zh/', chinese), ...reference(chinese)] },
        outline: { level: [2, 3], label: '本页内容' },
        docFooter: { prev: '上一页', next: '下一页' },
      },
    },
  },
});
