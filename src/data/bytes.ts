import { HISTORY_BYTES } from './excerpt.ts';

const FIRST_CAPACITY = 64;

/**
 * The part of a byte stream that is still needed: `bytes[start … end)`. Reading moves `start`, pushing moves `end`. The
 * buffer doubles when one row outgrows it, so a long row takes linear time. The last KiB before `start` is kept for
 * excerpts.
 */
export class ByteWindow {
  bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  start = 0;
  end = 0;
  private origin = 0;

  /** The number of unread bytes. */
  get size(): number {
    return this.end - this.start;
  }

  /** The offset of `bytes[start]` in the whole stream. */
  get offset(): number {
    return this.origin + this.start;
  }

  /** Begins at an offset of the stream, with the bytes before it for excerpts. */
  startAt(offset: number, before: Uint8Array): void {
    this.origin = offset - before.length;
    this.push(before);
    this.start = this.end;
  }

  /** Copies a chunk to the end; the caller may reuse its memory afterwards. */
  push(chunk: Uint8Array): void {
    if (this.end + chunk.length > this.bytes.length) this.makeSpace(chunk.length);
    this.bytes.set(chunk, this.end);
    this.end += chunk.length;
  }

  /** A view of `length` bytes that begin `from` bytes after `start`; valid until the next push. */
  view(from: number, length: number): Uint8Array {
    return this.bytes.subarray(this.start + from, this.start + from + length);
  }

  private makeSpace(more: number): void {
    const first = Math.max(0, this.start - HISTORY_BYTES);
    const kept = this.bytes.subarray(first, this.end);
    const fits = kept.length + more <= this.bytes.length;
    const roomy = fits ? this.bytes : new Uint8Array(Math.max(2 * this.bytes.length, kept.length + more));
    roomy.set(kept);
    this.bytes = roomy;
    this.origin += first;
    this.end = kept.length;
    this.start -= first;
  }
}
