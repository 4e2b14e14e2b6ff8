import { decodeUtf8 } from '../data/utf8.ts';
import { grown } from './grown.ts';
import { EMPTY_HASH, Lexicon, mix } from './lexicon.ts';
import type { SortedTerms } from './sorted-terms.ts';

/** Splits a piece of text that is not plain ASCII into words; the piece is as it came, upper case and all. */
export type ForeignWords = (piece: string) => readonly string[];

/** What turns the bytes of documents into numbers of words. This is all a faster kernel has to provide. */
export interface TokenKernel {
  /** How many words are known; their numbers are below this. */
  readonly size: number;
  /**
   * The numbers of the words in bytes[0 … length), in order. A word that is not known gets the next number, or is −1 where
   * `add` is false. The answer is a view that lasts until the next call. `damaged` is called for bytes that are not UTF-8.
   */
  scan(bytes: Uint8Array, length: number, add: boolean, damaged: (from: number, to: number) => never): Int32Array;
  /** The number of a word given as a string, by the same rule. */
  idOf(word: string, add: boolean): number;
  /** The numbers of sorted words; unknown ones are added. */
  idsOf(terms: SortedTerms): Uint32Array;
  /** The word with a number. */
  word(id: number): string;
}

/** How words are read. */
export interface KernelOptions {
  readonly lowercase: boolean;
  /** Whether a foreign letter may make the whole document foreign, rather than what stands between two spaces: that is faster for some scripts. */
  readonly wholeDocuments: boolean;
  readonly foreign: ForeignWords;
}

// What a byte is, below all bytes that words are made of: a space ends a piece, punctuation ends a word.
const SPACE = 0;
const PUNCTUATION = 1;
const FOREIGN = 2;

function foldTable(lowercase: boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => {
    if (byte >= 0x80) return FOREIGN;
    if (byte <= 0x20) return SPACE;
    const letter = String.fromCharCode(byte);
    if (!/\w/.test(letter)) return PUNCTUATION;
    return lowercase ? letter.toLowerCase().charCodeAt(0) : byte;
  });
}

/** The kernel in TypeScript: ASCII words are found, folded and looked up as bytes, without a string for any of them. */
export class ByteKernel implements TokenKernel {
  readonly lexicon: Lexicon = new Lexicon();
  private readonly fold: Uint8Array;
  private readonly options: KernelOptions;
  private ids: Int32Array = new Int32Array(256);

  constructor(options: KernelOptions) {
    this.options = options;
    this.fold = foldTable(options.lowercase);
  }

  get size(): number {
    return this.lexicon.size;
  }

  scan(bytes: Uint8Array, length: number, add: boolean, damaged: (from: number, to: number) => never): Int32Array {
    const { fold, lexicon } = this;
    const splits = !this.options.wholeDocuments;
    let ids = this.reserve((length >> 1) + 1);
    let [at, count, piece, pieceCount] = [0, 0, 0, 0];
    while (at < length) {
      let byte = fold[bytes[at]];
      if (byte > FOREIGN) {
        const start = at;
        let hash = EMPTY_HASH;
        while (byte > FOREIGN) {
          hash = mix(hash, byte);
          byte = ++at < length ? fold[bytes[at]] : SPACE;
        }
        if (byte !== FOREIGN && at - start > 1)
          ids[count++] = lexicon.intern(bytes, start, at - start, hash, fold, add);
      } else if (byte === FOREIGN) {
        // What is a small letter may depend on its neighbours (final sigma), so the piece is read again as a whole.
        const end = splits ? pieceEnd(bytes, at, length) : length;
        count = this.readForeign(bytes.subarray(piece, end), pieceCount, add) ?? damaged(piece, end);
        ids = this.reserve(count + ((length - end) >> 1) + 1);
        at = end;
      } else {
        at++;
        if (byte === SPACE && splits) {
          piece = at;
          pieceCount = count;
        }
      }
    }
    return ids.subarray(0, count);
  }

  idOf(word: string, add: boolean): number {
    return this.lexicon.internText(word, add);
  }

  idsOf(terms: SortedTerms): Uint32Array {
    return terms.enter(this.lexicon);
  }

  word(id: number): string {
    return this.lexicon.text(id);
  }

  /** Puts the words of a piece behind the first `count` numbers and returns how many there are then. */
  private readForeign(piece: Uint8Array, count: number, add: boolean): number | undefined {
    const text = decodeUtf8(piece);
    if (text === undefined) return undefined;
    const words = this.options.foreign(text);
    const ids = this.reserve(count + words.length);
    for (let k = 0; k < words.length; k++) ids[count + k] = this.lexicon.internText(words[k], add);
    return count + words.length;
  }

  private reserve(length: number): Int32Array {
    this.ids = grown(this.ids, length);
    return this.ids;
  }
}

/** The next space, or the end. No letter behind a space has a say in the case of one before it. */
function pieceEnd(bytes: Uint8Array, from: number, length: number): number {
  let at = from;
  while (at < length && bytes[at] > 0x20) at++;
  return at;
}
