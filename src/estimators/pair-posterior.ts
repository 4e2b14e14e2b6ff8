import { betaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import type { Label } from '../data/labels.ts';
import type { Level } from '../data/levels.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';

/** A level of a column, where a class is given, and perhaps the level of another column. */
export interface PairQuery {
  readonly class: Label;
  /** The number of a column, or its name where columns have names. */
  readonly feature: number | string;
  readonly level: Level;
}

/** The number of a level in its column; refuses one that was never learned. */
export function locateLevel(categories: readonly (readonly Level[])[], j: number, level: Level): number {
  const v = categories[j].indexOf(typeof level === 'boolean' ? String(level) : level);
  return v < 0 ? refuse('E_CATEGORY_UNKNOWN', `column ${j} has no level ${show(level)}`, { column: j }) : v;
}

/**
 * What is known of p(xⱼ = v | c), or of p(xⱼ = v | c, xₖ = u): one face of a die under a Dirichlet(α) prior, whose posterior
 * is Beta(n[c,u,v] + α, Σ others).
 */
export function pairPosterior(
  { levels, p }: Pairs,
  alpha: number,
  c: number,
  [j, v]: readonly [feature: number, level: number],
  given?: readonly [feature: number, level: number],
): ParameterPosterior {
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  const counts = Float64Array.from({ length: levels[j] }, (_, at) => {
    const own = offsets[j] + at;
    return p[(c * width + (given ? offsets[given[0]] + given[1] : own)) * width + own];
  });
  const own = counts[v] + alpha;
  return betaPosterior(own, Math.max(0, sum(counts) + alpha * counts.length - own));
}
