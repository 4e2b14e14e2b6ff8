import type { createColors } from 'picocolors';

/** The colours in use; legible on light and dark terminals. */
export type Paint = Pick<ReturnType<typeof createColors>, 'bold' | 'red' | 'green' | 'cyan' | 'magenta'>;

/** No colour at all. */
export const plainPaint: Paint = {
  bold: String,
  red: String,
  green: String,
  cyan: String,
  magenta: String,
};

/** The properties of an output stream. */
export interface Screen {
  readonly tty: boolean;
  readonly columns: number;
  readonly paint: Paint;
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Marks, embeddings, overrides and isolates: they would reorder neighbouring text. */
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const escaped = (sign: string): string => escapes[sign] ?? `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/** Whether a text is printable ASCII, which needs no Unicode tables. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** A text from the data, safe to print: it cannot move the cursor, change colours or reorder its line. */
export function safe(text: string, most = Number.POSITIVE_INFINITY): string {
  if (isPlain(text)) return shorten(text, most);
  const clean = text.replace(CONTROL, escaped).replace(BIDI, escaped);
  const short = shorten(clean, most);
  return RIGHT_TO_LEFT.test(short) ? `\u2068${short}\u2069` : short;
}

/** Shortens a text to at most `most` columns, with an ellipsis. */
export function shorten(text: string, most: number): string {
  if (most === Number.POSITIVE_INFINITY || width(text) <= most) return text;
  let [short, used] = ['', 0];
  for (const { segment } of graphemes(text)) {
    used += width(segment);
    if (used > most - 1) break;
    short += segment;
  }
  return `${short}…`;
}

let segmenter: Intl.Segmenter | undefined;

/** User-perceived characters; the segmenter is slow to load, and most runs do not need it. */
function graphemes(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours begin with one
const COLOUR = /\u001b\[\d+m/g;

/** The width of a text in terminal columns. */
export function width(text: string): number {
  const bare = text.replace(COLOUR, '');
  if (isPlain(bare)) return bare.length;
  let columns = 0;
  for (const sign of bare.replace(NO_WIDTH, '')) columns += WIDE.test(sign) ? 2 : 1;
  return columns;
}

/** A text padded to a width, on the right or on the left. */
export function pad(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const room = ' '.repeat(Math.max(0, columns - width(text)));
  return side === 'left' ? text + room : room + text;
}

/** Words of a sentence in lines of a width; those after the first are indented as well. */
export function wrap(text: string, columns: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && width(longer) > columns) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].join(`\n${indent}`);
}

/** A table: the first `left` columns left-aligned, the others right-aligned, two blanks between columns. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[], left = 1): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, k) => Math.max(...all.map((row) => width(row[k]))));
  const side = (k: number) => (k < left ? 'left' : 'right');
  return all.map((row) =>
    row
      .map((cell, k) => pad(cell, widths[k], side(k)))
      .join('  ')
      .trimEnd(),
  );
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of a share of `columns` columns, in eighths; empty for zero, the thinnest bar for very small shares. */
export function bar(share: number, columns: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * columns * 8);
  const full = Math.floor(eighths / 8);
  const rest = EIGHTHS[eighths % 8];
  return share > 0 && eighths === 0 ? '▏' : `${'█'.repeat(full)}${rest}`;
}

/** Rows of `name  number  bar`; the bar shows the absolute value. */
export function barChart(
  rows: readonly { readonly name: string; readonly value: number; readonly shown: string }[],
  columns: number,
): string[] {
  if (rows.length === 0) return [];
  const most = Math.max(...rows.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  const names = Math.max(...rows.map(({ name }) => width(name)));
  const numbers = Math.max(...rows.map(({ shown }) => width(shown)));
  const room = Math.max(4, columns - names - numbers - 6);
  return rows.map(({ name, value, shown }) => {
    const drawn = bar(Math.abs(value) / most, Math.min(room, 24));
    return `  ${pad(name, names)}  ${pad(shown, numbers, 'right')}  ${drawn}`.trimEnd();
  });
}
