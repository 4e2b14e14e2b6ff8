import { logRatio } from '../math/logs.ts';
import { levelOffsets } from '../stats/layout.ts';
import type { Pairs } from '../stats/pairs.ts';
import type { Forest } from './dependence.ts';

/** The dice of every feature, one for every class and level of the parent: (n[c,u,v] + α) / (Σᵥ n[c,u,v] + α Kⱼ). */
export function treeDice(stats: Pairs, { parents }: Forest, alpha: number): Float64Array[] {
  const { classes, levels, p } = stats;
  const offsets = levelOffsets(levels);
  const width = offsets[levels.length];
  return Array.from(parents, (parent, j) => {
    const [above, count] = [parent < 0 ? 0 : levels[parent], levels[j]];
    const die = new Float64Array(classes * (above + 1) * (count + 1));
    const counts = new Float64Array(count);
    for (let c = 0; c < classes; c++) {
      for (let u = 0; u <= above; u++) {
        for (let v = 0; v < count; v++) {
          const own = offsets[j] + v;
          const given = parent < 0 ? own : offsets[parent] + u;
          counts[v] = parent >= 0 && u === above ? 0 : p[(c * width + given) * width + own];
        }
        castDie(counts, alpha, die, (c * (above + 1) + u) * (count + 1));
      }
    }
    return die;
  });
}

/** Writes ln (counts + α) / Σ (counts + α), and behind it the logarithm of a level on no list, an empty face. */
function castDie(counts: Float64Array, alpha: number, out: Float64Array, at: number): void {
  let total = 0;
  for (let v = 0; v < counts.length; v++) total += counts[v];
  for (let v = 0; v < counts.length; v++) out[at + v] = logRatio(counts[v] + alpha, total + alpha * counts.length);
  // Of a feature without levels nothing is known, and nothing it says can be held against a class.
  out[at + counts.length] = counts.length > 0 ? logRatio(alpha, total + alpha * counts.length) : 0;
}
