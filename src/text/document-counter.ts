import { grown } from '../data/grown.ts';
import { requireGoing } from '../data/limits.ts';
import type { CountArray } from '../data/safetensors.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { Bags } from './bag.ts';
import type { Columns } from './columns.ts';
import { type Document, type Documents, requireDocument, requireDocuments } from './documents.ts';
import type { Reader } from './reader.ts';

/** Counts of documents by term id: n = Σ w, df[t] = Σ w [t ∈ d], tf[t] = Σ w · tf(t, d). */
export interface Counts {
  readonly documents: number;
  readonly df: CountArray;
  readonly tf: CountArray;
  /** Which counts a slim model kept. */
  readonly left?: 'df' | 'none';
  /**
   * Terms that also occur in documents not counted here, because scikit-learn keeps no document frequencies. They keep
   * their columns, whatever is unlearned.
   */
  readonly uncounted?: ReadonlySet<number> | undefined;
}

/** Counting options. */
export interface DocumentCounterOptions {
  /** Whether unknown terms get an id. */
  readonly add: boolean;
  /** Whether a term counts once per document. */
  readonly binary?: boolean | undefined;
  /** Whether the rows are stored. */
  readonly keep?: boolean | undefined;
  /** The columns of the rows, if only rows are needed and terms are not counted. */
  readonly columns?: Columns | undefined;
  readonly sampleWeight?: Weights | undefined;
  readonly signal?: AbortSignal | undefined;
}

const DOCUMENTS_AT_ONCE = 1024;

/** Counts documents one by one. */
export class DocumentCounter {
  readonly bags: Bags = new Bags();
  /** Occurrences of terms without an id. */
  unknown = 0;
  private readonly reader: Reader;
  private readonly options: DocumentCounterOptions;
  private readonly weights: Float64Array; // one per document, or one for all
  private rows = 0;
  private documents = 0;
  private df: Float64Array;
  private tf: Float64Array;

  constructor(reader: Reader, options: DocumentCounterOptions) {
    this.reader = reader;
    this.options = options;
    const { sampleWeight = 1, columns } = options;
    this.df = new Float64Array(columns ? 0 : 1024);
    this.tf = new Float64Array(this.df.length);
    this.weights = readWeights(sampleWeight, typeof sampleWeight === 'number' ? 1 : sampleWeight.length);
  }

  /** Counts one document. A document of weight zero is not counted and adds no terms. */
  add(document: Document): void {
    const { add, binary, keep, columns, signal, sampleWeight } = this.options;
    const { reader, bags } = this;
    const row = this.rows++;
    if (row % DOCUMENTS_AT_ONCE === 0) requireGoing(signal);
    if (columns) {
      bags.add(reader.readColumns(requireDocument(document, row), row, columns));
      return;
    }
    const weight = this.weights[typeof sampleWeight === 'object' ? row : 0] ?? 0;
    const bag = reader.read(requireDocument(document, row), row, add && weight > 0);
    if (keep) bags.add(bag);
    if (weight === 0) return;
    this.documents += weight;
    this.unknown += bag.unknown;
    this.df = grown(this.df, reader.size);
    this.tf = grown(this.tf, reader.size);
    const { df, tf } = this;
    const { ids, counts } = bag;
    for (let k = 0; k < ids.length; k++) {
      df[ids[k]] += weight;
      tf[ids[k]] += binary ? weight : weight * counts[k];
    }
  }

  /** Returns the counts. Throws if there were no documents, or a different number of weights. */
  finish(): Counts {
    const { rows, weights, documents, df, tf } = this;
    if (rows === 0) refuse('E_EMPTY_INPUT', 'there are no documents to learn from', { rows });
    if (typeof this.options.sampleWeight === 'object' && weights.length !== rows) {
      refuse('E_WEIGHT_SHAPE', `there are ${weights.length} weights for ${rows} documents`, {
        expected: rows,
        actual: weights.length,
      });
    }
    return { documents, df, tf };
  }
}

/** Takes documents in and returns a result after the last one. */
export type Intake<T> = readonly [counter: DocumentCounter, finish: () => T];

/** Passes on documents. */
export function feed<T>(documents: Documents, [counter, finish]: Intake<T>): T {
  for (const document of requireDocuments(documents)) counter.add(document);
  return finish();
}
