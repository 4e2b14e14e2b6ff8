import { integer, type OptionSpec, optional, readOptions, real } from '../core/options.ts';
import { mapCells, type Shape } from '../data/batch.ts';
import { type Features, readFeatures } from '../data/input.ts';
import type { Label } from '../data/labels.ts';
import { requireGoing } from '../data/limits.ts';
import { Matrix } from '../data/matrix.ts';
import { softLabels } from '../data/soft-labels.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { refuse } from '../errors.ts';
import { unchecked } from '../evaluate/targets.ts';
import type { CountingClassifier } from './classifier.ts';
import { requireCandidate } from './fold-learning.ts';
import { logParameterPrior } from './log-parameter-prior.ts';
import { restore } from './restore.ts';

/** How unlabelled rows are used. */
export interface SemiSupervisedOptions {
  /** What an unlabelled row weighs, compared with a labelled one. */
  readonly weight?: number;
  readonly maxIter?: number;
  /** Stops when the objective rises by less than this share of itself. */
  readonly tol?: number;
  /**
   * Rows are scaled to this sum. Without it the posteriors of long documents are 0 or 1 and EM decides too early.
   * Score rows scaled alike with the result; the most probable class of a row hardly depends on it.
   */
  readonly documentLength?: number;
  readonly signal?: AbortSignal;
}

/** How the objective rose, and whether it came to rest. */
export interface SemiSupervisedReport {
  /** Σ ln p(x, y) + weight · Σ ln p(u) + ln p(θ), after the labelled fit and after every step. */
  readonly objective: readonly number[];
  readonly converged: boolean;
}

const spec = {
  weight: real({ default: 1, min: 0 }),
  maxIter: integer({ default: 30, min: 0 }),
  tol: real({ default: 1e-4, min: 0 }),
  documentLength: optional(real({ default: 1, min: 0 })),
  signal: unchecked<AbortSignal>(),
} satisfies OptionSpec;

const ROWS_AT_ONCE = 512;

type AnyClassifier<S extends Shape, P extends Shape> = CountingClassifier<OptionSpec, S, P>;

/**
 * Semi-supervised learning by expectation–maximisation: unlabelled rows are counted for each class by the share that the
 * present model gives it, and the model is estimated anew from all counts, until the objective comes to rest.
 * Nigam, McCallum, Thrun & Mitchell, Text Classification from Labeled and Unlabeled Documents using EM (2000).
 */
export function fitSemiSupervised<S extends Shape, P extends Shape>(
  estimator: AnyClassifier<S, P>,
  X: Features,
  y: ArrayLike<Label>,
  unlabelled: Features,
  options: SemiSupervisedOptions = {},
): SemiSupervisedReport {
  const { weight, maxIter, tol, documentLength, signal } = readOptions('fitSemiSupervised', spec, options);
  if (weight === 0) refuse('E_PARAM', 'weight is 0; it must be > 0', { name: 'weight' });
  requireCandidate(estimator);
  const labelled = toMatrix(estimator, X, documentLength);
  const others = toMatrix(estimator, unlabelled, documentLength);
  const state = estimator.clone().fit(labelled, y).toState();
  let current = restore(estimator.clone(), state);
  const rise = [objective(current, labelled, y, others, weight)];
  let converged = false;
  for (let step = 0; step < maxIter && !converged; step++) {
    requireGoing(signal ?? undefined);
    const next = restore(estimator.clone(), state);
    for (let from = 0; from < others.rows; from += ROWS_AT_ONCE) {
      const part = others.slice(from, from + ROWS_AT_ONCE);
      next.partialFit(part, softLabels(current.predictProba(part), current.classes), { sampleWeight: weight });
    }
    const value = objective(next, labelled, y, others, weight);
    converged = value - rise[rise.length - 1] <= tol * Math.abs(value);
    rise.push(value);
    current = next;
  }
  restore(estimator, current.toState());
  return { objective: rise, converged };
}

function toMatrix<S extends Shape, P extends Shape>(
  estimator: AnyClassifier<S, P>,
  X: Features,
  documentLength: number | null,
): Matrix | SparseMatrix {
  const { sparse, missing } = estimator.capabilities;
  const { rows } = readFeatures(X, { sparse, missing, extra: 'ignore' });
  if (documentLength === null) {
    return 'x' in rows
      ? new Matrix(rows.rows, rows.features, rows.x)
      : new TidyMatrix(rows.rows, rows.features, rows.indptr, rows.indices, rows.values);
  }
  const cells = mapCells(rows, (value) => value);
  for (let i = 0; i < cells.rows; i++) {
    const row = cells.values.subarray(cells.indptr[i], cells.indptr[i + 1]);
    const length = row.reduce((sum, value) => sum + value, 0);
    for (let k = 0; k < row.length; k++) row[k] *= documentLength / length;
  }
  return new TidyMatrix(cells.rows, cells.features, cells.indptr, cells.indices, cells.values);
}

function objective<S extends Shape, P extends Shape>(
  estimator: AnyClassifier<S, P>,
  X: Matrix | SparseMatrix,
  y: ArrayLike<Label>,
  unlabelled: Matrix | SparseMatrix,
  weight: number,
): number {
  const { classes } = estimator;
  const joint = estimator.predictJointLogProba(X);
  let sum = logParameterPrior(estimator);
  for (let i = 0; i < y.length; i++) sum += joint.at(i, classes.indexOf(y[i]));
  for (const evidence of estimator.logEvidence(unlabelled)) sum += weight * evidence;
  return sum;
}
