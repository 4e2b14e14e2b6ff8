import { type Document, refuseBytes, requireWhole } from './documents.ts';
import { Grams } from './grams.ts';
import { grown } from './grown.ts';
import type { SortedTerms } from './sorted-terms.ts';
import type { TokenKernel } from './tokens.ts';

/** From documents to the numbers of their terms. Numbers are given in order of arrival and never change. */
export interface Reader {
  /** How many terms have a number; numbers are below this. */
  readonly size: number;
  /** One number for every occurrence of a term; an unknown one is added, or −1. The view lasts until the next call. */
  read(document: Document, row: number, add: boolean): Int32Array;
  /** The number of a term; an unknown one is added. */
  idOf(term: string): number;
  /** The numbers of sorted terms; nothing where a term is more than a word. */
  idsOf?(terms: SortedTerms): Uint32Array | undefined;
  /** The term with this number. */
  term(id: number): string;
}

const encoder = new TextEncoder();

/** Reads words through a kernel, as bytes. Stop words are its first words, so a number tells whether to leave it out. */
export class WordReader implements Reader {
  readonly kernel: TokenKernel;
  private readonly stops: number;
  private readonly range: readonly [lowest: number, highest: number];
  readonly grams: Grams | undefined;
  private buffer: Uint8Array<ArrayBuffer> = new Uint8Array(1024);

  constructor(kernel: TokenKernel, stopWords: readonly string[], range: readonly [lowest: number, highest: number]) {
    this.kernel = kernel;
    for (const word of stopWords) kernel.idOf(word, true);
    this.stops = kernel.size;
    this.range = range;
    this.grams = range[1] > 1 ? new Grams() : undefined;
  }

  get size(): number {
    return (this.grams ?? this.kernel).size;
  }

  read(document: Document, row: number, add: boolean): Int32Array {
    const bytes = typeof document === 'string' ? this.encode(document, row) : document;
    const words = this.kernel.scan(bytes, bytes.length, add, (from, to) =>
      refuseBytes(bytes.subarray(from, to), row, from),
    );
    const { stops } = this;
    const kept = stops > 0 ? words.filter((word) => word < 0 || word >= stops) : words;
    return this.grams ? this.grams.read(kept, ...this.range, add) : kept;
  }

  idOf(term: string): number {
    const { grams, kernel } = this;
    if (!grams) return kernel.idOf(term, true);
    return term.split(' ').reduce((node, word) => grams.child(node, kernel.idOf(word, true), true), 0);
  }

  idsOf(terms: SortedTerms): Uint32Array | undefined {
    return this.grams ? undefined : this.kernel.idsOf(terms);
  }

  term(id: number): string {
    const { grams, kernel } = this;
    return (grams ? grams.path(id) : [id]).map((word) => kernel.word(word)).join(' ');
  }

  /** The text as UTF-8 in a buffer that is used again. As many bytes as letters means that it is plain ASCII. */
  private encode(text: string, row: number): Uint8Array {
    this.buffer = grown(this.buffer, text.length);
    let { read, written } = encoder.encodeInto(text, this.buffer);
    if (read < text.length) {
      this.buffer = grown(this.buffer, text.length * 3);
      written = encoder.encodeInto(text, this.buffer).written;
    }
    if (written !== text.length) requireWhole(text, row);
    return this.buffer.subarray(0, written);
  }
}
