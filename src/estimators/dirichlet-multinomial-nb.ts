import type { OptionValues } from '../core/options.ts';
import { requireOptions } from '../data/arguments.ts';
import { toSparse } from '../data/batch.ts';
import type { Features } from '../data/input.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { requireLengths } from '../data/soft-labels.ts';
import { readWeights, type Weights } from '../data/weights.ts';
import { refuse, show } from '../errors.ts';
import { lgamma } from '../math/gamma.ts';
import type { Urns, urn } from '../models/urn.ts';
import type { UrnFit } from '../models/urn-fit.ts';
import type { Bursts } from '../stats/bursts.ts';
import { CountingClassifier } from './classifier.ts';
import { dirichletMultinomialKind } from './kinds/dirichlet-multinomial.ts';

/** Parameters of `DirichletMultinomialNB`. */
export type DirichletMultinomialNBOptions = Partial<OptionValues<typeof dirichletMultinomialKind.spec>>;

/** Options of `logLikelihood`. */
export interface LikelihoodOptions {
  /** One weight per row. Default: 1 for every row. */
  readonly sampleWeight?: Weights | undefined;
  /** Whether to include the multinomial coefficient n!/Πx!, the number of orders of the words. Default: true. */
  readonly coefficient?: boolean;
}

const likelihoodOptions = ['sampleWeight', 'coefficient'];

/**
 * Naive Bayes with Pólya urns: the Dirichlet-compound multinomial, for words that occur in bursts. It keeps the multiset of counts of every
 * word, so it merges and unlearns exactly; the urns are fitted on demand.
 */
export class DirichletMultinomialNB extends CountingClassifier<typeof dirichletMultinomialKind.spec, Bursts, Urns> {
  declare readonly model: typeof urn;

  constructor(options: DirichletMultinomialNBOptions = {}) {
    super(dirichletMultinomialKind, options);
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
