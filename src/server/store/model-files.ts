import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PolyaError, refuse } from '../../errors.ts';
import type { VersionFiles } from '../model-store.ts';
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

/** Writes a file under another name, syncs it, renames it, and syncs the folder: after a crash it is the old file or the new one. */
export async function writeDurably(path: string, draft: string, parts: readonly Uint8Array[]): Promise<void> {
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      for (const part of parts) await handle.writeFile(part);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw writeFailure(cause);
  }
}

/** Bytes of a file that are read back at once. */
const PIECE = 2 ** 18;

/** The snapshots of all models: a folder for each, with versions as model files that every command of Pólya reads. */
export class ModelFiles implements VersionFiles {
  private readonly folder: string;
  private readonly kept: number;

  /** `folder` is that of the store; of each model, the latest `kept` versions are. */
  constructor(folder: string, kept = 8) {
    this.folder = join(folder, 'models');
    this.kept = kept;
  }

  keep(files: readonly StoredFile[]): readonly StoredFile[] {
    return files.slice(-this.kept);
  }

  /** Writes a version, given in parts, and reads it back. Two files of one version have different names. */
  async write(model: string, version: number, parts: readonly Uint8Array[]): Promise<StoredFile> {
    const folder = this.of(model);
    const file = `${version}-${randomBytes(4).toString('hex')}.polya`;
    const path = join(folder, file);
    const expected = await sumOf(parts);
    try {
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(this.folder);
    } catch (cause) {
      throw writeFailure(cause);
    }
    await writeDurably(path, join(folder, `.${file}.draft`), parts);
    const written = createReadStream(path, { highWaterMark: PIECE });
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

  /** The files of a model by version with their present content, whether the manifest names them or not. */
  async *all(model: string): AsyncGenerator<{ readonly bytes: Uint8Array; readonly stored: StoredFile }> {
    const files = (await namesIn(this.of(model))).map((file) => ({ version: Number(/^(\d+)-/.exec(file)?.[1]), file }));
    const versions = files.filter(({ version }) => Number.isSafeInteger(version));
    for (const { version, file } of versions.sort((a, b) => a.version - b.version)) {
      const bytes = await readFile(join(this.of(model), file));
      yield { bytes, stored: { version, file, bytes: bytes.length, sum: checksum(bytes) } };
    }
  }

  /** Removes files of a model, or all that it has. */
  async remove(model: string, files?: readonly StoredFile[]): Promise<void> {
    // a snapshot may be writing into the folder: its draft makes it "not empty" for a moment
    if (!files) await rm(this.of(model), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    for (const { file } of files ?? []) await rm(join(this.of(model), file), { force: true });
  }

  /** Removes files that the manifest does not name: drafts, and versions that were being written when the process died. */
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

/** Advice for a store that cannot be used. */
export const ADVICE = 'restore the store from a backup, or start with --repair';

const [UNREADABLE, DAMAGED] = ['cannot be read', 'is damaged'];

function refuseFile(model: string, version: number, what: string, cause?: unknown): never {
  const sentence = `version ${version} of the model ${model} ${what}; ${ADVICE}`;
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
