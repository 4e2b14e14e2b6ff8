import { isArff } from './arff.ts';
import { weighDelimiters } from './csv-delimiter.ts';
import { LABEL_PREFIX } from './fasttext.ts';
import { isSeparator } from './mbox.ts';
import { showUtf8 } from './utf8.ts';

/** The formats of tables that are text. */
export type TextFormat = 'csv' | 'tsv' | 'json' | 'jsonl' | 'arff' | 'mbox' | 'fasttext' | 'text';

/** The detected format of a text, and the reason, as part of a sentence. */
export interface SniffedFormat {
  readonly format: TextFormat;
  readonly reason: string;
}

/** What is known of a text besides its first bytes. */
export interface SniffHints {
  /** The file name; its extension counts only if the content is ambiguous. */
  readonly name?: string;
  /** Whether the bytes are the whole text. */
  readonly whole: boolean;
}

const names: ReadonlyMap<string, string> = new Map([
  [',', 'comma'],
  ['\t', 'tab'],
  [';', 'semicolon'],
  ['|', 'bar'],
]);

/** Detects the format of a UTF-8 text from its first bytes (64 KiB are enough). */
export function sniffText(head: Uint8Array, { name = '', whole }: SniffHints): SniffedFormat {
  const text = showUtf8(head).replace(/^\ufeff/, '');
  const start = text.trimStart();
  if (start.startsWith('{')) return { format: 'jsonl', reason: 'the text begins with {' };
  if (/^\[\s*[{[\]]/.test(start)) return { format: 'json', reason: 'the text begins with [' };
  if (isArff(text)) return { format: 'arff', reason: 'it begins with @relation' };
  const [first = '', second = ''] = text.split(/\r\n|\r|\n/, 2);
  if (isSeparator(first) && /^[!-9;-~]+:/.test(second)) return { format: 'mbox', reason: 'it looks like a mailbox' };
  if (start.startsWith(LABEL_PREFIX))
    return { format: 'fasttext', reason: `the first word begins with ${LABEL_PREFIX}` };
  const ending = /\.(csv|tsv|tab)(\.gz)?$/i.exec(name)?.[1]?.toLowerCase();
  return sniffTable(head, ending, whole);
}

/**
 * A table has the same number of delimiters in nearly every row; in prose commas are followed by blanks and irregular.
 */
function sniffTable(head: Uint8Array, ending: string | undefined, whole: boolean): SniffedFormat {
  const { delimiter, inFirst, rows, alike } = weighDelimiters(head);
  const format = delimiter === '\t' ? 'tsv' : 'csv';
  const reason = `${alike} of the first ${rows} rows have ${inFirst} × ${names.get(delimiter)!}`;
  if (ending !== undefined) {
    if (inFirst > 0) return { format, reason };
    return {
      format: ending === 'csv' ? 'csv' : 'tsv',
      reason: `it has no delimiter, but its name ends with .${ending}`,
    };
  }
  const complete = whole ? rows : rows - 1;
  const steady = complete >= 2 && alike >= 0.9 * rows;
  if (inFirst > 0 && steady && !isProse(head, delimiter, inFirst)) return { format, reason };
  return { format: 'text', reason: 'no delimiter occurs equally often in every line' };
}

function isProse(head: Uint8Array, delimiter: string, inFirst: number): boolean {
  if (delimiter === '\t' || delimiter === '|' || inFirst > 2) return false;
  const code = delimiter.charCodeAt(0);
  let [all, spaced] = [0, 0];
  for (let i = 0; i < head.length; i++) {
    if (head[i] !== code) continue;
    all++;
    if (head[i + 1] === 0x20) spaced++;
  }
  return spaced > 0.8 * all;
}
