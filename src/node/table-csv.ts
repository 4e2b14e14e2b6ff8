import { readCsv } from '../data/csv.ts';
import { SAMPLE_BYTES } from '../data/csv-delimiter.ts';
import type { CsvOptions } from '../data/csv-options.ts';
import { recordsOf, type Table } from '../data/table.ts';
import type { Peeked } from './peek.ts';
import { sniffHeader } from './table-header.ts';
import type { OpenTableOptions, RowChunk } from './table-options.ts';
import { type RowReader, requireColumns } from './table-reader.ts';

/** Opens a table with delimiters and reads its first rows, so that the names of its columns are known. */
export async function openCsv(text: Peeked, format: 'csv' | 'tsv', options: OpenTableOptions): Promise<RowReader> {
  const delimiter = options.delimiter ?? (format === 'tsv' ? '\t' : undefined);
  const { header: asked = 'sniff' } = options;
  const whole = text.whole && text.head.length <= SAMPLE_BYTES;
  const header = asked === 'sniff' ? sniffHeader(text.head.subarray(0, SAMPLE_BYTES), whole, delimiter) : asked;
  const tables = readCsv(text.chunks, csvOptions(options, delimiter, header));
  const first = (await tables.next()).value!; // at least one table comes
  const wanted = options.columns ?? first.columns;
  requireColumns(wanted, first.columns);
  return {
    columns: wanted,
    delimiter: first.delimiter,
    header: header === true,
    chunks: chunksFrom(first, tables, wanted),
  };
}

function csvOptions(
  options: OpenTableOptions,
  delimiter: string | undefined,
  header: boolean | readonly string[],
): CsvOptions {
  const { duplicates, maxRowBytes, maxBadRows, onBadRow, batchRows, live } = options;
  return {
    header,
    ...(delimiter !== undefined && { delimiter }),
    ...(duplicates !== undefined && { duplicates }),
    ...(maxRowBytes !== undefined && { maxRowBytes, maxCellBytes: maxRowBytes }),
    ...(maxBadRows !== undefined && { maxBadRows }),
    ...(onBadRow !== undefined && { onBadRow }),
    ...(batchRows !== undefined && { chunkRows: batchRows }),
    ...(live !== undefined && { live }),
  };
}

async function* chunksFrom(
  first: Table,
  others: AsyncGenerator<Table, void, undefined>,
  wanted: readonly string[],
): AsyncGenerator<RowChunk, void, undefined> {
  if (first.rows > 0) yield { rows: recordsOf(first, wanted), lines: first.lines };
  for await (const table of others) yield { rows: recordsOf(table, wanted), lines: table.lines };
}
