import { requireGoing } from '../data/limits.ts';
import { type CountArray, type CountType, narrowest } from '../data/safetensors.ts';
import { maximum, remainder, sum } from '../math/arrays.ts';
import { requireEnough } from '../stats/additive.ts';
import { Bags } from './bag.ts';
import { placed } from './columns.ts';
import { CountColumn, type CountData, isLightWeight } from './count-column.ts';
import type { Document } from './documents.ts';
import { KernelReader } from './kernel-reader.ts';
import type { EncodedTerms, Reader } from './reader.ts';

/** How documents are counted. */
export interface CountingRule {
  /** Whether `tf` counts a term once per document. */
  readonly binary: boolean;
  /** Whether classes count a term once per document. */
  readonly presence: boolean;
}

/** The counts of a counter as plain data. Term k has the id k, also in the columns. */
export interface TermCounts {
  /** Undefined if the counter that adds them has the same reader. */
  readonly terms: EncodedTerms | undefined;
  readonly df: CountData;
  /** Undefined if it is the sum of all classes. */
  readonly tf: CountData | undefined;
  readonly counts: readonly CountData[];
  readonly documents: readonly number[];
  readonly totals: readonly number[];
}

/** Documents with their class slots and weights. */
export interface LabelledDocuments {
  readonly documents: readonly Document[];
  /** The indices of the documents that are counted, in order. */
  readonly rows: Uint32Array;
  /** By index in `rows`. */
  readonly slots: Int32Array;
  readonly weights: Float64Array;
  readonly signal: AbortSignal | undefined;
}

/** Counts by class and term, for a file or a table. */
export interface TermTable {
  /** The array type of the rows. */
  readonly type: CountType;
  /** The counts of each class, one after another in the same array; read anew by every call. */
  rows(): Iterable<CountArray>;
  /** By id: the documents and the occurrences of each term. */
  readonly df: CountArray;
  readonly tf: CountArray;
}

/** The number of term counts added at a time, to limit memory. */
const TERMS_AT_ONCE = 1 << 14;

/** The number of documents between checks of an abort signal. */
const DOCUMENTS_AT_ONCE = 1024;

/**
 * Counts of terms, overall and by class, in order of arrival: learning a document takes time proportional to its terms,
 * whatever the size of the vocabulary. Classes have slots in order of arrival too. Terms and classes are sorted when
 * they are listed or saved.
 */
export class TermCounter {
  readonly reader: Reader;
  readonly rule: CountingRule;
  /** By term: the weight of its documents. */
  readonly df: CountColumn;
  /** By term: its weighted occurrences; undefined while they are the sum of all classes. */
  private tf: CountColumn | undefined;
  /** By class and term. */
  readonly counts: CountColumn[] = [];
  /** By class: the weight of its documents. */
  readonly documents: number[] = [];
  /** By class: the sum of its counts. */
  readonly totals: number[] = [];
  /** The number of terms that occur in a document. */
  terms = 0;

  constructor(reader: Reader, rule: CountingRule) {
    this.reader = reader;
    this.rule = rule;
    this.df = this.newColumn();
    if (rule.binary !== rule.presence) this.tf = this.newColumn();
  }

  private newColumn(): CountColumn {
    const { reader } = this;
    return new CountColumn(reader instanceof KernelReader ? reader.kernels : undefined);
  }

  /** The weighted occurrences of terms. */
  occurrences(ids: Uint32Array): Float64Array {
    if (this.tf) return this.tf.gather(ids);
    const sums = new Float64Array(ids.length);
    for (let from = 0; from < ids.length; from += TERMS_AT_ONCE) {
      const some = ids.subarray(from, from + TERMS_AT_ONCE);
      for (const column of this.counts) {
        const own = column.gather(some);
        for (let k = 0; k < own.length; k++) sums[from + k] += own[k];
      }
    }
    return sums;
  }

  /** A separate column of occurrences: sums of fractions depend on the order of additions. */
  private ownTf(): CountColumn {
    if (this.tf) return this.tf;
    const ids = allIds(this.reader);
    const column = this.newColumn();
    column.reserve(ids.length);
    column.setAll(ids, this.occurrences(ids));
    this.tf = column;
    return column;
  }

  private get columns(): CountColumn[] {
    return [this.df, ...(this.tf ? [this.tf] : []), ...this.counts];
  }

  /** Reserves capacity for the classes below `slots`. */
  reserve(slots: number): void {
    while (this.counts.length < slots) {
      this.counts.push(this.newColumn());
      this.documents.push(0);
      this.totals.push(0);
    }
  }

  /** The weight of all documents. */
  get weight(): number {
    return this.documents.reduce((sum, weight) => sum + weight, 0);
  }

  /**
   * Counts documents, all or none; unknown terms get an id if `learns`. Returns the number of occurrences without an
   * id. Documents are counted while they are read; if one is invalid, those before it are read again and subtracted.
   */
  count(labelled: LabelledDocuments, learns: boolean): number {
    const { rows, signal } = labelled;
    const progress = { done: 0 };
    let unknown = 0;
    try {
      for (let from = 0; from < rows.length; from = progress.done) {
        requireGoing(signal);
        unknown += this.countSome(labelled, from, Math.min(from + DOCUMENTS_AT_ONCE, rows.length), learns, progress);
      }
      requireGoing(signal);
    } catch (error) {
      this.takeBack(labelled, progress.done);
      throw error;
    }
    return unknown;
  }

  /** Frees the memory; the counter must not be used afterwards. */
  drop(): void {
    for (const column of this.columns) column.drop();
  }

  private countSome(
    labelled: LabelledDocuments,
    from: number,
    to: number,
    learns: boolean,
    progress: { done: number },
  ): number {
    const { reader, rule, df, tf } = this;
    const { documents, rows, slots, weights } = labelled;
    const owns = this.counts.map(({ column }) => column);
    const [dfColumn, tfColumn] = [df.column, tf ? tf.column : 0];
    const whole = weights.subarray(from, to).every(isLightWeight) && owns.every((column) => column !== undefined);
    const once = tf !== undefined && rule.binary; // the kernels add every occurrence to a separate column
    if (once || !(reader instanceof KernelReader) || !whole || dfColumn === undefined || tfColumn === undefined) {
      if (!whole) this.ownTf();
      const bags = new Bags();
      const unknown = reader.readMany(documents, rows.subarray(from, to), learns, bags);
      this.add(bags, slots, weights, from);
      progress.done = to;
      return unknown;
    }
    const columns = { df: dfColumn, tf: tfColumn, own: (k: number) => owns[slots[k]] as number };
    const note = (k: number, length: number) => {
      this.documents[slots[k]] += weights[k];
      this.totals[slots[k]] += weights[k] * length;
      progress.done = k + 1;
    };
    const { unknown, fresh } = reader.countMany(
      documents,
      { rows, weights, from, to },
      columns,
      rule.presence,
      learns,
      note,
    );
    this.terms += fresh;
    return unknown;
  }

  /** Subtracts the first `done` documents of a call, which were just counted. */
  private takeBack({ rows, ...labelled }: LabelledDocuments, done: number): void {
    if (done === 0) return;
    const taken = new TermCounter(this.reader, this.rule);
    taken.reserve(this.counts.length);
    taken.count({ ...labelled, rows: rows.subarray(0, done), signal: undefined }, false);
    this.subtract(taken);
    this.terms = this.df.ids().length;
    taken.drop();
  }

  /** Counts documents; row i has the class slots[first + i] and the weight weights[first + i]. */
  private add(bags: Bags, slots: Int32Array, weights: Float64Array, first: number): void {
    const { df, tf, rule, reader } = this;
    const { ids, counts } = bags;
    for (const column of this.columns) column.reserve(reader.size);
    for (let i = 0; i < bags.rows; i++) {
      const [slot, weight] = [slots[first + i], weights[first + i]];
      const [from, to] = [bags.start(i), bags.start(i + 1)];
      this.terms += df.add(ids, undefined, from, to, weight);
      tf?.add(ids, rule.binary ? undefined : counts, from, to, weight);
      this.counts[slot].add(ids, rule.presence ? undefined : counts, from, to, weight);
      this.documents[slot] += weight;
      let length = rule.presence ? to - from : 0;
      if (!rule.presence) for (let k = from; k < to; k++) length += counts[k];
      this.totals[slot] += length * weight;
    }
  }

  /** Sets the counts of terms without counts so far, class by class. */
  fill(
    ids: Uint32Array,
    known: { df: Float64Array; tf: Float64Array; n: Float64Array; s: (c: number) => ArrayLike<number> },
  ): void {
    const set = (column: CountColumn, values: ArrayLike<number>) => {
      column.reserve(this.reader.size);
      column.setAll(ids, values);
    };
    set(this.df, known.df);
    const sums = new Float64Array(ids.length);
    for (const c of this.counts.keys()) {
      const own = known.s(c);
      for (let k = 0; k < sums.length; k++) sums[k] += own[k];
    }
    if (this.tf || known.tf.some((count, k) => count !== sums[k])) set((this.tf ??= this.newColumn()), known.tf);
    this.terms = known.df.reduce((terms, count) => terms + Number(count > 0), 0);
    this.counts.forEach((column, c) => {
      const own = known.s(c);
      set(column, own);
      this.documents[c] = known.n[c];
      for (let j = 0; j < ids.length; j++) this.totals[c] += own[j];
    });
  }

  /** Whether all counts are integers, so the order of additions does not matter. */
  get whole(): boolean {
    return this.columns.every((column) => column.whole) && this.documents.every(Number.isInteger);
  }

  /** The counts as plain data; without the terms if the receiving counter has the same reader. */
  toState(isSameReader: boolean): TermCounts {
    const { reader, df, tf, counts, documents, totals } = this;
    const terms = isSameReader ? undefined : reader.encode(allIds(reader));
    const data = (column: CountColumn) => column.data(reader.size);
    return { terms, df: data(df), tf: tf && data(tf), counts: counts.map(data), documents, totals };
  }

  /** Adds the counts of another counter; its class in slot k is slots[k] here. */
  merge({ terms, df, tf, counts, documents, totals }: TermCounts, slots: ArrayLike<number>): void {
    const ids = terms ? this.reader.idsOf(terms) : allIds(this.reader);
    const add = (column: CountColumn, other: CountData): number => {
      column.reserve(this.reader.size);
      return column.merge(other, ids);
    };
    this.terms += add(this.df, df);
    if (tf || this.tf) for (const part of tf ? [tf] : counts) add(this.ownTf(), part);
    counts.forEach((values, k) => {
      add(this.counts[slots[k]], values);
      this.documents[slots[k]] += documents[k];
      this.totals[slots[k]] += totals[k];
    });
  }

  /** An upper bound of every count and of their sums. */
  get largest(): number {
    return this.totals.reduce((sum, total) => sum + total, this.weight);
  }

  /**
   * The counts of terms in some classes, class by class, and by id the documents and occurrences of these terms, in the
   * narrowest array types that hold them: a large vocabulary has millions of terms. The other classes must have no
   * counts.
   */
  table(slots: readonly number[], ids: Uint32Array): TermTable {
    const { reader, counts, df, tf } = this;
    const isListed = new Uint8Array(reader.size);
    for (const id of ids) isListed[id] = 1;
    const most = slots.map((slot) => counts[slot].most(isListed));
    const type = narrowest(Math.max(0, ...most));
    const rows = function* () {
      const row = new type(ids.length);
      for (const slot of slots) yield counts[slot].gather(ids, row);
    };
    const byId = (column: CountColumn) => {
      const own = column.gather(ids, new (narrowest(column.most(isListed)))(ids.length));
      return placed(own, ids, reader.size);
    };
    const occurrences = tf ? byId(tf) : placed(sumOfRows(rows(), ids.length, sum(most)), ids, reader.size);
    return { type, rows, df: byId(df), tf: occurrences };
  }

  /**
   * Subtracts the counts of another counter with the same reader and rule, all or nothing: throws if a count would
   * become negative.
   */
  subtract(taken: TermCounter): void {
    taken.reserve(this.counts.length);
    const ids = taken.df.ids();
    const pairs: [CountColumn, CountColumn, string][] = [[this.df, taken.df, 'df']];
    if (this.tf || taken.tf) pairs.push([this.ownTf(), taken.ownTf(), 'tf']);
    this.counts.forEach((own, slot) => void pairs.push([own, taken.counts[slot], 's']));
    requireEnough(this.documents, taken.documents, 'documents');
    const left = pairs.map(([own, less, name]) => {
      const [have, take] = [own.gather(ids), less.gather(ids)];
      requireEnough(have, take, name);
      return have.map((count, k) => remainder(count, take[k]));
    });
    left.forEach((values, k) => {
      pairs[k][0].setAll(ids, values);
    });
    for (const count of left[0]) if (count === 0) this.terms--;
    taken.documents.forEach((weight, slot) => {
      this.documents[slot] = remainder(this.documents[slot], weight);
      this.totals[slot] = this.documents[slot] === 0 ? 0 : remainder(this.totals[slot], taken.totals[slot]);
    });
  }

  /** Multiplies all counts. */
  scale(factor: number): void {
    this.ownTf();
    for (const column of this.columns) column.scale(factor);
    for (const sums of [this.documents, this.totals]) sums.forEach((sum, slot) => void (sums[slot] = sum * factor));
  }

  /** Removes all terms for which `keeps` is false. */
  keep(keeps: (id: number) => boolean): void {
    for (let id = 0; id < this.reader.size; id++) {
      if (keeps(id) || this.df.get(id) === 0) continue;
      this.counts.forEach((own, slot) => {
        this.totals[slot] -= own.get(id);
        if (own.get(id) > 0) own.set(id, 0);
      });
      this.df.set(id, 0);
      this.tf?.set(id, 0);
      this.terms--;
    }
  }
}

/** The sums of rows, at most `most`, in the narrowest array type. */
function sumOfRows(rows: Iterable<CountArray>, length: number, most: number): CountArray {
  const sums = new (narrowest(most))(length);
  for (const row of rows) for (let j = 0; j < length; j++) sums[j] += row[j];
  return new (narrowest(most < Infinity ? maximum(sums) : most))(sums);
}

const allIds = ({ size }: Reader): Uint32Array => Uint32Array.from({ length: size }, (_, id) => id);
