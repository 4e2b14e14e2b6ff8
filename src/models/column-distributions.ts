import { besselRatio, logBesselI0Scaled } from '../math/bessel.ts';
import { drawExponential, drawGamma, drawNormal } from '../math/draws.ts';
import { digamma, lgamma, trigamma } from '../math/gamma.ts';
import type { Generator } from '../math/generator.ts';
import { type ColumnModel, columnModel } from './column-model.ts';

const LOG_2PI = Math.log(2 * Math.PI);

/** A mean below this is as good as zero. */
const LEAST_MEAN = 1e-300;

/**
 * Waiting times and other amounts from zero on: p(x) = λ e^(−λx), with 1/λ the mean of the cells.
 */
export const exponential: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'exponential',
  statistics: { x: (x) => x },
  parameters: ['logRate'],
  estimate: ([mean]) => [-Math.log(Math.max(mean, LEAST_MEAN))],
  logDensity: ({ 0: logRate }, x) => (x < 0 ? -Infinity : logRate - Math.exp(logRate) * x),
  sample: ({ 0: logRate }, random) => drawExponential(random) / Math.exp(logRate),
  mean: ({ 0: logRate }) => Math.exp(-logRate),
});

/** Of a variance of logarithms, less than this share of the square of their mean is rounding. */
const LOG_ROUNDING = 1e-11;

/**
 * Amounts above zero that multiply, such as incomes and sizes: ln x is normal with the mean and the variance of the logarithms,
 *
 *   ln p(x) = −ln x − ½ ln 2πσ² − (ln x − μ)² / 2σ²                       (1)
 */
export const lognormal: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'lognormal',
  statistics: { logX: Math.log, logSquare: (x) => Math.log(x) ** 2 },
  signed: ['logX'],
  parameters: ['mu', 'variance'],
  estimate: ([mu, square]) => [mu, Math.max(square - mu * mu, LOG_ROUNDING * (1 + mu * mu))],
  logDensity({ 0: mu, 1: variance }, x) {
    if (x <= 0) return -Infinity;
    const logX = Math.log(x);
    return -logX - 0.5 * (LOG_2PI + Math.log(variance)) - (logX - mu) ** 2 / (2 * variance);
  },
  sample: ({ 0: mu, 1: variance }, random) => Math.exp(mu + Math.sqrt(variance) * drawNormal(random)),
  mean: ({ 0: mu, 1: variance }) => Math.exp(mu + variance / 2),
});

/** Of ln x̄ less the mean of ln x, less than this is rounding. */
const GAP_ROUNDING = 1e-11;
/** From this shape on, two terms of Stirling's series give all digits. */
const LARGE_SHAPE = 1e4;

/**
 * The shape a with ln a − ψ(a) = gap, where gap = ln x̄ less the mean of ln x. Newton's method in 1/a (Minka, Estimating a Gamma
 * distribution, 2002); for a large shape the gap is 1/2a + 1/12a², which gives a itself.
 */
function gammaShape(gap: number): number {
  const large = (6 + Math.sqrt(36 + 48 * gap)) / (24 * gap);
  if (large >= LARGE_SHAPE) return large;
  let shape = (3 - gap + Math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap);
  for (let step = 0; step < 50; step++) {
    const slope = shape * shape * (1 / shape - trigamma(shape));
    const next = 1 / (1 / shape + (Math.log(shape) - digamma(shape) - gap) / slope);
    if (Math.abs(next - shape) <= 1e-15 * shape) return next;
    shape = next;
  }
  return shape;
}

/** a ln a − a − ln Γ(a), without cancellation. */
const gammaPeak = (shape: number): number =>
  shape >= LARGE_SHAPE
    ? 0.5 * (Math.log(shape) - LOG_2PI) - 1 / (12 * shape)
    : shape * Math.log(shape) - shape - lgamma(shape);

/** r − 1 − ln r, without cancellation about 1. */
function ratioGap(ratio: number): number {
  const distance = ratio - 1;
  return distance - (Math.abs(distance) < 0.5 ? Math.log1p(distance) : Math.log(ratio));
}

/**
 * Amounts above zero that add up, such as durations and rainfall: with shape a and mean m, and r = x / m,
 *
 *   ln p(x) = a ln a − a − ln Γ(a) − ln x − a (r − 1 − ln r)               (1)
 */
export const gamma: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'gamma',
  statistics: { x: (x) => x, logX: Math.log },
  signed: ['logX'],
  parameters: ['shape', 'mean', 'peak'],
  estimate([given, logMean]) {
    const mean = Math.max(given, LEAST_MEAN);
    const shape = gammaShape(Math.max(Math.log(mean) - logMean, GAP_ROUNDING));
    return [shape, mean, gammaPeak(shape)];
  },
  logDensity({ 0: shape, 1: mean, 2: peak }, x) {
    return x <= 0 ? -Infinity : peak - Math.log(x) - shape * ratioGap(x / mean);
  },
  sample: ({ 0: shape, 1: mean }, random) => (mean * drawGamma(random, shape)) / shape,
  mean: ({ 1: mean }) => mean,
});

/** Directions whose mean length is nearer to 1 than this are all the same, but for rounding. */
const LENGTH_ROUNDING = 1e-10;

/** Nearer to 1 than this, the ratio of Bessel functions is best known by its distance from 1. */
const NEAR_ONE = 1e-4;

/**
 * The concentration κ with I₁(κ) / I₀(κ) = R: Newton's method from the approximation of Best & Fisher (1981). Near R = 1 the slope
 * cancels, and κ follows from 1 − R = 1/2κ + 1/8κ² + 1/8κ³ + 25/128κ⁴ (DLMF 10.40.1) by iteration.
 */
function concentration(length: number): number {
  if (1 - length < NEAR_ONE) {
    let u = 2 * (1 - length);
    for (let step = 0; step < 8; step++) u = (2 * (1 - length)) / (1 + u / 4 + (u * u) / 4 + (25 * u ** 3) / 64);
    return 1 / u;
  }
  let kappa =
    length < 0.53
      ? 2 * length + length ** 3 + (5 / 6) * length ** 5
      : length < 0.85
        ? -0.4 + 1.39 * length + 0.43 / (1 - length)
        : 1 / (length ** 3 - 4 * length ** 2 + 3 * length);
  for (let step = 0; step < 50 && kappa > 0; step++) {
    const ratio = besselRatio(kappa);
    const next = Math.max(kappa / 2, kappa - (ratio - length) / (1 - ratio / kappa - ratio * ratio));
    if (Math.abs(next - kappa) <= 1e-15 * kappa) return next;
    kappa = next;
  }
  return kappa;
}

/** Draws from a von Mises distribution by the rejection method of Best & Fisher (1979). */
function drawAngle(random: Generator, mu: number, kappa: number): number {
  if (kappa < 1e-8) return Math.PI * (2 * random.uniform() - 1);
  if (kappa > 1e6) return wrap(mu + drawNormal(random) / Math.sqrt(kappa));
  const tau = 1 + Math.sqrt(1 + 4 * kappa * kappa);
  const rho = (tau - Math.sqrt(2 * tau)) / (2 * kappa);
  const r = (1 + rho * rho) / (2 * rho);
  for (;;) {
    const z = Math.cos(Math.PI * random.uniform());
    const f = (1 + r * z) / (r + z);
    const c = kappa * (r - f);
    const u = 1 - random.uniform();
    if (c * (2 - c) - u <= 0 && Math.log(c / u) + 1 - c < 0) continue;
    return wrap(mu + (random.uniform() < 0.5 ? -1 : 1) * Math.acos(Math.max(-1, Math.min(1, f))));
  }
}

/** An angle from −π to π. */
const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

/**
 * Angles in radians, of any turn: with mean direction μ and concentration κ,
 *
 *   ln p(x) = κ (cos(x − μ) − 1) − ln 2π I₀(κ) e^(−κ)                       (1)
 *
 * The means of cos x and sin x give μ and the mean length R, from which κ follows by I₁(κ) / I₀(κ) = R. One is added to both
 * functions, so that more cannot be unlearned than was learned. Mardia & Jupp, Directional Statistics (2000), §5.3.
 */
export const vonmises: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'vonmises',
  statistics: { cosine: (x) => 1 + Math.cos(x), sine: (x) => 1 + Math.sin(x) },
  parameters: ['mu', 'kappa', 'lognormalizer'],
  estimate([cosine, sine]) {
    const [x, y] = [cosine - 1, sine - 1];
    const kappa = concentration(Math.min(Math.hypot(x, y), 1 - LENGTH_ROUNDING));
    return [Math.atan2(y, x), kappa, LOG_2PI + logBesselI0Scaled(kappa)];
  },
  logDensity: ({ 0: mu, 1: kappa, 2: lognormalizer }, x) => -2 * kappa * Math.sin((x - mu) / 2) ** 2 - lognormalizer,
  sample: ({ 0: mu, 1: kappa }, random) => drawAngle(random, mu, kappa),
  mean: ({ 0: mu }) => mu,
});
