import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, root } from './pages.ts';

const [LINE, LETTER, MARGIN] = [19, 8.2, 18];

/** Text of a picture, with non-collapsing blanks. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');

/** The commands of the spam guide whose output the picture shows. */
const shown = [/^\$ polya inspect/, /^\$ polya predict .*--explain/, /^\$ polya explain/];

function sessionLines(): string[] {
  const guide = readFileSync(join(root, 'docs', 'guides', 'spam-filter.md'), 'utf8');
  const sessions = blocksOf(guide).filter(({ language }) => language === 'console');
  const commands = sessions.flatMap(({ code }) => code.trimEnd().split(/^(?=\$ )/m));
  return commands
    .filter((command) => shown.some((pattern) => pattern.test(command)))
    .flatMap((command) => command.trimEnd().split('\n'));
}

/** The first outputs of the spam guide as a picture of a terminal, as SVG with selectable text. */
export function terminalPicture(): string {
  const lines = sessionLines();
  const width = Math.ceil(2 * MARGIN + LETTER * Math.max(...lines.map(({ length }) => length)));
  const height = 2 * MARGIN + LINE * lines.length;
  const texts = lines.map((line, k) => {
    const colour = line.startsWith('$')
      ? '#7ee787'
      : line.startsWith('!') || line.startsWith('→')
        ? '#d2a8ff'
        : '#e6edf3';
    const place = `x="${MARGIN}" y="${MARGIN + LINE * (k + 0.75)}"`;
    return `<text ${place} fill="${colour}" textLength="${Math.round(LETTER * line.length)}">${escaped(line)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>A session with the command polya: a look at a file, and two answers with their reasons</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13.6">',
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}
