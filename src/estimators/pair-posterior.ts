import { betaPosterior, type ParameterPosterior } from '../core/distributions.ts';
import type { Level } from '../data/levels.ts';
import { refuse, show } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Tree } from '../models/tree.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';
import { type Inside, placeOfFeature } from './inside.ts';

/** What is asked of a die that may lean on another column. */
interface PairQuery {
  readonly level?: Level | undefined;
  readonly parentLevel?: Level | undefined;
  readonly given?: { readonly feature: number | string; readonly level: Level } | undefined;
}

type Place = readonly [feature: number, level: number];

/** The number of a level in its column; refuses one that was never learned. */
export function placeOfLevel({ counted, cell }: Inside, j: number, level: Level | undefined): number {
  const wanted = typeof level === 'boolean' ? String(level) : level;
  const { levels } = counted().stats as { readonly levels: Int32Array };
  for (let v = 0; v < levels[j]; v++) if (cell(j, v) === wanted) return v;
  return refuse('E_CATEGORY_UNKNOWN', `column ${j} has no level ${show(level)}`, { column: j });
}

/** The probability of a level, given the level of the column that its column leans on. */
export function treePosterior(
  inside: Inside,
  c: number,
  j: number,
  { level, parentLevel }: PairQuery,
): ParameterPosterior {
  const parent = (inside.params as Tree).parents[j];
  if (parent < 0 !== (parentLevel === undefined)) {
    const what = parent < 0 ? 'is a root and has no' : `leans on column ${parent} and needs a`;
    refuse('E_PARAM', `column ${j} ${what} parentLevel`, { name: 'parentLevel', column: j });
  }
  const above: Place | undefined = parent < 0 ? undefined : [parent, placeOfLevel(inside, parent, parentLevel)];
  return pairPosterior(inside, c, [j, placeOfLevel(inside, j, level)], above);
}

/** The probability of a level, given the level of another column where one is told. */
export function aodePosterior(inside: Inside, c: number, j: number, { level, given }: PairQuery): ParameterPosterior {
  const other = given && placeOfFeature(inside, given.feature);
  const above: Place | undefined = other === undefined ? undefined : [other, placeOfLevel(inside, other, given?.level)];
  return pairPosterior(inside, c, [j, placeOfLevel(inside, j, level)], above);
}

/**
 * What is known of p(xⱼ = v | c), or of p(xⱼ = v | c, xₖ = u): one face of a die under a Dirichlet(α) prior, whose posterior
 * is Beta(n[c,u,v] + α, Σ others).
 */
function pairPosterior({ counted }: Inside, c: number, [j, v]: Place, given: Place | undefined): ParameterPosterior {
  const { stats, options } = counted();
  const { alpha } = options as { readonly alpha: number };
  const { levels, p } = stats as Pairs;
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  const counts = Float64Array.from({ length: levels[j] }, (_, at) => {
    const own = offsets[j] + at;
    return p[(c * width + (given ? offsets[given[0]] + given[1] : own)) * width + own];
  });
  const own = counts[v] + alpha;
  return betaPosterior(own, Math.max(0, sum(counts) + alpha * counts.length - own));
}
