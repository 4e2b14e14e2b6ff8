/**
 * Reusable memory for pieces of files: allocating for each piece would trigger the garbage collector every few pieces.
 */

const PIECE = 1 << 20;
const MOST_FREE = 4;

const own = new WeakSet<ArrayBufferLike>();
const free: ArrayBuffer[] = [];

/** Uninitialized memory for at most `size` bytes; at most 1 MiB. */
export function takeBuffer(size: number): Uint8Array<ArrayBuffer> {
  const wanted = Math.min(size, PIECE);
  if (wanted < PIECE) return new Uint8Array(Buffer.allocUnsafeSlow(wanted).buffer as ArrayBuffer);
  const buffer = free.pop() ?? (Buffer.allocUnsafeSlow(PIECE).buffer as ArrayBuffer);
  own.add(buffer);
  return new Uint8Array(buffer);
}

/** Returns the memory of a piece for reuse; the piece must not be read afterwards. Memory from elsewhere is ignored. */
export function giveBuffer({ buffer }: Uint8Array): void {
  if (own.delete(buffer) && free.length < MOST_FREE) free.push(buffer as ArrayBuffer);
}
