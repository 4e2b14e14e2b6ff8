import type MarkdownIt from 'markdown-it';
import { defineConfig } from 'vitepress';
import { tidyAnchors } from './anchors.ts';
import { hideComments } from './comments.ts';
import { plainOutput } from './console.ts';
import { chinese, chineseLabels, english, englishLabels } from './languages.ts';
import { search } from './search.ts';
import { apiPages, pagesInLanguage, reference } from './sidebar.ts';
import { copySources, linkSources } from './sources.ts';
import { pointToChinese } from './untranslated.ts';

const api = { text: 'API', link: '/api/' };

/** What pages have beyond Markdown. */
function extend(markdown: MarkdownIt): void {
  hideComments(markdown);
  linkSources(markdown);
  tidyAnchors(markdown);
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
    codeTransformers: [plainOutput],
  },
  buildEnd({ outDir }) {
    copySources(outDir);
    pointToChinese(outDir);
  },
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search,
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
        ...englishLabels,
        sidebar: { '/api/': apiPages(), '/': [...pagesInLanguage('', english), ...reference(english)] },
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
        ...chineseLabels,
      },
    },
  },
});
