import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { Bag, type Bags } from './bag.ts';
import { type Document, requireDocument } from './documents.ts';
import { grown } from './lexicon.ts';
import type { Reader } from './reader.ts';

/** What documents a lesson is made of, counted by the numbers of their terms. */
export interface Tally {
  /** Σ w over the documents. */
  readonly documents: number;
  /** The numbers that occur, each once. */
  readonly ids: Uint32Array;
  /** Σ w over the documents with the term, in the order of `ids`. */
  readonly df: Float64Array;
  /** Σ w · tf, in the order of `ids`. */
  readonly tf: Float64Array;
  /** Occurrences of terms that have no number. */
  readonly unknown: number;
}

/** Some terms of a tally alone. */
export function takeTerms({ documents, ids, df, tf, unknown }: Tally, kept: Uint32Array): Tally {
  return {
    documents,
    ids: Uint32Array.from(kept, (k) => ids[k]),
    df: Float64Array.from(kept, (k) => df[k]),
    tf: Float64Array.from(kept, (k) => tf[k]),
    unknown,
  };
}

/** How documents are counted. */
export interface LessonOptions {
  /** Whether unknown terms get a number. */
  readonly add: boolean;
  /** Whether a term counts once per document. */
  readonly binary: boolean;
  readonly sampleWeight?: Weights | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps the rows. */
  readonly bags?: Bags | undefined;
}

const DOCUMENTS_AT_ONCE = 1024;

/** Counts documents one by one: n = Σ w, df[t] = Σ w [t ∈ d], tf[t] = Σ w · tf(t, d). */
export class Lesson {
  private readonly reader: Reader;
  private readonly options: LessonOptions;
  private readonly weights: number | Float64Array; // for all documents, or one for each
  private readonly bag: Bag = new Bag();
  private df: Float64Array = new Float64Array(1024);
  private tf: Float64Array = new Float64Array(1024);
  private rows = 0;
  private documents = 0;
  private unknown = 0;

  constructor(reader: Reader, options: LessonOptions) {
    this.reader = reader;
    this.options = options;
    const { sampleWeight = 1 } = options;
    const weights = readWeights(sampleWeight, typeof sampleWeight === 'number' ? 1 : sampleWeight.length);
    this.weights = typeof sampleWeight === 'number' ? weights[0] : weights;
  }

  /** Counts one document. What weighs nothing is not counted, and teaches no word. */
  add(document: Document): void {
    const { add, binary, signal, bags } = this.options;
    const row = this.rows++;
    if (row % DOCUMENTS_AT_ONCE === 0 && signal?.aborted) {
      refuse('E_CANCELLED', 'the work was cancelled by its caller', {}, signal.reason);
    }
    const weight = typeof this.weights === 'number' ? this.weights : (this.weights[row] ?? 0);
    const found = this.reader.read(requireDocument(document, row), row, add && weight > 0);
    this.bag.fill(found, this.reader.size);
    bags?.add(this.bag);
    if (weight === 0) return;
    this.documents += weight;
    this.unknown += this.bag.unknown;
    this.count(weight, binary);
  }

  private count(weight: number, binary: boolean): void {
    this.df = grown(this.df, this.reader.size);
    this.tf = grown(this.tf, this.reader.size);
    const { df, tf } = this;
    const { ids, counts, size } = this.bag;
    for (let k = 0; k < size; k++) {
      const id = ids[k];
      df[id] += weight;
      tf[id] += binary ? weight : weight * counts[id];
    }
  }

  /** What was counted. Refuses when there was no document, or another number of weights than of documents. */
  finish(): Tally {
    if (this.rows === 0) refuse('E_EMPTY_INPUT', 'there are no documents to learn from', { rows: 0 });
    if (typeof this.weights === 'object' && this.weights.length !== this.rows) {
      refuse('E_WEIGHT_SHAPE', `there are ${this.weights.length} weights for ${this.rows} documents`, {
        expected: this.rows,
        actual: this.weights.length,
      });
    }
    return this.tally();
  }

  /** What was counted so far. */
  tally(): Tally {
    const ids: number[] = [];
    for (let id = 0; id < this.df.length; id++) if (this.df[id] > 0) ids.push(id);
    return {
      documents: this.documents,
      ids: Uint32Array.from(ids),
      df: Float64Array.from(ids, (id) => this.df[id]),
      tf: Float64Array.from(ids, (id) => this.tf[id]),
      unknown: this.unknown,
    };
  }
}
