import { normalQuantile } from './erf.ts';
import { twoProduct, twoSum } from './exact.ts';
import { logBeta } from './gamma-ratio.ts';
import { solveInLog } from './inverse.ts';
import { log1pmx } from './logs.ts';
import { integrateTail } from './quadrature.ts';
import { STIRLING_FROM, stirlingRest } from './stirling.ts';

const EPSILON = 2 ** -53;
const QUADRATURE_FROM = 1e3;

/** bx − ay = (a + b) x − a for y = 1 − x, from the smaller of x and y and with the rounding errors added back. */
function excess(a: number, b: number, x: number, y: number): number {
  if (x > y) return -excess(b, a, y, x);
  const [total, lost] = twoSum(a, b);
  const [product, error] = twoProduct(total, x);
  return product - a + (error + lost * x);
}

/** ln(1 + d) − d, where 1 + d = `ratio` is more accurate than d near −1. */
function fall(d: number, ratio: number): number {
  return Math.abs(d) < 0.4 ? log1pmx(d) : Math.log(ratio) - d;
}

/**
 * xᵃ yᵇ / B(a, b). For a, b ≥ 10, with e = bx − ay, as
 *
 *   √(ab / 2π(a + b)) exp(a f(e/a) + b f(−e/b) + c(a + b) − c(a) − c(b)),  f(d) = ln(1 + d) − d        (1)
 *
 * by Stirling's series (DLMF 5.11.1), where nothing large cancels.
 */
function weight(a: number, b: number, x: number, y: number): number {
  if (Math.min(a, b) < STIRLING_FROM) {
    const logX = x < 0.5 ? Math.log(x) : Math.log1p(-y);
    const logY = y < 0.5 ? Math.log(y) : Math.log1p(-x);
    return Math.exp(a * logX + b * logY - logBeta(a, b));
  }
  const e = excess(a, b, x, y);
  const rest = stirlingRest(a + b) - stirlingRest(a) - stirlingRest(b);
  const main = a * fall(e / a, x * (1 + b / a)) + b * fall(-e / b, y * (1 + a / b));
  return Math.sqrt(a / (1 + a / b) / (2 * Math.PI)) * Math.exp(main + rest);
}

/**
 * I_x(a, b) = xᵃ yᵇ / B(a, b) · 1 / (β₁ + α₂ / (β₂ + α₃ / (β₃ + …))), forwards after Lentz, with λ = a − (a + b) x and
 *
 *   αₙ₊₁ = (a + n − 1) (a + b + n − 1) n (b − n) x² / (a + 2n − 1)²                                    (2)
 *   βₙ₊₁ = n + n (b − n) x / (a + 2n − 1) + (a + n) (λ + 1 + n (1 + y)) / (a + 2n + 1)                 (3)
 *
 * quick for x < (a + 1) / (a + b + 2) (Didonato & Morris, Algorithm 708, ACM TOMS 18 (1992)). Unlike DLMF
 * 8.17.22, whose even part it is, it does not lose digits to 1 − x.
 */
function lowerByFraction(a: number, b: number, x: number, y: number): number {
  const slack = 1 - excess(a, b, x, y);
  let value = (a / (a + 1)) * slack;
  let c = value;
  let d = 0;
  for (let n = 1; ; n++) {
    const middle = a + 2 * n - 1;
    const bend = (n * (b - n) * x) / middle;
    const alpha = ((a + n - 1) / middle) * (a + b + n - 1) * bend * x;
    const beta = n + bend + ((a + n) / (middle + 2)) * (slack + n * (1 + y));
    d = 1 / (beta + alpha * d);
    c = beta + alpha / c;
    const factor = c * d;
    value *= factor;
    if (!(Math.abs(factor - 1) > EPSILON * 2)) return weight(a, b, x, y) / value;
  }
}

/** I_x(a, b) for large a, b and x below the mean, by quadrature of the density from x downwards. */
function lowerByQuadrature(a: number, b: number, x: number, y: number): number {
  const slope = (x - y - excess(a, b, x, y)) / (x * y);
  const length = 1 / (Math.max(slope, 0) + Math.hypot(Math.sqrt(a - 1) / x, Math.sqrt(b - 1) / y));
  const inside = integrateTail((s) => {
    const t = s * length;
    return t >= x ? -Infinity : (a - 1) * log1pmx(-t / x) + (b - 1) * log1pmx(t / y) - slope * t;
  });
  return ((weight(a, b, x, y) / x) * length * inside) / y;
}

/**
 * [I_x(a, b), 1 − I_x(a, b)] for a, b > 0 and x + y = 1, where the smaller of x and y carries the accuracy.
 * The smaller tail has relative accuracy (for a, b < 0.1 absolute accuracy).
 */
export function betaTails(a: number, b: number, x: number, y: number): [lower: number, upper: number] {
  if (!(a > 0 && b > 0 && x >= 0 && y >= 0)) return [Number.NaN, Number.NaN];
  if (x === 0 || y === 0) return x === 0 ? [0, 1] : [1, 0];
  const large = Math.min(a, b) > QUADRATURE_FROM;
  // Without `large` this is x ≤ (a + 1) / (a + b + 2).
  const below = excess(a, b, x, y) + (large ? 0 : 2 * x - 1) <= 0;
  if (!below) {
    const [upper, lower] = ordered(large, b, a, y, x);
    return [lower, upper];
  }
  return ordered(large, a, b, x, y);
}

function ordered(large: boolean, a: number, b: number, x: number, y: number): [lower: number, upper: number] {
  const lower = large ? lowerByQuadrature(a, b, x, y) : lowerByFraction(a, b, x, y);
  return [lower, 1 - lower];
}

/** The regularised incomplete beta function I_x(a, b) for a, b > 0, 0 ≤ x ≤ 1 (DLMF 8.17.2). */
export function lowerBeta(x: number, a: number, b: number): number {
  return betaTails(a, b, x, 1 - x)[0];
}

/** The upper tail 1 − I_x(a, b) = I_(1−x)(b, a) (DLMF 8.17.4). */
export function upperBeta(x: number, a: number, b: number): number {
  return betaTails(a, b, x, 1 - x)[1];
}

/** An initial value of the quantile: Abramowitz & Stegun 26.5.22, or I_x ≈ xᵃ / a B(a, b) if a shape is below 1. */
function startQuantile(p: number, q: number, a: number, b: number): number {
  if (Math.min(a, b) < 1) return Math.exp((Math.log(p) + Math.log(a) + logBeta(a, b)) / a);
  const z = p < q ? -normalQuantile(p) : normalQuantile(q);
  const forA = 1 / (2 * a - 1);
  const forB = 1 / (2 * b - 1);
  const h = 2 / (forA + forB);
  const lambda = (z * z - 3) / 6;
  const w = (z * Math.sqrt(Math.max(h + lambda, 0))) / h - (forB - forA) * (lambda + 5 / 6 - 2 / (3 * h));
  return a / (a + b * Math.exp(2 * w));
}

/**
 * The [x, 1 − x] with I_x(a, b) = p and 1 − I_x(a, b) = q, p + q = 1: both ends to full relative accuracy.
 * Newton's method in the logarithm of the smaller of x and 1 − x, on the logarithm of the smaller of p and q.
 */
export function betaQuantilePair(p: number, q: number, a: number, b: number): [x: number, y: number] {
  const [lowerHalf, upperHalf] = betaTails(a, b, 0.5, 0.5);
  if (p < q ? lowerHalf >= p : upperHalf <= q) {
    const x = quantileBelowHalf(p, q, a, b);
    return [x, 1 - x];
  }
  const y = quantileBelowHalf(q, p, b, a);
  return [1 - y, y];
}

function quantileBelowHalf(p: number, q: number, a: number, b: number): number {
  const nearZero = Math.exp((Math.log(p) + Math.log(a) + logBeta(a, b)) / a);
  if (nearZero * Math.max(b, 1) < EPSILON) return nearZero;
  const logTarget = Math.log(Math.min(p, q));
  return solveInLog(startQuantile(p, q, a, b), 0.5, (x) => {
    const [lower, upper] = betaTails(a, b, x, 1 - x);
    const rise = weight(a, b, x, 1 - x) / (1 - x);
    return p < q ? [Math.log(lower) - logTarget, rise / lower] : [logTarget - Math.log(upper), rise / upper];
  });
}

/** The x with I_x(a, b) = p, the quantile of a beta distribution: 0 at p = 0, 1 at p = 1, NaN outside. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1 && a > 0 && b > 0)) return Number.NaN;
  if (p === 0 || p === 1) return p;
  return betaQuantilePair(p, 1 - p, a, b)[0];
}
