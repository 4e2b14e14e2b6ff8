import { refuse } from '../errors.ts';
import { CR, LF } from './line-ends.ts';

const [OPEN, CLOSE, BRACE, UNBRACE] = [0x5b, 0x5d, 0x7b, 0x7d];
const [COMMA, QUOTE, BACKSLASH, SPACE, TAB] = [0x2c, 0x22, 0x5c, 0x20, 0x09];

const isBlank = (byte: number): boolean => byte === SPACE || byte === TAB || byte === LF || byte === CR;

/**
 * The elements of a JSON array, each on a line of its own, so that the reader of JSON Lines reads them; a line number is then the number of
 * an element. Only brackets, quotes and commas are looked at: what is between them is checked by that reader.
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

  /** The lines of the next bytes; none of them is longer than they were, but for the line end of the last element. */
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
        out[at++] = isEnd ? LF : isBlank(byte) ? SPACE : byte; // a line end inside an element is a blank
      }
    }
    return out.subarray(0, at);
  }

  /** Refuses an array that is cut off. */
  end(): void {
    if (!this.ended) this.refuse('the JSON array does not end: its closing bracket is missing');
  }

  /** Follows brackets and quotes; returns whether the byte is the bracket of the array itself, or a byte around it. */
  private passes(byte: number): boolean {
    if (this.ended) {
      if (!isBlank(byte)) this.refuse('there is text behind the end of the JSON array');
      return true;
    }
    if (this.depth === 0) {
      if (byte === OPEN) this.depth = 1;
      return true; // blanks and the mark of UTF-8 before it
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
