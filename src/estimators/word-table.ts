import { compareCodePoints } from '../data/order.ts';
import { asStored } from '../data/stored.ts';
import type { Sums } from '../stats/sums.ts';
import { Bags } from '../text/bag.ts';
import { Columns } from '../text/columns.ts';
import { type Document, requireDocument } from '../text/documents.ts';
import { grown } from '../text/grown.ts';
import type { Lexicon } from '../text/lexicon.ts';
import type { Reader } from '../text/reader.ts';
import type { Vocabulary } from '../text/vocabulary.ts';
import { compareWords, lexiconOf, writtenWords } from '../text/word-bytes.ts';
import { CountRows } from './count-rows.ts';

/** A document by the numbers of its terms: ids[k] occurs counts[k] times. The views last until the next document is read. */
export interface Bag {
  readonly ids: Int32Array;
  readonly counts: Float64Array;
}

/** The rank of a term that has no column. */
const NOWHERE = -2;

/** More new terms than this, and than there are old ones, are put in order for good. */
const MANY = 1024;

/**
 * Counts of terms by class that grow in place, by the number that the reader calls a term by. A vocabulary
 * keeps its columns sorted, so that one new word moves all cells behind it; here it only gets a rank, by which the terms of
 * a document are put in the order of the columns when their scores are summed.
 */
export class WordTable {
  readonly counts: CountRows;
  /** How many terms have a column. */
  features: number;
  private readonly reader: Reader;
  /** The terms as bytes, where they are words. */
  private readonly lexicon: Lexicon | undefined;
  private readonly bags: Bags = new Bags();
  private readonly fresh: number[] = [];
  private vocabulary: Vocabulary;
  /** By id: twice the column, or between two columns (from −1 on) for a term that came later; `NOWHERE` for one without. */
  private ranks: Int32Array = new Int32Array(0);
  private keys: Float64Array = new Float64Array(256);
  private order: Int32Array = new Int32Array(256);
  /** The text that was read last, and whether all its terms had numbers. */
  private latest: { readonly document: string; readonly bag: Bag; readonly whole: boolean } | undefined;

  constructor(vocabulary: Vocabulary, classes: number) {
    this.vocabulary = vocabulary;
    this.reader = vocabulary.reader;
    this.lexicon = lexiconOf(this.reader);
    this.counts = new CountRows(classes, this.reader.size);
    this.features = 0;
    this.rank(vocabulary);
  }

  /** Whether so many terms have come that it is time to give them columns. */
  get crowded(): boolean {
    return this.fresh.length > Math.max(MANY, this.vocabulary.columns.ids.length);
  }

  /** Takes the order of terms from a vocabulary that has a column for all of them. */
  rank(vocabulary: Vocabulary): void {
    const { ids } = vocabulary.columns;
    this.vocabulary = vocabulary;
    this.ranks = new Int32Array(Math.max(this.ranks.length, this.reader.size)).fill(NOWHERE);
    for (let j = 0; j < ids.length; j++) this.ranks[ids[j]] = 2 * j;
    this.features = ids.length;
    this.fresh.length = 0;
  }

  /** Takes counts over from the columns; answers the sums by class, or undefined where a count is not whole. */
  fill(stats: Sums): Float64Array | undefined {
    return this.counts.fill(this.vocabulary.columns.ids, asStored(stats, 's'));
  }

  /** The columns with new terms among them. */
  arranged(): Columns {
    const { columns } = this.vocabulary;
    const { fresh, ranks, reader, lexicon } = this;
    if (fresh.length === 0) return columns;
    const news = Uint32Array.from(fresh).sort((a, b) => ranks[a] - ranks[b] || this.compare(a, b));
    const ids = new Uint32Array(columns.ids.length + news.length);
    for (let at = 0, j = 0, k = 0; at < ids.length; at++) {
      const isOld = k === news.length || 2 * j < ranks[news[k]];
      ids[at] = isOld ? columns.ids[j++] : news[k++];
    }
    const terms = () => Array.from(ids, (id) => reader.term(id));
    return new Columns(reader, terms, ids, lexicon && writtenWords(lexicon, ids));
  }

  /**
   * Reads one document; terms that are not known get a number where `add` is set. Who predicts a document and then learns it
   * need not read it twice.
   */
  read(document: Document, row: number, add: boolean): Bag {
    const { bags, reader, latest } = this;
    if (latest && latest.document === document && (latest.whole || !add)) return latest.bag;
    bags.clear();
    const unknown = bags.add(reader.read(requireDocument(document, row), row, add), reader.size);
    const bag = { ids: bags.ids.subarray(0, bags.size), counts: bags.counts.subarray(0, bags.size) };
    this.latest = typeof document === 'string' ? { document, bag, whole: unknown === 0 } : undefined;
    return bag;
  }

  /** Whether a term has a column. */
  has(id: number): boolean {
    return this.ranks[id] > NOWHERE;
  }

  /** Gives a new term its rank, and room for its counts. */
  admit(id: number): void {
    const size = this.ranks.length;
    this.ranks = grown(this.ranks, id + 1);
    this.ranks.fill(NOWHERE, size);
    this.ranks[id] = 2 * this.columnsBefore(id) - 1;
    this.counts.reserve(id + 1);
    this.fresh.push(id);
    this.features++;
  }

  /** The terms of a document that have a column, in the order of the columns; places into the bag. The view lasts until the next call. */
  inOrder({ ids }: Bag): Int32Array {
    const span = 2 ** (32 - Math.clz32(ids.length)); // above every place in the bag
    this.keys = grown(this.keys, ids.length);
    let count = 0;
    for (let k = 0; k < ids.length; k++) if (this.has(ids[k])) this.keys[count++] = (this.ranks[ids[k]] + 1) * span + k;
    const keys = this.keys.subarray(0, count).sort();
    this.order = grown(this.order, count);
    const order = this.order.subarray(0, count);
    for (let n = 0; n < count; n++) order[n] = keys[n] % span;
    if (this.fresh.length > 0) this.untie(order, ids);
    return order;
  }

  /** New terms between the same two columns share a rank: they are put in order by what they are. */
  private untie(order: Int32Array, ids: Int32Array): void {
    const rank = (n: number) => this.ranks[ids[order[n]]];
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && rank(to) === rank(from)) to++;
      if (to - from > 1) {
        order.subarray(from, to).sort((a, b) => this.compare(ids[a], ids[b]));
      }
      from = to;
    }
  }

  /** How many columns of the vocabulary stand before a term. */
  private columnsBefore(id: number): number {
    const { ids } = this.vocabulary.columns;
    let [low, high] = [0, ids.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.compare(ids[middle], id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below 0 where one term comes before another. */
  private compare(one: number, other: number): number {
    const { lexicon, reader } = this;
    return lexicon ? compareWords(lexicon, one, other) : compareCodePoints(reader.term(one), reader.term(other));
  }
}
