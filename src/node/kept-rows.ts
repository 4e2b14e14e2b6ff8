import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { BLOCK_BYTES, type BlockLayout } from '../data/blocks.ts';
import type { DataRow } from '../data/cells.ts';
import { type BlockTable, RecordTable } from '../data/column-table.ts';
import type { Piece } from './pool.ts';

/** Some rows of a piece: their bytes as read, or records if they were not read from a block. Plain data. */
export interface RowBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isRecords: boolean;
  /** The line of each row. */
  readonly lines: Float64Array<ArrayBuffer>;
}

/** Extracts rows of a table by their lines, which ascend. */
export function rowsOf(table: BlockTable, lines: Float64Array<ArrayBuffer>): RowBytes {
  const rows = new Uint32Array(lines.length);
  for (let k = 0, row = 0; k < rows.length; k++, row++) {
    while (table.line(row) !== lines[k]) row++;
    rows[k] = row;
  }
  const bytes = table.rowBytes?.(rows);
  if (bytes) return { bytes, isRecords: false, lines };
  const records = Array.from(rows, (row) => ({ ...table.record(row) })); // objects without a prototype cannot be serialized
  return { bytes: new Uint8Array(serialize(records)), isRecords: true, lines };
}

/** The memory limit of rows in bytes; further rows are written to a temporary file. */
export const MOST_KEPT_BYTES: number = 1 << 24;

/** The location of some rows: memory or the temporary file. */
interface Kept {
  readonly file: number;
  readonly layout: BlockLayout | undefined;
  readonly lines: readonly Float64Array[];
  readonly length: number;
  readonly place: Uint8Array<ArrayBuffer> | number;
}

/** Rows that are needed again after others have been read, in order. Call `close` when they are no longer needed. */
export class KeptRows {
  private readonly kept: Kept[] = [];
  private waiting: (Pick<RowBytes, 'bytes' | 'lines'> & Pick<Kept, 'file' | 'layout'>)[] = [];
  private waitingBytes = 0;
  private inMemory = 0;
  private readonly most: number;
  private spilled:
    | { readonly handle: Awaited<ReturnType<typeof open>>; readonly folder: string; size: number }
    | undefined;

  /** At most `most` bytes of rows are held in memory. */
  constructor(most: number = MOST_KEPT_BYTES) {
    this.most = most;
  }

  /** Adds rows of a piece. */
  async add(rows: RowBytes, { file, ...piece }: Piece): Promise<void> {
    const layout = rows.isRecords || !('layout' in piece) ? undefined : piece.layout;
    const [first] = this.waiting;
    if (first && (first.file !== file || first.layout !== layout || !layout)) await this.flush();
    this.waiting.push({ ...rows, file, layout });
    this.waitingBytes += rows.bytes.length;
    if (this.waitingBytes >= BLOCK_BYTES) await this.flush();
  }

  /** The size of all rows in bytes. */
  get bytes(): number {
    return this.kept.reduce((sum, { length }) => sum + length, this.waitingBytes);
  }

  /** All rows, as pieces. */
  async *pieces(): AsyncGenerator<Piece> {
    await this.flush();
    for (const [index, { file, layout, lines: parts, length, place }] of this.kept.entries()) {
      const bytes = typeof place === 'number' ? await this.readBack(place, length) : place.slice();
      const lines = joined(parts, (size) => new Float64Array(size));
      if (!layout) yield { index, file, tables: [new RecordTable(deserialize(bytes) as DataRow[], lines)] };
      else {
        const block = { index, bytes, line: lines[0], offset: 0, before: new Uint8Array(), lines };
        yield { index, file, layout, block };
      }
    }
  }

  async close(): Promise<void> {
    const { spilled } = this;
    this.spilled = undefined;
    this.kept.splice(0);
    await spilled?.handle.close();
    if (spilled) await rm(spilled.folder, { recursive: true, force: true });
  }

  /** Joins the pending rows into a block and stores it. */
  private async flush(): Promise<void> {
    const [first] = this.waiting;
    if (!first) return;
    const { file, layout } = first;
    const bytes = joined(
      this.waiting.map((own) => own.bytes),
      (size) => new Uint8Array(size),
    );
    const lines = this.waiting.map((own) => own.lines);
    this.waiting = [];
    this.waitingBytes = 0;
    const place = (await this.spill(bytes)) ?? bytes;
    if (place === bytes) this.inMemory += bytes.length;
    this.kept.push({ file, layout, lines, length: bytes.length, place });
  }

  /** Writes bytes to the temporary file and returns their position; undefined if they stay in memory. */
  private async spill(bytes: Uint8Array): Promise<number | undefined> {
    if (this.inMemory + bytes.length <= this.most) return undefined;
    try {
      this.spilled ??= await openTemporary();
      const { handle, size } = this.spilled;
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, size);
      if (bytesWritten < bytes.length) return undefined;
      this.spilled.size += bytes.length;
      return size;
    } catch {
      return undefined; // a missing, read-only or full folder
    }
  }

  private async readBack(place: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length);
    await this.spilled!.handle.read(bytes, 0, length, place);
    return bytes;
  }
}

/** A temporary file, unlinked at once if the system allows that, so that it disappears with the process. */
async function openTemporary() {
  const folder = await mkdtemp(join(tmpdir(), 'polya-'));
  const path = join(folder, 'rows');
  const handle = await open(path, 'wx+', 0o600);
  await rm(path).then(
    () => rmdir(folder),
    () => undefined,
  );
  return { handle, folder, size: 0 };
}

function joined<T extends Uint8Array | Float64Array>(parts: readonly T[], make: (size: number) => T): T {
  if (parts.length === 1) return parts[0];
  const all = make(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
