import { type BlockTable, RecordTable } from '../data/column-table.ts';
import { csvReader } from '../data/csv.ts';
import { SAMPLE_BYTES } from '../data/csv-delimiter.ts';
import { type CsvOptions, limitsOf } from '../data/csv-options.ts';
import type { CsvReader } from '../data/csv-reader.ts';
import { recordsOf } from '../data/table.ts';
import type { Peeked } from './peek.ts';
import { cuttingKernels, splitTable, type TextFile, tablesOf } from './table-blocks.ts';
import { sniffHeader } from './table-header.ts';
import type { OpenTableOptions } from './table-options.ts';
import { requireColumns, type TableReader } from './table-reader.ts';

/** Opens a table with delimiters and reads its header. */
export async function openCsv(
  text: Peeked,
  format: 'csv' | 'tsv',
  file: TextFile,
  options: OpenTableOptions,
): Promise<TableReader> {
  const given = options.delimiter ?? (format === 'tsv' ? '\t' : undefined);
  const { header: asked = 'sniff' } = options;
  const whole = text.whole && text.head.length <= SAMPLE_BYTES;
  const header = asked === 'sniff' ? sniffHeader(text.head.subarray(0, SAMPLE_BYTES), whole, given) : asked;
  const csv = csvOptions(options, given, header);
  const reader = csvReader(csv);
  for (let last = false; !reader.begin(last); ) {
    const { done, value } = await text.chunks.next();
    if (done) last = true;
    else reader.cursor.window.push(value);
  }
  const { columns = [], delimiter = ',', cursor, renamed } = reader;
  requireColumns(options.columns ?? columns, columns);
  const wanted = options.columns ?? columns;
  const facts = { columns: wanted, delimiter, header: header === true, renamed };
  const kernels = cuttingKernels(options);
  if (kernels === undefined) return { ...facts, tables: readRows(reader, text.chunks, wanted) };
  const { maxRowBytes } = options;
  const layout = { format, columns, wanted: options.columns, delimiter, maxRowBytes, file };
  const split = splitTable(kernels, layout, cursor, text.chunks, limitsOf(csv).maxRowBytes, options);
  return { ...facts, split, tables: tablesOf(split) };
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

/** The remaining rows, in order. */
async function* readRows(
  reader: CsvReader,
  pieces: AsyncIterable<Uint8Array>,
  wanted: readonly string[],
): AsyncGenerator<BlockTable, void, undefined> {
  for await (const table of reader.readAll(pieces)) {
    if (table.rows > 0) yield new RecordTable(recordsOf(table, wanted), table.lines);
  }
}
