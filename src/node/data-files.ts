import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { compareCodePoints } from '../data/order.ts';
import { PolyaError, refuse, show } from '../errors.ts';

/** How data names are resolved to files. */
export interface DataFileOptions {
  /** The base of relative paths. */
  readonly cwd: string;
  /** The environment, which has the credentials of object stores. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** A folder for downloads; created when the first URL is read, removed by the caller. */
  temporary(): Promise<string>;
  /** Called during downloads. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number | undefined) => void;
  /** The maximum size of one download in bytes. Default: 2 GiB. */
  readonly maxBytes?: number;
}

const MOST_BYTES = 2 ** 31;

/** Whether a name is a URL. */
export const isRemote = (name: string): boolean => /^(https?|s3):\/\//i.test(name);

/**
 * The files that a name stands for: the matches of a pattern, the tables of a folder that contains only tables, a
 * downloaded copy of a URL, or the file itself.
 */
export async function dataFiles(name: string, options: DataFileOptions): Promise<string[]> {
  if (/^https?:\/\//i.test(name)) return [await fetchFile(new URL(name), options)];
  if (/^s3:\/\//i.test(name)) return fetchObjects(name, options);
  const path = resolve(options.cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return (await tablesIn(path)) ?? [name];
  if (found || !/[*?[]/.test(name)) return [name];
  const files = await matching(options.cwd, name);
  if (files.length === 0) refuse('E_PATH', `no file matches ${show(name)}`, { pattern: name });
  return files;
}

const TABLE = /\.(csv|tsv|tab|json|jsonl|ndjson|arff|parquet|xlsx)(\.gz)?$/i;

/**
 * The files of a folder, if all of them have table extensions and there are no sub-folders; hidden files are ignored.
 */
async function tablesIn(folder: string): Promise<string[] | undefined> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'));
  const isTables = entries.length > 0 && entries.every((entry) => entry.isFile() && TABLE.test(entry.name));
  if (!isTables) return undefined;
  return entries.map(({ name }) => join(folder, name)).sort(compareCodePoints);
}

/** The files that match a pattern: `*`, `?` and `[abc]` within a name, and `**` for any folders. */
async function matching(cwd: string, pattern: string): Promise<string[]> {
  const parts = pattern.split('/');
  const found = await walk(pattern.startsWith('/') ? '/' : '', pattern.startsWith('/') ? parts.slice(1) : parts, cwd);
  return [...new Set(found)].sort(compareCodePoints);
}

async function walk(prefix: string, [part, ...rest]: readonly string[], cwd: string): Promise<string[]> {
  if (part === undefined) return [];
  if (part !== '**' && !/[*?[]/.test(part) && rest.length > 0) return walk(`${prefix}${part}/`, rest, cwd);
  const entries = await readdir(resolve(cwd, prefix || '.'), { withFileTypes: true }).catch(() => []);
  const seen = entries.filter(({ name }) => !name.startsWith('.') || part.startsWith('.'));
  if (part === '**') {
    const below = seen.filter((entry) => entry.isDirectory()).map(({ name }) => `${prefix}${name}/`);
    const deeper = await Promise.all(below.map((folder) => walk(folder, [part, ...rest], cwd)));
    return [...(await walk(prefix, rest, cwd)), ...deeper.flat()];
  }
  const fits = matcherOf(part);
  const own = seen.filter(({ name }) => fits.test(name));
  if (rest.length === 0) return own.filter((entry) => !entry.isDirectory()).map(({ name }) => prefix + name);
  const folders = own.filter((entry) => entry.isDirectory());
  return (await Promise.all(folders.map(({ name }) => walk(`${prefix}${name}/`, rest, cwd)))).flat();
}

function matcherOf(part: string): RegExp {
  const source = part.replace(/\[!?[^\]]+\]|[.+^${}()|\\[\]*?]/g, (sign) => {
    if (sign === '*') return '.*';
    if (sign === '?') return '.';
    return sign.length > 1 ? sign.replace('[!', '[^').replaceAll('\\', '\\\\') : `\\${sign}`;
  });
  return new RegExp(`^${source}$`, 'su');
}

/** Downloads a file over HTTP, following redirects. */
async function fetchFile(url: URL, options: DataFileOptions): Promise<string> {
  const shown = show(`${url.origin}${url.pathname}`); // without passwords or tokens
  const response = await fetch(url).catch((cause: unknown) => {
    const { code } = ((cause as Error).cause ?? {}) as { readonly code?: string };
    return refuse('E_IO', `${shown} could not be fetched${code ? ` (${code})` : ''}`, { reason: code ?? '' }, cause);
  });
  const { status, headers, body } = response;
  if (!response.ok || !body) {
    await body?.cancel();
    const code = status === 404 || status === 410 ? 'E_PATH' : 'E_IO';
    return refuse(code, `${shown} could not be fetched: the server answered ${status}`, { status });
  }
  if (/^text\/html\b/i.test(headers.get('content-type') ?? '')) {
    await body.cancel();
    return refuse('E_FORMAT', `${shown} is a web page, not data`, {});
  }
  const path = join(await mkdtemp(join(await options.temporary(), 'file-')), basename(url.pathname) || 'data');
  const total = Number(headers.get('content-length')) || undefined;
  const { maxBytes = MOST_BYTES, onProgress } = options;
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.length;
      onProgress?.(bytes, total);
      if (bytes <= maxBytes) done(null, chunk);
      else done(new PolyaError('E_LIMIT', `${shown} has more than ${maxBytes} bytes; fetch it and name the file`, {}));
    },
  });
  try {
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), counting, createWriteStream(path));
  } catch (cause) {
    if (cause instanceof PolyaError) throw cause;
    refuse('E_IO', `${shown} could not be fetched: the connection broke after ${bytes} bytes`, {}, cause);
  }
  return path;
}

/** Fetches files of an object store through DuckDB. */
async function fetchObjects(address: string, options: DataFileOptions): Promise<string[]> {
  const { readObjects } = await import('../engines/duckdb/objects.ts');
  const { environment, maxBytes = MOST_BYTES } = options;
  const objects = await readObjects(address, { environment, maxBytes });
  const files: string[] = [];
  for (const { name, bytes } of objects) {
    const path = join(await mkdtemp(join(await options.temporary(), 'file-')), basename(name));
    await writeFile(path, bytes);
    files.push(path);
  }
  return files;
}
