import { choice, type OptionSpec, optional, real, vector } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import type { Expectation, Features } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import { PolyaError, refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Shrinkage } from '../models/shrinkage.ts';
import type { Scatter } from '../stats/scatter.ts';
import { CountingClassifier } from './classifier.ts';
import { LARGEST_MAGNITUDE } from './gaussian-nb.ts';
import type { Learned } from './learned.ts';
import { classWeights } from './lesson.ts';

/** The option `priors` of all discriminants. Class priors, in the order of the sorted classes. */
export const priors = optional(vector({ default: null, min: 0 }));

/** The option `tol` of all discriminants. Least deviation of a direction, in deviations of the features, for a covariance to be regular. */
export const tol = real({
  default: 1e-4,
  min: 0,
});

/** Options that linear and quadratic discriminants share. By what sums of squares are divided; 'n-1' (linear: n less the classes) as before scikit-learn 1.9.1. */
export const covarianceDenominator = choice(['n', 'n-1'], {
  default: 'n',
});

/** What the parameters of every discriminant hold. */
interface Centred extends Shape {
  readonly logPrior: Float64Array;
  readonly means: Float64Array;
}

/** Fourth powers are kept for Ledoit & Wolf's intensity; beyond this they leave the range of numbers. */
const LARGEST_QUARTIC = 1e75;

/** What discriminants have in common: rows with covariance, and refusals that name the class. */
export abstract class Discriminant<Spec extends OptionSpec, P extends Centred> extends CountingClassifier<
  Spec,
  Scatter,
  P
> {
  /** How covariances are shrunk. */
  protected abstract readonly shrinkage: Shrinkage;

  /** The mean of each class. */
  get means(): Matrix {
    const { classes, features, means } = this.parameters();
    return new Matrix(classes, features, means.slice());
  }

  /** p(c). */
  get priors(): Float64Array {
    return this.parameters().logPrior.map(Math.exp);
  }

  /** The weight of each class. */
  get classCount(): Float64Array {
    return classWeights(this.fitted().stats).slice();
  }

  /**
   * Scores whose differences are those of the log-posteriors, one column per class; with two classes one column, what the
   * second has more than the first.
   */
  decisionFunction(X: Features): Matrix {
    const { rows, cols, data } = this.decisionScores(X);
    if (cols !== 2) return new Matrix(rows, cols, data);
    return new Matrix(
      rows,
      1,
      Float64Array.from({ length: rows }, (_, i) => data[2 * i + 1] - data[2 * i]),
    );
  }

  /** The decision function with a column for every class. */
  protected abstract decisionScores(X: Features): Matrix;

  protected expectation(): Expectation {
    const limit = this.shrinkage === 'auto' ? LARGEST_QUARTIC : LARGEST_MAGNITUDE;
    return { extra: this.params.extra as 'error' | 'ignore', missing: this.params.missing === 'ignore', limit };
  }

  /** Parameters; a class that is too small is refused by its name. */
  protected override derive(learned: Learned<Scatter>): P {
    try {
      return super.derive(learned);
    } catch (cause) {
      if (!(cause instanceof PolyaError) || typeof cause.details.class !== 'number') throw cause;
      const label = learned.classes[cause.details.class];
      const sentence = cause.message.replace(/^class \d+/, () => `class ${show(label)}`);
      return refuse(cause.code, sentence, { ...cause.details, class: label }, cause);
    }
  }
}

/** Whether rows may have missing cells; refuses them with Ledoit and Wolf's shrinkage, whose sums are over complete rows. */
export function takesGaps(missing: 'error' | 'ignore', shrinkage: Shrinkage): boolean {
  if (missing === 'ignore' && shrinkage === 'auto') {
    refuse('E_PARAM', "missing: 'ignore' needs a shrinkage that is a number or null, not 'auto'", { name: 'missing' });
  }
  return missing === 'ignore';
}

/** Given class priors, normalised as scikit-learn does; refuses another number of them than of classes, and all zeros. */
export function givenPriors(given: readonly number[] | null, classes: number): { classPrior?: Float64Array } {
  if (!given) return {};
  const total = sum(Float64Array.from(given));
  if (given.length !== classes || !(total > 0)) {
    refuse('E_PARAM', `priors has ${given.length} values that sum to ${total}; there are ${classes} classes`, {
      name: 'priors',
      expected: classes,
      actual: given.length,
      sum: total,
    });
  }
  return { classPrior: Float64Array.from(given, (prior) => prior / total) };
}
