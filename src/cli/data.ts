import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { type DataRow, numberOf } from '../data/cells.ts';
import type { BadRow } from '../data/faults.ts';
import { emptyRecord } from '../data/table.ts';
import { type OpenTable, openTable } from '../node/table.ts';
import type { Context } from './context.ts';
import { keepRejects, pairOf, refuseData, refuseNothing, requireColumn } from './data-problems.ts';
import type { reading } from './shared-options.ts';
import { texts } from './texts/index.ts';

/** A context of a command that reads data. */
export type Reading = Context<typeof reading>;

/** Some rows with the lines that they stand on. */
export interface RowChunk {
  readonly rows: DataRow[];
  readonly lines: Float64Array;
}

/** Data that are being read, of one file or several. */
export interface RowSource {
  /** What messages call them. */
  readonly name: string;
  /** The columns of the first file, where they are known before the rows. */
  readonly columns: readonly string[];
  readonly first: OpenTable;
  chunks(): AsyncGenerator<RowChunk>;
  /** The SHA-256 of all bytes, once they are read. */
  hash(): Promise<string>;
  /** Rows that were left out. */
  readonly rejected: number;
}

/** How many rows are held at once. */
const BATCH = 1024;

/** How the data of a command are opened. */
interface RowOptions {
  /** Whether data without rows are refused, which is the default. */
  readonly empty?: 'refuse' | 'allow';
  /** Whether the rows of stdin are given as soon as they are there, as on a terminal. */
  readonly live?: boolean;
}

/** Opens the data of a command; no name at all is stdin. */
export async function openRows(
  context: Reading,
  names: readonly string[],
  options: RowOptions = {},
): Promise<RowSource> {
  const sources = names.length === 0 ? ['-'] : names;
  const reader = new Rows(context, sources, options);
  await reader.open();
  return reader;
}

/** What messages call the data of a command. */
export const nameOf = (sources: readonly string[]): string =>
  sources.map((source) => (source === '-' ? 'stdin' : basename(source))).join(', ');

class Rows implements RowSource {
  readonly name: string;
  first!: OpenTable;
  rejected = 0;
  private readonly context: Reading;
  private readonly sources: readonly string[];
  private readonly empty: 'refuse' | 'allow';
  private readonly live: boolean;
  private readonly stdinHash = createHash('sha256');
  private readonly filters: readonly (readonly [string, string])[];

  constructor(context: Reading, sources: readonly string[], { empty = 'refuse', live = false }: RowOptions) {
    this.context = context;
    this.sources = sources;
    this.empty = empty;
    this.live = live || context.io.stdin.tty;
    this.name = nameOf(sources);
    this.filters = context.options.where.map((filter) => pairOf('--where', 'COLUMN=VALUE', filter));
  }

  get columns(): readonly string[] {
    return this.first.columns ?? [];
  }

  async open(): Promise<void> {
    this.first = await this.openOne(this.sources[0]);
    for (const [column] of this.filters) requireColumn(this.context, column, this.columns, this.name);
  }

  async *chunks(): AsyncGenerator<RowChunk> {
    const { maxRows = Number.POSITIVE_INFINITY } = this.context.options;
    let rows = 0;
    for (const [k, source] of this.sources.entries()) {
      const table = k === 0 ? this.first : await this.openOne(source);
      const rejects: BadRow[] = [];
      try {
        for await (const chunk of table.chunks()) {
          const kept = this.cut(this.filter(this.read(chunk)), maxRows - rows);
          rows += kept.rows.length;
          this.tell(table, rows);
          if (kept.rows.length > 0) yield kept;
          if (rows >= maxRows) break;
        }
        rejects.push(...table.rejected);
      } catch (error) {
        refuseData(this.context, source, error);
      } finally {
        await table.close();
      }
      this.rejected += rejects.length;
      if (rejects.length > 0) await keepRejects(this.context, source, rejects);
      if (rows >= maxRows) break;
    }
    this.context.progress.end();
    if (rows === 0 && (this.empty === 'refuse' || this.first.format === 'folder'))
      refuseNothing(this.context, this.name, this.filters.length > 0);
  }

  async hash(): Promise<string> {
    const { hashFiles } = await import('./hash-files.ts');
    const files = this.sources.filter((source) => source !== '-').map((source) => resolve(this.context.io.cwd, source));
    if (files.length === 0) return this.stdinHash.copy().digest('hex');
    return hashFiles(files, files.length === this.sources.length ? undefined : this.stdinHash.copy().digest('hex'));
  }

  private read({ rows, lines }: RowChunk): RowChunk {
    return this.context.options.decimal === 'comma' ? { rows: rows.map(withCommas), lines } : { rows, lines };
  }

  private filter({ rows, lines }: RowChunk): RowChunk {
    if (this.filters.length === 0) return { rows, lines };
    const places = [...rows.keys()].filter((i) =>
      this.filters.every(([name, value]) => String(rows[i][name] ?? '') === value),
    );
    return { rows: places.map((i) => rows[i]), lines: Float64Array.from(places, (i) => lines[i]) };
  }

  private cut({ rows, lines }: RowChunk, most: number): RowChunk {
    return rows.length <= most ? { rows, lines } : { rows: rows.slice(0, most), lines: lines.slice(0, most) };
  }

  private tell({ bytesRead, bytesTotal }: OpenTable, rows: number): void {
    const share = bytesTotal ? Math.min(1, bytesRead / bytesTotal) : undefined;
    this.context.progress.step(texts.phases.reading(), { share, rows, bytes: bytesRead });
  }

  private async openOne(source: string): Promise<OpenTable> {
    const { io, options } = this.context;
    const { format, encoding, delimiter, header, maxBadRows } = options;
    const given = {
      ...(format && { format }),
      ...(delimiter && { delimiter: delimiter === '\\t' || delimiter === 'tab' ? '\t' : delimiter }),
      encoding,
      header: header === 'sniff' ? header : header === 'yes',
      maxBadRows,
      batchRows: BATCH,
      empty: this.empty,
    } as const;
    try {
      if (source !== '-') return await openTable(resolve(io.cwd, source), given);
      return await openTable(this.hashed(io.stdin.bytes()), { ...given, name: 'stdin', live: this.live });
    } catch (error) {
      return refuseData(this.context, source, error);
    }
  }

  private async *hashed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.stdinHash.update(chunk);
      yield chunk;
    }
  }
}

/** A row whose texts with a decimal comma are numbers, for a model that was fitted to decimal points; other cells are as they were. */
function withCommas(row: DataRow): DataRow {
  const read = emptyRecord<unknown>();
  for (const [name, cell] of Object.entries(row)) {
    const number = typeof cell === 'string' && /[,.]/.test(cell) ? numberOf(cell, 'comma') : Number.NaN;
    read[name] = Number.isNaN(number) ? cell : number;
  }
  return read;
}

/** All rows in memory. */
export async function readAll(source: RowSource): Promise<{ rows: DataRow[]; lines: number[] }> {
  const all: { rows: DataRow[]; lines: number[] } = { rows: [], lines: [] };
  for await (const { rows, lines } of source.chunks()) {
    for (const row of rows) all.rows.push(row);
    for (const line of lines) all.lines.push(line);
  }
  return all;
}
