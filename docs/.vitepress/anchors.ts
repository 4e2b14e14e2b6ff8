import type MarkdownIt from 'markdown-it';

/** The reference is written with anchors that keep underscores; headings of the site have none. */
export function tidyAnchors(markdown: MarkdownIt): void {
  markdown.core.ruler.push('anchors', (state) => {
    if (!String(state.env.relativePath).startsWith('api/')) return;
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (href)
        token.attrSet(
          'href',
          href.replace(/#.*$/, (anchor) => anchor.replaceAll('_', '-')),
        );
    }
  });
}
