import { choice, either, flag, type Option, type OptionValues, optional, real } from '../../core/options.ts';
import { isLike } from '../../data/arguments.ts';
import type { Shape } from '../../data/batch.ts';
import type { Matrix } from '../../data/matrix.ts';
import type { JsonValue } from '../../data/strict-json.ts';
import { refuse, show } from '../../errors.ts';
import { sum } from '../../math/arrays.ts';
import type { GivenCovariances, Shrinkage } from '../../models/discriminant.ts';
import type { LinearOptions } from '../../models/linear-discriminant.ts';
import type { SavedEstimator } from '../learning.ts';
import { gapOptions, LARGEST_MAGNITUDE, numbers } from '../options.ts';
import type { Accepts } from './kind.ts';

/** Options that all discriminants have. */
export const discriminantOptions = {
  /** Class priors, in the order of the sorted classes. Default: null, estimated from the rows. */
  priors: optional(numbers),
  /** Least deviation of a direction, relative to the features, for a covariance to count as regular. Default: 1e-4. */
  tol: real({ default: 1e-4, min: 0 }),
  ...gapOptions,
} as const;

/** Shrinkage of covariances: null for none, 'auto' for the intensity of Ledoit & Wolf, or a number from 0 to 1. */
export const shrinkage: Option<number | 'auto' | null> = optional(
  either(choice(['auto'], { default: 'auto' }), real({ default: 0, min: 0, max: 1 })),
);

/** What estimates a covariance from rows, such as `new LedoitWolf()`: after `fit(X)` it, or what `fit` returns, has a `covariance`. */
export interface CovarianceEstimator {
  fit(X: Matrix): unknown;
  readonly covariance?: Matrix | readonly ArrayLike<number>[];
}

/** Estimates the covariances instead of the sums of squares. A model file contains the estimates, not the estimator. */
const covarianceEstimator: Option<CovarianceEstimator | null> = optional({
  kind: 'custom',
  default: { fit: () => undefined } as CovarianceEstimator,
  expects: 'an object with fit(X) and covariance, such as new LedoitWolf()',
  accept: (value) => {
    if (isLike(value, { fit: 'function' })) return value as CovarianceEstimator;
    return isLike(value, { estimator: 'string' }) ? absent(value as SavedEstimator) : undefined;
  },
});

/** The placeholder for the estimator of a loaded model, which predicts but cannot be refitted. */
const absent = ({ estimator }: SavedEstimator): CovarianceEstimator & SavedEstimator => ({
  estimator,
  fit: () => {
    const sentence = `the model file does not hold the covariance estimator ${show(estimator)}; set covarianceEstimator`;
    return refuse('E_CONFLICT', sentence, { name: 'covarianceEstimator' });
  },
});

/** Options of the discriminants whose covariances may be estimated by others. */
export const covarianceOptions = {
  /** Accepted as in scikit-learn; covariances are always available here. Default: false. */
  storeCovariance: flag({ default: false }),
  /** Least deviation of a direction, relative to the features, for a covariance to count as regular. Default: 1e-4. */
  tol: discriminantOptions.tol,
  /** The divisor of sums of squares: 'n', or 'n-1' (linear: n minus the number of classes) as before scikit-learn 1.9.1. Default: 'n'. */
  covarianceDenominator: choice(['n', 'n-1'], { default: 'n' }),
  /** An object with `fit(X)` and `covariance` that estimates covariances from rows, such as `new LedoitWolf()`. Default: null. */
  covarianceEstimator,
  ...gapOptions,
} as const;

/** What linear and quadratic discriminants estimate with, besides their own options. */
export function estimateOptions(
  params: OptionValues<typeof covarianceOptions> & {
    readonly shrinkage: Shrinkage;
    readonly priors: readonly number[] | null;
  },
  shape: Shape,
  schema: JsonValue | undefined,
): Pick<LinearOptions, 'shrinkage' | 'tol' | 'denominator' | 'classPrior' | 'covariances'> {
  const { shrinkage, tol, covarianceDenominator: denominator, priors, covarianceEstimator } = params;
  const known = covariancesIn(schema, shape, covarianceEstimator !== null);
  return { shrinkage, tol, denominator, ...normalizedPriors(priors, shape.classes), ...known };
}

/** The covariances that an estimator found in the rows of `fit`; `asked`: whether there is one. */
function covariancesIn(
  schema: JsonValue | undefined,
  { classes, features }: Shape,
  asked: boolean,
): { covariances?: GivenCovariances } {
  if (schema === undefined) return {};
  const { covariances, total } = schema as { covariances?: JsonValue; total?: JsonValue };
  const isMatrix = (cells: JsonValue | undefined) =>
    Array.isArray(cells) && cells.length === features * features && cells.every(Number.isFinite);
  const fits = asked && Array.isArray(covariances) && covariances.length === classes;
  if (!fits || !covariances.every(isMatrix) || !(total === undefined || isMatrix(total))) {
    return refuse('E_MODEL_CORRUPT', 'the model file is damaged: its covariances are wrong');
  }
  const given = covariances.map((own) => Float64Array.from(own as number[]));
  return {
    covariances: { classes: given, total: total === undefined ? undefined : Float64Array.from(total as number[]) },
  };
}

/** Fourth powers are kept for Ledoit & Wolf's intensity; beyond this they leave the range of numbers. */
const LARGEST_QUARTIC = 1e75;

/** What discriminants take as rows. */
export const gaussianRows = ({ shrinkage }: { readonly shrinkage: Shrinkage }): Accepts => ({
  limit: shrinkage === 'auto' ? LARGEST_QUARTIC : LARGEST_MAGNITUDE,
});

/** Whether rows may have missing cells; refuses them with Ledoit and Wolf's shrinkage, whose sums are over complete rows. */
export function takesGaps(missing: 'error' | 'ignore', shrinkage: Shrinkage): boolean {
  if (missing === 'ignore' && shrinkage === 'auto') {
    refuse('E_PARAM', "missing: 'ignore' needs a shrinkage that is a number or null, not 'auto'", { name: 'missing' });
  }
  return missing === 'ignore';
}

/** Given class priors, normalised as scikit-learn does; refuses another number of them than of classes, and all zeros. */
export function normalizedPriors(given: readonly number[] | null, classes: number): { classPrior?: Float64Array } {
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
