import { grown } from './grown.ts';
import { decodeUtf8, isContinuation } from './utf8.ts';

/** The byte of the quote. */
export const QUOTE = 34;

/**
 * The bounds of the cells of one row, in bytes from its first byte. `append` converts them to strings, each a slice of
 * the text of its row: keeping one cell of a file keeps one row in memory, not a whole chunk.
 */
export class CellBounds {
  /** The number of cells so far. */
  count = 0;
  private starts: Int32Array = new Int32Array(64);
  private ends: Int32Array = new Int32Array(64); // complemented (~end) if doubled quotes must be replaced
  private scratch = new Uint8Array(1024);

  /** Adds a cell; `doubled` if its text still has doubled quotes. */
  add(start: number, end: number, doubled: boolean): void {
    const j = this.count++;
    this.starts = grown(this.starts, this.count);
    this.ends = grown(this.ends, this.count);
    this.starts[j] = start;
    this.ends[j] = doubled ? ~end : end;
  }

  /** The first byte of the j-th cell. */
  startOf(j: number): number {
    return this.starts[j]!;
  }

  /** Appends the cells to a list, given the bytes of the row and their text. */
  append(bytes: Uint8Array, text: string, cells: string[]): void {
    if (text.length !== bytes.length) this.countUnits(bytes);
    const { starts, ends, count } = this;
    for (let j = 0; j < count; j++) {
      const end = ends[j]!;
      cells.push(end >= 0 ? text.slice(starts[j], end) : this.unescape(bytes, starts[j]!, ~end));
    }
  }

  /** Replaces doubled quotes. Works on bytes, because `replaceAll` lists all positions: 280 MB for 16 MiB of quotes. */
  private unescape(bytes: Uint8Array, start: number, end: number): string {
    if (this.scratch.length < end - start) this.scratch = new Uint8Array(2 * (end - start));
    const { scratch } = this;
    let length = 0;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      scratch[length++] = byte;
      if (byte === QUOTE) i++;
    }
    return decodeUtf8(scratch.subarray(0, length))!;
  }

  /**
   * Converts bounds in bytes to bounds in UTF-16 units: one less for every continuation byte, one more for a surrogate
   * pair.
   */
  private countUnits(bytes: Uint8Array): void {
    const { starts, ends, count } = this;
    let i = 0;
    let surplus = 0;
    for (let j = 0; j < count; j++) {
      const start = starts[j]!;
      const end = ends[j]!;
      if (end < 0) continue; // `unescape` works on bytes
      for (; i < start; i++) if (bytes[i]! >= 0x80) surplus += surplusOf(bytes[i]!);
      starts[j] = start - surplus;
      for (; i < end; i++) if (bytes[i]! >= 0x80) surplus += surplusOf(bytes[i]!);
      ends[j] = end - surplus;
    }
  }
}

const surplusOf = (byte: number) => (isContinuation(byte) ? 1 : byte >= 0xf0 ? -1 : 0);
