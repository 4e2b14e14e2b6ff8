import { requireKind, requireLike, requireOptions } from '../data/arguments.ts';
import { type FastTextLine, type FastTextOptions, LABEL_PREFIX, parseFastTextLine } from '../data/fasttext.ts';
import {
  type LineFault,
  type LineParser,
  lineOptions,
  parseLineRows,
  readLineRows,
  textOfLine,
} from '../data/line-rows.ts';
import type { MemorySource, Source } from '../data/source.ts';
import { refuse, show } from '../errors.ts';

/** A document with its label. */
export interface FastTextRecord {
  readonly label: string;
  readonly text: string;
}

/** Options of `fastTextRecords`. */
export interface FastTextRecordOptions extends FastTextOptions {
  /**
   * What to do with a line of several labels: report it as a bad row ('error', the default), take the first label, or make a record for
   * each.
   */
  readonly labels?: 'error' | 'first' | 'each';
  /** A line without a label: a bad row ('error', the default), or skipped, as fastText does. */
  readonly unlabelled?: 'error' | 'skip';
}

const recordOptions = [...lineOptions, 'prefix', 'labels', 'unlabelled'];

/** The records of a file of fastText (`__label__spam win a prize`) that is in memory. Bad rows are refused with their line. */
export function fastTextRecords(source: MemorySource, options: FastTextRecordOptions = {}): FastTextRecord[] {
  requireOptions('fastTextRecords', recordOptions, options);
  return [...parseLineRows(source, options, parserOf(options)).rows];
}

/** The records of a file of fastText in chunks, as they are read. */
export async function* readFastTextRecords(
  source: Source,
  options: FastTextRecordOptions = {},
): AsyncGenerator<readonly FastTextRecord[], void, undefined> {
  requireOptions('readFastTextRecords', recordOptions, options);
  for await (const { rows } of readLineRows(source, options, parserOf(options))) yield rows;
}

function parserOf(options: FastTextRecordOptions): LineParser<FastTextRecord> {
  const { prefix = LABEL_PREFIX, labels = 'error', unlabelled = 'error' } = options;
  requireKind(prefix, 'a string as prefix', 'string');
  requireChoice('labels', labels, ['error', 'first', 'each']);
  requireChoice('unlabelled', unlabelled, ['error', 'skip']);
  return (bytes, take) => {
    const text = textOfLine(bytes);
    if (typeof text !== 'string') return text;
    const line = parseFastTextLine(text, prefix);
    if (line.labels.length === 0) return line.text === '' || unlabelled === 'skip' ? undefined : noLabel;
    if (line.labels.length > 1 && labels === 'error') return severalLabels(line);
    for (const label of labels === 'each' ? line.labels : line.labels.slice(0, 1)) take({ label, text: line.text });
    return undefined;
  };
}

const noLabel: LineFault = {
  at: 0,
  code: 'E_LABEL_MISSING',
  reason: "the line has no label; unlabelled: 'skip' passes over it",
};

const severalLabels = ({ labels }: FastTextLine): LineFault => ({
  at: 0,
  code: 'E_FORMAT',
  reason: `the line has ${labels.length} labels; set labels to 'first' or 'each' to accept them`,
});

function requireChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  refuse('E_PARAM', `option ${name} is one of ${choices.join(', ')}, got ${show(value)}`, { name });
}

const BLANKS = /[ \t\v\f\r\n]+/;

/**
 * Records as lines of fastText. Words are separated by blanks, so blanks and line ends become one blank. A record that would be read back
 * differently throws with its number: a label with a blank, or a word that begins like a label.
 */
export function formatFastText(records: Iterable<FastTextRecord>, options: { readonly prefix?: string } = {}): string {
  const { prefix = LABEL_PREFIX } = requireOptions('formatFastText', ['prefix'], options);
  requireKind(prefix, 'a string as prefix', 'string');
  requireKind(records, 'records with a label and a text', 'iterable');
  let lines = '';
  let record = 0;
  for (const own of records) {
    const { label, text } = requireLike(own, 'a record with a label and a text', { label: 'string', text: 'string' });
    const fault = faultOf(label, text, prefix);
    if (fault) refuse('E_FORMAT', `record ${record}: ${fault}`, { record });
    lines += `${[prefix + label, ...wordsOf(text)].join(' ')}\n`;
    record++;
  }
  return lines;
}

const wordsOf = (text: string) => text.split(BLANKS).filter((word) => word !== '');

function faultOf(label: string, text: string, prefix: string): string | undefined {
  if (BLANKS.test(label)) return `the label ${show(label)} has a blank, which ends a label in fastText`;
  if (`${label}${text}`.includes('\0')) return 'a NUL character is no text';
  const stranger = wordsOf(text).find((word) => word.startsWith(prefix));
  return stranger === undefined ? undefined : `the word ${show(stranger)} would be read as a label`;
}
