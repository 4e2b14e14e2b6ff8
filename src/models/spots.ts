import { type Moments, presentWeight } from '../stats/moments.ts';
import type { BellRule, Spot } from './bell.ts';

/** What was counted of class c and feature j. */
export function spotAt(stats: Moments, c: number, j: number): Spot {
  const weight = presentWeight(stats, c, j);
  const cell = c * stats.features + j;
  if (weight === 0) return { weight, mean: 0, squares: 0 };
  const distance = stats.s1[cell] / weight;
  return {
    weight,
    mean: stats.shift[cell] + distance,
    squares: Math.max(0, stats.s2[cell] - stats.s1[cell] * distance),
  };
}

/** A spot whose mean is told from an origin on, so that it keeps its digits far from zero. */
export interface FarSpot extends Spot {
  readonly origin: number;
}

/** What was counted of feature j in all classes together: S = Σ_c S_c + n_c (x̄_c − x̄)². */
export function pooledSpot(stats: Moments, j: number): FarSpot {
  const { classes, features, shift, s1, s2 } = stats;
  let [weight, origin, mean, squares] = [0, 0, 0, 0];
  for (let c = 0; c < classes; c++) {
    const n = presentWeight(stats, c, j);
    if (n === 0) continue;
    const cell = c * features + j;
    if (weight === 0) origin = shift[cell];
    const own = s1[cell] / n;
    const distance = shift[cell] - origin + own - mean;
    weight += n;
    mean += (n / weight) * distance;
    squares += Math.max(0, s2[cell] - s1[cell] * own) + n * (1 - n / weight) * distance * distance;
  }
  return { weight, mean, squares, origin };
}

/** ε = varSmoothing · maxⱼ of the population variance of feature j over all rows; only the likelihood needs it. */
export function smoothingOf(rule: BellRule, pooled: readonly Spot[]): number {
  if (rule.rule !== 'mle') return 0;
  let largest = 0;
  for (const { weight, squares } of pooled) if (weight > 0) largest = Math.max(largest, squares / weight);
  return rule.varSmoothing * largest;
}
