import { choice, either, flag, type Option, type OptionValues, optional, real } from '../core/options.ts';
import { isLike } from '../data/arguments.ts';
import { type Batch, type Shape, takeRows, toDense } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { GivenCovariances, Shrinkage } from '../models/discriminant.ts';
import type { Scatter } from '../stats/scatter.ts';
import type { FirstChoice, SavedEstimator } from './learning.ts';
import { gapOptions, numbers } from './options.ts';

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

interface EstimatedBy extends OptionValues<typeof covarianceOptions> {
  readonly shrinkage: Shrinkage;
  readonly solver: string;
}

/** Throws for options that have no effect with a covariance estimator. */
export function requireEstimatorAlone(params: EstimatedBy): void {
  if (params.covarianceEstimator === null) return;
  const clash = {
    "solver: 'svd'": params.solver === 'svd',
    'a shrinkage': params.shrinkage !== null && params.shrinkage !== 0,
    "covarianceDenominator: 'n-1'": params.covarianceDenominator === 'n-1',
    "missing: 'ignore'": params.missing === 'ignore',
    reproducible: params.reproducible,
    classWeight: params.classWeight !== null,
  };
  const other = Object.entries(clash).find(([, given]) => given)?.[0];
  if (other) {
    refuse('E_PARAM', `covarianceEstimator does not go together with ${other}`, { name: 'covarianceEstimator' });
  }
}

/** Covariances as an estimator finds them in the first rows: of every class that has rows, and of all rows if `total`. */
export function covarianceChoice(
  estimator: CovarianceEstimator | null,
  total: boolean,
): FirstChoice<Scatter> | undefined {
  if (!estimator) return undefined;
  return {
    choose(_, batch) {
      if (batch.w.some((weight) => weight !== batch.w[0])) {
        refuse('E_PARAM', 'covarianceEstimator takes rows of equal weight, without sampleWeight', {
          name: 'sampleWeight',
        });
      }
      const rowsOf = Array.from({ length: batch.classes }, (): number[] => []);
      for (let i = 0; i < batch.rows; i++) rowsOf[batch.y[i]].push(i);
      const none = new Array<number>(batch.features ** 2).fill(0);
      const classes = rowsOf.map((rows) => (rows.length > 0 ? estimated(estimator, batch, rows) : none));
      return { covariances: classes, ...(total && { total: estimated(estimator, batch) }) };
    },
    unite: refuseParts,
    refuseParts,
  };
}

/** The covariance of some rows, or of all. */
function estimated(estimator: CovarianceEstimator, batch: Batch, rows?: readonly number[]): number[] {
  const { rows: count, features, x } = toDense(rows ? takeRows(batch, Uint32Array.from(rows)) : batch);
  const made = estimator.fit(new Matrix(count, features, x.slice())) ?? estimator;
  const { covariance } = (isLike(made, { covariance: 'any' }) ? made : estimator) as CovarianceEstimator;
  const cells =
    covariance instanceof Matrix
      ? [...covariance.data]
      : Array.from(covariance ?? []).flatMap((row) => Array.from(row));
  if (cells.length === features * features && cells.every(Number.isFinite)) return cells as number[];
  return refuse('E_PARAM', `covarianceEstimator did not return a ${features} × ${features} matrix of numbers`, {
    name: 'covarianceEstimator',
    expected: features * features,
    actual: cells.length,
  });
}

/** The covariances that an estimator found in the rows of `fit`; `asked`: whether there is one. */
export function covariancesIn(
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

/** Throws for learning in parts, unlearning and leave-one-out. */
function refuseParts(): never {
  return refuse('E_CONFLICT', 'covarianceEstimator needs all rows at once: call fit with all of them', {
    name: 'covarianceEstimator',
  });
}

/** Gaussian families square their values; beyond this the squares of differences leave the range of numbers. */
export const LARGEST_MAGNITUDE = 1e150;

/** Fourth powers are kept for Ledoit & Wolf's intensity; beyond this they leave the range of numbers. */
const LARGEST_QUARTIC = 1e75;

/** What discriminants take as rows. */
export const gaussianRows = (shrinkage: Shrinkage): { readonly limit: number } => ({
  limit: shrinkage === 'auto' ? LARGEST_QUARTIC : LARGEST_MAGNITUDE,
});

/** The means of classes, class by class. */
export function meansOf({ classes, features, means }: Shape & { readonly means: Float64Array }): Matrix {
  return new Matrix(classes, features, means.slice());
}

/** Scores as a decision function: one column per class; for two classes one column, the second minus the first. */
export function asDecision({ rows, cols, data }: Matrix): Matrix {
  if (cols !== 2) return new Matrix(rows, cols, data);
  const differences = Float64Array.from({ length: rows }, (_, i) => data[2 * i + 1] - data[2 * i]);
  return new Matrix(rows, 1, differences);
}

/** The joint scores of quadratic discriminants without the constant that all classes share, as a decision function. */
export function quadraticDecision(joint: Matrix, features: number): Matrix {
  const constant = 0.5 * features * Math.log(2 * Math.PI);
  return asDecision(
    new Matrix(
      joint.rows,
      joint.cols,
      joint.data.map((score) => score + constant),
    ),
  );
}

/** Covariances as matrices. */
export function covarianceMatrices(covariances: readonly Float64Array[], features: number): Matrix[] {
  return covariances.map((covariance) => new Matrix(features, features, covariance.slice()));
}

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
