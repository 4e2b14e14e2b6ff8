import { choice, flag, integer, type OptionValues, optional, real } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import { type Shape, toSparse } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { requireLengths } from '../data/soft-labels.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { lgamma } from '../math/gamma.ts';
import { type UrnOptions, type Urns, urn } from '../models/urn.ts';
import type { UrnFit } from '../models/urn-fit.ts';
import type { Bursts } from '../stats/bursts.ts';
import { CountingClassifier } from './classifier.ts';
import type { Accepts } from './learning.ts';
import { classPriorOf, classPriors, common } from './options.ts';

const spec = {
  /** How the urns are fitted; edcm is the fast form for small parameters. Default: 'newton'. */
  method: choice(['fixed-point', 'newton', 'leave-one-out', 'edcm'], { default: 'newton' }),
  /** Fit each urn to all other classes and predict the class whose complement explains the row least. Default: false. */
  complement: flag({ default: false }),
  /**
   * Unseen words: a share of the mean of all classes, a multiple of the smallest parameter, or a constant for all. Default: 'background'.
   */
  smoothing: choice(['background', 'floor', 'add'], { default: 'background' }),
  /** How much smoothing; null: background 0.05, floor 0.01, add 0.001. Default: null. */
  epsilon: optional(real({ default: 0, min: 0 })),
  /** Cap of s = Σα, at which an urn is a multinomial. Default: 1e6. */
  maxPrecision: real({ default: 1e6, min: 1, max: 1e12 }),
  /** Most steps of a fit. Default: 500. */
  maxIter: integer({ default: 500, min: 1, max: 10_000 }),
  /** A fit ends when no parameter changes by more than this share. Default: 1e-8. */
  tol: real({ default: 1e-8, min: 0 }),
  ...classPriors,
  ...common,
} as const;

const EPSILON = { background: 0.05, floor: 0.01, add: 0.001 } as const;

/** Parameters of `DirichletMultinomialNB`. */
export type DirichletMultinomialNBOptions = Partial<OptionValues<typeof spec>>;

/** Options of `logLikelihood`. */
export interface LikelihoodOptions {
  /** One weight per row. Default: 1 for every row. */
  readonly sampleWeight?: Weights | undefined;
  /** Whether to include the multinomial coefficient n!/Πx!, the number of orders of the words. Default: true. */
  readonly coefficient?: boolean;
}

/** The largest cell: beyond it the likelihood of a document leaves the range of numbers. */
const LARGEST = 1e150;

const likelihoodOptions = ['sampleWeight', 'coefficient'];

/**
 * Naive Bayes with Pólya urns: the Dirichlet-compound multinomial, for words that occur in bursts. It keeps the multiset of counts of every
 * word, so it merges and unlearns exactly; the urns are fitted on demand.
 */
export class DirichletMultinomialNB extends CountingClassifier<typeof spec, Bursts, Urns> {
  readonly model: typeof urn = urn;
  protected override readonly accepts: Accepts = { sparse: true, nonNegative: true, limit: LARGEST };

  constructor(options: DirichletMultinomialNBOptions = {}) {
    super('DirichletMultinomialNB', spec, options);
    const { complement, smoothing, epsilon } = this.params;
    const most = smoothing === 'background' ? 1 : Infinity;
    if ((epsilon ?? 0) > most || (complement && epsilon === 0)) {
      refuse('E_PARAM', `epsilon is ${epsilon}; a share is at most 1, and a complement needs more than 0`, {
        name: 'epsilon',
      });
    }
  }

  /** The smoothed parameters α, class by class. */
  get alpha(): Matrix {
    const { classes, features, alpha } = this.parameters();
    return new Matrix(classes, features, alpha.slice());
  }

  /** s = Σⱼ αⱼ of each class, after smoothing: the smaller, the burstier the words. */
  get precision(): Float64Array {
    return this.parameters().precision.slice();
  }

  /** How the fit of each class went: its precision before smoothing, its steps, and its form. */
  get fits(): Omit<UrnFit, 'alpha'>[] {
    return this.parameters().fits.map((fit) => ({ ...fit }));
  }

  /** Σᵢ wᵢ ln p(xᵢ | yᵢ), the log-likelihood of documents under the urns of their classes. */
  logLikelihood(X: Features, y: ArrayLike<Label>, options: LikelihoodOptions = {}): number {
    const { sampleWeight, coefficient = true } = requireOptions('logLikelihood', likelihoodOptions, options);
    const rows = this.readRows(X);
    requireLengths(rows.rows, requireLabels(y).length);
    const weights = readWeights(sampleWeight, y.length);
    const { classes } = this.fitted();
    const own = this.parameters().own();
    const scores = new Float64Array(rows.rows * classes.length);
    this.model.score({ ...own, logPrior: new Float64Array(classes.length) }, rows, scores);
    const { indptr, values } = toSparse(rows);
    let sum = 0;
    for (let i = 0; i < rows.rows; i++) {
      const c = classes.indexOf(y[i]);
      if (c < 0) refuse('E_CLASS_UNKNOWN', `there is no class ${show(y[i])}`, { class: y[i], row: i });
      const orders = coefficient ? 0 : logOrders(values.subarray(indptr[i], indptr[i + 1]), own.fits[c].form);
      if (weights[i] > 0) sum += weights[i] * (scores[i * classes.length + c] - orders);
    }
    return sum;
  }

  /** The perplexity exp(−Σ ln p / Σ n) of the words in their order. */
  perplexity(X: Features, y: ArrayLike<Label>, options: { sampleWeight?: Weights } = {}): number {
    const { sampleWeight } = requireOptions('perplexity', ['sampleWeight'], options);
    const { indptr, values } = toSparse(this.readRows(X));
    const weights = readWeights(sampleWeight, requireLabels(y).length);
    let words = 0;
    for (let i = 0; i < y.length; i++) {
      for (let k = indptr[i]; k < indptr[i + 1]; k++) words += weights[i] * values[k];
    }
    return Math.exp(-this.logLikelihood(X, y, { sampleWeight, coefficient: false }) / words);
  }

  protected modelOptions({ classes }: Shape): UrnOptions {
    const { method, complement, smoothing, epsilon, maxPrecision: cap, maxIter, tol } = this.params;
    const classPrior = classPriorOf(this.params, classes);
    return { method, complement, smoothing, epsilon: epsilon ?? EPSILON[smoothing], cap, maxIter, tol, classPrior };
  }
}

/** ln n!/Πⱼ xⱼ!, the number of orders of the words; EDCM counts ln n! alone. */
function logOrders(counts: Float64Array, form: UrnFit['form']): number {
  let [n, repeats] = [0, 0];
  for (const x of counts) {
    n += x;
    if (form !== 'edcm') repeats += lgamma(x + 1);
  }
  return lgamma(n + 1) - repeats;
}
