import { requireKind, requireOptions } from './arguments.ts';
import {
  type LineChunk,
  type LineOptions,
  type LineParser,
  lineOptions,
  parseLineRows,
  readLineRows,
  textOfLine,
} from './line-rows.ts';
import type { MemorySource, Source } from './source.ts';

/** A line of fastText: its labels without their prefix, and its words. */
export interface FastTextLine {
  readonly labels: readonly string[];
  /** The words that are not labels, joined by blanks. */
  readonly text: string;
}

/** How to read fastText. */
export interface FastTextOptions extends LineOptions {
  /** The prefix of labels. Default: `__label__`. */
  readonly prefix?: string;
}

const fastTextOptions = [...lineOptions, 'prefix'];

/** The default label prefix. */
export const LABEL_PREFIX = '__label__';

/** The word separators of fastText: ASCII white space only. A line end is one too, but never occurs in a line. */
const BLANKS = /[ \t\v\f\r]+/;

/** One line: every word that begins with the prefix is a label, wherever it is, as in `Dictionary::getLine`. */
export function parseFastTextLine(line: string, prefix: string = LABEL_PREFIX): FastTextLine {
  for (const text of [line, prefix]) requireKind(text, 'a string', 'string');
  const labels: string[] = [];
  const words: string[] = [];
  for (const word of line.split(BLANKS)) {
    if (word.startsWith(prefix)) labels.push(word.slice(prefix.length));
    else if (word !== '') words.push(word);
  }
  return { labels, text: words.join(' ') };
}

/** Reads lines of fastText in chunks; lines of blanks are skipped. Errors are those of `readJsonLines`. */
export async function* readFastText(
  source: Source,
  options: FastTextOptions = {},
): AsyncGenerator<LineChunk<FastTextLine>, void, undefined> {
  requireOptions('readFastText', fastTextOptions, options);
  yield* readLineRows(source, options, parserOf(options));
}

/** Reads fastText from memory, at once. */
export function parseFastText(source: MemorySource, options: FastTextOptions = {}): LineChunk<FastTextLine> {
  requireOptions('parseFastText', fastTextOptions, options);
  return parseLineRows(source, options, parserOf(options));
}

function parserOf({ prefix = LABEL_PREFIX }: FastTextOptions): LineParser<FastTextLine> {
  requireKind(prefix, 'a string as prefix', 'string');
  return (bytes, take) => {
    const text = textOfLine(bytes);
    if (typeof text !== 'string') return text;
    const line = parseFastTextLine(text, prefix);
    if (line.labels.length > 0 || line.text !== '') take(line);
    return undefined;
  };
}
