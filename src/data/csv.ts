import { type CsvOptions, checkCsvOptions } from './csv-options.ts';
import { CsvReader } from './csv-reader.ts';
import { wholeOption } from './faults.ts';
import { CHUNK_BYTES, CHUNK_ROWS } from './line-rows.ts';
import { chunksOf, chunksOfMemory, type MemorySource, type Source } from './source.ts';
import type { Table } from './table.ts';

/**
 * Reads a table in chunks, in memory that depends on the longest row and not on the length of the source. Returns at
 * least one chunk, so an empty table has its columns. The dialect is RFC 4180 with these decisions:
 *
 * - CR, LF and CR LF end a row, in any mixture. Empty lines are skipped; a row of one empty cell is written `""`. A
 * UTF-8
 *   byte order mark is dropped.
 * - A quote that does not begin its cell is an ordinary character. Blanks between a closing quote and the delimiter are
 *   dropped; other text there is `E_FORMAT`.
 * - All rows are as long as the first; another length is `E_FORMAT`. Invalid UTF-8, UTF-16 and NUL are `E_ENCODING`.
 * - With `maxBadRows` such rows are skipped and passed to `onBadRow`. If quotes are wrong the bad row ends with its
 *   first line. A bad header is always an error.
 */
export async function* readCsv(source: Source, options: CsvOptions = {}): AsyncGenerator<Table, void, undefined> {
  const reader = csvReader(options);
  yield* reader.readAll(chunksOf(source, options.signal));
}

/** The reader behind `readCsv`. */
export function csvReader(options: CsvOptions): CsvReader {
  checkCsvOptions('readCsv', options);
  return new CsvReader(options, wholeOption('chunkRows', options.chunkRows, CHUNK_ROWS, 1), CHUNK_BYTES);
}

/** Reads a table that is in memory, as one; see `readCsv`. */
export function parseCsv(source: MemorySource, options: CsvOptions = {}): Table {
  checkCsvOptions('parseCsv', options);
  const reader = new CsvReader({ ...options, live: false }, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  for (const chunk of chunksOfMemory(source)) reader.push(chunk).next(); // one table, so nothing is returned before the end
  return reader.end().next().value!;
}
