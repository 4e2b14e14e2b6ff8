import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { requireOptions } from '../data/arguments.ts';
import { type ErrorCode, PolyaError, refuse, show } from '../errors.ts';
import { takeBuffer } from './buffers.ts';
import { type GunzipOptions, gunzip, gunzipOptions } from './gzip.ts';

/** How to read a file. */
export interface FileOptions extends GunzipOptions {
  /** Whether content that begins like gzip is unpacked, whatever the file name. Default: true. */
  readonly unpack?: boolean;
}

/** Pipes, whose size is unknown, are read in pieces of at most this many bytes. */
const PIPE_PIECE = 1 << 16;

/** A pipe is opened without waiting for a writer: a thread blocked in `open` could not be terminated. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Milliseconds between polls of a pipe, and the maximum time to wait for a writer. */
const [LOOK, WRITER_TIME] = [10, 2500];

/**
 * The bytes of a file, in chunks, for any reader of Pólya: `readCsv(openFile('mail.csv.gz'))`. The file is opened when
 * the first chunk is requested, and closed when reading ends, for whatever reason.
 */
export function openFile(path: string | URL, options: FileOptions = {}): AsyncIterable<Uint8Array> {
  requireOptions('openFile', ['unpack', ...gunzipOptions], options);
  const bytes = readBytes(path);
  return options.unpack === false ? bytes : gunzip(bytes, options);
}

/** The raw bytes of a file; `onOpen` is called with the size of a regular file. */
export async function* readBytes(
  path: string | URL,
  onOpen?: (size: number | undefined) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path, READ).catch((error: unknown) => refuseFile(path, error));
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) refuseFile(path, Object.assign(new Error('a folder'), { code: 'EISDIR' }));
    const size = stat.isFile() ? stat.size : undefined;
    onOpen?.(size);
    const endless = stat.isCharacterDevice() && !isatty(file.fd);
    for (let read = 0; ; ) {
      const left = (size ?? 0) - read;
      let chunk = await readChunk(file, left > 0 ? left : PIPE_PIECE);
      for (const start = performance.now(); read === 0 && chunk.length === 0 && stat.isFIFO(); ) {
        if (performance.now() - start > WRITER_TIME)
          refuse('E_IO', `${nameOf(path)} is a pipe without a writer`, { reason: 'EPIPE' });
        await pause(LOOK);
        chunk = await readChunk(file, PIPE_PIECE);
      }
      if (chunk.length === 0) break;
      if (endless) refuse('E_IO', `${nameOf(path)} is a device without an end; name a file`, { reason: 'ENODEV' });
      read += chunk.length;
      yield chunk;
    }
  } catch (error) {
    if (error instanceof PolyaError) throw error;
    refuseFile(path, error);
  } finally {
    await file.close();
  }
}

/** Reads a chunk; for a pipe, waits until its writer has data. */
async function readChunk(file: FileHandle, size: number): Promise<Uint8Array> {
  const buffer = takeBuffer(size);
  for (;;) {
    try {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await pause(LOOK);
    }
  }
}

// System error codes, with message and code of Pólya.
const failures: Record<string, readonly [ErrorCode, string]> = {
  ENOENT: ['E_PATH', 'does not exist'],
  ENOTDIR: ['E_PATH', 'does not exist: part of its path is not a folder'],
  EISDIR: ['E_PATH', 'is a folder; name a file in it'],
  EACCES: ['E_PATH', 'cannot be read: permission denied'],
  EPERM: ['E_PATH', 'cannot be read: permission denied'],
  ELOOP: ['E_PATH', 'is a link to itself'],
  ENAMETOOLONG: ['E_PATH', 'has a name that is too long'],
  ERR_INVALID_ARG_VALUE: ['E_PATH', 'is not a path'],
  ERR_INVALID_ARG_TYPE: ['E_PATH', 'is not a path'],
  ERR_INVALID_FILE_URL_PATH: ['E_PATH', 'is not a path'],
  ERR_INVALID_FILE_URL_HOST: ['E_PATH', 'is not a path'],
  ERR_INVALID_URL_SCHEME: ['E_PATH', 'is not a file URL'],
};

/** Throws an error for a system error of a file, with its name but without its path. */
export function refuseFile(path: string | URL, error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const [code, sentence] = failures[reason] ?? ['E_IO', `could not be read (${reason})`];
  refuse(code, `${show(nameOf(path))} ${sentence}`, { file: nameOf(path), reason }, error);
}

/** The last part of a path: error messages may leave this machine, so they don't contain its folders. */
export function nameOf(path: string | URL): string {
  return basename(String(path)) || String(path);
}
