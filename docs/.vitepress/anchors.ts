import type MarkdownIt from 'markdown-it';

/** Links in the repository keep the underscores of headings; the anchors of the site have hyphens instead, after the first place. */
export function tidyAnchors(markdown: MarkdownIt): void {
  markdown.core.ruler.push('anchors', (state) => {
    for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.attrGet('href');
      if (href)
        token.attrSet(
          'href',
          href.replace(/#.*$/, (anchor) => anchor.replaceAll(/(?<=[^#])_/g, '-')),
        );
    }
  });
}
