import { type Algebra, range, type Tensor } from './algebra.ts';

/** Coefficients of 1/w, 1/w³, … in ln Γ(w) − (w − ½) ln w + w − ½ ln 2π. */
const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188];

/** From here on the series has all digits of a double. */
const FAR = 8;

const rest = (w: number) => STIRLING.reduceRight((sum, own) => sum / (w * w) + own, 0) / w;

/**
 * ln Γ(a + x) / Γ(a) for constants a > 0 of this shape, which x ≥ 0 broadcasts to. With w = a + 8,
 *
 *   x ln(w + x) + (w − ½) ln(1 + x/w) − x + r(w + x) − r(w) − Σₖ ln(1 + x/(a + k)),   k = 0 … 7
 *
 * where r is what Stirling's formula leaves out; differences of ln Γ itself would lose digits for large a.
 */
export function logGammaRatio<T extends Tensor>(
  algebra: Algebra<T>,
  constants: Float64Array,
  x: T,
  ...shape: readonly number[]
): T {
  const a = algebra;
  const grid = (value: (own: number) => number) => a.constant(constants.map(value), ...shape);
  const far = grid((own) => own + FAR);
  const sum = a.keep(a.add(x, far));
  const inverse = a.keep(a.div(1, sum));
  const square = a.keep(a.mul(inverse, inverse));
  const [first, ...others] = STIRLING;
  const series = others.reduceRight<T | number>((all, own) => a.mul(square, a.add(all, own)), 0);
  const near = range(FAR).map((k) => a.add(a.div(x, grid((own) => own + k)), 1)); // biome-ignore format: short
  const parts = [
    a.mul(x, a.sub(a.ln(sum), 1)),
    a.mul(log1p(a, a.keep(a.div(x, far))), a.sub(far, 0.5)),
    a.sub(a.mul(inverse, a.add(series, first)), grid((own) => rest(own + FAR))), // biome-ignore format: short
    a.mul(a.ln(near.reduce((product, own) => a.mul(product, own))), -1),
  ];
  return a.keep(parts.reduce((total, part) => a.add(total, part)));
}

/** Below, ln(1 + u) is computed as 2 artanh(u / (2 + u)). */
const SMALL = 0.01;

/** ln(1 + u) for u ≥ 0, to the precision of u. */
function log1p<T extends Tensor>(a: Algebra<T>, u: T): T {
  const s = a.keep(a.div(u, a.add(u, 2)));
  const square = a.keep(a.mul(s, s));
  const series = [1 / 7, 1 / 5, 1 / 3, 1].reduce<T | number>((sum, c) => a.add(a.mul(square, sum), c), 0) as T;
  return a.where(a.less(u, SMALL), a.mul(a.mul(2, s), series), a.ln(a.add(u, 1)));
}
