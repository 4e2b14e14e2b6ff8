import { resolved } from './bell.ts';

/** How wide a kernel is: a rule of thumb, or one width for all. */
export type Bandwidth = 'silverman' | 'scott' | 'weka' | number;

/** The values of one feature in one class: where the kernels stand and what each weighs. */
export interface Points {
  readonly points: Float64Array; // ascending
  readonly weights: Float64Array; // positive
}

/** What the rules ask of the values: their weight, standard deviation, range and size. */
interface Outline {
  readonly total: number;
  readonly deviation: number;
  readonly range: number;
  readonly size: number;
}

/** Weight, standard deviation (population, in two passes), range and largest magnitude. */
export function outlineOf({ points, weights }: Points): Outline {
  let [total, sum, squares] = [0, 0, 0];
  const origin = points[0];
  for (let k = 0; k < points.length; k++) {
    total += weights[k];
    sum += weights[k] * (points[k] - origin);
  }
  const mean = sum / total;
  for (let k = 0; k < points.length; k++) squares += weights[k] * (points[k] - origin - mean) ** 2;
  const last = points[points.length - 1];
  return {
    total,
    deviation: Math.sqrt(squares / total),
    range: last - origin,
    size: Math.max(Math.abs(origin), Math.abs(last)),
  };
}

/**
 * The bandwidth h of one feature in one class, with n the weight and σ the population standard deviation of its values:
 *
 *   silverman  σ (4 / 3n)^(1/5)       Silverman, Density Estimation (1986), §3.4.2          (1)
 *   scott      σ n^(−1/5)             Scott, Multivariate Density Estimation (1992)          (2)
 *   weka       (max − min) / √n       the kernel estimator of Weka, after John & Langley     (3)
 *
 * and never less than `least`, a share of the deviation over all classes: one value alone has no deviation of its own.
 */
export function bandwidthOf(rule: Bandwidth, values: Points, least: number): number {
  if (typeof rule === 'number') return rule;
  const { total, deviation, range, size } = outlineOf(values);
  const width =
    rule === 'weka' ? range / Math.sqrt(total) : deviation * (rule === 'scott' ? total : 0.75 * total) ** -0.2;
  return resolved(Math.max(width, least), size);
}
