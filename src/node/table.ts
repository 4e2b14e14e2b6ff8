import { requireOptions } from '../data/arguments.ts';
import type { DataRow } from '../data/cells.ts';
import type { BadRow } from '../data/faults.ts';
import { OpenedTable } from './table-opened.ts';
import type { OpenTable, OpenTableOptions, TableFacts, TableSource } from './table-options.ts';
import { tableOptions } from './table-options.ts';

export type { BlockTable, ColumnNumbers, ColumnTable, TableColumn } from '../data/column-table.ts';
export {
  type OpenTable,
  type OpenTableOptions,
  type RowChunk,
  type SheetFacts,
  type TableFacts,
  type TableFormat,
  type TableProgress,
  type TableSource,
  tableFormats,
} from './table-options.ts';

/** A table that was read whole, with rows of the type that the caller has named. */
export interface ReadTable<Row extends object = DataRow> extends TableFacts {
  readonly rows: Row[];
  /** For each row the line on which it begins; Parquet and folders count rows instead. */
  readonly lines: Float64Array;
  readonly bytesRead: number;
  /** The rows that were skipped. */
  readonly rejected: readonly BadRow[];
}

/**
 * Opens a table or a collection of texts for reading in bounded memory. Format, gzip, delimiter and header are detected
 * from the content unless given. Errors have the file, the line, the column and an excerpt in their details.
 */
export async function openTable(source: TableSource, options: OpenTableOptions = {}): Promise<OpenTable> {
  requireOptions('openTable', tableOptions, options);
  const table = new OpenedTable(source, options);
  await table.open();
  return table;
}

/** Reads a table whole. `readTable<Row>(file)` names the type of its rows; cells are not checked against it. */
export async function readTable<Row extends object = DataRow>(
  source: TableSource,
  options: OpenTableOptions = {},
): Promise<ReadTable<Row>> {
  const table = await openTable(source, options);
  const rows: Row[] = [];
  const lines: number[] = [];
  for await (const chunk of table.chunks()) {
    for (const row of chunk.rows) rows.push(row as Row);
    for (const line of chunk.lines) lines.push(line);
  }
  const { bytesRead, rejected } = table;
  return { ...factsOf(table), rows, lines: Float64Array.from(lines), bytesRead, rejected };
}

/** The properties of an open table, as plain data. */
export function factsOf(table: TableFacts): TableFacts {
  const { name, format, formatReason, encoding, compressed, delimiter, sheet, header, columns } = table;
  const own = { ...(delimiter && { delimiter }), ...(sheet && { sheet }), ...(header !== undefined && { header }) };
  return { name, format, formatReason, encoding, compressed, ...own, columns };
}
