import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { decide } from '../core/posterior.ts';
import { requireItems } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Contribution, Explanation } from '../estimators/explanation.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { accuracyScore, type WeightOptions } from '../evaluate/metrics.ts';
import { applyPosterior } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { addInto, addScaledInto } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { type Document, requireDocument } from '../text/documents.ts';
import { readPool, restoreVectorizer, savePool } from './text-pool-state.ts';
import { scoreRows, type Weighting, weigh } from './text-rows.ts';
import type { TermTable } from './text-table.ts';

/** What was tried, and how it did on rows it had not learned from. */
export interface TriedText {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
  readonly chosen: boolean;
  readonly weight?: number;
}

/** One view of the text: its vectorizer, and the weights of its terms in every class, by how cells are weighed. */
export interface PoolView {
  readonly name: string;
  readonly vectorizer: CountVectorizer;
  readonly parts: readonly (TermTable & { readonly weighting: Weighting })[];
}

/** All that a pool knows. */
export interface PoolParts {
  readonly classes: readonly Label[];
  readonly bias: Float64Array;
  readonly views: readonly PoolView[];
  /** A sigmoid for each class over its log-odds; empty if the softmax of the pool stands as it is. */
  readonly curves: readonly Sigmoid[];
  readonly tried: readonly TriedText[];
  /** ln p(c) of the training rows: what is said of a text without a known term. Files of version 0.1 do not tell. */
  readonly logPrior?: Float64Array;
  /** The most by which rounding to float32 has changed a weight, where weights were rounded. */
  readonly largestError?: number;
}

/**
 * A log-linear pool of generative scorers of text. Each scorer is linear in the cells of one view of the text, and so is
 * their pool, which is kept as one table of weights per view and weighting:
 *
 *   L[c] = b[c] + Σ_views Σⱼ xⱼ w[j,c],   ln p(c | x) = L[c] − ln Σ e^L, or Platt's curves of L where they were better  (1)
 *
 * It is made by `chooseText`.
 */
export class TextPool implements FittedModel<readonly Document[]> {
  readonly kind = 'TextPool';
  private readonly known: PoolParts;

  constructor(parts: PoolParts) {
    this.known = parts;
  }

  /** Rebuilds a pool from plain data; `restore` rebuilds a vectorizer, and need not be given. */
  static fromState(state: State, restore: (state: State) => unknown = restoreVectorizer): TextPool {
    return new TextPool(readPool(state, restore));
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.known.classes];
  }

  /** What was tried when this pool was chosen. */
  get tried(): readonly TriedText[] {
    return this.known.tried;
  }

  /** The views that the pool reads, in order. */
  get views(): string[] {
    return this.known.views.map(({ name }) => name);
  }

  /** The pooled scores L of (1), before they are made probabilities. */
  pooledScores(documents: readonly Document[]): Matrix {
    const { classes, bias, views } = this.known;
    requireItems(documents, 'a list of documents').forEach(requireDocument);
    const pooled = new Matrix(documents.length, classes.length);
    for (let i = 0; i < pooled.rows; i++) pooled.row(i).set(bias);
    const start = new Float64Array(classes.length);
    const part = new Float64Array(pooled.data.length);
    for (const { vectorizer, parts } of views) {
      const counts = vectorizer.transform(documents);
      for (const { weighting, weights, rows } of parts) {
        const { indptr, indices, data } = weigh(counts, weighting);
        const places = indices.map((j) => rows[j]);
        scoreRows({ start, weights }, { indptr, indices: places, data }, documents.keys(), part);
        addInto(pooled.data, part);
      }
    }
    return pooled;
  }

  /** ln p(c | x) for every document and class; of a document without a known term, the class prior. */
  predictLogProba(documents: readonly Document[]): Matrix {
    const { bias, logPrior, curves: parts } = this.known;
    const scores = this.pooledScores(documents);
    const silent = Array.from({ length: scores.rows }, (_, i) => {
      return scores.row(i).every((score, c) => score === bias[c]) && this.presentIn([documents[i]])[0] === 0;
    });
    for (let i = 0; i < scores.rows; i++) logSoftmaxInto(scores.data, i * scores.cols, scores.cols, scores.data);
    const told =
      parts.length > 0 ? applyPosterior({ method: 'sigmoid', classes: scores.cols, parts }, scores, 0) : scores;
    for (let i = 0; logPrior && i < told.rows; i++) if (silent[i]) told.row(i).set(logPrior);
    return told;
  }

  /** Whether each document has a known term, as 1 or 0. */
  presentIn(documents: readonly Document[]): Float64Array {
    const present = new Float64Array(documents.length);
    for (const { vectorizer } of this.known.views) {
      const { indptr } = vectorizer.transform(documents);
      for (let i = 0; i < present.length; i++) if (indptr[i + 1] > indptr[i]) present[i] = 1;
    }
    return present;
  }

  /** ln p(c) of the training rows, where it is known. */
  get logPrior(): Float64Array | undefined {
    return this.known.logPrior;
  }

  /** p(c | x) for every document and class. */
  predictProba(documents: readonly Document[]): Matrix {
    const { rows, cols, data } = this.predictLogProba(documents);
    return new Matrix(rows, cols, data.map(Math.exp));
  }

  /** The most probable class of every document. */
  predict(documents: readonly Document[]): Label[] {
    const { classes } = this.known;
    return Array.from(decide(this.predictLogProba(documents).data, classes.length), (c) => classes[c]);
  }

  /** The weighted share of documents whose class is predicted. */
  score(documents: readonly Document[], y: ArrayLike<Label>, options: WeightOptions = {}): number {
    return accuracyScore(y, this.predict(documents), options);
  }

  /**
   * Why each document got its label: bias + contributions = pooled score, class by class. A term of words is called by its
   * words, one of characters between two dots, and stands once for each view in which it was read.
   */
  explain(documents: readonly Document[]): Explanation[] {
    const { classes, bias, logPrior } = this.known;
    const labels = this.predict(documents);
    const contributions = this.contributionsOf(documents);
    return contributions.map((terms, i) => {
      const prior = terms.length === 0 && logPrior ? logPrior : bias;
      const score = prior.slice();
      for (const { byClass } of terms) addInto(score, byClass);
      const rest = new Float64Array(classes.length);
      return { label: labels[i], classes, prior: prior.slice(), contributions: terms, rest, score };
    });
  }

  /** The pool as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The pool as plain data. */
  toState(options?: StateOptions): State {
    return savePool(this.kind, this.known, options);
  }

  private contributionsOf(documents: readonly Document[]): Contribution[][] {
    const size = this.known.classes.length;
    const found: Contribution[][] = documents.map(() => []);
    for (const { vectorizer, parts } of this.known.views) {
      const { terms } = vectorizer.known();
      const characters = vectorizer.getParams().analyzer !== 'word';
      const counts = vectorizer.transform(documents);
      const weighed = parts.map(({ weighting, ...table }) => ({ values: weigh(counts, weighting).data, ...table }));
      for (let i = 0; i < counts.rows; i++) {
        for (let k = counts.indptr[i]; k < counts.indptr[i + 1]; k++) {
          const [j, byClass] = [counts.indices[k], new Float64Array(size)];
          for (const { values, weights, rows } of weighed) {
            addScaledInto(byClass, values[k], weights.subarray(rows[j] * size, (rows[j] + 1) * size));
          }
          found[i].push({ feature: characters ? `·${terms[j]}·` : terms[j], byClass });
        }
      }
    }
    return found;
  }
}
