import type { DataRow } from '../data/cells.ts';
import { type BlockTable, RecordTable } from '../data/column-table.ts';
import { emptyRecord } from '../data/table.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import type { Slices } from './parquet-file.ts';
import { checkPages, type ReadPageHeader } from './parquet-pages.ts';
import type { OpenTableOptions } from './table-options.ts';
import { requireColumns, type TableReader } from './table-reader.ts';

/** A Parquet file is read group by group; larger groups than these would not fit into bounded memory. */
const MOST_GROUP_ROWS = 1 << 24;
const MOST_GROUP_BYTES = 2 ** 31;

/** Opens a Parquet file with hyparquet, which is loaded on demand. */
export async function openParquet(file: Slices, options: OpenTableOptions): Promise<TableReader> {
  try {
    return await openColumns(file, options);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function openColumns(file: Slices, options: OpenTableOptions): Promise<TableReader> {
  const { parquetMetadataAsync, parquetSchema, parquetScan, toJson } = await import('hyparquet');
  const { parquetHeader } = await import('hyparquet/src/column.js');
  const { compressors } = await import('hyparquet-compressors');
  const metadata = await understood(() => parquetMetadataAsync(file));
  const columns = await understood(async () => parquetSchema(metadata).children.map(({ element }) => element.name));
  const wanted = options.columns ?? columns;
  requireColumns(wanted, columns);
  const scan = await understood(() =>
    parquetScan({ file, metadata, compressors, columns: [...wanted], useOffsetIndex: false }),
  );
  const readGroup = async (rowStart: number, rowEnd: number) => {
    await understood(() => checkGroup(file, groupAt(metadata.row_groups, rowStart), wanted, parquetHeader));
    return understood(() => Promise.all(wanted.map((column) => scan.readColumn({ column, rowStart, rowEnd }))));
  };
  const cellOf = (value: unknown) => plain(value, toJson);
  const tables = readRows(file, scan.ranges, wanted, readGroup, cellOf, options);
  return { columns: wanted, tables, close: file.close };
}

/** A row group according to the metadata. */
interface RowGroup {
  readonly num_rows: bigint;
  readonly total_byte_size: bigint;
  readonly columns: readonly { readonly meta_data?: ColumnChunk | undefined }[];
}

interface ColumnChunk {
  readonly path_in_schema: readonly string[];
  readonly num_values: bigint;
  readonly total_compressed_size: bigint;
  readonly data_page_offset: bigint;
  readonly dictionary_page_offset?: bigint | undefined;
}

function groupAt(groups: readonly RowGroup[], row: number): RowGroup {
  let first = 0;
  return groups.find(({ num_rows: rows }) => row < (first += Number(rows)))!;
}

async function checkGroup(
  file: Slices,
  group: RowGroup,
  wanted: readonly string[],
  readHeader: ReadPageHeader,
): Promise<void> {
  const [rows, bytes] = [Number(group.num_rows), Number(group.total_byte_size)];
  if (!(rows <= MOST_GROUP_ROWS && bytes <= MOST_GROUP_BYTES)) {
    const sentence = `a row group has ${rows} rows and ${bytes} bytes; write groups of at most ${MOST_GROUP_ROWS} rows`;
    refuse('E_LIMIT', sentence, { limit: MOST_GROUP_ROWS, rows, bytes });
  }
  for (const { meta_data: chunk } of group.columns) {
    if (chunk === undefined || !wanted.includes(chunk.path_in_schema[0]!)) continue;
    const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset);
    const end = start + Number(chunk.total_compressed_size);
    if (!(start >= 0 && start <= end && end <= file.byteLength))
      refuse('E_FORMAT', 'a column extends beyond the Parquet file', {});
    checkPages(await file.slice(start, end), readHeader, Number(chunk.num_values), MOST_GROUP_ROWS);
  }
}

async function* readRows(
  file: Slices,
  ranges: readonly { readonly rowStart: number; readonly rowEnd: number }[],
  columns: readonly string[],
  readGroup: (start: number, end: number) => Promise<ArrayLike<unknown>[]>,
  cellOf: (value: unknown) => unknown,
  { batchRows = 4096, signal }: OpenTableOptions,
): AsyncGenerator<BlockTable, void, undefined> {
  try {
    for (const { rowStart, rowEnd } of ranges) {
      const cells = await readGroup(rowStart, rowEnd);
      for (let first = 0; first < rowEnd - rowStart; first += batchRows) {
        if (signal?.aborted) refuse('E_CANCELLED', 'reading was aborted by the caller', {}, signal.reason);
        const length = Math.min(batchRows, rowEnd - rowStart - first);
        const rows = Array.from({ length }, (_, i) => recordAt(columns, cells, first + i, cellOf));
        const lines = Float64Array.from(rows, (_, i) => rowStart + first + i + 1);
        yield new RecordTable(rows, lines);
      }
    }
  } finally {
    await file.close();
  }
}

function recordAt(
  columns: readonly string[],
  cells: readonly ArrayLike<unknown>[],
  i: number,
  cellOf: (value: unknown) => unknown,
): DataRow {
  const record = emptyRecord<unknown>();
  for (let j = 0; j < columns.length; j++) record[columns[j]!] = cellOf(cells[j]![i]);
  return record;
}

/** Values as in other rows: numbers, strings, booleans, dates, null; nested ones as in JSON. */
function plain(value: unknown, toJson: (value: unknown) => unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? toJson(value) : value;
}

async function understood<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    const reason = cause instanceof Error ? ` (${show(cause.message)})` : '';
    return refuse('E_FORMAT', `the Parquet file is damaged or not supported${reason}`, {}, cause);
  }
}
