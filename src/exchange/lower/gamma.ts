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
  const sum = a.keep(
    a.add(
      x,
      grid((own) => own + FAR),
    ),
  );
  const inverse = a.keep(a.div(1, sum));
  const square = a.keep(a.mul(inverse, inverse));
  const [first, ...others] = STIRLING;
  const series = others.reduceRight<T | number>((all, own) => a.mul(square, a.add(all, own)), 0);
  const near = range(FAR).map((k) =>
    a.add(
      a.div(
        x,
        grid((own) => own + k),
      ),
      1,
    ),
  );
  const parts = [
    a.mul(x, a.sub(a.ln(sum), 1)),
    a.mul(
      a.ln(
        a.add(
          a.div(
            x,
            grid((own) => own + FAR),
          ),
          1,
        ),
      ),
      grid((own) => own + FAR - 0.5),
    ),
    a.sub(
      a.mul(inverse, a.add(series, first)),
      grid((own) => rest(own + FAR)),
    ),
    a.mul(a.ln(near.reduce((product, own) => a.mul(product, own))), -1),
  ];
  return a.keep(parts.reduce((total, part) => a.add(total, part)));
}
