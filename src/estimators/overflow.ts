import type { ExactStats } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { requireExact } from '../data/limits.ts';
import { arrayOf } from '../stats/additive.ts';
import { roundCells } from '../stats/exact.ts';
import type { Keeper } from './learned.ts';

/** The largest cell of some arrays. */
export function largestOf(names: readonly string[], stats: Shape): number {
  let largest = 0;
  for (const name of names) {
    const cells = arrayOf(stats, name);
    for (let k = 0; k < cells.length; k++) if (cells[k] > largest) largest = cells[k];
  }
  return largest;
}

/** The largest count of a statistic in any arithmetic; refuses one that is no longer exact. */
export function largestCount<S extends Shape>(keeper: Keeper<S>, stats: S | ExactStats): number {
  const rounded = (name: string) => roundCells((stats as ExactStats).cells[name]);
  const plain = 'cells' in stats ? Object.fromEntries(keeper.counts.map((name) => [name, rounded(name)])) : stats;
  let largest = largestOf(keeper.counts, plain as Shape);
  for (const [name, part] of Object.entries(stats.parts ?? {})) {
    if (keeper.part) largest = Math.max(largest, largestCount(keeper.part(name) as Keeper<Shape>, part));
  }
  return requireExact(largest);
}
