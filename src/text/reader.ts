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
  /** The numbers of sorted terms, one after another as UTF-8, each with its end; nothing where a term is more than a word. */
  idsOf?(bytes: Uint8Array, ends: Uint32Array): Uint32Array | undefined;
  /** The term with this number. */
  term(id: number): string;
}

/** Reads with an analyzer of any kind: every term is a string, found in a map. */
export class TextReader implements Reader {
  private readonly analyze: (text: string) => readonly string[];
  private readonly ids: Map<string, number> = new Map();
  private readonly terms: string[] = [];

  constructor(analyze: (text: string) => readonly string[]) {
    this.analyze = analyze;
  }

  get size(): number {
    return this.terms.length;
  }

  read(document: Document, row: number, add: boolean): Int32Array {
    const terms = this.analyze(textOf(document, row));
    const found = new Int32Array(terms.length);
    for (let k = 0; k < found.length; k++) found[k] = this.ids.get(terms[k]) ?? (add ? this.idOf(terms[k]) : -1);
    return found;
  }

  idOf(term: string): number {
    const known = this.ids.get(term);
    if (known !== undefined) return known;
    // Terms come from functions of the caller too, which may give anything.
    if (typeof term !== 'string')
      refuse('E_TYPE', `a term is a string, the analyzer gave ${typeof term} ${show(term)}`);
    requireWellFormed(term, 'term');
    this.ids.set(term, this.terms.length);
    return this.terms.push(term) - 1;
  }

  term(id: number): string {
    return this.terms[id];
  }
}

const encoder = new TextEncoder();

/** Reads words through a kernel, as bytes. Stop words are its first words, so a number tells whether to leave it out. */
export class WordReader implements Reader {
  private readonly kernel: TokenKernel;
  private readonly stops: number;
  private readonly range: readonly [lowest: number, highest: number];
  private readonly grams: Grams | undefined;
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

  idsOf(bytes: Uint8Array, ends: Uint32Array): Uint32Array | undefined {
    return this.grams ? undefined : this.kernel.idsOf(bytes, ends);
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
