import { refuse } from '../errors.ts';
import { normalQuantile } from '../math/erf.ts';
import { betaQuantile } from '../math/incomplete-beta.ts';
import { gammaQuantile } from '../math/incomplete-gamma.ts';
import { studentQuantile } from '../math/tails.ts';

/** The posterior distribution of a parameter: its family and parameters, its mean, and credible intervals. */
export interface ParameterPosterior {
  readonly distribution: 'beta' | 'gamma' | 'normal' | 'student' | 'inverse-gamma';
  readonly parameters: Readonly<Record<string, number>>;
  /** NaN or infinite if the distribution has no mean. */
  readonly mean: number;
  /** The equal-tailed interval that contains the parameter with this probability. */
  interval(level?: number): [low: number, high: number];
}

/** The two tails outside an equal-tailed interval: p(below its low end) and p(below its high end). */
function tailsOf(level: number): [low: number, high: number] {
  if (!(level > 0 && level < 1)) {
    refuse('E_PARAM', `the level of an interval must be between 0 and 1, got ${level}`, { name: 'level' });
  }
  return [(1 - level) / 2, (1 + level) / 2];
}

function equalTailed(quantile: (p: number) => number): ParameterPosterior['interval'] {
  return (level = 0.95) => {
    const [low, high] = tailsOf(level);
    return [quantile(low), quantile(high)];
  };
}

/**
 * Beta(a, b) with mean a / (a + b): the parameter of a Bernoulli distribution, or the marginal of one component of a
 * Dirichlet distribution. With no mass on one side the parameter is certain; with none at all it has no distribution.
 */
export function betaPosterior(a: number, b: number): ParameterPosterior {
  if (!(a + b > 0)) refuse('E_PARAM', 'nothing was counted and the prior is empty: the parameter has no distribution');
  const quantile = (p: number) => (a === 0 ? 0 : b === 0 ? 1 : betaQuantile(p, a, b));
  return { distribution: 'beta', parameters: { a, b }, mean: a / (a + b), interval: equalTailed(quantile) };
}

/** Gamma(shape, rate) with mean shape / rate: the rate of a Poisson distribution. */
export function gammaPosterior(shape: number, rate: number): ParameterPosterior {
  if (!(rate > 0))
    refuse('E_PARAM', 'nothing was counted and the prior has no rate: the parameter has no distribution');
  const quantile = (p: number) => (shape === 0 ? 0 : gammaQuantile(p, shape) / rate);
  return { distribution: 'gamma', parameters: { shape, rate }, mean: shape / rate, interval: equalTailed(quantile) };
}

/** N(location, scale²): the mean of a normal distribution with known variance. */
export function normalPosterior(location: number, scale: number): ParameterPosterior {
  const interval = equalTailed((p) => location + scale * normalQuantile(p));
  return { distribution: 'normal', parameters: { location, scale }, mean: location, interval };
}

/** Student(df, location, scale²): the mean of a normal distribution with unknown variance. */
export function studentPosterior(df: number, location: number, scale: number): ParameterPosterior {
  const interval = equalTailed((p) => location + scale * studentQuantile(p, df));
  const mean = df > 1 ? location : Number.NaN;
  return { distribution: 'student', parameters: { df, location, scale }, mean, interval };
}

/** InvGamma(shape, scale) with mean scale / (shape − 1): the variance of a normal distribution. */
export function inverseGammaPosterior(shape: number, scale: number): ParameterPosterior {
  const interval = equalTailed((p) => scale / gammaQuantile(1 - p, shape));
  const mean = shape > 1 ? scale / (shape - 1) : Infinity;
  return { distribution: 'inverse-gamma', parameters: { shape, scale }, mean, interval };
}
