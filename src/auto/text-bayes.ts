import type { State } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Explanation } from '../estimators/explanation.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { scaleInto } from '../math/arrays.ts';
import { applyPool, fitPool } from './pool.ts';
import { foldRows } from './records-lesson.ts';

const kinds = { multinomial: MultinomialNB, complement: ComplementNB, bernoulli: BernoulliNB } as const;

/** The models of text that can be asked for by name. */
export type TextModel = keyof typeof kinds;

/** The models of text by name. */
export const textModels = Object.keys(kinds) as TextModel[];

type Bayes = InstanceType<(typeof kinds)[TextModel]>;

/** One event model over the words of a text, asked for by name, at the temperature that its held-out rows ask for. */
export class TextBayes {
  private readonly vectorizer: CountVectorizer;
  private readonly estimator: Bayes;
  private readonly weight: number;
  private readonly classes: number;

  constructor(vectorizer: CountVectorizer, estimator: Bayes, weight: number, classes: number) {
    this.vectorizer = vectorizer;
    this.estimator = estimator;
    this.weight = weight;
    this.classes = classes;
  }

  /** Learns from documents whose classes are numbers below `classes`. */
  static fit(model: TextModel, documents: readonly string[], codes: ArrayLike<number>, classes: number): TextBayes {
    const vectorizer = new CountVectorizer();
    const counts = vectorizer.fitTransform(documents);
    const estimator = new kinds[model]({ alpha: 'auto' }).fit(counts, Array.from(codes));
    return new TextBayes(vectorizer, estimator, 1, classes);
  }

  /** The same at another temperature. */
  tempered(weight: number): TextBayes {
    return new TextBayes(this.vectorizer, this.estimator, weight, this.classes);
  }

  /** ln p(c | x). */
  predictLogProba(documents: readonly string[]): Matrix {
    const { cols, data } = this.estimator.predictLogProba(this.vectorizer.transform(documents));
    const places = this.estimator.classes as number[];
    const out = new Matrix(
      documents.length,
      this.classes,
      new Float64Array(documents.length * this.classes).fill(UNMET),
    );
    for (let i = 0; i < out.rows; i++) {
      for (let c = 0; c < cols; c++) out.data[i * this.classes + places[c]] = Math.max(LEAST, data[i * cols + c]);
    }
    return applyPool({ weights: Float64Array.of(this.weight), bias: new Float64Array(this.classes) }, [out]);
  }

  /** Why a document got its label, in scores at this temperature. */
  explain(documents: readonly string[]): Explanation[] {
    const names = this.vectorizer.getFeatureNamesOut();
    return this.estimator.explain(this.vectorizer.transform(documents)).map((told) => {
      const { contributions, ...others } = told;
      for (const values of [others.prior, others.rest, others.score]) scaleInto(values, this.weight);
      const named = contributions.map(({ feature, byClass }) => {
        scaleInto(byClass, this.weight);
        return { feature: names[feature as number], byClass };
      });
      return { ...others, contributions: named };
    });
  }

  toState(): State {
    const steps = [this.vectorizer.toState(), this.estimator.toState()];
    return {
      kind: 'TextBayes',
      params: {},
      learned: { weight: this.weight, classes: this.classes },
      arrays: {},
      steps,
    };
  }

  /** The inverse of `toState`, for a state whose form was checked. */
  static fromState({ learned, steps = [] }: State): TextBayes {
    const kind = Object.values(kinds).find(({ name }) => name === steps[1].kind) as new (params: unknown) => Bayes;
    const vectorizer = new CountVectorizer(steps[0].params as never).restore(steps[0]);
    const estimator = new kind(steps[1].params).restore(steps[1]);
    return new TextBayes(vectorizer, estimator, learned.weight as number, learned.classes as number);
  }
}

const UNMET = -20;
const LEAST = -1e4;

/** A model of text with its temperature, and the log-probabilities of the training rows out of fold. */
export function fitTextBayes(
  model: TextModel,
  documents: readonly string[],
  codes: Int32Array,
  classes: number,
  folds: Int32Array,
): { model: TextBayes; outOfFold: Matrix } {
  const out = new Matrix(documents.length, classes);
  for (let fold = 0; fold <= Math.max(...new Set(folds)); fold++) {
    const { learn, judge } = foldRows(folds, fold);
    const own = TextBayes.fit(
      model,
      Array.from(learn, (i) => documents[i]),
      learn.map((i) => codes[i]),
      classes,
    );
    const scores = own.predictLogProba(Array.from(judge, (i) => documents[i]));
    judge.forEach((i, k) => {
      out.row(i).set(scores.row(k));
    });
  }
  const pool = fitPool([out], codes);
  const whole = TextBayes.fit(model, documents, codes, classes);
  return { model: whole.tempered(pool.weights[0]), outOfFold: applyPool(pool, [out]) };
}
