import type { DataRow } from '../auto/cells.ts';
import { parseFastTextLine } from '../data/fasttext.ts';
import { flattenRow } from '../data/flatten.ts';
import { parserOf } from '../data/jsonl.ts';
import { type LineChunk, type LineOptions, type LineParser, readLineRows, textOfLine } from '../data/line-rows.ts';
import { readMbox } from '../data/mbox.ts';
import { emptyRecord } from '../data/table.ts';
import type { Peeked } from './peek.ts';
import type { OpenTableOptions, RowChunk } from './table-options.ts';
import { type RowReader, requireColumns } from './table-reader.ts';

/** Opens JSON Lines and reads its first rows, whose keys are taken for its columns; nested objects are columns such as `user.age`. */
export async function openJsonLines(text: Peeked, options: OpenTableOptions): Promise<RowReader> {
  const chunks = flattened(readLineRows<DataRow>(text.chunks, lineOptions(options), parserOf({}, refuseNoObject)));
  const first = (await chunks.next()).value ?? { rows: [], lines: new Float64Array() };
  return { columns: options.columns ?? keysOf(first.rows), chunks: picked(prepend(first, chunks), options.columns) };
}

function refuseNoObject(value: unknown) {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return undefined;
  const what = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
  return { at: 0, code: 'E_FORMAT', reason: `the line is ${what}, not an object with named cells` } as const;
}

function keysOf(rows: readonly DataRow[]): string[] {
  const keys = new Set<string>();
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  return [...keys];
}

/** Opens lines of fastText: a label or none, and a text. */
export function openFastText(text: Peeked, options: OpenTableOptions): RowReader {
  return openLines(text, ['label', 'text'], options, (bytes, take) => {
    const line = textOfLine(bytes);
    if (typeof line !== 'string') return line;
    const { labels, text } = parseFastTextLine(line);
    if (labels.length > 1) {
      return { at: 0, code: 'E_LABEL_TYPE', reason: `the line has ${labels.length} labels; a row has one` };
    }
    if (labels.length === 1 || text !== '') take({ label: labels[0] ?? null, text });
    return undefined;
  });
}

/** Opens a text with a document on every line; lines of blanks are none. */
export function openText(text: Peeked, options: OpenTableOptions): RowReader {
  return openLines(text, ['text'], options, (bytes, take) => {
    const line = textOfLine(bytes);
    if (typeof line !== 'string') return line;
    if (line.trim() !== '') take({ text: line });
    return undefined;
  });
}

function openLines(
  text: Peeked,
  columns: readonly string[],
  options: OpenTableOptions,
  parse: LineParser<DataRow>,
): RowReader {
  const wanted = options.columns ?? columns;
  requireColumns(wanted, columns);
  return { columns: wanted, chunks: picked(readLineRows(text.chunks, lineOptions(options), parse), wanted) };
}

const MAIL = ['from', 'to', 'subject', 'date', 'labels', 'text'] as const;

/** Opens a mailbox; a message is a row. */
export function openMbox(text: Peeked, options: OpenTableOptions): RowReader {
  const wanted = options.columns ?? MAIL;
  requireColumns(wanted, MAIL);
  const { maxLineBytes: maxMessageBytes, ...others } = lineOptions(options);
  const mails = readMbox(text.chunks, { ...others, ...(maxMessageBytes !== undefined && { maxMessageBytes }) });
  return { columns: wanted, chunks: picked(mails as AsyncGenerator<LineChunk<object>> as Chunks, wanted) };
}

function lineOptions({ maxRowBytes, maxBadRows, onBadRow, batchRows, live }: OpenTableOptions): LineOptions {
  return {
    ...(maxRowBytes !== undefined && { maxLineBytes: maxRowBytes }),
    ...(maxBadRows !== undefined && { maxBadRows }),
    ...(onBadRow !== undefined && { onBadRow }),
    ...(batchRows !== undefined && { chunkRows: batchRows }),
    ...(live !== undefined && { live }),
  };
}

type Chunks = AsyncGenerator<LineChunk<DataRow>, void, undefined>;

async function* flattened(chunks: Chunks): Chunks {
  for await (const { rows, lines } of chunks) yield { rows: rows.map(flattenRow), lines };
}

async function* prepend(first: LineChunk<DataRow>, others: Chunks): Chunks {
  if (first.rows.length > 0) yield first;
  yield* others;
}

/** Rows with the wanted cells alone, in records that inherit nothing; all cells of JSON where none are named. */
async function* picked(
  chunks: Chunks,
  wanted: readonly string[] | undefined,
): AsyncGenerator<RowChunk, void, undefined> {
  for await (const { rows, lines } of chunks) {
    yield { rows: rows.map((row) => pick(row, wanted ?? Object.keys(row))), lines };
  }
}

function pick(row: DataRow, wanted: readonly string[]): DataRow {
  const record = emptyRecord<unknown>();
  for (const name of wanted) if (Object.hasOwn(row, name)) record[name] = row[name];
  return record;
}
