import type { DataRow } from './cells.ts';
import { LABEL_PREFIX, parseFastTextLine } from './fasttext.ts';
import { flattenRow } from './flatten.ts';
import { parserOfRows } from './jsonl.ts';
import { type LineParser, textOfLine } from './line-rows.ts';
import { emptyRecord } from './table.ts';

/** The formats with one row per line. */
export type LineFormat = 'jsonl' | 'fasttext' | 'text';

/** The columns of formats with fixed columns. */
export const lineColumns = { fasttext: ['label', 'text'], text: ['text'] } as const;

/** The parsers of one line as a row. */
export const rowParsers: { readonly [F in LineFormat]: () => LineParser<DataRow> } = {
  /** Objects; nested ones become columns such as `user.age`. */
  jsonl: () => {
    const parse = parserOfRows<DataRow>(refuseNoObject);
    return (bytes, take) => parse(bytes, (row) => take(flattenRow(row)));
  },
  /** An optional label and a text. */
  fasttext: () => (bytes, take) => {
    const line = textOfLine(bytes);
    if (typeof line !== 'string') return line;
    const { labels, text } = parseFastTextLine(line, LABEL_PREFIX);
    if (labels.length > 1) {
      return { at: 0, code: 'E_LABEL_TYPE', reason: `the line has ${labels.length} labels; a row has one` };
    }
    if (labels.length === 1 || text !== '') take({ label: labels[0] ?? null, text });
    return undefined;
  },
  /** A document on every line that is not blank. */
  text: () => (bytes, take) => {
    const line = textOfLine(bytes);
    if (typeof line !== 'string') return line;
    if (line.trim() !== '') take({ text: line });
    return undefined;
  },
};

function refuseNoObject(value: unknown) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  const what = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
  return { at: 0, code: 'E_FORMAT', reason: `the line is ${what}, not an object with named cells` } as const;
}

/** A row with the requested cells, or all, in a record without a prototype. */
export function pickCells(row: DataRow, wanted: readonly string[] | undefined): DataRow {
  const record = emptyRecord<unknown>();
  for (const name of wanted ?? Object.keys(row)) if (Object.hasOwn(row, name)) record[name] = row[name];
  return record;
}
