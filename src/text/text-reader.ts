import { grown } from '../data/grown.ts';
import { compareCodePoints, requireWellFormed } from '../data/order.ts';
import { refuse, show } from '../errors.ts';
import type { Bags } from './bag.ts';
import type { Columns } from './columns.ts';
import { type Document, requireDocument } from './documents.ts';
import { cutTerms, encodeTerms } from './encoded.ts';
import type { Bag, EncodedTerms, Reader } from './reader.ts';

/** Reads documents with any analyzer: every term is a string, looked up in a map. */
export class TextReader implements Reader {
  private readonly analyze: (document: Document, row: number) => readonly string[];
  private readonly known: Map<string, number> = new Map();
  readonly terms: string[] = [];
  /** By id: its entry in the bag; valid only if that entry has this id. */
  private latest: Uint32Array = new Uint32Array(64);

  /** `analyze` gets the document and its row. */
  constructor(analyze: (document: Document, row: number) => readonly string[]) {
    this.analyze = analyze;
  }

  get size(): number {
    return this.terms.length;
  }

  read(document: Document, row: number, add: boolean): Bag {
    const terms = this.analyze(document, row);
    const ids = new Int32Array(terms.length);
    const counts = new Uint32Array(terms.length);
    let [size, unknown] = [0, 0];
    for (const term of terms) {
      const id = this.known.get(term) ?? (add ? this.idOf(term) : -1);
      const entry = this.latest[id];
      if (id < 0) unknown++;
      else if (entry < size && ids[entry] === id) counts[entry]++;
      else {
        ids[size] = id;
        counts[size] = 1;
        this.latest[id] = size++;
      }
    }
    return { ids: ids.subarray(0, size), counts: counts.subarray(0, size), unknown };
  }

  readColumns(document: Document, row: number, columns: Columns): Bag {
    const { ids, counts, unknown } = this.read(document, row, false);
    const own = Array.from(ids.keys()).filter((k) => columns.place(ids[k]) >= 0);
    return {
      ids: Int32Array.from(own, (k) => columns.place(ids[k])),
      counts: Uint32Array.from(own, (k) => counts[k]),
      unknown,
    };
  }

  readMany(documents: readonly Document[], rows: ArrayLike<number>, add: boolean, bags: Bags): number {
    let unknown = 0;
    for (let k = 0; k < rows.length; k++) {
      const bag = this.read(requireDocument(documents[rows[k]], rows[k]), rows[k], add);
      bags.add(bag);
      unknown += bag.unknown;
    }
    return unknown;
  }

  idOf(term: string): number {
    const known = this.known.get(term);
    if (known !== undefined) return known;
    // A user's analyzer may return anything.
    if (typeof term !== 'string')
      refuse('E_TYPE', `terms must be strings; the analyzer returned ${typeof term} ${show(term)}`);
    requireWellFormed(term, 'term');
    const id = this.terms.push(term) - 1;
    this.known.set(term, id);
    this.latest = grown(this.latest, id + 1);
    return id;
  }

  idsOf(terms: EncodedTerms): Uint32Array {
    return Uint32Array.from(cutTerms(terms), (term) => this.idOf(term));
  }

  term(id: number): string {
    return this.terms[id];
  }

  encode(ids: Uint32Array): EncodedTerms {
    return encodeTerms(Array.from(ids, (id) => this.terms[id]));
  }

  order(): Uint32Array {
    const { terms } = this;
    return Uint32Array.from(terms.keys()).sort((a, b) => compareCodePoints(terms[a], terms[b]));
  }
}
