import { gammaPeak, lgamma } from '../math/gamma.ts';
import { logPoisson } from '../math/poisson.ts';

/** The parameters of a distribution, and a cell. */
type LogDensity = (parameters: ArrayLike<number>, x: number) => number;

const LOG_2PI = Math.log(2 * Math.PI);

const exponential: LogDensity = ({ 0: logRate }, x) => (x < 0 ? -Infinity : logRate - Math.exp(logRate) * x);

const lognormal: LogDensity = ({ 0: mu, 1: variance }, x) => {
  if (x <= 0) return -Infinity;
  const logX = Math.log(x);
  return -logX - 0.5 * (LOG_2PI + Math.log(variance)) - (logX - mu) ** 2 / (2 * variance);
};

/** r − 1 − ln r, without cancellation about 1. */
function ratioGap(ratio: number): number {
  const distance = ratio - 1;
  return distance - (Math.abs(distance) < 0.5 ? Math.log1p(distance) : Math.log(ratio));
}

const gamma: LogDensity = ({ 0: shape, 1: mean, 2: peak }, x) =>
  x <= 0 ? -Infinity : peak - Math.log(x) - shape * ratioGap(x / mean);

const vonmises: LogDensity = ({ 0: mu, 1: kappa, 2: lognormalizer }, x) =>
  -2 * kappa * Math.sin((x - mu) / 2) ** 2 - lognormalizer;

const beta: LogDensity = ({ 0: a, 1: b, 2: peak }, x) => {
  if (x <= 0 || x >= 1) return -Infinity;
  const s = a + b;
  return peak - Math.log(x) - Math.log1p(-x) - a * ratioGap((x * s) / a) - b * ratioGap(((1 - x) * s) / b);
};

/** The same with a share of zeros, which is parameter `zeros`. */
const inflated = (logDensity: LogDensity, zeros: number, parameters: ArrayLike<number>, x: number): number =>
  x === 0 ? Math.log(parameters[zeros]) : Math.log1p(-parameters[zeros]) + logDensity(parameters, x);

const zeroinflatedgamma: LogDensity = (parameters, x) => inflated(gamma, 3, parameters, x);

const zeroinflatedlognormal: LogDensity = (parameters, x) => inflated(lognormal, 2, parameters, x);

/** ln p(x) of a negative binomial distribution, without cancellation where r is large. */
export function logNegativeBinomial(r: number, mean: number, x: number): number {
  if (x === 0) return -r * Math.log1p(mean / r);
  const spread = r * (Math.log1p(x / r) - Math.log1p(mean / r)) - x - gammaPeak(x + r) + gammaPeak(r);
  return spread + x * Math.log((mean / (mean + r)) * (x + r)) - lgamma(x + 1);
}

/** ln p of a count, which is zero without regard to the distribution with the probability `zeros`. */
const inflatedCount = (logCount: number, zeros: number, x: number): number =>
  x > 0 ? Math.log1p(-zeros) + logCount : Math.log(zeros + (1 - zeros) * Math.exp(logCount));

const zeroinflatedpoisson: LogDensity = ({ 0: rate, 1: zeros }, x) =>
  x < 0 ? -Infinity : inflatedCount(x > 0 ? logPoisson(x, rate) : -rate, zeros, x);

const negativebinomial: LogDensity = ({ 0: size, 1: mean }, x) =>
  x < 0 ? -Infinity : logNegativeBinomial(size, mean, x);

const zeroinflatednegativebinomial: LogDensity = ({ 0: size, 1: mean, 2: zeros }, x) =>
  x < 0 ? -Infinity : inflatedCount(logNegativeBinomial(size, mean, x), zeros, x);

/** ln p(x) of the distributions that can be exported beside the normal and Student's. */
export const logDensities = {
  exponential,
  gamma,
  lognormal,
  vonmises,
  beta,
  zeroinflatedgamma,
  zeroinflatedlognormal,
  zeroinflatedpoisson,
  negativebinomial,
  zeroinflatednegativebinomial,
} as const;

/** A distribution that can be exported. */
export type DensityName = keyof typeof logDensities;

/** ln p(x), less its peak: −½z², or −½(ν + 1) ln(1 + z²/ν), with z the distance from the mean in scales. */
export function logFall(x: number, mean: number, variance: number, df: number): number {
  const distance = x - mean;
  const square = (distance * distance) / variance;
  return df === Infinity ? -0.5 * square : -0.5 * (df + 1) * Math.log1p(square / df);
}
