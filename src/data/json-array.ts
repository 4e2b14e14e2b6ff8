import { refuse } from '../errors.ts';
import { CR, LF } from './line-ends.ts';

const [OPEN, CLOSE, BRACE, UNBRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [COMMA, QUOTE, BACKSLASH, SPACE, TAB] = [0x2c, 0x22, 0x5c, 0x20, 0x09];

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB || byte === LF || byte === CR;

/**
 * Splits a JSON array into one element per line, for the reader of JSON Lines; a line number is then an element number.
 * Only brackets, quotes and commas are parsed: that reader checks the elements.
 */
export async function* arrayLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const state = new ArrayState();
  for await (const chunk of chunks) {
    const lines = state.push(chunk);
    if (lines.length > 0) yield lines;
  }
  state.end();
}

class ArrayState {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private elements = 0;
  private ended = false;

  /**
   * The lines of the next bytes; the output is no longer than the input, except for the line end of the last element.
   */
  push(chunk: Uint8Array): Uint8Array {
    const out = new Uint8Array(chunk.length + 1);
    let at = 0;
    for (const byte of chunk) {
      if (this.inString) {
        out[at++] = byte;
        if (this.escaped) this.escaped = false;
        else if (byte === BACKSLASH) this.escaped = true;
        else if (byte === QUOTE) this.inString = false;
      } else if (!this.passes(byte)) {
        const isEnd = this.ended || (this.depth === 1 && byte === COMMA);
        if (isEnd) this.elements++;
        out[at++] = isEnd ? LF : isBlank(byte) ? SPACE : byte; // a line end inside an element becomes a blank
      }
    }
    return out.subarray(0, at);
  }

  /** Throws if the array is truncated. */
  end(): void {
    if (!this.ended) this.refuse('the JSON array does not end: its closing bracket is missing');
  }

  /** Tracks brackets and quotes; returns whether the byte is the bracket of the array itself, or outside of it. */
  private passes(byte: number): boolean {
    if (this.ended) {
      if (!isBlank(byte)) this.refuse('there is text after the end of the JSON array');
      return true;
    }
    if (this.depth === 0) {
      if (byte === OPEN) this.depth = 1;
      return true; // blanks and the byte order mark before it
    }
    if (byte === QUOTE) this.inString = true;
    else if (byte === OPEN || byte === BRACE) this.depth++;
    else if (byte === CLOSE || byte === UNBRACE) this.depth--;
    this.ended = this.depth === 0;
    return false;
  }

  private refuse(fault: string): never {
    const line = this.elements + 1;
    refuse('E_FORMAT', `line ${line}, column 1: ${fault}`, { line, column: 1, fault });
  }
}
