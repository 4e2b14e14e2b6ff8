import type MarkdownIt from 'markdown-it';
import type { DefaultTheme, MarkdownEnv } from 'vitepress';
import { chineseSearch } from './languages.ts';

/** The text of a page as the search knows it; of a page of the reference, its name and its first paragraph. */
function searchable(text: string, env: MarkdownEnv, markdown: MarkdownIt): string {
  if (!env.relativePath.startsWith('api/')) return markdown.render(text, env);
  const [title = '', first = ''] = text
    .slice(Math.max(0, text.indexOf('\n# ')))
    .trim()
    .split('\n\n');
  return markdown.render(first.startsWith('#') || first.startsWith('```') ? title : `${title}\n\n${first}`, env);
}

/** Words, and Chinese characters one by one. It is sent to the browser as its source, so it uses nothing from outside. */
const wordsOf = (text: string): string[] => text.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu) ?? [];

/** Search within the site: every word has to be found. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    _render: searchable,
    locales: { zh: chineseSearch },
    miniSearch: { options: { tokenize: wordsOf }, searchOptions: { combineWith: 'AND', fuzzy: false } },
  },
};
