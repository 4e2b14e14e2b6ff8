import { encodeModel, type SaveOptions, type State } from '../core/artifact.ts';
import { classFactors, classWeight, requireWeightedClasses } from '../core/class-weight.ts';
import { flag, integer, type OptionSpec, type OptionValues, readOptions, real } from '../core/options.ts';
import { decide } from '../core/posterior.ts';
import { inspect, printModel, refuseJson } from '../core/printed.ts';
import { requireLearning, requireOptions } from '../data/arguments.ts';
import { toSparse } from '../data/batch.ts';
import { type Features, readFeatures, requireSome } from '../data/input.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { accuracyScore } from '../evaluate/metrics.ts';
import { readLabelled } from '../features/labelled.ts';
import { logSumExp } from '../math/logs.ts';
import { fitLogistic, type Logistic, logisticScores } from '../models/logistic.ts';
import { type ColumnNames, damaged, readColumns, SavedArrays } from './learned.ts';
import { type PartialFitOptions, requireListed, savedParams } from './learning.ts';
import { saveColumns, tensor } from './persist.ts';

const spec = {
  /** The inverse of the strength of the penalty ½‖w‖². Default: 1. */
  C: real({ default: 1, min: Number.MIN_VALUE }),
  /** Fit an intercept for every class, without a penalty. Default: true. */
  fitIntercept: flag({ default: true }),
  /** The search ends when no gradient is larger than this. Default: 1e-4. */
  tol: real({ default: 1e-4, min: 0 }),
  /** The most iterations. Default: 100. */
  maxIter: integer({ default: 100, min: 1 }),
  /**
   * Weights by which classes count: 'balanced' makes all classes weigh the same, an object gives a weight for each class. Default: null, all 1.
   */
  classWeight,
} satisfies OptionSpec;

/** Parameters of `LogisticRegression`. */
export type LogisticRegressionOptions = Partial<OptionValues<typeof spec>>;

interface Learned extends ColumnNames, Logistic {
  readonly classes: readonly Label[];
  readonly steps: number;
}

/**
 * Logistic regression: ln p(c | x) = w_c·x + b_c − ln Σ, the discriminative twin of naive Bayes. It estimates p(c | x) directly instead of
 * p(x | c), so it needs more rows and benefits more from them (Ng & Jordan 2001), and it cannot learn in parts, unlearn or merge. Minimises
 *
 *   C Σ wᵢ (−ln p(yᵢ | xᵢ)) + ½ Σ ‖w_c‖²                                                           (1)
 *
 * by L-BFGS, over sparse rows as well. Agrees with scikit-learn's class of this name (solver 'lbfgs', penalty L2).
 */
export class LogisticRegression {
  readonly kind = 'LogisticRegression';
  private readonly params: OptionValues<typeof spec>;
  private learned: Learned | undefined;

  constructor(options: LogisticRegressionOptions = {}) {
    this.params = readOptions(this.kind, spec, options);
  }

  /** The parameters, as given or by default. */
  getParams(): OptionValues<typeof spec> {
    return { ...this.params };
  }

  /** Replaces some parameters. What was learned is forgotten: call `fit` again. */
  setParams(params: LogisticRegressionOptions): this {
    requireOptions(this.kind, Object.keys(this.params), params);
    return Object.assign(this, { learned: undefined }, new LogisticRegression({ ...this.params, ...params }));
  }

  /** An unfitted estimator with the same parameters. */
  clone(): this {
    return new LogisticRegression(this.params) as this;
  }

  /** Fits to these rows. */
  fit(X: Features, y: ArrayLike<Label>, options: PartialFitOptions = {}): this {
    const { sampleWeight, classes: listed } = requireLearning(this.kind, options);
    const { batch, classes, names } = readLabelled(X, y, { sparse: true }, sampleWeight);
    if (listed !== undefined) requireListed(classes, sortClasses(listed));
    if (classes.length < 2) refuse('E_CLASSES_TOO_FEW', 'logistic regression needs two classes', { actual: 1 });
    requireSome(batch);
    requireWeightedClasses(this.params.classWeight, classes);
    const n = new Float64Array(classes.length);
    for (let i = 0; i < batch.rows; i++) n[batch.y[i]] += batch.w[i];
    const factors = this.params.classWeight && classFactors(this.params.classWeight, classes, n);
    const w = factors ? batch.w.map((weight, i) => weight * factors[batch.y[i]]) : batch.w;
    this.learned = { classes, names, ...fitLogistic(toSparse(batch), { ...batch, w }, this.params) };
    return this;
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.fitted().classes];
  }

  /** The weights: one row per class, of two classes one row for the second. */
  get coef(): Matrix {
    const { rows, cols, data } = this.fitted().coef;
    return new Matrix(rows, cols, data.slice());
  }

  /** The intercepts, shaped like `coef`. */
  get intercept(): Float64Array {
    return this.fitted().intercept.slice();
  }

  /** How many steps the search took. */
  get nIter(): number {
    return this.fitted().steps;
  }

  /** How many features the rows have. */
  get nFeaturesIn(): number {
    return this.fitted().features;
  }

  /** The names of the columns, where rows came with names. */
  get featureNamesIn(): string[] | undefined {
    const { names } = this.fitted();
    return names && [...names];
  }

  /** w_c·x + b_c for every row and class; of two classes one column, for the second. */
  decisionFunction(X: Features): Matrix {
    const { coef, intercept, names, features } = this.fitted();
    const { rows } = readFeatures(X, { sparse: true, names, features });
    return logisticScores({ coef, intercept }, toSparse(rows));
  }

  /** ln p(c | x) for every row and class. */
  predictLogProba(X: Features): Matrix {
    const decision = this.decisionFunction(X);
    const cols = this.fitted().classes.length;
    const out = new Matrix(decision.rows, cols);
    for (let i = 0; i < decision.rows; i++) {
      const row = out.row(i);
      row.set(decision.row(i), cols - decision.cols); // the first of two classes has the score 0
      const all = logSumExp(row);
      for (let c = 0; c < cols; c++) row[c] -= all;
    }
    return out;
  }

  /** p(c | x) for every row and class. */
  predictProba(X: Features): Matrix {
    const { rows, cols, data } = this.predictLogProba(X);
    return new Matrix(rows, cols, data.map(Math.exp));
  }

  /** The most probable class of every row; the first of equals. */
  predict(X: Features): Label[] {
    const { classes } = this.fitted();
    return Array.from(decide(this.predictLogProba(X).data, classes.length), (c) => classes[c]);
  }

  /** The weighted share of rows whose class is predicted. */
  score(X: Features, y: ArrayLike<Label>, options: { readonly sampleWeight?: Weights | undefined } = {}): number {
    return accuracyScore(y, this.predict(X), requireOptions('score', ['sampleWeight'], options));
  }

  /** Throws: save a model with `toBytes`. */
  toJSON(): never {
    return refuseJson(this);
  }

  /** @internal */
  [inspect](): string {
    return printModel(this);
  }

  /** The estimator as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The estimator as plain data. */
  toState(): State {
    const params = savedParams(this.params);
    if (!this.learned) return { kind: this.kind, params, learned: {}, arrays: {} };
    const { classes, coef, intercept, steps } = this.learned;
    return {
      kind: this.kind,
      params,
      learned: { ...saveColumns(this.learned), classes: [...classes], steps },
      arrays: { coef: tensor(coef.data), intercept: tensor(intercept) },
    };
  }

  /**
   * Restores a state that was read from a file.
   *
   * @internal
   */
  restore(state: State): this {
    if (Object.keys(state.learned).length === 0) return this;
    const columns = readColumns(state, 'classes', 'steps');
    const { classes: given, steps } = state.learned;
    const classes = Array.isArray(given) ? sortClasses(given) : damaged('its classes are wrong');
    if (classes.length < 2 || !Number.isSafeInteger(steps)) damaged('its classes are wrong');
    const outputs = classes.length === 2 ? 1 : classes.length;
    const arrays = new SavedArrays(state);
    const coef = new Matrix(outputs, columns.features, arrays.take('coef', outputs * columns.features));
    const intercept = arrays.take('intercept', outputs);
    arrays.close();
    this.learned = { ...columns, classes, coef, intercept, steps: steps as number };
    return this;
  }

  private fitted(): Learned {
    return this.learned ?? refuse('E_NOT_FITTED', `this ${this.kind} has not learned anything yet; call fit first`);
  }
}
