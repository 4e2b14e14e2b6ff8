import { besselRatio, logBesselI0Scaled } from '../math/bessel.ts';
import { drawExponential, drawGamma, drawLogGamma, drawNormal } from '../math/draws.ts';
import { gammaPeak, logLessDigamma, trigamma } from '../math/gamma.ts';
import type { Generator } from '../math/generator.ts';
import { drawPoisson } from '../math/poisson.ts';
import { type ColumnModel, columnModel, type SumDistribution } from './column-model.ts';
import { logDensities } from './log-densities.ts';

const LOG_2PI = Math.log(2 * Math.PI);

/** A mean below this counts as zero. */
const LEAST_MEAN = 1e-300;

/** Waiting times and other non-negative amounts: p(x) = λ e^(−λx), with 1/λ the mean of the cells. */
export const exponential: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'exponential',
  support: 'nonNegative',
  statistics: { x: (x) => x },
  parameters: ['logRate'],
  estimate: ([mean]) => [-Math.log(Math.max(mean, LEAST_MEAN))],
  logDensity: logDensities.exponential,
  sample: ({ 0: logRate }, random) => drawExponential(random) / Math.exp(logRate),
  mean: ({ 0: logRate }) => Math.exp(-logRate),
});

/** Of a variance of logarithms, less than this share of the square of their mean is rounding. */
const LOG_ROUNDING = 1e-11;

/**
 * Positive amounts with multiplicative effects, such as incomes and sizes: ln x is normal with the mean and the variance of the logarithms,
 *
 *   ln p(x) = −ln x − ½ ln 2πσ² − (ln x − μ)² / 2σ²                       (1)
 */
const logNormal = {
  name: 'lognormal',
  support: 'positive',
  statistics: { logX: Math.log, logSquare: (x) => Math.log(x) ** 2 },
  signed: ['logX'],
  parameters: ['mu', 'variance'],
  estimate: ([mu, square]) => [mu, Math.max(square - mu * mu, LOG_ROUNDING * (1 + mu * mu))],
  logDensity: logDensities.lognormal,
  sample: ({ 0: mu, 1: variance }, random) => Math.exp(mu + Math.sqrt(variance) * drawNormal(random)),
  mean: ({ 0: mu, 1: variance }) => Math.exp(mu + variance / 2),
} as const satisfies SumDistribution;

/** Of ln x̄ less the mean of ln x, less than this is rounding. */
const GAP_ROUNDING = 1e-11;

/**
 * The shape a with ln a − ψ(a) = gap, where gap = ln x̄ less the mean of ln x. Newton's method in 1/a (Minka, Estimating a Gamma
 * distribution, 2002).
 */
function gammaShape(gap: number): number {
  let shape = (3 - gap + Math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap);
  for (let step = 0; step < 50; step++) {
    const slope = shape * shape * (1 / shape - trigamma(shape));
    const next = 1 / (1 / shape + (logLessDigamma(shape) - gap) / slope);
    if (Math.abs(next - shape) <= 1e-15 * shape) return next;
    shape = next;
  }
  return shape;
}

/**
 * Positive amounts that add up, such as durations and rainfall: with shape a and mean m, and r = x / m,
 *
 *   ln p(x) = a ln a − a − ln Γ(a) − ln x − a (r − 1 − ln r)               (1)
 */
const gammaAmounts = {
  name: 'gamma',
  support: 'positive',
  statistics: { x: (x) => x, logX: Math.log },
  signed: ['logX'],
  parameters: ['shape', 'mean', 'peak'],
  estimate([given, logMean]) {
    const mean = Math.max(given, LEAST_MEAN);
    const shape = gammaShape(Math.max(Math.log(mean) - logMean, GAP_ROUNDING));
    return [shape, mean, gammaPeak(shape)];
  },
  logDensity: logDensities.gamma,
  sample: ({ 0: shape, 1: mean }, random) => (mean * drawGamma(random, shape)) / shape,
  mean: ({ 1: mean }) => mean,
} as const satisfies SumDistribution;

/** Directions whose mean resultant length is closer to 1 than this are equal up to rounding. */
const LENGTH_ROUNDING = 1e-10;

/** Closer to 1 than this, the ratio of Bessel functions is computed as its distance from 1. */
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
 * The means of cos x and sin x give μ and the mean length R, from which κ follows by I₁(κ) / I₀(κ) = R. One is added to both functions, so
 * that unlearning too much is detected. Mardia & Jupp, Directional Statistics (2000), §5.3.
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
  logDensity: logDensities.vonmises,
  sample: ({ 0: mu, 1: kappa }, random) => drawAngle(random, mu, kappa),
  mean: ({ 0: mu }) => mu,
});

/** Log-normal columns. */
export const lognormal: ColumnModel = /* @__PURE__ */ columnModel(logNormal);

/** Gamma columns. */
export const gamma: ColumnModel = /* @__PURE__ */ columnModel(gammaAmounts);

/** Of 1 less the geometric means of x and 1 − x, less than this is rounding. */
const SHARE_ROUNDING = 1e-11;

/**
 * The shapes a and b with ψ(a) − ψ(a + b) = mean ln x and ψ(b) − ψ(a + b) = mean ln(1 − x): Newton's method from the approximation of
 * Johnson & Kotz, Continuous Univariate Distributions 2 (1995), §25.4. The leading terms of the determinant are cancelled on paper, so that large
 * shapes keep their digits.
 */
function betaShapes(logX: number, logRest: number): readonly [number, number] {
  const gap = Math.max(1 - Math.exp(logX) - Math.exp(logRest), SHARE_ROUNDING);
  let [a, b] = [0.5 + Math.exp(logX) / (2 * gap), 0.5 + Math.exp(logRest) / (2 * gap)];
  if (gap === SHARE_ROUNDING) return [a, b];
  const excess = (x: number) => trigamma(x) - 1 / x;
  for (let step = 0; step < 100; step++) {
    const s = a + b;
    const common = logLessDigamma(s);
    const f = Math.log(a / s) - logLessDigamma(a) + common - logX;
    const g = Math.log(b / s) - logLessDigamma(b) + common - logRest;
    const [ta, tb, ts] = [excess(a), excess(b), excess(s)];
    const det = (ta * a) / (b * s) + (tb * b) / (a * s) - (ts * s) / (a * b) + ta * tb - ts * (ta + tb);
    const all = 1 / s + ts;
    const [da, db] = [(f * (1 / b + tb - all) + g * all) / det, (g * (1 / a + ta - all) + f * all) / det];
    [a, b] = [Math.max(a / 4, a - da), Math.max(b / 4, b - db)];
    if (Math.abs(da) <= 1e-14 * a && Math.abs(db) <= 1e-14 * b) break;
  }
  return [a, b];
}

/**
 * Shares between 0 and 1, such as rates of success: with shapes a = sm and b = s(1 − m), and R(r) = r − 1 − ln r,
 *
 *   ln p(x) = P(a) + P(b) − P(s) − ln x(1 − x) − a R(x / m) − b R((1 − x) / (1 − m)),   P(a) = a ln a − a − ln Γ(a)       (1)
 */
export const beta: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'beta',
  support: 'unit',
  statistics: { logX: Math.log, logRest: (x) => Math.log1p(-x) },
  signed: ['logX', 'logRest'],
  parameters: ['a', 'b', 'peak'],
  estimate([logX, logRest]) {
    const [a, b] = betaShapes(logX, logRest);
    return [a, b, gammaPeak(a) + gammaPeak(b) - gammaPeak(a + b)];
  },
  logDensity: logDensities.beta,
  sample({ 0: a, 1: b }, random) {
    const [x, y] = [drawLogGamma(random, a), drawLogGamma(random, b)];
    const share = 1 / (1 + Math.exp(y - x));
    return Math.min(Math.max(share, Number.MIN_VALUE), 1 - Number.EPSILON / 2);
  },
  mean: ({ 0: a, 1: b }) => a / (a + b),
});

/** Amounts that are zero in some rows, such as rainfall by day: p(0) = π, and p(x) = (1 − π) f(x) for x above zero. */
function zeroInflated(of: SumDistribution & { readonly name: 'gamma' | 'lognormal' }): SumDistribution {
  const functions = Object.entries(of.statistics);
  const last = of.parameters.length;
  return {
    name: `zeroinflated${of.name}`,
    support: 'nonNegative',
    statistics: {
      zero: (x) => (x === 0 ? 1 : 0),
      ...Object.fromEntries(functions.map(([name, own]) => [name, (x: number) => (x > 0 ? own(x) : 0)])),
    },
    ...(of.signed && { signed: of.signed }),
    parameters: [...of.parameters, 'zeros'],
    estimate([zeros, ...means]) {
      const above = zeros < 1 ? means.map((mean) => mean / (1 - zeros)) : functions.map(([, own]) => own(1));
      return [...of.estimate(above), zeros];
    },
    logDensity: logDensities[`zeroinflated${of.name}`],
    sample: (parameters, random) => (random.uniform() < parameters[last] ? 0 : of.sample(parameters, random)),
    mean: (parameters) => (1 - parameters[last]) * (of.mean?.(parameters) ?? Number.NaN),
  };
}

/** Amounts that are zero or from a gamma distribution. */
export const zeroinflatedgamma: ColumnModel = /* @__PURE__ */ columnModel(/* @__PURE__ */ zeroInflated(gammaAmounts));

/** Amounts that are zero or from a log-normal distribution. */
export const zeroinflatedlognormal: ColumnModel = /* @__PURE__ */ columnModel(/* @__PURE__ */ zeroInflated(logNormal));

/** The rate λ of which μ = λ / (1 − e^(−λ)) is the mean of the counts above zero: Newton's method falls to it from μ. */
function rateAboveZero(mean: number): number {
  let rate = mean;
  for (let step = 0; step < 100; step++) {
    const next = rate - (rate + mean * Math.expm1(-rate)) / (1 - mean * Math.exp(-rate));
    if (!(next < rate)) return rate;
    rate = next;
  }
  return rate;
}

/**
 * Counts with more zeros than a Poisson distribution: p(0) = π + (1 − π) e^(−λ), p(x) = (1 − π) λˣ e^(−λ) / x! above zero. The share of
 * zeros and the mean are sufficient; without an excess of zeros, π is 0. Lambert, Technometrics 34 (1992).
 */
export const zeroinflatedpoisson: ColumnModel = /* @__PURE__ */ columnModel({
  name: 'zeroinflatedpoisson',
  support: 'nonNegative',
  statistics: { zero: (x) => (x === 0 ? 1 : 0), x: (x) => x },
  parameters: ['rate', 'zeros'],
  estimate([zero, mean]) {
    const above = 1 - zero;
    const rate = above > 0 ? rateAboveZero(mean / above) : 0;
    const share = 1 + above / Math.expm1(-rate);
    return rate > 0 && share > 0 ? [rate, share] : [Math.max(mean, LEAST_MEAN), 0];
  },
  logDensity: logDensities.zeroinflatedpoisson,
  sample: ({ 0: rate, 1: zeros }, random) => (random.uniform() < zeros ? 0 : drawPoisson(random, rate)),
  mean: ({ 0: rate, 1: zeros }) => (1 - zeros) * rate,
});
