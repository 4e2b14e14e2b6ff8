import type { OptionValues } from '../core/options.ts';
import { isLike } from '../data/arguments.ts';
import { type Batch, type Shape, takeRows, toDense } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import type { Shrinkage } from '../models/discriminant.ts';
import type { Scatter } from '../stats/scatter.ts';
import type { CovarianceEstimator, covarianceOptions } from './kinds/discriminant-options.ts';
import type { FirstChoice } from './learning.ts';

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

/** Throws for learning in parts, unlearning and leave-one-out. */
function refuseParts(): never {
  return refuse('E_CONFLICT', 'covarianceEstimator needs all rows at once: call fit with all of them', {
    name: 'covarianceEstimator',
  });
}

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
