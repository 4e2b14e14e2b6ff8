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

/** ln p(x) of the distributions that can be exported: those that are linear in a few functions of x. */
export const logDensities = {
  exponential,
  gamma,
  lognormal,
  vonmises,
  beta,
  zeroinflatedgamma,
  zeroinflatedlognormal,
} as const;

/** A distribution that can be exported. */
export type LinearDistribution = keyof typeof logDensities;
