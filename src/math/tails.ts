import { normalQuantile, normalTail } from './erf.ts';
import { betaQuantilePair, betaTails } from './incomplete-beta.ts';
import { upperGamma } from './incomplete-gamma.ts';

export { normalTail };

// Beyond this the t distribution equals the normal one to the last digit: the relative difference is about t⁴ / 4df.
const NORMAL_FROM = 1e22;

/** P(X > x) of a χ² distribution, Q(df/2, x/2) (Abramowitz & Stegun 26.4.19). */
export function chi2Tail(x: number, df: number): number {
  return x <= 0 ? 1 : upperGamma(df / 2, x / 2);
}

/** P(F > f) of an F distribution, I_w(d2/2, d1/2) with w = d2 / (d2 + d1 f) (Abramowitz & Stegun 26.6.2). */
export function fTail(f: number, d1: number, d2: number): number {
  if (f <= 0) return 1;
  const odds = (d1 / d2) * f;
  return betaTails(d2 / 2, d1 / 2, 1 / (1 + odds), odds === Infinity ? 1 : odds / (1 + odds))[0];
}

/** P(|T| > |t|) of Student's distribution, I_w(df/2, ½) with w = df / (df + t²) (Abramowitz & Stegun 26.7.1). */
export function studentTwoSidedTail(t: number, df: number): number {
  if (df > NORMAL_FROM) return 2 * normalTail(Math.abs(t));
  const odds = (t / df) * t;
  return betaTails(df / 2, 0.5, 1 / (1 + odds), odds === Infinity ? 1 : odds / (1 + odds))[0];
}

/** P(T > t) of Student's distribution. */
export function studentTail(t: number, df: number): number {
  const outer = 0.5 * studentTwoSidedTail(t, df);
  return t > 0 ? outer : 1 - outer;
}

/** The t with P(T ≤ t) = p of Student's distribution: −Infinity at p = 0, Infinity at 1, NaN outside. */
export function studentQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1 && df > 0)) return Number.NaN;
  const tail = Math.min(p, 1 - p);
  if (df > NORMAL_FROM || tail === 0) return normalQuantile(p);
  if (tail === 0.5) return 0;
  const [x, y] = betaQuantilePair(2 * tail, 1 - 2 * tail, df / 2, 0.5);
  const t = Math.sqrt(df) * Math.sqrt(y / x);
  return p < 0.5 ? -t : t;
}
