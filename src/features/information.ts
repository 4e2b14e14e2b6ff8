import { choice, type GivenOptions, type OptionSpec } from '../core/options.ts';
import { log1pmx } from '../math/logs.ts';

/** The unit of information: natural logarithms, or logarithms to base 2. */
export const unitSpec = {
  /** The unit. Default: 'nats'. */
  unit: choice(['nats', 'bits'], { default: 'nats' }),
} satisfies OptionSpec;

/** Options of the unit of information. */
export type UnitOptions = GivenOptions<typeof unitSpec>;

/** The conversion factor from nats to the unit. */
export const perNat = (unit: 'nats' | 'bits'): number => (unit === 'bits' ? Math.LOG2E : 1);

const CLOSE = 0.4;

/**
 * The contribution of one cell of a table to N times the mutual information: seen o times where independence expects e,
 *
 *   o ln(o / e) − o + e = e ((1 + r)(ln(1 + r) − r) + r²),   r = (o − e) / e.        (1)
 *
 * Summed over a table, Σ(e − o) = 0, so (1) gives the same total as o ln(o / e), with terms that are never negative: a tiny information
 * keeps its digits and needs no clipping at zero.
 */
export function surprise(o: number, e: number): number {
  if (o === 0 || e === 0) return e;
  const r = (o - e) / e;
  if (r > -CLOSE && r < CLOSE) return e * ((1 + r) * log1pmx(r) + r * r);
  return Math.max(0, o * Math.log(o / e) - o + e);
}

/**
 * Σ_c surprise(o[c], e[c]) with e[c] = n[c] m / N for one value of a feature: seen o[c] times in class c, m = Σ_c o[c] times
 * in all, among n[c] of class c and N in all. Over all values of a feature these add up to N I(C; X).
 */
export function levelSurprise(o: Float64Array, n: Float64Array, total: number): number {
  let m = 0;
  for (let c = 0; c < o.length; c++) m += o[c];
  if (m === 0) return 0;
  let sum = 0;
  for (let c = 0; c < o.length; c++) sum += surprise(o[c], (n[c] * m) / total);
  return sum;
}

/** The entropy −Σ p ln p, in nats, of shares p in proportion to counts; 0 of nothing. */
export function entropy(counts: ArrayLike<number>): number {
  let total = 0;
  for (let v = 0; v < counts.length; v++) total += counts[v];
  let sum = 0;
  for (let v = 0; v < counts.length; v++) if (counts[v] > 0) sum -= (counts[v] / total) * Math.log(counts[v] / total);
  return Math.max(0, sum);
}

/** The share of a total, 0 of nothing. */
export function shareOf(part: number, total: number): number {
  return total > 0 ? part / total : 0;
}
