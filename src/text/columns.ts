import type { CountArray } from '../data/safetensors.ts';
import { cutTerms } from './encoded.ts';
import type { EncodedTerms, Reader } from './reader.ts';

/** Numbers by id, of the same array type: `values[j]` at ids[j], and 0 elsewhere. */
export function placed<T extends CountArray>(values: T, ids: Uint32Array, size: number): T {
  const all = new (values.constructor as new (size: number) => T)(size);
  for (let j = 0; j < ids.length; j++) all[ids[j]] = values[j];
  return all;
}

/**
 * The columns of terms. Immutable: a change creates a new object, and `movesTo` gives the new position of each column.
 */
export class Columns {
  /** The term id of each column. */
  readonly ids: Uint32Array;
  /** The column of each id; −1 if it has none. */
  readonly places: Int32Array;
  private readonly reader: Reader;
  private list: readonly string[] | undefined;

  constructor(reader: Reader, ids: Uint32Array) {
    this.reader = reader;
    this.ids = ids;
    this.places = new Int32Array(reader.size).fill(-1);
    for (let j = 0; j < ids.length; j++) this.places[ids[j]] = j;
  }

  /** A column for each id that `keeps` accepts, sorted by code point of the terms. */
  static sorted(reader: Reader, keeps: (id: number) => boolean): Columns {
    return new Columns(reader, reader.order().filter(keeps));
  }

  /** The terms, in the order of the columns. */
  get terms(): readonly string[] {
    this.list ??= cutTerms(this.encoded());
    return this.list;
  }

  /** The terms in the order of the columns, as UTF-8. */
  encoded(): EncodedTerms {
    return this.reader.encode(this.ids);
  }

  /** The column of an id, or −1. */
  place(id: number): number {
    return this.places[id] ?? -1;
  }

  /** The columns of some ids only. */
  keep(keeps: (id: number) => boolean): Columns {
    const ids = this.ids.filter(keeps);
    return ids.length === this.ids.length ? this : new Columns(this.reader, ids);
  }

  /** The index of each column in `next`; undefined if nothing has changed. */
  movesTo(next: Columns): Int32Array | undefined {
    if (next === this) return undefined;
    return Int32Array.from(this.ids, (id) => next.place(id));
  }
}
