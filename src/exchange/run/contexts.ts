import { logSumExp } from '../../math/logs.ts';
import type { ContextFeature, ContextTerm } from '../plan-terms.ts';
import { type Cells, dense } from './vectors.ts';

/** ln p(value of a feature | its parents as in the row, c) for every class. */
function logShares(
  { feature, parents, depths }: ContextFeature,
  levels: Int32Array,
  value: number,
  row: Float64Array,
  classes: number,
): Float64Array {
  const own = levels[feature];
  let shares = new Float64Array(classes).fill(1 / own);
  let context = 0;
  for (const [d, depth] of depths.entries()) {
    if (d > 0) {
      const [level, radix] = [row[parents[d - 1]], levels[parents[d - 1]]];
      context = level < radix ? depth.contexts.indexOf(context * radix + level) : -1;
      if (context < 0) break;
    }
    const at = value < own ? depth.values.indexOf(context * own + value) : -1;
    const { concentration: m, weights } = depth;
    shares =
      at < 0
        ? shares.map((share, c) => {
            const weight = weights[context * classes + c];
            return weight > 0 ? (m * share) / (weight + m) : share;
          })
        : depth.shares.slice(at * classes, (at + 1) * classes);
  }
  return shares.map(Math.log);
}

/** The missing features on which present ones depend, as many as may be summed over. */
function openIn({ features, levels, mostCombinations }: ContextTerm, row: Float64Array): Set<number> {
  const needed = new Set<number>();
  for (const { feature, parents } of [...features].reverse()) {
    if (Number.isNaN(row[feature]) && !needed.has(feature)) continue;
    for (const parent of parents) if (Number.isNaN(row[parent])) needed.add(parent);
  }
  let combinations = 1;
  const order = features.map(({ feature }) => feature);
  return new Set(order.filter((j) => needed.has(j) && (combinations *= levels[j]) <= mostCombinations));
}

/** Adds ln p(x | c) of levels in the context of others. */
export function addContexts(term: ContextTerm, cells: Cells, score: Float64Array): void {
  const { features, levels } = term;
  const row = dense(cells);
  const open = openIn(term, row);
  const found: Float64Array[] = [];
  const walk = (step: number, seen: Float64Array, sums: Float64Array): void => {
    if (step === features.length) {
      found.push(sums);
      return;
    }
    const own = features[step];
    const { feature: j } = own;
    const present = !Number.isNaN(row[j]);
    const values = present ? [row[j]] : open.has(j) ? Array.from({ length: levels[j] }, (_, v) => v) : [];
    if (values.length === 0) walk(step + 1, seen, sums);
    for (const value of values) {
      const logs = logShares(own, levels, value, seen, score.length);
      walk(
        step + 1,
        seen.with(j, value),
        sums.map((sum, c) => sum + logs[c]),
      );
    }
  };
  walk(0, row, new Float64Array(score.length));
  for (let c = 0; c < score.length; c++) score[c] += logSumExp(Float64Array.from(found, (sums) => sums[c]));
}
