import { requireExact } from '../data/limits.ts';
import type { CountArray } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import { maximum, remainder } from '../math/arrays.ts';
import { requireEnough } from '../stats/additive.ts';
import { Columns, placed } from './columns.ts';
import type { Counts } from './document-counter.ts';
import { keptColumns, type PruneRule } from './prune.ts';
import type { Reader } from './reader.ts';

const NOTHING: Counts = { documents: 0, df: new Float64Array(0), tf: new Float64Array(0) };

/**
 * The terms that have a column, with their counts. Columns are sorted by code point, whatever the order of arrival,
 * unless the list of terms was given. Immutable: learning creates a new one.
 */
export class Vocabulary {
  readonly reader: Reader;
  readonly columns: Columns;
  /** The list of terms was given and is fixed. */
  readonly fixed: boolean;
  /** By term id. */
  readonly counts: Counts;
  /** Terms have been dropped, so documents may contain terms that were learned but are unknown now. */
  readonly pruned: boolean;

  constructor(reader: Reader, columns: Columns, fixed: boolean, counts: Counts = NOTHING, pruned = false) {
    this.reader = reader;
    this.columns = columns;
    this.fixed = fixed;
    this.counts = counts;
    this.pruned = pruned;
  }

  /** The terms, in the order of the columns. */
  get terms(): readonly string[] {
    return this.columns.terms;
  }

  /** How many documents were learned, by weight. */
  get documents(): number {
    return this.counts.documents;
  }

  /** Document frequencies, by column. */
  get df(): Float64Array {
    return Float64Array.from(this.byColumn('df'));
  }

  /** Term frequencies, by column. */
  get tf(): Float64Array {
    return Float64Array.from(this.byColumn('tf'));
  }

  /** Counts in the order of the columns. */
  byColumn(name: 'df' | 'tf'): CountArray {
    const { columns, counts } = this;
    const values = counts[name];
    const gathered = new (values.constructor as new (size: number) => CountArray)(columns.ids.length);
    for (let j = 0; j < gathered.length; j++) gathered[j] = values[columns.ids[j]] ?? 0;
    return gathered;
  }

  /** Adds counts. A term without a column gets one in sorted order. */
  learn(more: Counts, pruned = this.pruned): Vocabulary {
    const { counts, reader } = this;
    const add = (name: 'df' | 'tf') => {
      const have = counts[name];
      const all = sized(more[name], reader.size);
      for (let id = 0; id < have.length; id++) all[id] += have[id];
      requireExact(maximum(all));
      return all;
    };
    const documents = counts.documents + more.documents;
    const uncounted = more.uncounted ? new Set([...(counts.uncounted ?? []), ...more.uncounted]) : counts.uncounted;
    return this.with(this.columnsWith(more), { documents, df: add('df'), tf: add('tf'), uncounted }, pruned);
  }

  /**
   * Subtracts counts. A term that no document contains any more loses its column, unless some of its documents are
   * uncounted.
   */
  unlearn(taken: Counts, unknown: number): Vocabulary {
    const { columns, counts, reader, fixed, pruned } = this;
    if (unknown > 0 && !fixed && !pruned) {
      refuse('E_UNLEARN_UNDERFLOW', 'a document holds a term that was never learned', { unknown });
    }
    const less = (name: 'df' | 'tf') => {
      const [have, take] = [sized(counts[name], reader.size), sized(taken[name], reader.size)];
      if (!pruned) requireEnough(have, take, name);
      // a pruned term that came back later has fewer counts than occurrences
      return have.map((count, id) => Math.max(0, remainder(count, take[id])));
    };
    const { uncounted } = counts;
    if (!uncounted) requireEnough([counts.documents], [taken.documents], 'documents');
    const documents = Math.max(0, remainder(counts.documents, taken.documents));
    const [df, tf] = [less('df'), less('tf')];
    const left = { documents, df, tf: tf.map((count, id) => (df[id] > 0 ? count : 0)), uncounted };
    return this.with(fixed ? columns : columns.keep((id) => df[id] > 0 || uncounted?.has(id) === true), left, pruned);
  }

  /** Removes the terms that a rule does not keep. They are forgotten and may be learned again as new terms. */
  prune(rule: PruneRule): Vocabulary {
    const { columns, counts } = this;
    const kept = new Set(
      Uint32Array.from(keptColumns(this.df, this.tf, counts.documents, rule), (j) => columns.ids[j]),
    );
    const keep = (values: CountArray) => Float64Array.from(values, (count, id) => (kept.has(id) ? count : 0));
    return this.with(
      columns.keep((id) => kept.has(id)),
      {
        documents: counts.documents,
        df: keep(counts.df),
        tf: keep(counts.tf),
        uncounted: someOf([...(counts.uncounted ?? [])].filter((id) => kept.has(id))),
      },
      this.pruned || kept.size < columns.ids.length,
    );
  }

  /** The counts under other term ids, all below `size`. */
  countsAt(ids: Uint32Array, size: number): Counts {
    const place = (name: 'df' | 'tf') => placed(this.byColumn(name), ids, size);
    const { documents, columns, counts } = this;
    const uncounted = someOf(ids.filter((_, j) => counts.uncounted?.has(columns.ids[j])));
    return { documents, df: place('df'), tf: place('tf'), uncounted };
  }

  /** Replaces a reader that remembers more dropped words than kept ones by one with the kept words only. */
  compact(fresh: () => Reader): Vocabulary {
    if (!this.pruned || this.reader.size <= 2 * this.columns.ids.length) return this;
    const reader = fresh();
    const columns = new Columns(reader, reader.idsOf(this.columns.encoded()));
    return new Vocabulary(reader, columns, this.fixed, this.countsAt(columns.ids, reader.size), true);
  }

  private columnsWith({ df, uncounted }: Counts): Columns {
    const { columns, reader, fixed } = this;
    const isNew = (id: number) => (df[id] > 0 || uncounted?.has(id) === true) && columns.place(id) < 0;
    if (fixed || !df.some((_, id) => isNew(id))) return columns;
    return Columns.sorted(reader, (id) => isNew(id) || columns.place(id) >= 0);
  }

  private with(columns: Columns, counts: Counts, pruned: boolean): Vocabulary {
    return new Vocabulary(this.reader, columns, this.fixed, counts, pruned);
  }
}

/** A set of ids; undefined if there is none. */
export function someOf(ids: ArrayLike<number>): ReadonlySet<number> | undefined {
  return ids.length > 0 ? new Set(Array.from(ids)) : undefined;
}

/**
 * The counts of `size` terms. Counters grow by doubling and so have spare capacity, and counts made before the reader
 * met further terms are shorter: only arrays of equal length can be subtracted.
 */
function sized(counts: CountArray, size: number): Float64Array {
  const exact = new Float64Array(size);
  exact.set(counts.subarray(0, size));
  return exact;
}
