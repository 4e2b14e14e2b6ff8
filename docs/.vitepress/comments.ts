import type MarkdownIt from 'markdown-it';

/** Pages are Markdown without HTML, so that `<data>` in a heading is what it says; comments, which tests read, are not shown. */
export function hideComments(markdown: MarkdownIt): void {
  markdown.core.ruler.before('normalize', 'comments', (state) => {
    state.src = state.src.replaceAll(/^<!--.*?-->\n?/gms, '');
  });
}
