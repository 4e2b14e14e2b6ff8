import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { decide } from '../core/posterior.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Contribution, Explanation } from '../estimators/explanation.ts';
import { addInto, addScaledInto } from '../math/arrays.ts';
import { type Curves, calibrateRow } from './text-calibrate.ts';
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
  readonly curves: Curves;
  readonly tried: readonly TriedText[];
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
export class TextPool {
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
  pooledScores(documents: readonly string[]): Matrix {
    const { classes, bias, views } = this.known;
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

  /** ln p(c | x) for every document and class. */
  predictLogProba(documents: readonly string[]): Matrix {
    const scores = this.pooledScores(documents);
    for (let i = 0; i < scores.rows; i++) calibrateRow(scores.row(i), this.known.curves);
    return scores;
  }

  /** p(c | x) for every document and class. */
  predictProba(documents: readonly string[]): Matrix {
    const { rows, cols, data } = this.predictLogProba(documents);
    return new Matrix(rows, cols, data.map(Math.exp));
  }

  /** The most probable class of every document. */
  predict(documents: readonly string[]): Label[] {
    const { classes } = this.known;
    return Array.from(decide(this.predictLogProba(documents).data, classes.length), (c) => classes[c]);
  }

  /**
   * Why each document got its label: bias + contributions = pooled score, class by class. A term of words is called by its
   * words, one of characters between two dots, and stands once for each view in which it was read.
   */
  explain(documents: readonly string[]): Explanation[] {
    const { classes, bias } = this.known;
    const labels = this.predict(documents);
    const contributions = this.contributionsOf(documents);
    return contributions.map((terms, i) => {
      const score = bias.slice();
      for (const { byClass } of terms) addInto(score, byClass);
      const rest = new Float64Array(classes.length);
      return { label: labels[i], classes, prior: bias.slice(), contributions: terms, rest, score };
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

  private contributionsOf(documents: readonly string[]): Contribution[][] {
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
