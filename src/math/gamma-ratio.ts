import { lgamma } from './gamma.ts';
import { digammaRestDifference, STIRLING_FROM, stirlingRest, stirlingRestDifference } from './stirling.ts';

const HALF_LOG_2PI = 0.9189385332046728;

// Up to here a product of whole steps is both faster and more accurate than a series.
const MOST_FACTORS = 16;
const LARGEST_FACTOR = 1e15;

function isShortProduct(x: number, n: number): boolean {
  return n <= MOST_FACTORS && x < LARGEST_FACTOR && Number.isInteger(n);
}

/**
 * lnΓ(x + n) − lnΓ(x) for x > 0, n ≥ 0, not as a difference of two large logarithms:
 *
 *   ln x(x + 1)…(x + n − 1)                                            for whole n ≤ 16          (1)
 *   (x − ½) ln(1 + n/x) + n (ln(x + n) − 1) + c(x + n) − c(x)          for x ≥ 10                (2)
 *
 * and (2) at x + m less Σ ln(1 + n / (x + k)), k < m, for smaller x. (1) is DLMF 5.5.1, (2) is Stirling's series,
 * DLMF 5.11.1, whose rest c is differenced term by term. Relative accuracy holds but for the neighbourhood of Γ(x +
 * n) = Γ(x).
 */
export function logGammaRatio(x: number, n: number): number {
  if (isShortProduct(x, n)) {
    let product = 1;
    for (let k = 0; k < n; k++) product *= x + k;
    return Math.log(product);
  }
  let shifted = x;
  let below = 0;
  while (shifted < STIRLING_FROM) {
    // For x near the smallest numbers n / x overflows, and 1 is negligible.
    below += n / shifted === Infinity ? Math.log(n) - Math.log(shifted) : Math.log1p(n / shifted);
    shifted++;
  }
  const upper = shifted + n;
  const main = (shifted - 0.5) * Math.log1p(n / shifted) + n * (Math.log(upper) - 1);
  return main + stirlingRestDifference(shifted, n) - below;
}

/**
 * ψ(x + n) − ψ(x) for x > 0, n ≥ 0, by terms that are all proportional to n and of one sign:
 *
 *   Σ 1 / (x + k), k < n                                               for whole n ≤ 16          (1)
 *   ln(1 + n/x) + n / 2x(x + n) + r(x + n) − r(x)                      for x ≥ 10                (2)
 *
 * and (2) at x + m plus Σ n / (x + k)(x + n + k), k < m, for smaller x (DLMF 5.5.2, 5.11.2).
 */
export function digammaDifference(x: number, n: number): number {
  let total = 0;
  if (isShortProduct(x, n)) {
    for (let k = 0; k < n; k++) total += 1 / (x + k);
    return total;
  }
  let shifted = x;
  while (shifted < STIRLING_FROM) {
    // This order gives 1 / x even where n / x overflows or n · x underflows.
    total += n / (shifted + n) / shifted;
    shifted++;
  }
  const upper = shifted + n;
  return total + Math.log1p(n / shifted) + n / upper / (2 * shifted) + digammaRestDifference(shifted, n);
}

/**
 * ln B(a, b) = lnΓ(a) + lnΓ(b) − lnΓ(a + b) for a, b > 0. With a ≤ b
 *
 *   lnΓ(a) − (lnΓ(b + a) − lnΓ(b))                                     for a < 10                (1)
 *   ½ ln 2π − ½ ln b − (a − ½) ln(1 + b/a) − b ln(1 + a/b) + c(a) + c(b) − c(a + b)  otherwise   (2)
 *
 * by DLMF 5.12.1 and Stirling's series, DLMF 5.11.1.
 */
export function logBeta(a: number, b: number): number {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  if (low < STIRLING_FROM) return logBetaSmall(low, high);
  const rest = stirlingRest(low) + stirlingRest(high) - stirlingRest(low + high);
  const main = (low - 0.5) * Math.log1p(high / low) + high * Math.log1p(low / high);
  return HALF_LOG_2PI - 0.5 * Math.log(high) - main + rest;
}

function logBetaSmall(low: number, high: number): number {
  return lgamma(low) - logGammaRatio(high, low);
}
