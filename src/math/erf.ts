import { twoProduct } from './exact.ts';

// Chebyshev coefficients of (1 + 2x) e^(x²) erfc x in t = (x − 3.75) / (x + 3.75), the first one halved
// (the form of Shepherd & Laframboise, Math. Comp. 36 (1981); coefficients recomputed with 60 digits).
const scaledErfc = [
  1.1775789345674017, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189, -0.026658668435305753,
  0.009074997670705265, -0.002413163540417608, 0.0004907758365258086, -0.00006916973302501207, 0.00000413902798607301,
  7.74038306619849e-7, -2.1886401049234397e-7, 1.076499946567091e-8, 4.521959811218287e-9, -7.754400208831351e-10,
  -6.318088340886684e-11, 2.86879501093067e-11, 1.9455868545777347e-13, -9.65469674843344e-13, 3.25254814814874e-14,
  3.3478119482868056e-14, -1.864562880419313e-15, -1.2507950530688648e-15, 7.418235256624044e-17, 5.068148904796111e-17,
];
const TWO_OVER_ROOT_PI = 1.1283791670955126;
const SERIES_TERMS = 13;

/** e^(−s²/2) or e^(−s²) with the rounding error of the square corrected, for `half` = 0.5 or 1. */
function expMinusSquare(s: number, half: number): number {
  const [square, error] = twoProduct(s, s);
  return Math.exp(-half * square) * (1 - half * error);
}

/** erf x = 2/√π Σ (−1)ᵏ x²ᵏ⁺¹ / k!(2k + 1) for |x| ≤ ½ (DLMF 7.6.1). */
function erfSeries(x: number): number {
  const square = x * x;
  let total = 0;
  for (let k = SERIES_TERMS; k >= 1; k--) total = (-square * (1 / (2 * k + 1) + total)) / k;
  return TWO_OVER_ROOT_PI * x * (1 + total);
}

/** e^(x²) erfc x for x ≥ 0, by a Chebyshev series; it falls like 1 / x√π where erfc itself underflows. */
export function erfcx(x: number): number {
  const t = x < 1e20 ? (x - 3.75) / (x + 3.75) : 1;
  let next = 0;
  let last = 0;
  for (let k = scaledErfc.length - 1; k >= 1; k--) {
    const here = 2 * t * next - last + scaledErfc[k];
    last = next;
    next = here;
  }
  return (t * next - last + scaledErfc[0]) / (1 + 2 * x);
}

/** The error function, 2/√π ∫₀ˣ e^(−t²) dt (DLMF 7.2.1). */
export function erf(x: number): number {
  if (Math.abs(x) <= 0.5) return erfSeries(x);
  return x > 0 ? 1 - erfc(x) : erfc(-x) - 1;
}

/** 1 − erf x with relative accuracy out to its underflow at 26.5 (DLMF 7.2.2). */
export function erfc(x: number): number {
  if (Math.abs(x) <= 0.5) return 1 - erfSeries(x);
  if (x < 0) return 2 - erfc(-x);
  return x > 28 ? 0 : erfcx(x) * expMinusSquare(x, 1);
}

/** P(Z > z) of a standard normal Z, ½ erfc(z/√2), with relative accuracy out to its underflow at z = 38.5. */
export function normalTail(z: number): number {
  const x = z * Math.SQRT1_2;
  if (x <= 0.5) return 0.5 * erfc(x);
  return z > 39 ? 0 : 0.5 * erfcx(x) * expMinusSquare(z, 0.5);
}

/** P(Z ≤ z) of a standard normal Z. */
export function normalCdf(z: number): number {
  return normalTail(-z);
}

const ROOT_HALF_PI = 1.2533141373155003;
const HALF_LOG_2PI = 0.9189385332046728;

/**
 * The z with P(Z ≤ z) = p: −Infinity at 0, Infinity at 1, NaN outside. An initial value accurate to 4.5e-4 (Abramowitz
 * & Stegun 26.2.23), then two Halley steps, which exceed double precision.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  const tail = Math.min(p, 1 - p);
  if (tail === 0) return p === 0 ? -Infinity : Infinity;
  const logTail = Math.log(tail);
  const t = Math.sqrt(-2 * logTail);
  let z = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (let step = 0; step < 2; step++) {
    const excess = tail > 0.25 ? excessNearMiddle(z, 0.5 - tail) : excessInTail(z, logTail);
    z += excess / (1 - 0.5 * z * excess);
  }
  return p < 0.5 ? -z : z;
}

/** (P(Z > z) − tail) / φ(z), through Mills' ratio, so that no tail underflows. */
function excessInTail(z: number, logTail: number): number {
  return ROOT_HALF_PI * erfcx(z * Math.SQRT1_2) - Math.exp(logTail + 0.5 * z * z + HALF_LOG_2PI);
}

/** The same from the centre, where ½ − tail has more digits than the tail. */
function excessNearMiddle(z: number, fromMiddle: number): number {
  return (fromMiddle - 0.5 * erf(z * Math.SQRT1_2)) * Math.exp(0.5 * z * z + HALF_LOG_2PI);
}
