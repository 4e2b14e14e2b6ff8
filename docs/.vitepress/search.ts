import type MarkdownIt from 'markdown-it';
import type { DefaultTheme, MarkdownEnv } from 'vitepress';
import { chineseSearch } from './languages.ts';

/** The text of a page as the search knows it; of the reference, the names and the first paragraph about each. */
function searchable(text: string, env: MarkdownEnv, markdown: MarkdownIt): string {
  if (!env.relativePath.startsWith('api/')) return markdown.render(text, env);
  const parts = text.split(/^(?=#{1,3} )/m).map((part) => {
    const [title, ...paragraphs] = part.trim().split('\n\n');
    return `${title}\n\n${paragraphs.find((paragraph) => /^[A-Z]/.test(paragraph)) ?? ''}`;
  });
  return markdown.render(parts.join('\n\n'), env);
}

/** Words, and Chinese characters one by one. It is sent to the browser as its source, so it uses nothing from outside. */
const wordsOf = (text: string): string[] => text.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu) ?? [];

/** Search within the site: every word has to be found. */
export const search: DefaultTheme.Config['search'] = {
  provider: 'local',
  options: {
    detailedView: true,
    _render: searchable,
    locales: { zh: chineseSearch },
    miniSearch: { options: { tokenize: wordsOf }, searchOptions: { combineWith: 'AND', fuzzy: false } },
  },
};
