import type { Bags } from './bag.ts';
import type { Columns } from './columns.ts';
import type { Document } from './documents.ts';

/** The distinct terms of one document in order of first occurrence: term ids[k] occurs counts[k] times. */
export interface Bag {
  readonly ids: Int32Array;
  readonly counts: Uint32Array;
  /** Occurrences of terms without an id. */
  readonly unknown: number;
}

/** Terms as concatenated UTF-8: term k ends before byte ends[k]. */
export interface EncodedTerms {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

/** Maps documents to the ids of their terms. Ids are assigned in order of arrival and never change. */
export interface Reader {
  /** The number of terms with an id; ids are below this. */
  readonly size: number;
  /**
   * The terms of a document; an unknown one is added, or counted as unknown. The views are valid until the next call.
   */
  read(document: Document, row: number, add: boolean): Bag;
  /**
   * The column numbers of a document's terms, sorted by column if that is free. Terms without a column are skipped,
   * unknown ones not added.
   */
  readColumns(document: Document, row: number, columns: Columns): Bag;
  /** Adds the bags of documents[row], for all `rows`, to `bags`; returns the number of occurrences without an id. */
  readMany(documents: readonly Document[], rows: ArrayLike<number>, add: boolean, bags: Bags): number;
  /** The id of a term; an unknown one is added. */
  idOf(term: string): number;
  /** The ids of terms; unknown ones are added. */
  idsOf(terms: EncodedTerms): Uint32Array;
  /** The term with this id. */
  term(id: number): string;
  /** The terms with these ids. */
  encode(ids: Uint32Array): EncodedTerms;
  /** All ids, sorted by code point of their terms. */
  order(): Uint32Array;
}
