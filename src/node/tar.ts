import { decodeSingle } from '../data/single-byte.ts';
import { PolyaError, refuse } from '../errors.ts';
import { readTarHeader, refuseMember, type TarHeader } from './tar-header.ts';

/** A plain file of an archive. */
export interface TarFile {
  /** Its name in the archive, with `/`. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Limits on an archive. */
export interface TarLimits {
  /** The maximum number of members. Default: 200,000. */
  readonly maxEntries?: number;
  /** The maximum size of a file. Default: 16 MiB. */
  readonly maxFileBytes?: number;
  /** The maximum size of all files together. Default: 1 GiB. */
  readonly maxTotalBytes?: number;
}

const BLOCK = 512;

/**
 * Reads the plain files of a tar archive one after the other, as a stream; nothing is written to disk. Links, devices,
 * sparse files, names that lead outside, duplicate names, and extended headers that change a member's name or size are
 * `E_ARCHIVE` with the member; anything beyond the limits is `E_LIMIT`.
 */
export async function* readTar(
  chunks: AsyncIterable<Uint8Array>,
  limits: TarLimits = {},
): AsyncGenerator<TarFile, void, undefined> {
  const { maxEntries = 200_000, maxFileBytes = 1 << 24, maxTotalBytes = 1 << 30 } = limits;
  const blocks = new Blocks(chunks);
  const names = new Set<string>();
  let [entries, total] = [0, 0];
  try {
    for (let header = await nextHeader(blocks); header !== undefined; header = await nextHeader(blocks)) {
      limit('members', ++entries, maxEntries);
      limit('bytes in one file', header.size, maxFileBytes);
      limit('bytes', (total += header.size), maxTotalBytes);
      const bytes = await blocks.take(header.size, header.name);
      if (header.kind === 'extended') checkExtended(bytes);
      if (header.kind !== 'file') continue;
      if (names.has(header.name)) refuseMember(header.name, 'comes twice');
      names.add(header.name);
      yield { name: header.name, bytes };
    }
  } finally {
    await blocks.close();
  }
}

async function nextHeader(blocks: Blocks): Promise<TarHeader | undefined> {
  const block = await blocks.next();
  if (block === undefined) refuse('E_ARCHIVE', 'the archive is cut short: it has no end', {});
  return block.every((byte) => byte === 0) ? undefined : readTarHeader(block);
}

function limit(what: string, actual: number, most: number): void {
  if (actual <= most) return;
  refuse('E_LIMIT', `the archive has more than ${most} ${what}`, { limit: most, actual });
}

/**
 * Extended headers (POSIX.1-2001, pax) may set times and owners; a name, a size or a sparse map would change the
 * member.
 */
function checkExtended(bytes: Uint8Array): void {
  for (const record of decodeSingle(bytes, 'latin1').split('\n')) {
    const key = /^\d+ ([^=]+)=/.exec(record)?.[1] ?? '';
    if (/^(path|linkpath|size|GNU\.sparse\..*|hdrcharset|charset)$/.test(key)) {
      refuseMember(key, 'is overridden by an extended header');
    }
  }
}

/** A stream in blocks of 512 bytes. */
class Blocks {
  private readonly source: AsyncIterator<Uint8Array>;
  private piece: Uint8Array = new Uint8Array();
  private at = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.source = chunks[Symbol.asyncIterator]();
  }

  /** The next block; undefined at the end of the stream. */
  async next(): Promise<Uint8Array | undefined> {
    const block = new Uint8Array(BLOCK);
    const length = await this.fill(block);
    if (length !== 0 && length !== BLOCK) refuse('E_ARCHIVE', 'the archive is cut short in a header', {});
    return length === 0 ? undefined : block;
  }

  /** `size` bytes, and the padding of their last block. */
  async take(size: number, name: string): Promise<Uint8Array> {
    const bytes = new Uint8Array(size);
    const padding = new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
    const length = (await this.fill(bytes)) + (await this.fill(padding));
    if (length !== bytes.length + padding.length) refuseMember(name, 'is cut short');
    return bytes;
  }

  private async fill(target: Uint8Array): Promise<number> {
    let length = 0;
    while (length < target.length) {
      if (this.at === this.piece.length && !(await this.pull())) break;
      const part = this.piece.subarray(this.at, this.at + target.length - length);
      target.set(part, length);
      length += part.length;
      this.at += part.length;
    }
    return length;
  }

  private async pull(): Promise<boolean> {
    const { done, value } = await this.source.next();
    if (done) return false;
    this.piece = value;
    this.at = 0;
    return true;
  }

  async close(): Promise<void> {
    await this.source.return?.()?.catch((error: unknown) => {
      if (!(error instanceof PolyaError)) throw error;
    });
  }
}
