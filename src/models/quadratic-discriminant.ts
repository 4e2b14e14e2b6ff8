import { logPriorWithout } from '../core/leave-one-out.ts';
import type { Form, Model, Terms } from '../core/model.ts';
import type { ClassPrior } from '../core/prior.ts';
import { type Batch, type DenseRows, type Rows, type Shape, toDense } from '../data/batch.ts';
import { addInto, dot, remainder, scaleInto, sum } from '../math/arrays.ts';
import { type Scatter, scatterMatrix } from '../stats/scatter.ts';
import { completeScatter, hasGaps, positiveDefinite } from './complete-scatter.ts';
import {
  type Denominator,
  discriminantPrior,
  type GivenCovariances,
  meansOf,
  refuseClass,
  requireClasses,
  restOf,
  type Shrinkage,
  shrunkCovariance,
  statisticFor,
  towards,
  trace,
} from './discriminant.ts';
import { downdate, scoreWithout } from './held-out.ts';
import { marginalRow, scoreByPattern } from './marginal.ts';
import { unwhiten, whiten, whitenDiagonal, whitenFull, whitenRows } from './whiten.ts';
import { leastShare, logFallBy, logFallOf, logPeakOf, type Whitening, whitenMarginal } from './whitening.ts';

/** How a quadratic discriminant is estimated; Friedman's lambda and gamma lead from it to the linear one and to centroids. */
export interface QuadraticOptions {
  readonly shrinkage: Shrinkage;
  /** (1 − r)Σ + rI, towards the identity in the units of the features. */
  readonly regParam: number;
  readonly lambda: number;
  readonly gamma: number;
  /** gamma draws towards the variances within classes rather than towards one variance for all features. */
  readonly standardize: boolean;
  readonly diagonal: boolean;
  readonly tol: number;
  readonly denominator: Denominator;
  readonly classPrior?: ClassPrior;
  /** Instead of those that follow from the statistic. */
  readonly covariances?: GivenCovariances;
}

/** A class mean with its own covariance, for every class that has rows. */
export interface Ellipsoids extends Shape {
  readonly logPrior: Float64Array;
  readonly means: Float64Array; // class-major
  readonly covariances: readonly Float64Array[];
  readonly whitenings: readonly (Whitening | undefined)[];
}

/** Scatter of all classes and its diagonal per row, which the regularised covariances share. */
interface Pool {
  readonly total: number;
  readonly scatter: Float64Array;
  readonly variances: Float64Array;
}

function poolOf(stats: Scatter): Pool {
  const { features, n } = stats;
  const pooled = new Float64Array(features * features);
  for (let c = 0; c < stats.classes; c++) addInto(pooled, scatterMatrix(stats, c));
  const total = sum(n);
  const variances = Float64Array.from({ length: features }, (_, j) => pooled[j * features + j] / total || 1);
  return { total, scatter: pooled, variances };
}

/** The weight by which the scatter of class c is divided: (1 − λ)n_c + λN, or n_c − 1. */
function divisor(n: number, total: number, { lambda, denominator }: QuadraticOptions): number {
  return (1 - lambda) * n + lambda * total - (denominator === 'n-1' ? 1 : 0);
}

function covarianceOf(stats: Scatter, c: number, options: QuadraticOptions, pool: Pool): Float64Array {
  const { features, n } = stats;
  const { shrinkage, regParam, lambda, gamma, standardize, covariances } = options;
  if (covariances) return covariances.classes[c];
  if (shrinkage !== null) return shrunkCovariance(stats, c, shrinkage);
  const covariance = scatterMatrix(stats, c);
  scaleInto(covariance, 1 - lambda);
  for (let k = 0; k < covariance.length; k++) covariance[k] += lambda * pool.scatter[k];
  scaleInto(covariance, 1 / divisor(n[c], pool.total, options));
  if (regParam > 0) return towards(covariance, features, regParam, () => 1);
  if (gamma === 0) return covariance;
  const unit = (j: number) => (standardize ? pool.variances[j] : 1);
  let mean = 0;
  for (let j = 0; j < features; j++) mean += covariance[j * features + j] / unit(j) / features;
  return towards(covariance, features, gamma, (j) => mean * unit(j));
}

const ADVICE = 'give a regParam or a shrinkage (QuadraticDiscriminantAnalysis) or lambda and gamma (Regularized…)';

function requireRows(stats: Scatter, c: number, { lambda, denominator }: QuadraticOptions): void {
  const n = stats.n[c];
  if (lambda > 0 || n > 1) return;
  const spread = trace(scatterMatrix(stats, c), stats.features) > 0;
  if (!spread || denominator === 'n-1') refuseClass(c, n, 'one row or less, which has no covariance');
}

/** A mean and a covariance for every class, with the space in which it is round for those that have rows. */
const ellipsoidsForm: Form<Ellipsoids, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    means: ['real', 'classes', 'features'],
    covariances: ['real', 'classes', 'features', 'features'],
    seen: ['share', 'classes'],
    rows: ['real', 'classes', 'features', 'features'],
    logDeterminants: ['real', 'classes'],
    margins: ['real', 'classes'],
  },
  pack({ features, logPrior, means, covariances, whitenings }) {
    const size = features * features;
    const rows = new Float64Array(size * whitenings.length);
    whitenings.forEach((whitening, c) => {
      if (whitening) rows.set(whitening.rows, c * size);
    });
    return {
      logPrior,
      means,
      covariances: Float64Array.from(covariances.flatMap((own) => [...own])),
      seen: Float64Array.from(whitenings, (whitening) => Number(whitening !== undefined)),
      rows,
      logDeterminants: Float64Array.from(whitenings, (whitening) => whitening?.logDeterminant ?? 0),
      margins: Float64Array.from(whitenings, (whitening) => whitening?.margin ?? 0),
    };
  },
  unpack({ logPrior, means, covariances, seen, rows, logDeterminants, margins }, { classes, features }) {
    const part = (matrices: Float64Array, c: number) =>
      matrices.slice(c * features * features, (c + 1) * features * features);
    const each = Array.from({ length: classes }, (_, c) => c);
    const whitenings = each.map((c) => {
      if (seen[c] !== 1) return undefined;
      const [logDeterminant, margin] = [logDeterminants[c], margins[c]];
      return { features, rank: features, rows: part(rows, c), logDeterminant, complete: true, margin };
    });
    return { classes, features, logPrior, means, covariances: each.map((c) => part(covariances, c)), whitenings };
  },
};

/**
 * Quadratic and regularised discriminant analysis: a bell curve with its own covariance for each class.
 *
 *   p(x | c) = N(x; μ[c], Σ[c]),   S_c(λ) = ((1 − λ)S_c + λS) / ((1 − λ)n_c + λN)                     (1)
 *   Σ[c] = (1 − γ)S_c(λ) + γ (tr S_c(λ) / p) I                                                     (2)
 *
 * with S_c the scatter of class c and S that of all: (0, 0) is quadratic, (1, 0) linear, (1, 1) the nearest centroid.
 * A row with missing cells is scored by the marginals of (1) over the others; with `gaps` rows to be learned may lack cells too.
 * Friedman, Regularized Discriminant Analysis (JASA 1989).
 */
export function quadraticDiscriminant(
  shrinkage: Shrinkage,
  gaps = false,
): Model<Scatter, Ellipsoids, QuadraticOptions> {
  const model: Model<Scatter, Ellipsoids, QuadraticOptions> = {
    name: 'quadratic-discriminant',
    statistic: statisticFor(shrinkage, gaps),
    form: ellipsoidsForm,

    estimate(counted, options) {
      const stats = completeScatter(counted);
      const { classes, features, n } = stats;
      requireClasses(stats);
      const logPrior = discriminantPrior(stats, options.classPrior);
      const pool = poolOf(stats);
      const covariances: Float64Array[] = [];
      const whitenings = Array.from({ length: classes }, (_, c) => {
        covariances.push(new Float64Array(features * features));
        if (n[c] === 0) return undefined;
        requireRows(stats, c, options);
        const own = covarianceOf(stats, c, options, pool);
        const covariance = hasGaps(counted) ? positiveDefinite(own, features) : own;
        covariances[c] = options.diagonal ? diagonalOf(covariance, features) : covariance;
        const whitening = options.diagonal
          ? whitenDiagonal(covariance, features)
          : whitenFull(covariance, features, options.tol);
        return whitening ?? refuseClass(c, n[c], `a singular covariance: ${ADVICE}`);
      });
      return { classes, features, logPrior, means: meansOf(stats), covariances, whitenings };
    },

    /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1) and (2). */
    score(ellipsoids, rows, out) {
      scoreByPattern(ellipsoids, toDense(rows), out, marginalEllipsoids, scoreComplete);
    },

    logPrior: ({ logPrior }) => logPrior,
    terms: quadraticTerms,

    sample({ features, means, covariances, whitenings }, c, random, row) {
      const whitening = whitenings[c];
      row.fill(0);
      if (!whitening) return;
      unwhiten(covariances[c], whitening, random, row);
      for (let j = 0; j < features; j++) row[j] += means[c * features + j];
    },
  };
  return model;
}

function scoreComplete(ellipsoids: Ellipsoids, { rows, x }: DenseRows, out: Float64Array): void {
  const { classes, features, logPrior, means, whitenings } = ellipsoids;
  whitenings.forEach((whitening, c) => {
    if (!whitening) {
      for (let i = 0; i < rows; i++) out[i * classes + c] = -Infinity;
      return;
    }
    const { rank } = whitening;
    const peak = logPrior[c] + logPeakOf(whitening);
    whitenRows(whitening, means.subarray(c * features, (c + 1) * features), rows, x, (i, z, at) => {
      let square = 0;
      for (let k = at; k < at + rank; k++) square += z[k] * z[k];
      out[i * classes + c] = peak + logFallBy(square);
    });
  });
}

const diagonalOf = (matrix: Float64Array, size: number) =>
  matrix.map((value, cell) => (cell % (size + 1) === 0 ? value : 0));

/** The ellipsoids over some features alone. */
function marginalEllipsoids(ellipsoids: Ellipsoids, observed: readonly number[]): Ellipsoids {
  const { features, covariances, whitenings } = ellipsoids;
  const marginals = whitenings.map((own, c) => own && whitenMarginal(covariances[c], features, observed));
  return { ...ellipsoids, whitenings: marginals };
}

/** A feature has its share −½ dⱼ (Σ⁻¹d)ⱼ of the squared distance; the volume of the ellipsoid is the rest. */
function quadraticTerms(whole: Ellipsoids, rows: Rows, i: number): Terms {
  const { params, row: x } = marginalRow(whole, toDense(rows), i, marginalEllipsoids);
  const { classes, features, means, whitenings } = params;
  const terms = new Float64Array(features * classes);
  const rest = new Float64Array(classes).fill(-Infinity);
  const z = new Float64Array(features);
  whitenings.forEach((whitening, c) => {
    if (!whitening) return;
    whiten(whitening, x, 0, means, c * features, z);
    let listed = 0;
    for (let j = 0; j < features; j++) {
      let pull = 0;
      for (let k = 0; k < whitening.rank; k++) pull += whitening.rows[k * features + j] * z[k];
      const term = -0.5 * (x[j] - means[c * features + j]) * pull;
      terms[j * classes + c] = term;
      listed += term;
    }
    rest[c] = restOf(logPeakOf(whitening) + logFallOf(z, whitening.rank), listed, terms, classes, c);
  });
  return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest };
}

/**
 * out[i,c] = the score of row i by the ellipsoids of all other rows. Without the row the scatter of its class loses
 * (nw/(n − w)) ddᵀ, and that of every other class λ of it: downdates of rank one. Where cells are missing, covariances are
 * drawn towards a target, or a downdate loses too many digits, they are estimated anew.
 */
export function quadraticLeaveOneOut(
  counted: Scatter,
  options: QuadraticOptions,
  batch: Batch,
  out: Float64Array,
  model: Model<Scatter, Ellipsoids, QuadraticOptions>,
): void {
  const stats = completeScatter(counted);
  const ellipsoids = model.estimate(counted, options);
  const { shrinkage, regParam, gamma, diagonal } = options;
  const plain = !hasGaps(counted) && shrinkage === null && regParam === 0 && gamma === 0 && !diagonal;
  for (let i = 0; i < batch.rows; i++) {
    if (plain && fastScores(ellipsoids, stats, options, batch, i, out)) continue;
    scoreWithout(model, counted, options, batch, i, out);
  }
}

/** The scores of row i by downdates; false if one of them fails. */
function fastScores(
  { classes, features, means, whitenings }: Ellipsoids,
  stats: Scatter,
  options: QuadraticOptions,
  batch: Batch,
  i: number,
  out: Float64Array,
): boolean {
  const { x } = toDense(batch);
  const [own, w] = [batch.y[i], batch.w[i]];
  const n = stats.n.slice();
  n[own] = remainder(n[own], w);
  if (n[own] === 0) return false;
  const least = leastShare(options.tol);
  const total = sum(stats.n);
  const kappa = (stats.n[own] * w) / n[own];
  const logPrior = logPriorWithout(stats.n, own, w, options.classPrior);
  const image = (whitening: Whitening, origin: number) => {
    const z = new Float64Array(whitening.rank);
    whiten(whitening, x, i * features, means, origin * features, z);
    return z;
  };
  for (let c = 0; c < classes; c++) {
    const whitening = whitenings[c];
    out[i * classes + c] = -Infinity;
    if (!whitening) continue;
    const e = image(whitening, c);
    const d = c === own || options.lambda === 0 ? e : image(whitening, own);
    const share = c === own ? 1 : options.lambda;
    const before = divisor(stats.n[c], total, options);
    const change = downdate(whitening, least, share * kappa, before, divisor(n[c], total - w, options), dot(d, d));
    if (!change) return false;
    // from the moved mean, the row of its own class is n / (n − w) times as far away
    const stretch = c === own ? stats.n[own] / n[own] : 1;
    const square = stretch * stretch * change.distance(dot(e, e), dot(e, d));
    out[i * classes + c] = logPrior[c] + logPeakOf(whitening) - 0.5 * (change.logVolume + square);
  }
  return true;
}
