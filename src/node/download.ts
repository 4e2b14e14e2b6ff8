import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PolyaError, refuse, show } from '../errors.ts';
import { takePart } from './download-part.ts';
import { cancelled, get } from './request.ts';
import { parseUrl, policyFor, type Resolve } from './url-guard.ts';

/** A file to download, and its expected properties. */
export interface DownloadOptions {
  readonly url: string;
  /** The SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string;
  /** The maximum size in bytes. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** Aborts the download with `E_CANCELLED`. */
  readonly signal?: AbortSignal;
  /** Called after every piece of the download. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number | undefined) => void;
  /** How often a broken connection is resumed. Default: 5. */
  readonly retries?: number;
  /** Milliseconds before the first retry; each further retry waits twice as long. Default: 500. */
  readonly retryDelay?: number;
  /** Milliseconds without data after which a connection is closed. Default: 30,000. */
  readonly idleTimeout?: number;
  /** Resolves names to addresses. Default: the system's resolver. */
  readonly resolve?: Resolve;
}

/**
 * Downloads a file to a path: into a `.part` file beside it, which a later call resumes. It is checked, synced and
 * renamed once complete. A wrong checksum is `E_CHECKSUM`, a forbidden address `E_URL_BLOCKED`, an unreachable one
 * `E_IO`.
 */
export async function download(target: string, options: DownloadOptions): Promise<void> {
  const url = parseUrl(options.url);
  await mkdir(dirname(target), { recursive: true }).catch(refuseWrite);
  const part = await takePart(target).catch(refuseWrite);
  try {
    // The partial file of an earlier call may belong to another file; then everything is downloaded again.
    for (let resumed = true; resumed; ) {
      resumed = await fetchPart(part.path, url, options);
      if ((await sha256Of(part.path)) === options.sha256.toLowerCase()) return await settle(part.path, target);
      await rm(part.path, { force: true });
    }
  } finally {
    await part.release();
  }
  const sentence = `${show(basename(target))} does not have the expected SHA-256; it was discarded`;
  refuse('E_CHECKSUM', sentence, { file: basename(target), expected: options.sha256 });
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

async function settle(part: string, target: string): Promise<void> {
  const file = await open(part, 'r+');
  await file.sync().finally(() => file.close());
  await rename(part, target);
  const folder = await open(dirname(target)).catch(() => undefined); // Windows cannot open folders
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Downloads the rest of a partial file; returns true if part of it existed before. */
async function fetchPart(part: string, url: URL, options: DownloadOptions): Promise<boolean> {
  const { retries = 5, retryDelay = 500, signal } = options;
  const file = await open(part, 'a').catch(refuseWrite);
  try {
    const { size } = await file.stat();
    for (let attempt = 0; ; attempt++) {
      try {
        await fetchRest(file, url, options);
        return size > 0;
      } catch (error) {
        if (signal?.aborted) throw cancelled(signal);
        if (error instanceof PolyaError) throw error;
        if (attempt === retries)
          refuse(
            'E_IO',
            `${show(url.host)} broke the connection ${attempt + 1} times`,
            { attempts: attempt + 1 },
            error,
          );
      }
      await wait(retryDelay * 2 ** attempt, undefined, signal && { signal }).catch(() => undefined);
    }
  } finally {
    await file.close();
  }
}

async function fetchRest(file: FileHandle, url: URL, options: DownloadOptions): Promise<void> {
  const { signal, idleTimeout = 30_000, maxBytes = 1 << 28, onProgress } = options;
  const { size } = await file.stat();
  const headers = { 'accept-encoding': 'identity', ...(size > 0 && { range: `bytes=${size}-` }) };
  const policy = policyFor(url, options.resolve);
  const response = await get(url, { headers, policy, signal, idleTimeout });
  const start = await startOf(response, size, file, url);
  if (start === undefined) return;
  const total = totalOf(response, start);
  if ((total ?? 0) > maxBytes)
    refuse('E_LIMIT', `the file has ${total} bytes, more than ${maxBytes}`, { limit: maxBytes });
  let length = start;
  onProgress?.(length, total);
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) refuse('E_LIMIT', `the file has more than ${maxBytes} bytes`, { limit: maxBytes });
    await file.write(chunk).catch(refuseWrite);
    onProgress?.(length, total);
  }
  if (total !== undefined && length < total) throw new Error('the connection ended too early');
}

/**
 * The offset of a response's bytes; undefined if there are no more. A partial file that the response does not continue
 * is truncated.
 */
async function startOf(
  response: IncomingMessage,
  size: number,
  file: FileHandle,
  url: URL,
): Promise<number | undefined> {
  const { statusCode = 0, headers } = response;
  if (statusCode === 206 && headers['content-range']?.startsWith(`bytes ${size}-`)) return size;
  const isWhole = statusCode === 416 && headers['content-range'] === `bytes */${size}`;
  if (statusCode === 200 && headers['content-range'] === undefined) {
    await file.truncate(0);
    return 0;
  }
  response.destroy();
  if (isWhole) return undefined;
  if (statusCode === 206 || statusCode === 416) await file.truncate(0);
  if (statusCode === 206 || statusCode === 416 || statusCode === 429 || statusCode >= 500)
    throw new Error(`status ${statusCode}`);
  return refuse('E_IO', `${show(url.host)} answers ${statusCode}`, { status: statusCode });
}

function totalOf({ headers }: IncomingMessage, start: number): number | undefined {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) ? start + length : undefined;
}

function refuseWrite(error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') refuse('E_DISK_FULL', 'the disk is full', {}, error);
  refuse('E_IO', `the download cannot be written (${error.code})`, { reason: String(error.code) }, error);
}
