import type { MarkdownOptions } from 'vitepress';

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number];

interface Coloured {
  readonly properties?: { style?: unknown };
  readonly children?: readonly unknown[];
  readonly value?: string;
}

const textOf = ({ value = '', children = [] }: Coloured): string =>
  value + children.map((child) => textOf(child as Coloured)).join('');

/** What a command prints is no program: in sessions only the lines behind `$` have colours. */
export const plainOutput: Transformer = {
  name: 'plain-output',
  line(line) {
    if (this.options.lang !== 'console' || textOf(line as Coloured).startsWith('$ ')) return;
    for (const child of line.children as Coloured[]) delete child.properties?.style;
  },
};
