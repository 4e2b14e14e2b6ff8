import { refuse } from '../errors.ts';
import { requireEnough, takeAway } from '../stats/additive.ts';
import { Columns } from './columns.ts';
import type { Growth } from './growth.ts';
import type { Tally } from './lesson.ts';
import { grown } from './lexicon.ts';
import { keptColumns, type PruneRule } from './prune.ts';
import type { Reader } from './reader.ts';

/** A change that has been worked out and not yet made. */
export interface Change extends Growth {
  readonly columns: Columns;
  commit(): void;
}

/**
 * The terms that have a column, with the counts that every question about them needs: documents n = Σ w, document
 * frequencies df[t] = Σ w [t ∈ d] and term frequencies tf[t] = Σ w · tf(t, d).
 * Columns are sorted by code point whatever the order of arrival, unless the list of terms was given.
 */
export class Vocabulary {
  readonly reader: Reader;
  /** The list of terms was given and stays as it is. */
  readonly fixed: boolean;
  documents = 0;
  /** Changes with every change of counts or columns. */
  version = 0;
  /** Terms have been dropped, so that documents may hold terms which were learned and are not known. */
  pruned = false;
  columns: Columns;
  private counts: { df: Float64Array; tf: Float64Array } = { df: new Float64Array(0), tf: new Float64Array(0) };

  constructor(reader: Reader, terms: readonly string[] = [], fixed = false) {
    this.reader = reader;
    this.fixed = fixed;
    this.columns = Columns.of(reader, terms);
  }

  /** The terms, in the order of the columns. */
  get terms(): readonly string[] {
    return this.columns.terms;
  }

  /** Document frequencies, by column. */
  get df(): Float64Array {
    return gather(this.roomy().df, this.columns.ids);
  }

  /** Term frequencies, by column. */
  get tf(): Float64Array {
    return gather(this.roomy().tf, this.columns.ids);
  }

  /** Puts counts in the place of all others. */
  setCounts(documents: number, df: ArrayLike<number>, tf: ArrayLike<number>): void {
    const counts = this.roomy();
    this.documents = documents;
    this.columns.ids.forEach((id, j) => {
      counts.df[id] = df[j];
      counts.tf[id] = tf[j];
    });
  }

  /** Adds what was counted; unknown terms get a column, at its place in the order. */
  learn({ documents, ids, df, tf }: Tally): Change {
    const columns = this.fixed ? this.columns : this.columns.with(ids.filter((id) => this.columns.place(id) < 0));
    const counts = this.roomy();
    requireExact(this.documents + documents);
    for (let k = 0; k < ids.length; k++) requireExact(Math.max(counts.df[ids[k]] + df[k], counts.tf[ids[k]] + tf[k]));
    return this.change(columns, () => {
      this.documents += documents;
      for (let k = 0; k < ids.length; k++) {
        counts.df[ids[k]] += df[k];
        counts.tf[ids[k]] += tf[k];
      }
    });
  }

  /** Takes away what was counted; a term that no document is left with loses its column. */
  unlearn(tally: Tally): Change {
    const { documents, ids, df, tf } = tally;
    const counts = this.roomy();
    const left = { n: Float64Array.of(this.documents), df: gather(counts.df, ids), tf: gather(counts.tf, ids) };
    requireEnough(left.n, Float64Array.of(documents), 'documents');
    if (!this.pruned) {
      if (tally.unknown > 0 && !this.fixed) {
        refuse('E_UNLEARN_UNDERFLOW', 'a document holds a term that was never learned', { unknown: tally.unknown });
      }
      requireEnough(left.df, df, 'df');
      requireEnough(left.tf, tf, 'tf');
    }
    takeAway(left.n, Float64Array.of(documents));
    takeAway(left.df, df);
    takeAway(left.tf, tf);
    const gone = new Set(ids.filter((_, k) => left.df[k] <= 0));
    return this.change(this.fixed ? this.columns : this.columns.keep((id) => !gone.has(id)), () => {
      this.documents = left.n[0];
      ids.forEach((id, k) => {
        counts.df[id] = gone.has(id) ? 0 : left.df[k];
        counts.tf[id] = gone.has(id) ? 0 : Math.max(0, left.tf[k]); // after pruning a term may have come back late
      });
    });
  }

  /** Drops the terms that a rule does not keep. What is dropped is forgotten and may come back as if it were new. */
  prune(rule: PruneRule): Change {
    const kept = keptColumns(this.df, this.tf, this.documents, rule);
    const keeps = new Set(Uint32Array.from(kept, (j) => this.columns.ids[j]));
    const dropped = this.columns.ids.filter((id) => !keeps.has(id));
    return this.change(
      this.columns.keep((id) => keeps.has(id)),
      () => {
        this.pruned ||= dropped.length > 0;
        for (const id of dropped) this.counts.df[id] = this.counts.tf[id] = 0;
      },
    );
  }

  /** The same with another reader, which knows no more than the terms that have a column. */
  with(reader: Reader): Vocabulary {
    const copy = new Vocabulary(reader, this.terms, this.fixed);
    copy.setCounts(this.documents, this.df, this.tf);
    copy.pruned = this.pruned;
    return copy;
  }

  private change(columns: Columns, count: () => void): Change {
    return {
      columns,
      features: columns.terms.length,
      moves: this.columns.movesTo(columns),
      commit: () => {
        this.columns = columns;
        this.version++;
        count();
      },
    };
  }

  /** The counts, with room for every number. */
  private roomy(): { df: Float64Array; tf: Float64Array } {
    this.counts.df = grown(this.counts.df, this.reader.size);
    this.counts.tf = grown(this.counts.tf, this.reader.size);
    return this.counts;
  }
}

const gather = (values: Float64Array, at: Uint32Array) => Float64Array.from(at, (id) => values[id]);

function requireExact(count: number): void {
  if (count > Number.MAX_SAFE_INTEGER) {
    refuse('E_COUNT_OVERFLOW', `a count would become ${count} and stop being exact`, {
      limit: Number.MAX_SAFE_INTEGER,
      actual: count,
    });
  }
}
