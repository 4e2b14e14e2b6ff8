import { firstFrom } from './search.ts';

/** The density of weighted values: Σ (w/W) N(x; v, h²). */
export interface KernelDensity {
  /** The values v, sorted, and their weights w. */
  readonly points: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  /** h. */
  readonly bandwidth: number;
  /** W = Σ w. */
  readonly total: number;
}

const HALF_LOG_2PI = 0.5 * Math.log(2 * Math.PI);

/** Terms that are smaller than the greatest by this many nats, and more for its share of the weight, do not change the sum. */
const NEGLIGIBLE = 40;

/**
 * ln p(x) = ln Σ (w/W) N(x; v, h²), relative to the kernel of the nearest value, so that it stays finite far from all values.
 * The sum goes outwards from x until its terms are negligible.
 */
export function logKernelDensity({ points, weights, bandwidth, total }: KernelDensity, x: number): number {
  const half = (k: number) => 0.5 * ((x - points[k]) / bandwidth) ** 2;
  const right = firstFrom(points, x);
  const isRight = right < points.length && (right === 0 || points[right] - x < x - points[right - 1]);
  const nearest = isRight ? right : right - 1;
  const least = half(nearest);
  if (least === Infinity) return -Infinity;
  const most = least + NEGLIGIBLE + Math.log(total / weights[nearest]);
  let sum = 0;
  for (let k = right; k < points.length; k++) {
    const own = half(k);
    if (own > most) break;
    sum += weights[k] * Math.exp(least - own);
  }
  for (let k = right - 1; k >= 0; k--) {
    const own = half(k);
    if (own > most) break;
    sum += weights[k] * Math.exp(least - own);
  }
  return Math.log(sum) - least - Math.log(total) - Math.log(bandwidth) - HALF_LOG_2PI;
}
