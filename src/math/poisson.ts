import { lgamma } from './gamma.ts';
import type { Generator } from './generator.ts';
import { log1pmx } from './logs.ts';
import { STIRLING_FROM, stirlingRest } from './stirling.ts';

const REJECTION_FROM = 10;

/**
 * ln p(k) = k ln λ − λ − ln k! of a Poisson distribution with mean λ > 0; from k = 10 on as
 *
 *   k (ln(1 + d) − d) − ½ ln 2πk − c(k),  d = (λ − k) / k              (1)
 *
 * where nothing large cancels (Loader, Fast and Accurate Computation of Binomial Probabilities, 2000).
 */
export function logPoisson(k: number, mean: number): number {
  if (k < STIRLING_FROM) return k * Math.log(mean) - mean - lgamma(k + 1);
  const d = (mean - k) / k;
  const fall = Math.abs(d) < 0.4 ? log1pmx(d) : Math.log(mean / k) - d;
  return k * fall - 0.5 * Math.log(2 * Math.PI * k) - stirlingRest(k);
}

/** A Poisson draw: by inversion below mean 10, above it by the transformed rejection of Hörmann (PTRS, 1993). */
export function drawPoisson(random: Generator, mean: number): number {
  if (!(mean > 0)) return mean === 0 ? 0 : Number.NaN;
  return mean < REJECTION_FROM ? drawByInversion(random, mean) : drawByRejection(random, mean);
}

/** Walks up the distribution function until it exceeds a uniform number. */
function drawByInversion(random: Generator, mean: number): number {
  let left = random.uniform();
  let mass = Math.exp(-mean);
  let k = 0;
  // The walk ends at the last representable mass, whatever rounding is left.
  while (left >= mass && mass > 0) {
    left -= mass;
    mass *= mean / ++k;
  }
  return k;
}

/** Hörmann, The Transformed Rejection Method for Generating Poisson Random Variables (1993), algorithm PTRS. */
function drawByRejection(random: Generator, mean: number): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = random.uniform() - 0.5;
    const v = random.uniform();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (Math.log((v * inverseAlpha) / (a / (us * us) + b)) <= logPoisson(k, mean)) return k;
  }
}
