import { requireWellFormed } from '../data/order.ts';
import { refuse, show } from '../errors.ts';
import { type Document, refuseBytes, requireWhole, textOf } from './documents.ts';
import { Grams } from './grams.ts';
import { grown } from './lexicon.ts';
import type { TokenKernel } from './tokens.ts';

/** From documents to the numbers of their terms. Numbers are given in order of arrival and never change. */
export interface Reader {
  /** How many terms have a number; numbers are below this. */
  readonly size: number;
  /** One number for every occurrence of a term; an unknown one is added, or −1. The view lasts until the next call. */
  read(document: Document, row: number, add: boolean): Int32Array;
  /** The number of a term; an unknown one is added. */
  idOf(term: string): number;
  /** The term with this number. */
  term(id: number): string;
}

/** Reads with an analyzer of any kind: every term is a string, found in a map. */
export class TextReader implements Reader {
  private readonly analyze: (text: string) => Iterable<string>;
  private readonly ids: Map<string, number> = new Map();
  private readonly terms: string[] = [];
  private found: Int32Array = new Int32Array(256);

  constructor(analyze: (text: string) => Iterable<string>) {
    this.analyze = analyze;
  }

  get size(): number {
    return this.terms.length;
  }

  read(document: Document, row: number, add: boolean): Int32Array {
    let count = 0;
    for (const term of this.analyze(textOf(document, row))) {
      this.found = grown(this.found, count + 1);
      this.found[count++] = this.ids.get(term) ?? (add ? this.idOf(term) : -1);
    }
    return this.found.subarray(0, count);
  }

  idOf(term: string): number {
    const known = this.ids.get(term);
    if (known !== undefined) return known;
    requireTerm(term);
    this.ids.set(term, this.terms.length);
    return this.terms.push(term) - 1;
  }

  term(id: number): string {
    return this.terms[id];
  }
}

/** Terms come from functions of the caller too, which may give anything. */
function requireTerm(term: unknown): void {
  if (typeof term !== 'string') refuse('E_TYPE', `a term is a string, the analyzer gave ${typeof term} ${show(term)}`);
  requireWellFormed(term, 'term');
}

/** What a reader of words leaves out and puts together. */
export interface WordOptions {
  readonly stopWords: Iterable<string>;
  readonly ngramRange: readonly [lowest: number, highest: number];
}

const encoder = new TextEncoder();

/** Reads words through a kernel, as bytes. Stop words are its first words, so a number tells whether to leave it out. */
export class WordReader implements Reader {
  private readonly kernel: TokenKernel;
  private readonly stops: number;
  private readonly range: readonly [lowest: number, highest: number];
  private readonly grams: Grams | undefined;
  private buffer: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
  private found: Int32Array = new Int32Array(256);

  constructor(kernel: TokenKernel, { stopWords, ngramRange }: WordOptions) {
    this.kernel = kernel;
    for (const word of stopWords) kernel.idOf(word, true);
    this.stops = kernel.size;
    this.range = ngramRange;
    this.grams = ngramRange[1] > 1 ? new Grams() : undefined;
  }

  get size(): number {
    return (this.grams ?? this.kernel).size;
  }

  read(document: Document, row: number, add: boolean): Int32Array {
    const bytes = typeof document === 'string' ? this.encode(document, row) : document;
    const words = this.kernel.scan(bytes, bytes.length, add, (from, to) =>
      refuseBytes(bytes.subarray(from, to), row, from),
    );
    const kept = this.stops > 0 ? this.withoutStops(words) : words;
    return this.grams ? this.together(this.grams, kept, add) : kept;
  }

  idOf(term: string): number {
    if (!this.grams) return this.kernel.idOf(term, true);
    let node = 0;
    for (const word of term.split(' ')) node = this.grams.child(node, this.kernel.idOf(word, true), true);
    return node;
  }

  term(id: number): string {
    if (!this.grams) return this.kernel.word(id);
    return this.grams
      .path(id)
      .map((word) => this.kernel.word(word))
      .join(' ');
  }

  /** The text as UTF-8 in a buffer that is used again. As many bytes as letters means that it is plain ASCII. */
  private encode(text: string, row: number): Uint8Array {
    if (this.buffer.length < text.length) this.buffer = new Uint8Array(text.length * 2);
    let { read, written } = encoder.encodeInto(text, this.buffer);
    if (read < text.length) {
      this.buffer = new Uint8Array(text.length * 3);
      ({ read, written } = encoder.encodeInto(text, this.buffer));
    }
    if (written !== text.length) requireWhole(text, row);
    return this.buffer.subarray(0, written);
  }

  private withoutStops(words: Int32Array): Int32Array {
    let kept = 0;
    for (let k = 0; k < words.length; k++) {
      if (words[k] < 0 || words[k] >= this.stops) words[kept++] = words[k];
    }
    return words.subarray(0, kept);
  }

  private together(grams: Grams, words: Int32Array, add: boolean): Int32Array {
    const [lowest, highest] = this.range;
    let count = 0;
    this.found = grown(this.found, words.length * (highest - lowest + 1));
    grams.read(words, lowest, highest, add, (node) => {
      this.found[count++] = node;
    });
    return this.found.subarray(0, count);
  }
}
