import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import { checksum } from './frames.ts';
import type { StoredFile } from './records.ts';

/** Error codes of a full disk. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/** Why something could not be written: the disk is full, or writing failed. The message contains no path. */
export function writeFailure(cause: unknown): PolyaError {
  const { code } = cause as { code?: unknown };
  return FULL.has(code)
    ? new PolyaError('E_DISK_FULL', 'the disk of the store is full; free some space, and learning resumes', {}, cause)
    : new PolyaError('E_IO', 'writing to the store failed', {}, cause);
}

/** Syncs the entries of a folder to stable storage. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Bytes of a file that are read back at once. */
const PIECE = 2 ** 18;

/** The snapshots of all models: a folder for each, with versions as model files that every command of Pólya reads. */
export class ModelFiles {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = join(folder, 'models');
  }

  /**
   * Writes a version, given in parts, and reads it back: a temporary file is synced and renamed, then the folder is synced. Two files of
   * one version have different names.
   */
  async write(model: string, version: number, parts: readonly Uint8Array[]): Promise<StoredFile> {
    const folder = this.of(model);
    const file = `${version}-${randomBytes(4).toString('hex')}.polya`;
    const draft = join(folder, `.${file}.draft`);
    const expected = await sumOf(parts);
    try {
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(this.folder);
      const handle = await open(draft, 'w', 0o600);
      try {
        for (const part of parts) await handle.writeFile(part);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, join(folder, file));
      await syncFolder(folder);
    } catch (cause) {
      await rm(draft, { force: true });
      throw writeFailure(cause);
    }
    const written = createReadStream(join(folder, file), { highWaterMark: PIECE });
    const found = await sumOf(written).catch((cause) => refuseFile(model, version, UNREADABLE, cause));
    if (found.bytes !== expected.bytes || found.sum !== expected.sum) refuseFile(model, version, DAMAGED);
    return { version, file, ...expected };
  }

  /** A version as it was written; refuses a file that has changed since. */
  async read(model: string, { version, file, bytes: length, sum }: StoredFile): Promise<Uint8Array> {
    const bytes = await readFile(join(this.of(model), file)).catch((cause) =>
      refuseFile(model, version, UNREADABLE, cause),
    );
    return bytes.length === length && checksum(bytes) === sum ? bytes : refuseFile(model, version, DAMAGED);
  }

  /** The models that have a folder. */
  names(): Promise<string[]> {
    return namesIn(this.folder);
  }

  /** The files of a model by version, whether the log names them or not. */
  async list(model: string): Promise<{ readonly version: number; readonly file: string }[]> {
    const files = (await namesIn(this.of(model))).map((file) => ({ version: Number(/^(\d+)-/.exec(file)?.[1]), file }));
    return files.filter(({ version }) => Number.isSafeInteger(version)).sort((a, b) => a.version - b.version);
  }

  /** A file of `list` with its present content. */
  async readAny(model: string, version: number, file: string): Promise<{ bytes: Uint8Array; stored: StoredFile }> {
    const bytes = await readFile(join(this.of(model), file));
    return { bytes, stored: { version, file, bytes: bytes.length, sum: checksum(bytes) } };
  }

  /** Removes files of a model, or all that it has. */
  async remove(model: string, files?: readonly StoredFile[]): Promise<void> {
    if (!files) await rm(this.of(model), { recursive: true, force: true });
    for (const { file } of files ?? []) await rm(join(this.of(model), file), { force: true });
  }

  /** Removes files that the log does not name: drafts, and versions that were being written when the process died. */
  async tidy(known: ReadonlyMap<string, { readonly files: readonly StoredFile[] }>): Promise<void> {
    for (const model of await this.names()) {
      const own = known.get(model);
      if (!own) await this.remove(model);
      const files = new Set(own?.files.map(({ file }) => file));
      for (const name of await namesIn(this.of(model))) {
        if (!files.has(name)) await rm(join(this.of(model), name), { force: true });
      }
    }
  }

  private of(model: string): string {
    return join(this.folder, model);
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

const [UNREADABLE, DAMAGED] = ['cannot be read', 'is damaged'];

function refuseFile(model: string, version: number, what: string, cause?: unknown): never {
  const sentence = `version ${version} of the model ${model} ${what}; restore the store from a backup, or start with --repair`;
  return refuse('E_STORE_CORRUPT', sentence, { model, version }, cause);
}

/** Length and checksum of pieces, one after another. */
async function sumOf(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<Pick<StoredFile, 'bytes' | 'sum'>> {
  let [bytes, sum] = [0, 0];
  for await (const piece of pieces) {
    bytes += piece.length;
    sum = checksum(piece, sum);
  }
  return { bytes, sum };
}
