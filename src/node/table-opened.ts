import type { Block, BlockLayout } from '../data/blocks.ts';
import type { DataRow } from '../data/cells.ts';
import type { BlockTable } from '../data/column-table.ts';
import { encodingOf, type TextEncoding } from '../data/encoding.ts';
import { type BadRow, wholeOption } from '../data/faults.ts';
import { inFile } from '../data/file-errors.ts';
import { CR, LF } from '../data/line-ends.ts';
import { CHUNK_ROWS } from '../data/line-rows.ts';
import { refuse, show } from '../errors.ts';
import { TableBytes } from './table-bytes.ts';
import { type Detected, detect } from './table-detect.ts';
import {
  type OpenTable,
  type OpenTableOptions,
  type RowChunk,
  type SheetFacts,
  type TableFormat,
  type TableSource,
  tableFormats,
} from './table-options.ts';
import type { TableReader } from './table-reader.ts';

/** An open table: its properties, its counters, and its rows, with the file name in every error. */
export class OpenedTable implements OpenTable {
  readonly rejected: BadRow[] = [];
  rowsRead = 0;
  private readonly bytes: TableBytes;
  private readonly options: OpenTableOptions;
  private found: Detected | undefined;
  private reader: TableReader | undefined;
  private readonly given: TextEncoding;

  constructor(source: TableSource, options: OpenTableOptions) {
    checkFormat(options.format);
    this.given = encodingOf(options.encoding ?? 'utf-8');
    const live = options.live ?? (source === '-' && process.stdin.isTTY === true);
    const onBadRow = (row: BadRow) => {
      this.rejected.push(row);
      options.onBadRow?.(row);
    };
    this.options = { ...options, encoding: this.given, live, onBadRow };
    this.bytes = new TableBytes(source, options, () => this.reportProgress());
  }

  get name(): string {
    return this.bytes.name;
  }

  get format(): TableFormat {
    return this.found!.format;
  }

  get formatReason(): string {
    return this.found!.reason;
  }

  get encoding(): TextEncoding {
    return this.found?.encoding ?? this.given;
  }

  get compressed(): boolean {
    return this.found!.compressed;
  }

  get delimiter(): string | undefined {
    return this.found!.reader.delimiter;
  }

  get sheet(): SheetFacts | undefined {
    return this.found!.reader.sheet;
  }

  get header(): boolean | undefined {
    return this.found!.reader.header;
  }

  get renamed(): readonly string[] | undefined {
    return this.found!.reader.renamed;
  }

  get columns(): readonly string[] {
    return this.found!.reader.columns;
  }

  get bytesRead(): number {
    return this.bytes.bytesRead;
  }

  get bytesTotal(): number | undefined {
    return this.found?.reader.bytesTotal ?? this.bytes.bytesTotal;
  }

  /** Reads the beginning of the source, which determines everything else. */
  async open(): Promise<void> {
    try {
      this.found = await detect(this.bytes, this.options);
      this.reader = this.found.reader;
    } catch (error) {
      await this.bytes.close();
      throw this.named(error);
    }
  }

  get layout(): BlockLayout | undefined {
    return this.found!.reader.split?.layout;
  }

  async *blocks(): AsyncGenerator<Block, void, undefined> {
    const { split } = this.takeReader();
    if (split === undefined) refuse('E_CONFLICT', `${show(this.name)} has no blocks; read its tables`, {});
    let empty = true;
    for await (const block of this.guarded(split.blocks)) {
      empty &&= block.bytes.every((byte) => byte === LF || byte === CR); // blank lines are not rows
      yield block;
    }
    if (empty) this.requireRows();
  }

  release(block: Pick<Block, 'bytes'>): void {
    this.found?.reader.split?.release(block);
  }

  async *tables(): AsyncGenerator<BlockTable, void, undefined> {
    for await (const table of this.guarded(this.takeReader().tables)) {
      this.addRows(table.length);
      yield table;
    }
    this.requireRows();
  }

  async *chunks(): AsyncGenerator<RowChunk, void, undefined> {
    for await (const chunk of this.guarded(chunksOf(this.takeReader().tables, this.options))) {
      this.addRows(chunk.rows.length);
      yield chunk;
    }
    this.requireRows();
  }

  private addRows(rows: number): void {
    this.rowsRead += rows;
    this.reportProgress();
  }

  private requireRows(): void {
    if (this.rowsRead === 0 && this.options.empty !== 'allow') this.refuseEmpty();
  }

  private takeReader(): TableReader {
    const { reader } = this;
    this.reader = undefined;
    if (reader !== undefined) return reader;
    return refuse('E_CONFLICT', `${show(this.name)} has been read; open it again`, { file: this.name });
  }

  /** The same, with the file name in every error; closes the file at the end. */
  private async *guarded<T>(parts: AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined> {
    try {
      yield* parts;
    } catch (error) {
      throw this.named(error);
    } finally {
      await this.close();
    }
  }

  async *batches(): AsyncGenerator<DataRow[], void, undefined> {
    for await (const { rows } of this.chunks()) yield rows;
  }

  async close(): Promise<void> {
    this.reader = undefined;
    await this.found?.reader.close?.();
    await this.bytes.close();
  }

  private refuseEmpty(): never {
    const reason = this.rejected.length > 0 ? 'has no good row' : this.bytesRead === 0 ? 'is empty' : 'has no rows';
    refuse('E_EMPTY_INPUT', `${this.bytes.path === undefined ? this.name : show(this.name)} ${reason}`, {
      file: this.name,
      rows: 0,
      badRows: this.rejected.length,
    });
  }

  private reportProgress(): void {
    const { bytesRead, bytesTotal, rowsRead: rows } = this;
    this.options.onProgress?.({ bytesRead, rows, ...(bytesTotal !== undefined && { bytesTotal }) });
  }

  private named(error: unknown): unknown {
    return inFile(error, this.name, this.bytes.path !== undefined, this.encoding !== 'utf-8');
  }
}

function checkFormat(format: TableFormat | undefined): void {
  if (format === undefined || tableFormats.includes(format)) return;
  const sentence = `format ${show(format)} is not known; known are ${tableFormats.join(', ')}`;
  refuse('E_PARAM', sentence, { option: 'format', known: [...tableFormats] });
}

/** The rows of tables as records, with their lines. */
async function* chunksOf(tables: AsyncIterable<BlockTable>, { batchRows }: OpenTableOptions): AsyncGenerator<RowChunk> {
  const most = wholeOption('batchRows', batchRows, CHUNK_ROWS, 1);
  for await (const table of tables) {
    const rows = table.records();
    for (let from = 0; from < rows.length; from += most) {
      const some = rows.slice(from, from + most);
      yield { rows: some, lines: Float64Array.from(some, (_, i) => table.line(from + i)) };
    }
  }
}
