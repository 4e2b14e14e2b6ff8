import type { Background } from '../core/prior.ts';
import { sum } from '../math/arrays.ts';
import { logRatio } from '../math/logs.ts';
import type { Sums } from '../stats/sums.ts';

/** So much of the background is uniform, so that no word is impossible. */
const UNIFORM = 1e-3;

/** The share of a word in the background, from its count among all words. */
export function backgroundShare(count: number, all: number, features: number): number {
  return all > 0 ? ((1 - UNIFORM) * count) / all + UNIFORM / features : 1 / features;
}

/** How one class leans on the background: θ[j] = (kept · max(F[j] − discount, 0) + lent · q[j]) / total. */
export interface Lean {
  readonly kept: number;
  readonly discount: number;
  readonly lent: number;
  readonly total: number;
}

/** The three rules of core/prior.ts in one form; `freed` is R, the mass that a discount sets free. */
export function leanOf(prior: Background, words: number, freed: number): Lean {
  if (prior.rule === 'dirichlet') return { kept: 1, discount: 0, lent: prior.mu, total: words + prior.mu };
  if (prior.rule === 'absolute') return { kept: 1, discount: prior.delta, lent: freed, total: words };
  return { kept: 1 - prior.lambda, discount: 0, lent: prior.lambda * words, total: words };
}

/** ln θ; a class without words is the background itself. */
export function logFace({ kept, discount, lent, total }: Lean, count: number, share: number): number {
  return total > 0 ? logRatio(kept * Math.max(count - discount, 0) + lent * share, total) : Math.log(share);
}

/** How many words there are. */
export interface Totals {
  readonly words: Float64Array; // by class: F[c]
  readonly freed: Float64Array; // by class: R[c]
  readonly counts: Float64Array; // by feature: Σc F[c,j]
  readonly all: number;
}

/** What is taken from every count. */
export const discountOf = (prior: Background) => (prior.rule === 'absolute' ? prior.delta : 0);

/** The words of each class and each word of all classes. */
export function totalsOf({ classes, features, s }: Sums, prior: Background): Totals {
  const delta = discountOf(prior);
  const words = new Float64Array(classes);
  const freed = new Float64Array(classes);
  const counts = new Float64Array(features);
  for (let c = 0; c < classes; c++) {
    words[c] = sum(s, c * features, features);
    for (let j = 0; j < features; j++) {
      freed[c] += Math.min(s[c * features + j], delta);
      counts[j] += s[c * features + j];
    }
  }
  return { words, freed, counts, all: sum(words) };
}

/** The share of every word in the background: the words of all classes together, mixed with a little of the uniform. */
export function background(stats: Sums): Float64Array {
  const { counts, all } = totalsOf(stats, { rule: 'dirichlet', mu: 0 });
  return counts.map((count) => backgroundShare(count, all, stats.features));
}

/** ln θ of every class and word under a background, feature-major. */
export function backgroundWeights(stats: Sums, prior: Background): Float64Array {
  const { classes, features, s } = stats;
  const { words, freed, counts, all } = totalsOf(stats, prior);
  const leans = Array.from(words, (count, c) => leanOf(prior, count, freed[c]));
  const weights = new Float64Array(classes * features);
  for (let j = 0; j < features; j++) {
    const share = backgroundShare(counts[j], all, features);
    for (let c = 0; c < classes; c++) weights[j * classes + c] = logFace(leans[c], s[c * features + j], share);
  }
  return weights;
}
