import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PolyaError, refuse, show } from '../errors.ts';
import { type TableFormat, tableFormats } from '../node/table.ts';
import type { Limits } from './http/limits.ts';
import type { StoredData } from './jobs/task.ts';

/** A data set that a client has uploaded. */
export interface Dataset extends StoredData {
  readonly id: string;
  readonly bytes: number;
}

/** Uploaded data sets, as files of a folder that is made for them and goes with the process; the oldest make room. */
export class Datasets {
  private readonly limits: Limits;
  private readonly sets = new Map<string, Dataset>();
  private folder: Promise<string> | undefined;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Writes an upload down. Its name is for messages alone. */
  async add(source: Readable, name: string, format?: string): Promise<Dataset> {
    if (format !== undefined && (format === 'folder' || !(tableFormats as readonly string[]).includes(format))) {
      refuse('E_BAD_REQUEST', `there is no format ${show(format)}; leave it out to have it detected`, {
        pointer: '/format',
      });
    }
    this.folder ??= mkdtemp(join(tmpdir(), 'polya-datasets-'));
    const id = `d-${randomBytes(9).toString('hex')}`;
    const path = join(await this.folder, id);
    const bytes = await writeDown(source, path, this.limits.uploadBytes).catch(async (error: unknown) => {
      await rm(path, { force: true });
      throw storeError(error);
    });
    const set: Dataset = {
      id,
      path,
      bytes,
      name: name.slice(0, 100) || 'upload',
      format: format as TableFormat | undefined,
    };
    this.sets.set(id, set);
    await this.makeRoom();
    return set;
  }

  get(id: string): Dataset {
    return this.sets.get(id) ?? refuse('E_NOT_FOUND', `there is no data set ${show(id)}; upload it first`, {});
  }

  /** Removes all of them. */
  async close(): Promise<void> {
    this.sets.clear();
    if (this.folder) await rm(await this.folder, { recursive: true, force: true });
  }

  private async makeRoom(): Promise<void> {
    const { datasets, datasetBytes } = this.limits;
    for (const [id, { path }] of this.sets) {
      const total = [...this.sets.values()].reduce((sum, { bytes }) => sum + bytes, 0);
      if (this.sets.size <= datasets && total <= datasetBytes) return;
      this.sets.delete(id);
      await rm(path, { force: true });
    }
  }
}

/** Writes a stream to a file; answers how long it was. */
async function writeDown(source: Readable, path: string, limit: number): Promise<number> {
  let bytes = 0;
  async function* counted(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > limit) refuse('E_TOO_LARGE', `the data are larger than ${limit} bytes`, { limit });
      yield piece;
    }
  }
  await pipeline(source, counted, createWriteStream(path, { mode: 0o600 }));
  return bytes > 0 ? bytes : refuse('E_EMPTY_INPUT', 'the data are empty', { rows: 0 });
}

function storeError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') return new PolyaError('E_DISK_FULL', 'there is no space for the data', {}, error);
  return error;
}
