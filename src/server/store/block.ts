import { crc32 } from 'node:zlib';
import { refuse } from '../../errors.ts';

/** How a block begins: "PJB1" in a file. */
export const MAGIC = 0x31424a50;
/** Bytes before the records of a block. */
export const HEADER = 24;

/** A sum that tells every change of up to four neighbouring bytes, and nearly all others; it goes on from that of bytes before them. */
export const checksum = (bytes: Uint8Array, before = 0): number => (bytes.length > 0 ? crc32(bytes, before) : before);

/** Records that were written together. */
export interface Block {
  readonly lines: readonly string[];
  /** The checksum, which the next block repeats. */
  readonly sum: number;
}

/**
 * Records as the bytes of a block: a mark, the checksum of all that follows, the number of the block, the checksum of the block
 * before it, how many records there are, and the records, one line of JSON each. A block that is damaged, missing or in a wrong
 * place breaks the chain.
 */
export function encodeBlock(lines: readonly string[], number: number, before: number): Buffer {
  const text = lines.join('\n');
  const bytes = Buffer.allocUnsafeSlow(HEADER + Buffer.byteLength(text)); // of its own: it is handed to a thread
  bytes.write(text, HEADER);
  bytes.writeUInt32LE(MAGIC, 0);
  bytes.writeUInt32LE(number, 8);
  bytes.writeUInt32LE(before, 12);
  bytes.writeUInt32LE(lines.length, 16);
  bytes.writeUInt32LE(0, 20);
  bytes.writeUInt32LE(checksum(bytes.subarray(8)), 4);
  return bytes;
}

/** The inverse of `encodeBlock`; refuses a block that is not whole, or not the one that is expected. */
export function decodeBlock(given: Uint8Array, number: number, before: number): Block {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const fits =
    bytes.length >= HEADER &&
    bytes.readUInt32LE(0) === MAGIC &&
    bytes.readUInt32LE(4) === checksum(bytes.subarray(8)) &&
    bytes.readUInt32LE(8) === number &&
    bytes.readUInt32LE(12) === before;
  const lines = fits ? linesOf(bytes) : [];
  if (!fits || lines.length !== bytes.readUInt32LE(16)) {
    refuse('E_STORE_CORRUPT', `block ${number} of the journal is damaged; restore the store from a backup`, {
      block: number,
    });
  }
  return { lines, sum: bytes.readUInt32LE(4) };
}

/** The records of a block that was found whole before. */
export function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', HEADER).split('\n');
}

/** A value of JSON with its checksum before it. */
export function sealJson(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const bytes = Buffer.allocUnsafeSlow(4 + text.length);
  text.copy(bytes, 4);
  bytes.writeUInt32LE(checksum(text), 0);
  return bytes;
}

/** The inverse of `sealJson`; refuses what is damaged. */
export function openJson(given: Uint8Array, what: string): unknown {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const text = bytes.subarray(4);
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== checksum(text)) {
    refuse('E_STORE_CORRUPT', `the ${what} of the store is damaged; restore the store from a backup`, { part: what });
  }
  return JSON.parse(text.toString());
}
