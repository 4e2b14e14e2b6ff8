import { normalQuantile } from './erf.ts';
import { lgamma, lgamma1p } from './gamma.ts';
import { solveInLog } from './inverse.ts';
import { log1pmx } from './logs.ts';
import { integrateTail } from './quadrature.ts';
import { STIRLING_FROM, stirlingRest } from './stirling.ts';

const EPSILON = 2 ** -53;
const QUADRATURE_FROM = 1e4;

/** xᵃ e⁻ˣ / Γ(a + 1); for a ≥ 10 as e^(a (ln x/a − x/a + 1) − c(a)) / √2πa, where nothing large cancels. */
function weight(a: number, x: number): number {
  if (a < STIRLING_FROM) return Math.exp(a * Math.log(x) - x - lgamma(a + 1));
  const excess = (x - a) / a;
  const exponent = Math.abs(excess) < 0.4 ? log1pmx(excess) : Math.log(x / a) - excess;
  return Math.exp(a * exponent - stirlingRest(a)) / Math.sqrt(2 * Math.PI * a);
}

/** P(a, x) = xᵃ e⁻ˣ / Γ(a + 1) · Σ xⁿ / (a + 1)…(a + n) (DLMF 8.7.1, 8.8.4). */
function lowerBySeries(a: number, x: number): number {
  let term = 1;
  let total = 1;
  for (let n = 1; term > EPSILON * total; n++) {
    term *= x / (a + n);
    total += term;
  }
  return weight(a, x) * total;
}

/** Q(a, x) by its continued fraction (DLMF 8.9.2), forwards after Lentz. */
function upperByFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let value = d;
  for (let n = 1; ; n++) {
    const numerator = -n * (n - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const factor = c * d;
    value *= factor;
    if (!(Math.abs(factor - 1) > EPSILON * 2)) return a * weight(a, x) * value;
  }
}

/**
 * Q(a, x) = 1 − xᵃ / Γ(a + 1) · (1 + a Σ (−x)ⁿ / n!(a + n)) for a < 1, x < 1.1: no digit lost where Q ~ a (DLMF 8.7.1).
 */
function upperOfSmallShape(a: number, x: number): number {
  const exponent = a * Math.log(x) - (a > 0.5 ? lgamma(1 + a) : lgamma1p(a));
  let term = 1;
  let total = 0;
  for (let n = 1; Math.abs(term) > EPSILON; n++) {
    term *= -x / n;
    total += term / (a + n);
  }
  return -Math.expm1(exponent) - Math.exp(exponent) * a * total;
}

/** The smaller tail of a large shape by quadrature of the density from x outwards; the series would need √a terms. */
function tailByQuadrature(a: number, x: number, direction: 1 | -1): number {
  const slope = (direction * (x - a + 1)) / x;
  const length = 1 / (Math.max(slope, 0) + Math.sqrt(a - 1) / x);
  const inside = integrateTail((s) => {
    const t = direction * s * length;
    return t <= -x ? -Infinity : (a - 1) * log1pmx(t / x) - slope * s * length;
  });
  return weight(a, x) * (a / x) * length * inside;
}

/** [P(a, x), Q(a, x)]; the smaller one has relative accuracy. */
function gammaTails(a: number, x: number): [lower: number, upper: number] {
  if (!(a > 0 && x >= 0)) return [Number.NaN, Number.NaN];
  if (x === 0) return [0, 1];
  if (x === Infinity) return [1, 0];
  if (a > QUADRATURE_FROM) {
    const tail = tailByQuadrature(a, x, x < a ? -1 : 1);
    return x < a ? [tail, 1 - tail] : [1 - tail, tail];
  }
  if (a < 1 && x < 1.1) return [lowerBySeries(a, x), upperOfSmallShape(a, x)];
  if (x < a + 1) {
    const lower = lowerBySeries(a, x);
    return [lower, 1 - lower];
  }
  const upper = upperByFraction(a, x);
  return [1 - upper, upper];
}

/** The regularised lower incomplete gamma function P(a, x) = γ(a, x) / Γ(a) for a > 0, x ≥ 0 (DLMF 8.2.4). */
export function lowerGamma(a: number, x: number): number {
  return gammaTails(a, x)[0];
}

/** The regularised upper incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a) = 1 − P(a, x) (DLMF 8.2.4). */
export function upperGamma(a: number, x: number): number {
  return gammaTails(a, x)[1];
}

/**
 * The x with P(shape, x) = p, the quantile of a gamma distribution of scale 1: 0 at p = 0, Infinity at 1, NaN outside.
 * Newton's method on the logarithm of the smaller tail, from the cube of Wilson & Hilferty (1931) or, near 0, from
 * P ≈ xᵃ / Γ(a + 1).
 */
export function gammaQuantile(p: number, shape: number): number {
  if (!(p >= 0 && p <= 1 && shape > 0)) return Number.NaN;
  if (p === 0 || p === 1) return p === 0 ? 0 : Infinity;
  const nearZero = Math.exp((Math.log(p) + (shape > 0.5 ? lgamma(shape + 1) : lgamma1p(shape))) / shape);
  if (nearZero < EPSILON) return nearZero;
  const root = 1 - 1 / (9 * shape) + normalQuantile(p) / (3 * Math.sqrt(shape));
  const start = shape < 0.5 || root < 0.3 ? nearZero : shape * root ** 3;
  const logTarget = Math.log(Math.min(p, 1 - p));
  return solveInLog(start, Number.MAX_VALUE, (x) => {
    const [lower, upper] = gammaTails(shape, x);
    const rise = shape * weight(shape, x);
    return p < 0.5 ? [Math.log(lower) - logTarget, rise / lower] : [logTarget - Math.log(upper), rise / upper];
  });
}
