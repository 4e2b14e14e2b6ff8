import { basename, resolve } from 'node:path';
import { BlockReader } from '../data/block-reader.ts';
import type { BlockLayout } from '../data/blocks.ts';
import type { BlockTable } from '../data/column-table.ts';
import { MemoryTable } from '../data/memory-table.ts';
import { dataFiles, isRemote } from '../node/data-files.ts';
import type { Piece } from '../node/pool.ts';
import { type OpenTable, openTable } from '../node/table.ts';
import { placesIn, SAMPLE_PLACES } from '../node/table-sample.ts';
import { DataHash } from './data-hash.ts';
import { noteOpened, pairOf, refuseData, refuseEmpty, requireColumn, saveRejects } from './data-problems.ts';
import type { Context } from './declare.ts';
import { silent } from './progress.ts';
import type { reading } from './shared-options.ts';
import type { Place } from './work/cell-problems.ts';
import { canReadTwice, firstRows, type Sampled, sampleOf } from './work/head.ts';
import { type RowRules, takeRows } from './work/table-rows.ts';

/** The context of a command that reads data. */
export type Reading = Context<typeof reading>;

/** With more files, messages name only the first. */
const MOST_NAMES = 5;

/** How many rows are read at a time. */
const BATCH = 1024;

/** How the data of a command are opened. */
interface RowOptions {
  /** Whether data without rows is refused (the default). */
  readonly empty?: 'refuse' | 'allow';
  /** Whether rows of stdin are passed on as soon as they arrive, as on a terminal. */
  readonly live?: boolean;
  /** Whether the bytes are hashed as they are read, for `hash`; the default. */
  readonly hashed?: boolean;
  /** Whether the data was read before, so that skipped rows were already reported. */
  readonly again?: boolean;
  /** Downloaded files, which are removed when the command ends. */
  readonly fetched?: ReadonlySet<string>;
}

/** Opens the data of a command; no name at all is stdin. */
export async function openRows(
  context: Reading,
  names: readonly string[],
  options: RowOptions = {},
): Promise<RowSource> {
  const sources: string[] = [];
  const fetched = new Set<string>();
  for (const name of names.length === 0 ? ['-'] : names) {
    const files = await filesOf(context, name);
    sources.push(...files);
    if (isRemote(name)) for (const file of files) fetched.add(file);
  }
  const reader = new RowSource(context, sources, { fetched, ...options });
  await reader.open();
  return reader;
}

/** The files that a data argument stands for; URLs are downloaded. */
async function filesOf(context: Reading, name: string): Promise<readonly string[]> {
  const { io, progress, temporary, options } = context;
  if (name === '-' || options.format === 'folder') return [name];
  const onProgress = (bytes: number, total: number | undefined) =>
    progress.step('fetching', { bytes, share: total ? Math.min(1, bytes / total) : undefined });
  try {
    return await dataFiles(name, { cwd: io.cwd, environment: io.env, temporary, onProgress });
  } catch (error) {
    return refuseData(context, name, error);
  }
}

/** The name of the data in messages. */
function nameOf(sources: readonly string[]): string {
  const names = sources.map((source) => (source === '-' ? 'stdin' : basename(source)));
  return names.length <= MOST_NAMES ? names.join(', ') : `${names[0]} and ${names.length - 1} more files`;
}

/** The data of a command: one file or several. */
export class RowSource {
  /** The name in messages. */
  readonly name: string;
  first!: OpenTable;
  /** How many rows were skipped. */
  rejected = 0;
  /** How much was read, from 0 to 1; undefined if unknown. */
  share: number | undefined = 0;
  private readonly context: Reading;
  private readonly sources: readonly string[];
  private readonly options: RowOptions & Required<Pick<RowOptions, 'empty'>>;
  private readonly stdinHash = new DataHash();
  /** The bytes of the files as far as they were read, if all were read to their ends. */
  private readonly hashed = { hash: new DataHash(), total: 0, complete: false };
  private readonly filters: readonly (readonly [string, string])[];

  constructor(context: Reading, sources: readonly string[], options: RowOptions) {
    this.context = context;
    this.sources = sources;
    this.options = { empty: 'refuse', hashed: true, ...options };
    this.name = nameOf(sources);
    this.filters = context.options.where.map((filter) => pairOf('--where', 'COLUMN=VALUE', filter));
  }

  /** Opens the same data again; undefined for stdin. */
  get again(): (() => Promise<RowSource>) | undefined {
    if (this.sources.includes('-')) return undefined;
    return () => openRows(this.context, this.sources, { ...this.options, again: true, hashed: false });
  }

  /** The size of the data, if it is known before reading. */
  get bytesTotal(): number | undefined {
    return this.sources.length > 1 || this.first.compressed ? undefined : this.first.bytesTotal;
  }

  /** The size of the files read to the end; for stdin, the bytes read so far. */
  get bytes(): number {
    return Number.isNaN(this.hashed.total) ? this.first.bytesRead : this.hashed.total;
  }

  /** Where its cells are, for messages. */
  get place(): Pick<Place, 'file' | 'letters'> {
    return { file: this.name, ...(this.sources.length === 1 && { letters: this.first.sheet?.letters }) };
  }

  /** Which rows are used, and how their cells are read. */
  get rules(): RowRules {
    return { filters: this.filters, commas: this.context.options.decimal === 'comma', names: {} };
  }

  /** The columns of the first file, if they are known before the rows. */
  get columns(): readonly string[] {
    return this.first.columns ?? [];
  }

  /** The column with the names of the files, in a folder of texts: it is no feature unless it is named. */
  get fileColumn(): string | undefined {
    return this.first.format === 'folder' ? 'file' : undefined;
  }

  /** Whether blocks can be read in parallel: all rows are read, and none may be malformed. */
  private get inBlocks(): boolean {
    const { maxRows, maxBadRows } = this.context.options;
    return maxRows === undefined && maxBadRows === 0;
  }

  /** Opens the first file. */
  async open(): Promise<void> {
    this.first = await this.openOne(this.sources[0]);
    for (const [column] of this.filters) requireColumn(this.context, column, this.columns, this.name);
  }

  /** The rows, or those of some pieces, as tables, read in this thread; each is valid until the next one is read. */
  async *tables(pieces: AsyncIterable<Piece> = this.pieces()): AsyncGenerator<BlockTable> {
    let reader: { readonly layout: BlockLayout; readonly blocks: BlockReader } | undefined;
    let rows = 0;
    for await (const piece of pieces) {
      if ('block' in piece && reader?.layout !== piece.layout)
        reader = { layout: piece.layout, blocks: new BlockReader(piece.layout) };
      try {
        for (const whole of 'block' in piece ? reader!.blocks.read(piece.block) : piece.tables) {
          const table = takeRows(whole, this.rules);
          rows += table.length;
          if (table.length > 0) yield table;
        }
      } catch (error) {
        this.refuse(error, piece.file);
      }
      if ('block' in piece) piece.release?.();
    }
    this.requireRows(rows);
  }

  /** The rows as blocks or tables, before `--where` is applied. */
  async *pieces(): AsyncGenerator<Piece> {
    const { maxRows = Number.POSITIVE_INFINITY } = this.context.options;
    let [index, rows] = [0, 0];
    for await (const [table, number] of this.files()) {
      if (this.inBlocks && table.layout) {
        const { layout } = table;
        for await (const block of this.refusing(number, table.blocks())) {
          this.reportProgress(table, number);
          const release = (bytes = block.bytes) => table.release({ bytes });
          yield { index: index++, file: number, block, layout, release };
        }
        continue;
      }
      for await (const whole of this.refusing(number, table.tables())) {
        const own = takeRows(whole, this.rules); // --max-rows counts the rows that pass the filters
        const most = Math.min(own.length, maxRows - rows);
        rows += most;
        this.reportProgress(table, number, rows);
        yield { index: index++, file: number, tables: [most < own.length ? own.take(firstRows(own, most)) : own] };
        if (rows < maxRows) continue;
        await this.endFile(table, number);
        return;
      }
    }
  }

  /** Rows from all over the data, except the first ones; none if it can be read only once. */
  async sample(): Promise<Sampled[]> {
    const { context, sources } = this;
    const paths = sources.map((source) => resolve(context.io.cwd, source));
    if (sources.includes('-') || !(await canReadTwice(paths))) return [];
    const quiet = { ...context, progress: silent };
    const open = (names: readonly string[]) => openRows(quiet, names, { empty: 'allow', again: true });
    const found: Sampled[] = [];
    for (const [k, path] of paths.entries()) {
      const { first } = await open([sources[k]]);
      await first.close();
      const { layout, compressed } = first;
      if (!this.inBlocks || !layout || compressed || layout.file.transcoded)
        return sampleOf((await open(sources)).pieces());
      found.push(...(await placesIn(path, layout, Math.ceil(SAMPLE_PLACES / paths.length))));
    }
    return found;
  }

  /** Refuses data without rows, or without any that pass the filters. */
  requireRows(rows: number): void {
    if (rows === 0 && (this.options.empty === 'refuse' || this.first.format === 'folder'))
      refuseEmpty(this.context, this.name, this.filters.length > 0);
  }

  /** Reports an error of a file with its name and suggestions. */
  refuse(error: unknown, number: number): never {
    refuseData(this.context, this.sources[number], error);
  }

  /** Reports errors of a file with its name. */
  private async *refusing<T>(number: number, items: AsyncGenerator<T>): AsyncGenerator<T> {
    try {
      yield* items;
    } catch (error) {
      this.refuse(error, number);
    }
  }

  /** The files one after the other. */
  private async *files(): AsyncGenerator<readonly [table: OpenTable, number: number]> {
    for (const [k, source] of this.sources.entries()) {
      const table = k === 0 ? this.first : await this.openOne(source);
      try {
        yield [table, k];
      } finally {
        await table.close();
      }
      await this.endFile(table, k);
    }
  }

  /** Updates hash and rejected rows after the last row of a file. */
  private async endFile(table: OpenTable, number: number): Promise<void> {
    this.hashed.total += table.bytesTotal ?? Number.NaN;
    this.hashed.complete = number === this.sources.length - 1 && this.hashed.hash.bytes === this.hashed.total;
    const { rejected } = table;
    this.rejected += rejected.length;
    if (rejected.length === 0 || this.options.again) return;
    const source = this.sources[number];
    await saveRejects(this.context, this.options.fetched?.has(source) ? basename(source) : source, rejected);
  }

  /** The hash of all bytes, once they are read. */
  async hash(): Promise<string> {
    if (this.hashed.complete) return this.hashed.hash.digest();
    const files = this.sources.filter((source) => source !== '-').map((source) => resolve(this.context.io.cwd, source));
    if (files.length === 0) return this.stdinHash.digest();
    const hash = new DataHash();
    for (const file of files) await hash.addFile(file);
    if (files.length < this.sources.length) hash.addText(this.stdinHash.digest());
    return hash.digest();
  }

  private reportProgress({ bytesRead, bytesTotal }: OpenTable, file: number, rows?: number): void {
    this.share = bytesTotal ? (file + Math.min(1, bytesRead / bytesTotal)) / this.sources.length : undefined;
    this.context.progress.step('reading', { share: this.share, rows, bytes: bytesRead });
  }

  private async openOne(source: string): Promise<OpenTable> {
    const { io, options } = this.context;
    const { format, encoding, delimiter, sheet, header, maxBadRows } = options;
    const given = {
      ...(format && { format }),
      ...(delimiter && { delimiter: delimiter === '\\t' || delimiter === 'tab' ? '\t' : delimiter }),
      ...(sheet && { sheet }),
      encoding,
      header: header === 'sniff' ? header : header === 'yes',
      duplicates: 'number',
      maxBadRows,
      batchRows: BATCH,
      empty: this.options.empty,
    } as const;
    const isPipe = source === '-';
    const hash = isPipe ? this.stdinHash : this.hashed.hash; // files are read in order
    const onBytes = (bytes: Uint8Array) => void (this.options.hashed && hash.update(bytes));
    try {
      const table = isPipe
        ? await openTable(io.stdin.bytes(), {
            ...given,
            name: 'stdin',
            live: this.options.live || io.stdin.tty,
            onBytes,
          })
        : await openTable(resolve(io.cwd, source), { ...given, onBytes });
      if (!this.options.again) noteOpened(this.context, table);
      return table;
    } catch (error) {
      return refuseData(this.context, source, error);
    }
  }
}

/** All rows in memory. */
export async function readAll(tables: AsyncIterable<BlockTable>): Promise<BlockTable> {
  const all = new MemoryTable();
  for await (const table of tables) all.add(table);
  return all;
}
