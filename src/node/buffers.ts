/** Memory for pieces of files that is used again: fresh memory for each piece makes the garbage collector run every few pieces. */

const PIECE = 1 << 20;
const MOST_FREE = 4;

const own = new WeakSet<ArrayBufferLike>();
const free: ArrayBuffer[] = [];

/** Room for at most `size` bytes with any content; at most 1 MiB. */
export function takeBuffer(size: number): Uint8Array<ArrayBuffer> {
  const wanted = Math.min(size, PIECE);
  if (wanted < PIECE) return new Uint8Array(Buffer.allocUnsafeSlow(wanted).buffer as ArrayBuffer);
  const buffer = free.pop() ?? (Buffer.allocUnsafeSlow(PIECE).buffer as ArrayBuffer);
  own.add(buffer);
  return new Uint8Array(buffer);
}

/** Lets the memory of a piece be used again; nobody may look at the piece afterwards. Memory from elsewhere is left alone. */
export function giveBuffer({ buffer }: Uint8Array): void {
  if (own.delete(buffer) && free.length < MOST_FREE) free.push(buffer as ArrayBuffer);
}
