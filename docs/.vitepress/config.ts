import { cpSync } from 'node:fs';
import { join } from 'node:path';
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
const description = 'Text and table classification for Node and browsers';

/** What pages have beyond Markdown. */
function extend(markdown: MarkdownIt): void {
  hideComments(markdown);
  linkSources(markdown);
  tidyAnchors(markdown);
}

/** The site: everything is rendered when it is built, formulas included, and nothing is loaded from elsewhere. */
export default defineConfig({
  title: 'Pólya',
  description,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: '/logo.svg' }],
    ['meta', { property: 'og:title', content: 'Pólya' }],
    ['meta', { property: 'og:description', content: description }],
    // an address of the web is needed here: SITE=https://… npm run docs:build
    ['meta', { property: 'og:image', content: `${process.env.SITE ?? ''}/og.png` }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  cleanUrls: false,
  lastUpdated: false,
  srcExclude: ['node_modules/**'],
  ignoreDeadLinks: [/^\/(source|try)\//],
  markdown: {
    math: true,
    html: false,
    config: extend,
    codeTransformers: [plainOutput],
  },
  buildEnd({ outDir }) {
    cpSync(new URL('../../dist/studio', import.meta.url), join(outDir, 'try'), { recursive: true });
    copySources(outDir);
    pointToChinese(outDir);
  },
  vite: { build: { chunkSizeWarningLimit: 2000, assetsInlineLimit: 0 } },
  themeConfig: {
    logo: '/logo.svg',
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
          { text: 'Try it', link: '/try/index.html', target: '_self' },
        ],
        ...englishLabels,
        sidebar: { '/api/': apiPages(), '/': [...pagesInLanguage('', english), ...reference(english)] },
      },
    },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '文本和表格分类，Node 和浏览器都能运行',
      themeConfig: {
        nav: [
          { text: '入门', link: '/zh/start/library' },
          { text: '指南', link: '/zh/guides/choosing-a-model' },
          { text: '课程', link: '/zh/lessons/' },
          api,
          { text: '在线试用', link: '/try/index.html', target: '_self' },
        ],
        sidebar: { '/zh/': [...pagesInLanguage('zh/', chinese), ...reference(chinese)] },
        ...chineseLabels,
      },
    },
  },
});
