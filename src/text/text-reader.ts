import { requireWellFormed } from '../data/order.ts';
import { refuse, show } from '../errors.ts';
import type { Document } from './documents.ts';
import type { Reader } from './reader.ts';

/** Reads with an analyzer of any kind: every term is a string, found in a map. `analyze` gets the document and its number. */
export class TextReader implements Reader {
  private readonly analyze: (document: Document, row: number) => readonly string[];
  private readonly ids: Map<string, number> = new Map();
  private readonly terms: string[] = [];

  constructor(analyze: (document: Document, row: number) => readonly string[]) {
    this.analyze = analyze;
  }

  get size(): number {
    return this.terms.length;
  }

  read(document: Document, row: number, add: boolean): Int32Array {
    const terms = this.analyze(document, row);
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
