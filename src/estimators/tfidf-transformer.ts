import type { State } from '../core/artifact.ts';
import { requireItems, requireLearning, requireNoOptions } from '../data/arguments.ts';
import { type SparseRows, toSparse } from '../data/batch.ts';
import { type Features, readFeatures, requireSome } from '../data/input.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { readWeights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { addInto } from '../math/arrays.ts';
import { requireEnough, takeAway } from '../stats/additive.ts';
import { TextEstimator } from '../text/estimator.ts';
import type { Growing, Growth, Merging, Study, StudyOptions } from '../text/growth.ts';
import { requireAlike } from '../text/params.ts';
import { readWeightArray, requireKeys } from '../text/saved.ts';
import { corrupt, readIdf } from '../text/saved-terms.ts';
import { givenIdf, idfOf, termWeight, type WeightOptions, weigh, weightSpec } from '../text/tfidf.ts';

/** Parameters of `TfidfTransformer`. */
export type TfidfTransformerOptions = Partial<WeightOptions>;

/** n = Σ w over the rows, and df[j] = Σ w over those with a value in column j. */
interface Frequencies {
  readonly n: Float64Array; // one cell
  readonly df: Float64Array;
  /** Set by the caller, instead of what follows from df. */
  readonly idf?: Float64Array | undefined;
}

/**
 * Counts to weights: tf by its curve, times idf, rows divided by their norm. Agrees with scikit-learn's class of this name,
 * except that a term which no row holds has a finite idf without smoothing, and that a stored zero is no occurrence.
 */
export class TfidfTransformer extends TextEstimator<WeightOptions> implements Growing<Features, SparseMatrix> {
  private learned: Frequencies | undefined;

  constructor(options: TfidfTransformerOptions = {}) {
    super('TfidfTransformer', weightSpec, options);
    termWeight(this.params);
  }

  /** Without idf a row depends on itself alone; with it, on all rows. */
  get rowwise(): boolean {
    return !this.params.useIdf;
  }

  /** How many columns go in. */
  get nFeaturesIn(): number {
    return this.fitted().df.length;
  }

  /** The inverse document frequency of each column. What is set holds until rows are learned. */
  get idf(): Float64Array {
    this.requireIdf();
    const { n, df, idf } = this.fitted();
    return idf?.slice() ?? idfOf(df, n[0], this.params);
  }

  set idf(values: ArrayLike<number>) {
    this.requireIdf();
    const idf = givenIdf(values, this.learned?.df.length ?? values?.length);
    this.learned = { ...(this.learned ?? empty(idf.length)), idf };
  }

  /** Learns the document frequencies of these rows alone. */
  fit(X: Features, y?: unknown, options: StudyOptions = {}): this {
    requireNoOptions(y);
    this.learned = this.count(this.read(X, undefined), options);
    return this;
  }

  /** Learns from these rows and weighs them. */
  fitTransform(X: Features, y?: unknown, options: StudyOptions = {}): SparseMatrix {
    return this.fit(X, y, options).transform(X);
  }

  /** Weighs rows of counts. */
  transform(X: Features): SparseMatrix {
    return this.weighed(this.read(X, this.fitted().df.length));
  }

  /** Learns from further rows. */
  partialFit(X: Features, y?: unknown, options: StudyOptions = {}): this {
    requireNoOptions(y);
    this.study(X, options).commit();
    return this;
  }

  /** Takes away rows that were learned. */
  unlearn(X: Features, y?: unknown, options: StudyOptions = {}): this {
    requireNoOptions(y);
    this.studyUnlearning(X, options).commit();
    return this;
  }

  /** Adds what another transformer with the same parameters has learned. */
  merge(other: this): this {
    this.studyMerging(other).commit();
    return this;
  }

  /** The columns keep their names. */
  getFeatureNamesOut(names: readonly string[]): string[] {
    return [...requireItems(names, 'the names of the columns')];
  }

  /**
   * For pipelines: what `partialFit` would do, after the columns have moved.
   *
   * @internal
   */
  study(X: Features, options: StudyOptions = {}, before?: Growth): Study<SparseMatrix> {
    const features = before?.features ?? this.learned?.df.length;
    const rows = this.read(X, features);
    const next = this.learned ? moved(this.learned, before) : empty(rows.features);
    if (rows.rows > 0) {
      const more = this.count(rows, options);
      addInto(next.n, more.n);
      addInto(next.df, more.df);
    }
    return this.studied(rows, next, before?.moves);
  }

  /**
   * For pipelines: what `unlearn` would do, before the columns move.
   *
   * @internal
   */
  studyUnlearning(X: Features, options: StudyOptions = {}, before?: Growth): Study<SparseMatrix> {
    const { n, df } = this.fitted();
    const rows = this.read(X, df.length);
    const less = this.count(rows, options);
    const left = { n: n.slice(), df: df.slice() };
    requireEnough(left.n, less.n, 'n');
    requireEnough(left.df, less.df, 'df');
    takeAway(left.n, less.n);
    takeAway(left.df, less.df);
    return this.studied(rows, moved(left, before), before?.moves);
  }

  /**
   * For pipelines: what `merge` would do, after the columns of both have moved.
   *
   * @internal
   */
  studyMerging(other: this, before?: Merging): Merging {
    requireAlike(this, other);
    const { features = this.learned?.df.length ?? 0, moves, theirs } = before ?? {};
    const next = this.learned ? moved(this.learned, { features, moves }) : undefined;
    const more = other.learned && moved(other.learned, { features, moves: theirs });
    if (next && more && next.df.length !== more.df.length) {
      refuse('E_MERGE_MISMATCH', 'the two transformers have learned from different columns');
    }
    if (next && more) {
      addInto(next.n, more.n);
      addInto(next.df, more.df);
    }
    const commit = () => {
      this.learned = next ?? more;
    };
    return { features, moves, theirs, commit };
  }

  /** For pipelines: multiplies the counts of documents by a factor, as `decay` does with those of a classifier. */
  scale(factor: number): void {
    if (!this.learned) return;
    const { n, df, idf } = this.learned;
    this.learned = { n: n.map((count) => count * factor), df: df.map((count) => count * factor), idf };
  }

  protected save(): Pick<State, 'learned' | 'arrays'> {
    if (!this.learned) return { learned: {}, arrays: {} };
    const { n, df, idf } = this.learned;
    const shape = [df.length];
    const arrays = { df: { shape, data: df }, ...(idf && { idf: { shape, data: idf } }) };
    return { learned: { documents: n[0] }, arrays };
  }

  /**
   * Takes over a state that was read from a file; trusts nothing.
   *
   * @internal
   */
  restore(state: State): this {
    if (Object.keys(state.learned).length + Object.keys(state.arrays).length === 0) return this;
    const { df, idf } = state.arrays;
    requireKeys(state, ['documents'], idf ? ['df', 'idf'] : ['df']);
    const { documents } = state.learned;
    const fits = typeof documents === 'number' && (documents > 0 || (documents === 0 && idf !== undefined));
    if (!fits) throw corrupt('its number of documents is wrong');
    this.learned = { n: Float64Array.of(documents), df: readWeightArray(df, df.data.length) };
    if (idf) this.idf = readIdf(idf);
    return this;
  }

  private requireIdf(): void {
    if (!this.params.useIdf) refuse('E_PARAM', 'there is no idf with useIdf: false', { name: 'useIdf' });
  }

  private fitted(): Frequencies {
    return this.learned ?? refuse('E_NOT_FITTED', 'this TfidfTransformer has not learned anything yet; call fit first');
  }

  private studied(rows: SparseRows, next: Frequencies, moves: Int32Array | undefined): Study<SparseMatrix> {
    const commit = () => {
      this.learned = next.n[0] > 0 ? next : undefined;
    };
    return { features: next.df.length, moves, rows: () => this.weighed(rows), commit };
  }

  private read(X: Features, features: number | undefined): SparseRows {
    const curved = !['raw', 'binary'].includes(termWeight(this.params)); // roots and logarithms are of counts
    return toSparse(readFeatures(X, { sparse: true, nonNegative: curved, features }).rows);
  }

  private weighed({ rows, features, indptr, indices, values }: SparseRows): SparseMatrix {
    const { useIdf, norm } = this.params;
    const counts = SparseMatrix.tidy(rows, features, indptr, indices, values);
    return weigh(counts, termWeight(this.params), useIdf ? this.idf : undefined, norm);
  }

  private count(rows: SparseRows, options: StudyOptions): Frequencies {
    const { sampleWeight } = requireLearning(this.kind, options);
    requireSome(rows);
    const weights = readWeights(sampleWeight, rows.rows);
    const { n, df } = empty(rows.features);
    for (let i = 0; i < rows.rows; i++) {
      n[0] += weights[i];
      for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++) df[rows.indices[k]] += weights[i];
    }
    return { n, df };
  }
}

const empty = (features: number): Frequencies => ({ n: new Float64Array(1), df: new Float64Array(features) });

/** The frequencies in other columns. */
function moved({ n, df }: Frequencies, growth: Growth | undefined): Frequencies {
  if (!growth?.moves) return { n: n.slice(), df: df.slice() };
  const next = new Float64Array(growth.features);
  growth.moves.forEach((to, from) => {
    if (to >= 0) next[to] = df[from];
  });
  return { n: n.slice(), df: next };
}
