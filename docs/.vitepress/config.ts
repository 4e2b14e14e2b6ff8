import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type MarkdownIt from 'markdown-it';
import { defineConfig } from 'vitepress';
import { tidyAnchors } from './anchors.ts';
import { hideComments } from './comments.ts';
import { plainOutput } from './console.ts';
import { chineseLabels, englishLabels } from './languages.ts';
import { search } from './search.ts';
import { apiPages, sidebar } from './sidebar.ts';
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
    const built = new URL('../../dist/', import.meta.url);
    cpSync(new URL('studio', built), join(outDir, 'try'), { recursive: true });
    cpSync(new URL('lib', built), join(outDir, 'lib'), { recursive: true, filter: (path) => !path.endsWith('.d.ts') });
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
          { text: 'Tutorial', link: '/tutorial' },
          { text: 'Guides', link: '/guides/spam-filter', activeMatch: '^/guides/' },
          { text: 'Concepts', link: '/concepts/glossary', activeMatch: '^/concepts/' },
          { text: 'Reference', link: '/cli', activeMatch: '^/(models|cli|options|errors|server)' },
          { text: 'Course', link: '/lessons/', activeMatch: '^/lessons/' },
          api,
          { text: 'Try it', link: '/try/index.html', target: '_self' },
        ],
        ...englishLabels,
        sidebar: { '/api/': apiPages(), '/': sidebar('en') },
      },
    },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '文本和表格分类，Node 和浏览器都能运行',
      themeConfig: {
        nav: [
          { text: '教程', link: '/zh/tutorial' },
          { text: '指南', link: '/zh/guides/spam-filter', activeMatch: '^/zh/guides/' },
          { text: '概念', link: '/zh/concepts/glossary', activeMatch: '^/zh/concepts/' },
          { text: '课程', link: '/zh/lessons/', activeMatch: '^/zh/lessons/' },
          api,
          { text: '在线试用', link: '/try/index.html', target: '_self' },
        ],
        sidebar: { '/zh/': sidebar('zh') },
        ...chineseLabels,
      },
    },
  },
});
