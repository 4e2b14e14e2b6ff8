import { type Linear, scoreOnce } from '../core/linear.ts';
import type { Model, Whole } from '../core/model.ts';
import type { Sums } from '../stats/sums.ts';
import { grown } from '../text/grown.ts';
import type { CountRows } from './count-rows.ts';

const NONE = new Float64Array(0);

/** So many weights are at hand, two megabytes of them. */
const MOST = 1 << 18;

/** What words are weighed by. */
export interface Scale {
  // biome-ignore lint/suspicious/noExplicitAny: the options are handed on as they come
  readonly model: Model<Sums, any, any>;
  readonly options: unknown;
  readonly counts: CountRows;
  /** The weight of each class. */
  readonly n: Float64Array;
}

/**
 * What words weigh in every class, from when somebody asks for them until something is learned. Texts have most words in common,
 * and a logarithm costs ten times what it takes to find one again.
 */
export class WordWeights {
  private readonly scale: Scale;
  private logPrior: Float64Array | undefined;
  /** The words whose weights are at hand, one row each. */
  private known: Int32Array;
  private size = 0;
  private rows: Float64Array = new Float64Array(MOST);
  /** By word: its row, if that row is still its own. */
  private places: Int32Array = new Int32Array(0);
  /** The rows of the words of one text, and the counts of those that have yet to be weighed. */
  private indices: Uint32Array = new Uint32Array(256);
  private counts: Float64Array = NONE;

  constructor(scale: Scale) {
    this.scale = scale;
    this.known = new Int32Array(Math.floor(MOST / scale.n.length));
  }

  /** Forgets all weights, because something was learned. */
  forget(): void {
    this.size = 0;
    this.logPrior = undefined;
  }

  /**
   * Scores a text of the words `ids[order[k]]`, `values[k]` times each, into `out`, in this order, and answers the class prior; undefined
   * where words cannot be weighed one by one.
   */
  score(
    ids: Int32Array,
    order: Int32Array,
    values: Float64Array,
    whole: Whole,
    out: Float64Array,
  ): Float64Array | undefined {
    const classes = this.scale.n.length;
    const logPrior = this.prepare(ids, order, whole);
    if (!logPrior) return undefined;
    const { indices, rows: weights } = this;
    const indptr = Uint32Array.of(0, order.length);
    scoreOnce({ classes, logPrior, weights }, { rows: 1, features: this.size, indptr, indices, values }, out);
    return logPrior;
  }

  /** Finds the rows of words, and fills those that are new. */
  private prepare(ids: Int32Array, order: Int32Array, whole: Whole): Float64Array | undefined {
    this.makeRoom(order.length);
    const { known, indices, places, size: first } = this;
    let size = first;
    for (let k = 0; k < order.length; k++) {
      const id = ids[order[k]];
      const place = places[id];
      const at = place < size && known[place] === id ? place : size++;
      indices[k] = places[id] = at;
      known[at] = id;
    }
    this.size = size;
    if (this.size > first || !this.logPrior) this.logPrior = this.weigh(first, whole);
    return this.logPrior;
  }

  private makeRoom(words: number): void {
    const classes = this.scale.n.length;
    this.indices = grown(this.indices, words);
    this.places = grown(this.places, this.scale.counts.words);
    if (this.size + words <= this.known.length) return;
    this.size = 0;
    this.known = grown(this.known, words);
    this.rows = grown(this.rows, this.known.length * classes);
  }

  /** Weighs the words from a row on. */
  private weigh(first: number, whole: Whole): Float64Array | undefined {
    const { model, options, counts, n } = this.scale;
    const [classes, features] = [n.length, this.size - first];
    this.counts = grown(this.counts, classes * features);
    for (let k = 0; k < features; k++) counts.copy(this.known[first + k], this.counts, k, features);
    const part = { classes, features, n, s: this.counts, m: NONE };
    const params = model.estimatePart?.(part, whole, options, this.rows.subarray(first * classes)) as
      | Linear
      | undefined;
    return params?.logPrior;
  }
}
