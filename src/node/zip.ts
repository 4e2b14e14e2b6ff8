import { crc32, createInflateRaw } from 'node:zlib';
import { refuse, show } from '../errors.ts';
import { type GunzipOptions, unpack } from './gzip.ts';
import type { Slices } from './parquet-file.ts';

/** The files of a ZIP archive by name; each is unpacked as it is read. */
export type ZipEntries = ReadonlyMap<string, () => AsyncGenerator<Uint8Array, void, undefined>>;

/** Whether bytes begin like a ZIP archive. */
export const isZip = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\x03\x04';

const [END_MARK, ENTRY_MARK, FILE_MARK] = [0x06054b50, 0x02014b50, 0x04034b50];
const [END_BYTES, ENTRY_BYTES, FILE_BYTES] = [22, 46, 30];
const MOST_COMMENT = 65_535;
/** In an archive beyond 4 GiB the sizes are elsewhere. */
const ZIP64 = 0xffff_ffff;
const PIECE = 1 << 20;

/** The directory of an archive: PKWARE, APPNOTE 6.3.10, sections 4.3.6 to 4.3.16. */
export async function zipEntries(file: Slices, options: GunzipOptions): Promise<ZipEntries> {
  const from = Math.max(0, file.byteLength - END_BYTES - MOST_COMMENT);
  const tail = Buffer.from(await file.slice(from));
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END_MARK) at--;
  if (at < 0) damaged('its end is missing');
  const [bytes, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (bytes === ZIP64 || start === ZIP64) refuse('E_LIMIT', 'the ZIP archive has more than 4 GiB', { limit: ZIP64 });
  if (start + bytes > file.byteLength) damaged('its directory is missing');
  const directory = Buffer.from(await file.slice(start, start + bytes));
  const entries = new Map<string, () => AsyncGenerator<Uint8Array, void, undefined>>();
  for (let place = 0; place < directory.length; ) {
    if (place + ENTRY_BYTES > directory.length || directory.readUInt32LE(place) !== ENTRY_MARK)
      damaged('its directory is invalid');
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(place + offset));
    const entry = {
      name: directory.toString('utf8', place + ENTRY_BYTES, place + ENTRY_BYTES + name!),
      isEncrypted: (directory.readUInt16LE(place + 8) & 1) === 1,
      method: directory.readUInt16LE(place + 10),
      sum: directory.readUInt32LE(place + 16),
      bytes: directory.readUInt32LE(place + 20),
      start: directory.readUInt32LE(place + 42),
    };
    entries.set(entry.name, () => readEntry(file, entry, options));
    place += ENTRY_BYTES + name! + extra! + comment!;
  }
  return entries;
}

interface Entry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly sum: number;
  readonly bytes: number;
  readonly start: number;
}

const [STORED, DEFLATED] = [0, 8];

async function* readEntry(
  file: Slices,
  { name, isEncrypted, method, sum, bytes, start }: Entry,
  options: GunzipOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (isEncrypted) refuse('E_FORMAT', 'it is encrypted; save it without a password', {});
  if (method !== STORED && method !== DEFLATED) damaged(`${show(name)} is compressed with method ${method}`);
  if (start + FILE_BYTES > file.byteLength) damaged(`${show(name)} is missing`);
  const head = Buffer.from(await file.slice(start, start + FILE_BYTES));
  const first = start + FILE_BYTES + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (head.readUInt32LE(0) !== FILE_MARK || first + bytes > file.byteLength) damaged(`${show(name)} is cut short`);
  const packed = piecesOf(file, first, first + bytes);
  const content = method === STORED ? packed : unpack(packed, createInflateRaw(), show(name), options);
  let actual = 0;
  for await (const chunk of content) {
    actual = crc32(chunk, actual);
    yield chunk;
  }
  if (actual !== sum) damaged(`the checksum of ${show(name)} is wrong`);
}

async function* piecesOf(file: Slices, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let at = start; at < end; at += PIECE) yield new Uint8Array(await file.slice(at, Math.min(end, at + PIECE)));
}

function damaged(reason: string): never {
  refuse('E_FORMAT', `the ZIP archive is damaged: ${reason}`, { fault: `the ZIP archive is damaged: ${reason}` });
}
