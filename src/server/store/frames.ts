import { crc32 } from 'node:zlib';

/** Bytes before the payload of a frame: its length and its checksum, 32 bits each, little endian. */
const HEADER = 8;

/** A larger length is damage. It is below what the first bytes of a seal would be as a length. */
const MAX_PAYLOAD = 2 ** 30;

/** How a seal begins. 0xff never occurs in UTF-8, so no payload contains it. */
const SEAL = Buffer.from([0xff, 0x50, 0x4f, 0x4c, 0x59, 0x41, 0xff, 0x0a]);

/** Bytes of a seal: the mark, its own offset and a checksum of both. */
export const SEAL_BYTES: number = SEAL.length + 8;

/** The checksum of bytes, continued from `before`. `zlib.crc32` of no bytes would return 0. */
export const checksum = (bytes: Uint8Array, before = 0): number => (bytes.length > 0 ? crc32(bytes, before) : before);

/**
 * Payloads as frames `[length, checksum, payload]` that begin at an offset of a file. The checksum starts from the offset, so that a
 * frame is valid at one offset only.
 */
export function encodeFrames(payloads: readonly string[], offset: number): Buffer {
  const bytes = Buffer.allocUnsafe(payloads.reduce((total, payload) => total + Buffer.byteLength(payload) + HEADER, 0));
  let at = 0;
  for (const payload of payloads) {
    const length = bytes.write(payload, at + HEADER);
    bytes.writeUInt32LE(length, at);
    bytes.writeUInt32LE(checksum(bytes.subarray(at + HEADER, at + HEADER + length), (offset + at) >>> 0), at + 4);
    at += HEADER + length;
  }
  return bytes;
}

/** A seal for an offset. It is written behind frames once they are on stable storage, and so proves that they were. */
export function encodeSeal(offset: number): Buffer {
  const bytes = Buffer.alloc(SEAL_BYTES);
  SEAL.copy(bytes);
  bytes.writeUInt32LE(offset >>> 0, SEAL.length);
  bytes.writeUInt32LE(checksum(bytes.subarray(0, SEAL.length + 4)), SEAL.length + 4);
  return bytes;
}

/** The payload of the frame at an offset; undefined if there is no intact frame. */
export function frameAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + HEADER > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  if (length === 0 || length > MAX_PAYLOAD || at + HEADER + length > bytes.length) return undefined;
  const payload = bytes.subarray(at + HEADER, at + HEADER + length);
  return checksum(payload, at >>> 0) === bytes.readUInt32LE(at + 4) ? payload : undefined;
}

const isSeal = (bytes: Buffer, at: number): boolean =>
  bytes[at] === SEAL[0] && encodeSeal(at).equals(bytes.subarray(at, at + SEAL_BYTES));

/** What was found in a segment. */
export interface SegmentReading {
  /** Stretches of bytes that are neither frames nor seals. */
  readonly damaged: number;
  /** The offset of the first of them; the length of the segment if there is none. */
  readonly end: number;
  /** Whether an intact seal follows it: the bytes before a seal were on stable storage. */
  readonly sealed: boolean;
}

/** Calls `visit` with every intact payload of a segment, in order, and with the number of damaged stretches before it. */
export function readFrames(bytes: Buffer, visit: (payload: Buffer, damaged: number) => void): SegmentReading {
  let [at, end, damaged] = [0, bytes.length, 0];
  let [sealed, lost] = [false, false];
  while (at < bytes.length) {
    const payload = frameAt(bytes, at);
    if (payload) visit(payload, damaged);
    const size = payload ? HEADER + payload.length : isSeal(bytes, at) ? SEAL_BYTES : 0;
    if (size > 0) sealed ||= damaged > 0 && !payload;
    else if (!lost && damaged++ === 0) end = at;
    lost = size === 0;
    at += size || 1;
  }
  return { damaged, end, sealed };
}
