import { choice, either, type Option, optional, real } from '../core/options.ts';
import type { Shape } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Shrinkage } from '../models/discriminant.ts';
import { missing, numbers } from './options.ts';

/** Options that all discriminants have. */
export const discriminantOptions = {
  /** Class priors, in the order of the sorted classes. */
  priors: optional(numbers),
  /** Least deviation of a direction, in deviations of the features, for a covariance to be regular. */
  tol: real({ default: 1e-4, min: 0 }),
  missing,
} as const;

/** By what sums of squares are divided; 'n-1' (linear: n less the classes) as before scikit-learn 1.9.1. */
export const covarianceDenominator: Option<'n' | 'n-1'> = choice(['n', 'n-1'], { default: 'n' });

/** How far covariances are drawn towards round ones: not, by Ledoit & Wolf's share, or by a given share. */
export const shrinkage: Option<number | 'auto' | null> = optional(
  either(choice(['auto'], { default: 'auto' }), real({ default: 0, min: 0, max: 1 })),
);

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

/** Scores of classes as a decision function: with two classes one column, what the second has more than the first. */
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
