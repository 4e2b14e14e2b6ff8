import { refuse } from '../errors.ts';
import type { Generator } from './generator.ts';

/**
 * Standard normal, by Marsaglia's polar method (1964); the second of each pair is discarded, so that the generator has
 * no further state.
 */
export function drawNormal(random: Generator): number {
  for (;;) {
    const x = 2 * random.uniform() - 1;
    const y = 2 * random.uniform() - 1;
    const square = x * x + y * y;
    if (square < 1 && square > 0) return x * Math.sqrt((-2 * Math.log(square)) / square);
  }
}

/** Exponential with mean 1. */
export function drawExponential(random: Generator): number {
  return -Math.log1p(-random.uniform());
}

/** Gamma(shape) with scale 1, shape > 0; for tiny shapes it underflows to 0, where `drawLogGamma` does not. */
export function drawGamma(random: Generator, shape: number): number {
  return shape >= 1 ? gammaFromOne(random, shape) : Math.exp(drawLogGamma(random, shape));
}

/** The logarithm of a Gamma(shape) draw; below shape 1 as ln G(shape + 1) − E / shape, since G(a) = G(a + 1) U^(1/a). */
export function drawLogGamma(random: Generator, shape: number): number {
  if (shape >= 1) return Math.log(gammaFromOne(random, shape));
  return Math.log(gammaFromOne(random, shape + 1)) - drawExponential(random) / shape;
}

/** Marsaglia & Tsang, A Simple Method for Generating Gamma Variables (2000), for shape ≥ 1. */
function gammaFromOne(random: Generator, shape: number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const root = 1 + c * x;
    if (root <= 0) continue;
    const v = root ** 3;
    if (-drawExponential(random) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

/** An index with probability proportional to its weight ≥ 0; an index of weight 0 is never drawn. */
export function drawCategory(random: Generator, weights: Float64Array): number {
  const total = weights.reduce((so, far) => so + far, 0);
  if (!(total > 0)) refuse('E_WEIGHTS_ALL_ZERO', 'a draw needs a positive weight');
  let left = random.uniform() * total;
  let last = 0;
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue;
    if (left < weights[i]) return i;
    left -= weights[i];
    last = i;
  }
  return last;
}
