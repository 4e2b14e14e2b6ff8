import { logPriorWithout } from '../core/leave-one-out.ts';
import type { Form, Model, Terms } from '../core/model.ts';
import type { ClassPrior } from '../core/prior.ts';
import { type Batch, type DenseRows, type Rows, type Shape, sliceRows, toDense } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import { addScaledInto, dot, remainder, sum } from '../math/arrays.ts';
import { generalisedEigen } from '../math/eigen.ts';
import { mapRows, type RowMap } from '../math/kernels.ts';
import { thinSvd } from '../math/svd.ts';
import { type Quartic, quartic } from '../stats/quartic.ts';
import { type Scatter, scatter, scatterMatrix } from '../stats/scatter.ts';
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
  trace,
  weightedMean,
} from './discriminant.ts';
import { type Downdate, downdate, scoreWithout } from './held-out.ts';
import { marginalRow, scoreByPattern } from './marginal.ts';
import { unwhiten, whiten, whitenFull, whitenRows, whitenStandardised } from './whiten.ts';
import {
  leastShare,
  logFallBy,
  logFallOf,
  logPeakOf,
  originWeights,
  type Whitening,
  whitenMarginal,
} from './whitening.ts';

/** The solver that inverts the shared covariance; all give the same posteriors if it is regular. */
type LinearSolver = 'svd' | 'lsqr' | 'eigen';

/** The options of the estimate. */
export interface LinearOptions {
  readonly solver: LinearSolver;
  readonly shrinkage: Shrinkage;
  readonly tol: number;
  readonly denominator: Denominator;
  readonly classPrior?: ClassPrior;
  /** Instead of those that follow from the statistic. */
  readonly covariances?: GivenCovariances;
}

/** Class means under one covariance, and the space in which that covariance is spherical. */
export interface Planes extends Shape {
  readonly logPrior: Float64Array;
  readonly means: Float64Array; // class-major
  readonly origin: Float64Array; // the mean of the means, by prior
  readonly covariance: Float64Array;
  readonly whitening: Whitening;
  readonly centres: Float64Array; // class-major: A (μ[c] − origin)
}

/** The shared covariance: of all rows about the mean of their class, or the mean of the class covariances by prior. */
function sharedCovariance(stats: Scatter, options: LinearOptions, priors: Float64Array): Float64Array {
  const { classes, features, n } = stats;
  const total = sum(n);
  const seen = n.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  const unbiased = options.denominator === 'n' ? 1 : total / (total - seen);
  const shared = new Float64Array(features * features);
  for (let c = 0; c < classes; c++) {
    if (n[c] === 0) continue;
    if (options.solver === 'svd') addScaledInto(shared, unbiased / total, scatterMatrix(stats, c));
    else {
      const own = options.covariances?.classes[c] ?? shrunkCovariance(stats, c, options.shrinkage);
      addScaledInto(shared, unbiased * priors[c], own);
    }
  }
  return shared;
}

/** With one row to each class there is no spread within any. */
function requireSpread(stats: Scatter, denominator: Denominator): void {
  const seen = [...stats.n.keys()].filter((c) => stats.n[c] > 0);
  if (sum(stats.n) > seen.length) return;
  const spread = seen.some((c) => trace(scatterMatrix(stats, c), stats.features) > 0);
  if (!spread || denominator === 'n-1')
    refuseClass(seen[0] ?? 0, stats.n[seen[0] ?? 0], 'too few rows to estimate its spread');
}

function whitenShared(covariance: Float64Array, size: number, { solver, tol }: LinearOptions): Whitening {
  if (solver === 'svd') return whitenStandardised(covariance, size, tol);
  const full = whitenFull(covariance, size);
  if (full) return full;
  if (solver === 'lsqr') return whitenStandardised(covariance, size);
  return refuse(
    'E_CLASS_TOO_SMALL',
    "the covariance within the classes is singular: take more rows, give a shrinkage, or use solver: 'svd'",
    { features: size },
  );
}

/** Means under one covariance, with the space in which it is spherical. */
const planesForm: Form<Planes, unknown> = {
  arrays: {
    logPrior: ['log', 'classes'],
    means: ['real', 'classes', 'features'],
    origin: ['real', 'features'],
    covariance: ['real', 'features', 'features'],
    rows: ['real', 'any'],
    centres: ['real', 'any'],
    logDeterminant: ['real'],
    complete: ['share'],
    margin: ['real'],
  },
  pack: ({ logPrior, means, origin, covariance, centres, whitening }) => ({
    logPrior,
    means,
    origin,
    covariance,
    rows: whitening.rows,
    centres,
    logDeterminant: Float64Array.of(whitening.logDeterminant),
    complete: Float64Array.of(Number(whitening.complete)),
    margin: Float64Array.of(whitening.margin),
  }),
  unpack(packed, { classes, features }) {
    const { logPrior, means, origin, covariance, rows, centres } = packed;
    const rank = rows.length / features;
    if (!Number.isInteger(rank) || rank > features || centres.length !== classes * rank) return undefined;
    const [logDeterminant, margin] = [packed.logDeterminant[0], packed.margin[0]];
    const whitening = { features, rank, rows, logDeterminant, complete: packed.complete[0] === 1, margin };
    return { classes, features, logPrior, means, origin, covariance, whitening, centres };
  },
};

/**
 * Linear discriminant analysis: Gaussians with one covariance for all classes, so that the boundaries are planes.
 *
 *   p(x | c) = N(x; μ[c], Σ),   Σ = Σ_c S_c / n                                                    (1)
 *   ln p(c | x) = ln π_c + zᵀm_c − ½‖m_c‖² + …,   z = A(x − x̄),  m_c = A(μ[c] − x̄),  AᵀA = Σ⁻¹     (2)
 *
 * A row with missing cells is scored by the marginal of (1) over the others: μ and Σ without the rows and columns of what is missing. With
 * `gaps` rows to be learned may lack cells too. Hastie, Tibshirani & Friedman, The Elements of Statistical Learning (2009), §4.3.
 */
export function linearDiscriminant(shrinkage: Shrinkage, gaps = false): Model<Scatter, Planes, LinearOptions> {
  const model: Model<Scatter, Planes, LinearOptions> = {
    name: 'linear-discriminant',
    statistic: statisticFor(shrinkage, gaps),
    form: planesForm,

    estimate(counted, options) {
      const stats = completeScatter(counted);
      const { classes, features } = stats;
      requireClasses(stats);
      const logPrior = discriminantPrior(stats, options.classPrior);
      requireSpread(stats, options.denominator);
      const priors = logPrior.map(Math.exp);
      const means = meansOf(stats);
      const origin = weightedMean(priors, means, features);
      const shared = sharedCovariance(stats, options, priors);
      const covariance = hasGaps(counted) ? positiveDefinite(shared, features) : shared;
      const whitening = whitenShared(covariance, features, options);
      const centres = centresOf(whitening, means, origin, (c) => stats.n[c] > 0);
      return { classes, features, logPrior, means, origin, covariance, whitening, centres };
    },

    /** out[i,c] = ln p(c) + ln p(xᵢ | c), by (1). */
    score(planes, rows, out) {
      scoreByPattern(planes, toDense(rows), out, marginalPlanes, scoreComplete);
    },

    logPrior: ({ logPrior }) => logPrior,
    terms: linearTerms,

    sample({ features, means, covariance, whitening }, c, random, row) {
      unwhiten(covariance, whitening, random, row);
      for (let j = 0; j < features; j++) row[j] += means[c * features + j];
    },
  };
  return model;
}

/** A (μ[c] − origin) of every class, class-major; zero for a class without rows. */
function centresOf(
  whitening: Whitening,
  means: Float64Array,
  origin: Float64Array,
  seen: (c: number) => boolean,
): Float64Array {
  const { rank, features } = whitening;
  const classes = means.length / features;
  const centres = new Float64Array(classes * rank);
  for (let c = 0; c < classes; c++) {
    if (seen(c)) whiten(whitening, means, c * features, origin, 0, centres.subarray(c * rank, (c + 1) * rank));
  }
  return centres;
}

/** The planes over some features alone. */
function marginalPlanes(planes: Planes, observed: readonly number[]): Planes {
  const { features, means, origin, covariance, logPrior } = planes;
  const whitening = whitenMarginal(covariance, features, observed);
  return { ...planes, whitening, centres: centresOf(whitening, means, origin, (c) => logPrior[c] > -Infinity) };
}

function scoreComplete(planes: Planes, rows: DenseRows, out: Float64Array): void {
  const { classes, whitening, origin, logPrior, centres } = planes;
  const { rank } = whitening;
  const peak = logPeakOf(whitening);
  whitenRows(whitening, origin, rows.rows, rows.x, (i, z, at) => {
    for (let c = 0; c < classes; c++) {
      let sum = 0;
      for (let k = 0; k < rank; k++) {
        const apart = z[at + k] - centres[c * rank + k];
        sum += apart * apart;
      }
      out[i * classes + c] = logPrior[c] + peak + logFallBy(sum);
    }
  });
}

/**
 * ln π_c + w_cᵀ(x − x̄) − ½‖m_c‖² with w_c = Aᵀm_c: the scores by (2) without the part that all classes share, which far from the data
 * would cancel all digits of their differences.
 */
export function linearDecisions(
  planes: Planes,
  rows: Rows,
  out: Float64Array = new Float64Array(rows.rows * planes.classes),
): Float64Array {
  scoreByPattern(planes, toDense(rows), out, marginalPlanes, decideComplete);
  return out;
}

/** Linear decision functions; rows on which one overflows are scored by (1). */
export function safeDecisions(planes: Planes, rows: Rows, out: Float64Array): void {
  const { classes, logPrior } = planes;
  linearDecisions(planes, rows, out);
  for (let i = 0; i < rows.rows; i++) {
    let finite = true;
    for (let c = 0; c < classes; c++) finite &&= Number.isFinite(out[i * classes + c]) || logPrior[c] === -Infinity;
    if (finite) continue;
    const row = toDense(sliceRows(rows, i, i + 1));
    scoreByPattern(planes, row, out.subarray(i * classes, (i + 1) * classes), marginalPlanes, scoreComplete);
  }
}

/** Planes are immutable, so the inputs of the kernel are computed once. */
const maps = new WeakMap<Planes, RowMap>();

function mapOf(planes: Planes): RowMap {
  const { classes, features, origin, centres, whitening, logPrior } = planes;
  const { rank } = whitening;
  let map = maps.get(planes);
  if (!map) {
    const start = logPrior.map((log, c) => {
      const centre = centres.subarray(c * rank, (c + 1) * rank);
      return log - 0.5 * dot(centre, centre);
    });
    map = { kernel: 'affine', features, columns: classes, parameters: [origin, linearWeights(planes), start] };
    maps.set(planes, map);
  }
  return map;
}

function decideComplete(planes: Planes, { rows, x }: DenseRows, out: Float64Array): void {
  mapRows(mapOf(planes), rows, x, (from, some, scores) => {
    out.set(scores.subarray(0, some * planes.classes), from * planes.classes);
  });
}

/** The same with Σ⁻¹x̄ · x, which all classes share, as the solvers 'lsqr' and 'eigen' of scikit-learn have it. */
export function shiftedDecisions(planes: Planes, rows: Rows): Float64Array {
  const out = new Float64Array(rows.rows * planes.classes);
  scoreByPattern(planes, toDense(rows), out, marginalPlanes, (own, part, scores) => {
    decideComplete(own, part, scores);
    const { classes, features, origin } = own;
    const shift = originWeights(own);
    const constant = 0.5 * dot(shift, origin);
    for (let i = 0; i < part.rows; i++) {
      const common = dot(part.x.subarray(i * features, (i + 1) * features), shift) - constant;
      for (let c = 0; c < classes; c++) scores[i * classes + c] += common;
    }
  });
  return out;
}

/** w_c = Σ⁻¹(μ[c] − x̄), class-major. */
export function linearWeights({ classes, features, centres, whitening }: Planes): Float64Array {
  const { rank, rows } = whitening;
  const weights = new Float64Array(classes * features);
  for (let c = 0; c < classes; c++) {
    for (let k = 0; k < rank; k++) {
      const row = weights.subarray(c * features, (c + 1) * features);
      addScaledInto(row, centres[c * rank + k], rows.subarray(k * features, (k + 1) * features));
    }
  }
  return weights;
}

/** A feature adds w[c,j] (xⱼ − ½(x̄ⱼ + μ[c,j])): nothing at the midpoint, or where it is missing. The rest is the same for all classes. */
function linearTerms(whole: Planes, rows: Rows, i: number): Terms {
  const { params: planes, row: x } = marginalRow(whole, toDense(rows), i, marginalPlanes);
  const { classes, features, means, origin, whitening, centres } = planes;
  const weights = linearWeights(planes);
  const terms = new Float64Array(features * classes);
  const rest = new Float64Array(classes);
  const { rank } = whitening;
  const z = new Float64Array(rank);
  whiten(whitening, x, 0, origin, 0, z);
  for (let c = 0; c < classes; c++) {
    let listed = 0;
    for (let j = 0; j < features; j++) {
      const middle = origin[j] + 0.5 * (means[c * features + j] - origin[j]);
      const term = weights[c * features + j] * (x[j] - middle);
      terms[j * classes + c] = term;
      listed += term;
    }
    const apart = z.map((value, k) => value - centres[c * rank + k]);
    rest[c] = restOf(logPeakOf(whitening) + logFallOf(apart, rank), listed, terms, classes, c);
  }
  return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest };
}

/**
 * out[i,c] = the score of row i by the planes of all other rows. Row i leaves its class, whose mean moves away from it by w/(n − w) of
 * their distance d, and the scatter W of all classes by (nw/(n − w)) ddᵀ: a downdate of rank one. If that does not suffice (shrunk
 * covariances, missing cells, a class that vanishes, a row without which Σ is singular), Σ is recomputed.
 */
export function linearLeaveOneOut(
  counted: Scatter,
  options: LinearOptions,
  batch: Batch,
  out: Float64Array,
  model: Model<Scatter, Planes, LinearOptions>,
): void {
  const stats = completeScatter(counted);
  const planes = model.estimate(counted, options);
  const { classes, features, whitening, means } = planes;
  const { x } = toDense(batch);
  const total = sum(stats.n);
  const seen = stats.n.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  const lost = options.denominator === 'n' ? 0 : seen;
  const plain =
    !hasGaps(counted) && options.shrinkage === null && (options.solver === 'svd' || options.classPrior === undefined);
  const least = leastShare(options.solver === 'svd' ? options.tol : 0);
  const images = Array.from({ length: classes }, () => new Float64Array(whitening.rank));
  for (let i = 0; i < batch.rows; i++) {
    const [own, w] = [batch.y[i], batch.w[i]];
    const n = stats.n[own];
    for (let c = 0; c < classes; c++) whiten(whitening, x, i * features, means, c * features, images[c]);
    const d = images[own];
    const change =
      plain && whitening.complete && remainder(n, w) > 0
        ? downdate(whitening, least, (n * w) / (n - w), total - lost, total - w - lost, dot(d, d))
        : undefined;
    if (change) fastScores(planes, stats, options, batch, i, images, change, out);
    else scoreWithout(model, counted, options, batch, i, out);
  }
}

function fastScores(
  { classes, whitening }: Planes,
  stats: Scatter,
  { classPrior }: LinearOptions,
  { y, w }: Batch,
  i: number,
  images: readonly Float64Array[],
  { distance, logVolume }: Downdate,
  out: Float64Array,
): void {
  const own = y[i];
  const logPrior = logPriorWithout(stats.n, own, w[i], classPrior);
  const peak = logPeakOf(whitening) - 0.5 * logVolume;
  const d = images[own];
  for (let c = 0; c < classes; c++) {
    // from the moved mean, the row of its own class is n / (n − w) times as far away
    const stretch = c === own ? stats.n[own] / (stats.n[own] - w[i]) : 1;
    const square = dot(images[c], images[c]);
    const product = dot(images[c], d);
    out[i * classes + c] = logPrior[c] + peak - 0.5 * stretch * stretch * distance(square, product);
  }
}

/** The most discriminant directions, and the share of the between-class variance that each explains. */
export interface Axes {
  readonly count: number;
  readonly scalings: Float64Array; // row-major features × count
  readonly explained: Float64Array;
}

/** All classes as one. */
function united(stats: Scatter, shrinkage: LinearOptions['shrinkage']): Scatter {
  const statistic = shrinkage === 'auto' ? quartic : scatter;
  const shape = { classes: 1, features: stats.features };
  const all = statistic.empty(shape);
  for (let c = 0; c < stats.classes; c++) {
    const place = new Int32Array(stats.classes).fill(-1);
    place[c] = 0;
    statistic.merge(all as Quartic, statistic.reshape(stats as Quartic, shape, { classes: place }) as Quartic);
  }
  return all;
}

/** Generalised eigenvectors of the scatter between classes, total less within, against that within (solver 'eigen'). */
function eigenAxes(stats: Scatter, { covariance, features }: Planes, options: LinearOptions): Axes | undefined {
  const { shrinkage, covariances } = options;
  const total = covariances?.total ?? shrunkCovariance(united(stats, shrinkage), 0, shrinkage);
  const between = total.map((value, cell) => value - covariance[cell]);
  const eigen = generalisedEigen(between, covariance, features);
  if (!eigen) return undefined;
  const all = sum(eigen.values);
  // Total and within are shrunk separately, so their difference may have negative eigenvalues; these explain nothing.
  const explained = eigen.values.map((value) => Math.min(Math.max(value / all || 0, 0), 1));
  return { count: features, scalings: eigen.vectors, explained: explained.sort().reverse() };
}

/** Singular vectors of the class means in the space in which the covariance is spherical (solver 'svd'). */
function svdAxes(stats: Scatter, { classes, features, whitening, centres, logPrior }: Planes, tol: number): Axes {
  const { rank, rows } = whitening;
  const total = sum(stats.n);
  const scaled = centres.map((value, cell) => {
    const prior = Math.exp(logPrior[Math.floor(cell / rank)]);
    return Math.sqrt((total * prior) / Math.max(1, classes - 1)) * value;
  });
  const terms = Math.min(classes, rank);
  const { values, right } = rank > 0 ? thinSvd(scaled, classes, rank) : { values: new Float64Array(0), right: scaled };
  const squares = values.map((value) => value * value);
  const all = sum(squares);
  const kept = values.filter((value) => value > tol * values[0]).length;
  const scalings = new Float64Array(features * kept);
  for (let j = 0; j < features; j++) {
    for (let axis = 0; axis < kept; axis++) {
      let total = 0;
      for (let k = 0; k < rank; k++) total += rows[k * features + j] * right[k * terms + axis];
      scalings[j * kept + axis] = total;
    }
  }
  return { count: kept, scalings, explained: squares.map((square) => (all > 0 ? square / all : 0)) };
}

/** The discriminant axes; undefined where the covariance is singular and the solver needs its inverse. */
export function discriminantAxes(counted: Scatter, planes: Planes, options: LinearOptions): Axes | undefined {
  const stats = completeScatter(counted);
  return options.solver === 'eigen' ? eigenAxes(stats, planes, options) : svdAxes(stats, planes, options.tol);
}
