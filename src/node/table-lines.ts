import { BlockReader } from '../data/block-reader.ts';
import type { Block, BlockLayout } from '../data/blocks.ts';
import type { DataRow } from '../data/cells.ts';
import { type BlockTable, RecordTable } from '../data/column-table.ts';
import { BadRows } from '../data/faults.ts';
import {
  CHUNK_BYTES,
  CHUNK_ROWS,
  type LineChunk,
  type LineOptions,
  longestLine,
  readLineRows,
} from '../data/line-rows.ts';
import { LineCursor } from '../data/lines.ts';
import { readMbox } from '../data/mbox.ts';
import { type LineFormat, lineColumns, pickCells, rowParsers } from '../data/row-parsers.ts';
import type { Peeked } from './peek.ts';
import { cuttingKernels, splitTable, type TextFile, tablesOf } from './table-blocks.ts';
import type { OpenTableOptions } from './table-options.ts';
import { requireColumns, type TableReader } from './table-reader.ts';

/** Opens a text with a row on every line. */
export async function openLines(
  text: Peeked,
  format: LineFormat,
  file: TextFile,
  options: OpenTableOptions,
): Promise<TableReader> {
  const { columns: wanted, maxRowBytes } = options;
  const usual = format === 'jsonl' ? undefined : lineColumns[format];
  if (usual) requireColumns(wanted ?? usual, usual);
  const limits = lineOptions(options);
  const kernels = cuttingKernels(options);
  if (kernels === undefined) {
    const chunks = readLineRows(text.chunks, limits, rowParsers[format]());
    if (usual) return { columns: wanted ?? usual, tables: picked(chunks, wanted) };
    const { value } = await chunks.next();
    const first = value ? [value] : [];
    const columns = wanted ?? [...addKeys(new Set(), value?.rows ?? [])];
    return { columns, tables: picked(prepend(first, chunks), wanted) };
  }
  const cursor = new LineCursor(new BadRows({}));
  await readMark(cursor, text.chunks);
  const layout = { format, columns: usual ?? [], wanted, delimiter: undefined, maxRowBytes, file };
  const cut = splitTable(kernels, layout, cursor, text.chunks, longestLine(limits), options);
  const first: Block[] = [];
  const columns = wanted ?? usual ?? (await firstKeys(cut.blocks, first, layout, limits.chunkRows ?? CHUNK_ROWS));
  const split = { ...cut, layout: { ...layout, columns: usual ?? columns }, blocks: prepend(first, cut.blocks) };
  return { columns, split, tables: tablesOf(split) };
}

/** Drops the byte order mark of UTF-8 and rejects that of UTF-16. */
async function readMark(cursor: LineCursor, pieces: AsyncIterator<Uint8Array>): Promise<void> {
  while (!cursor.knowsMark) {
    const { done, value } = await pieces.next();
    if (done) break;
    cursor.window.push(value);
  }
  cursor.readMark();
}

/** The keys of the first rows of JSON Lines, at least `rows` of them; the blocks read for them are added to `first`. */
async function firstKeys(
  blocks: AsyncIterator<Block>,
  first: Block[],
  layout: BlockLayout,
  rows: number,
): Promise<string[]> {
  const reader = new BlockReader(layout);
  const keys = new Set<string>();
  for (let [found, bytes] = [0, 0]; found < rows && bytes < CHUNK_BYTES; ) {
    const { done, value } = await blocks.next();
    if (done) break;
    first.push(value);
    bytes += value.bytes.length;
    for (const table of reader.read(value)) {
      for (const name of table.names) keys.add(name);
      found += table.length;
    }
  }
  return [...keys];
}

function addKeys(keys: Set<string>, rows: readonly DataRow[]): Set<string> {
  for (const row of rows) for (const key of Object.keys(row)) keys.add(key);
  return keys;
}

const MAIL = ['from', 'to', 'subject', 'date', 'labels', 'text'] as const;

/** Opens a mailbox; a message is a row. */
export function openMbox(text: Peeked, options: OpenTableOptions): TableReader {
  const wanted = options.columns ?? MAIL;
  requireColumns(wanted, MAIL);
  const { maxLineBytes: maxMessageBytes, ...others } = lineOptions(options);
  const mails = readMbox(text.chunks, { ...others, ...(maxMessageBytes !== undefined && { maxMessageBytes }) });
  return { columns: wanted, tables: picked(mails as AsyncGenerator<LineChunk<object>> as Chunks, wanted) };
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

async function* prepend<T>(first: readonly T[], others: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* first;
  yield* others;
}

/** Rows with the requested cells only, in records without a prototype; all cells of JSON if none are named. */
async function* picked(
  chunks: Chunks,
  wanted: readonly string[] | undefined,
): AsyncGenerator<BlockTable, void, undefined> {
  for await (const { rows, lines } of chunks) {
    yield new RecordTable(
      rows.map((row) => pickCells(row, wanted)),
      lines,
    );
  }
}
