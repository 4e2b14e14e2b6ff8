import type { State, StateOptions } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Explanation } from '../estimators/explanation.ts';
import type { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { restore } from '../estimators/restore.ts';
import { applyPool } from '../evaluate/pool.ts';
import { scaleInto } from '../math/arrays.ts';
import type { Document } from '../text/documents.ts';
import { revive } from './records-pool.ts';

/** What a class that no row taught gets, and the least of all others. */
const UNMET = -20;
const LEAST = -1e4;

/**
 * One event model over the words of a text, at a temperature: held by classifiers
 * in files of format 1 that were fitted with a named text model. It can be loaded and saved, but it cannot learn.
 */
export class TextBayes {
  private readonly vectorizer: CountVectorizer;
  private readonly estimator: MultinomialNB;
  private readonly weight: number;
  private readonly classes: number;

  private constructor(vectorizer: CountVectorizer, estimator: MultinomialNB, weight: number, classes: number) {
    this.vectorizer = vectorizer;
    this.estimator = estimator;
    this.weight = weight;
    this.classes = classes;
  }

  /** ln p(c | x). */
  predictLogProba(documents: readonly Document[]): Matrix {
    const { cols, data } = this.estimator.predictLogProba(this.vectorizer.transform(documents));
    const places = this.estimator.classes as number[];
    const cells = new Float64Array(documents.length * this.classes).fill(UNMET);
    for (let i = 0; i < documents.length; i++) {
      for (let c = 0; c < cols; c++) cells[i * this.classes + places[c]] = Math.max(LEAST, data[i * cols + c]);
    }
    const pool = { weights: Float64Array.of(this.weight), bias: new Float64Array(this.classes) };
    return applyPool(pool, [new Matrix(documents.length, this.classes, cells)]);
  }

  /** Whether each document has a known word, as 1 or 0. */
  presentIn(documents: readonly Document[]): Float64Array {
    const { indptr } = this.vectorizer.transform(documents);
    return Float64Array.from(documents, (_, i) => (indptr[i + 1] > indptr[i] ? 1 : 0));
  }

  /** The class prior of its rows is not recorded. */
  readonly logPrior: undefined;

  /** Why a document got its label, in scores at this temperature. */
  explain(documents: readonly Document[]): Explanation[] {
    const { terms: names } = this.vectorizer.known();
    return this.estimator.explain(this.vectorizer.transform(documents)).map(({ contributions, ...others }) => {
      for (const values of [others.prior, others.rest, others.score]) scaleInto(values, this.weight);
      const named = contributions.map(({ feature, byClass }) => {
        scaleInto(byClass, this.weight);
        return { feature: names[feature as number], byClass };
      });
      return { ...others, contributions: named };
    });
  }

  toState(options?: StateOptions): State {
    const steps = [this.vectorizer.toState(options), this.estimator.toState(options)];
    const learned = { weight: this.weight, classes: this.classes };
    return { kind: 'TextBayes', params: {}, learned, arrays: {}, steps };
  }

  /** The inverse of `toState`; the caller reports any failure as a damaged model. */
  static fromState({ learned, steps = [] }: State): TextBayes {
    const [words, model] = steps;
    const vectorizer = restore(new CountVectorizer(words.params as never), words);
    const estimator = revive(model) as MultinomialNB;
    return new TextBayes(vectorizer, estimator, learned.weight as number, learned.classes as number);
  }
}
