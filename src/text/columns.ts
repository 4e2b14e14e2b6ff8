import { compareCodePoints } from '../data/order.ts';
import type { Reader } from './reader.ts';

/** Sorts by code point. Without surrogates, the order of UTF-16 is the order of code points and costs half as much. */
function sortTerms(terms: string[]): string[] {
  return terms.some((term) => /[\ud800-\udfff]/.test(term)) ? terms.sort(compareCodePoints) : terms.sort();
}

/** Which term has which column. It never changes: a change is another one, and `movesTo` tells what went where. */
export class Columns {
  /** The number of each column's term. */
  readonly ids: Uint32Array;
  /** The column of each number; −1 where it has none. */
  readonly places: Int32Array;
  /** The terms as they were read: one after another in UTF-8, and where each ends. */
  readonly encoded: { readonly bytes: Uint8Array; readonly ends: Uint32Array } | undefined;
  private readonly reader: Reader;
  private list: readonly string[] | (() => readonly string[]);

  /** Columns in the order of these terms, which may be made when they are first asked for. */
  constructor(
    reader: Reader,
    terms: readonly string[] | (() => readonly string[]),
    ids?: Uint32Array,
    encoded?: Columns['encoded'],
  ) {
    this.reader = reader;
    this.encoded = encoded;
    this.list = terms;
    this.ids = ids ?? numbersOf(reader, this.terms);
    this.places = new Int32Array(reader.size).fill(-1);
    for (let j = 0; j < this.ids.length; j++) this.places[this.ids[j]] = j;
  }

  /** The terms, in the order of the columns. */
  get terms(): readonly string[] {
    if (typeof this.list === 'function') this.list = this.list();
    return this.list;
  }

  /** The column of a number, or −1. */
  place(id: number): number {
    return this.places[id] ?? -1;
  }

  /** With new terms, each at its place in the order of code points. */
  with(fresh: Iterable<number>): Columns {
    const numbers = new Map(Array.from(fresh, (id) => [this.reader.term(id), id]));
    if (numbers.size === 0) return this;
    const news = sortTerms([...numbers.keys()]);
    const terms = new Array<string>(this.terms.length + news.length);
    const ids = new Uint32Array(terms.length);
    for (let at = 0, j = 0, k = 0; at < terms.length; at++) {
      const old = k === news.length || (j < this.terms.length && compareCodePoints(this.terms[j], news[k]) < 0);
      terms[at] = old ? this.terms[j] : news[k];
      ids[at] = old ? this.ids[j++] : numbers.get(news[k++])!;
    }
    return new Columns(this.reader, terms, ids);
  }

  /** With the columns of some numbers alone. */
  keep(keeps: (id: number) => boolean): Columns {
    const ids = this.ids.filter(keeps);
    if (ids.length === this.ids.length) return this;
    return new Columns(
      this.reader,
      this.terms.filter((_, j) => keeps(this.ids[j])),
      ids,
    );
  }

  /** Where each column is in `next`; undefined when nothing has changed. */
  movesTo(next: Columns): Int32Array | undefined {
    if (next === this) return undefined;
    const moves = new Int32Array(this.ids.length);
    for (let j = 0; j < moves.length; j++) moves[j] = next.place(this.ids[j]);
    return moves;
  }
}

/** The numbers of terms. */
export function numbersOf(reader: Reader, terms: readonly string[]): Uint32Array {
  const ids = new Uint32Array(terms.length);
  for (let j = 0; j < ids.length; j++) ids[j] = reader.idOf(terms[j]);
  return ids;
}
