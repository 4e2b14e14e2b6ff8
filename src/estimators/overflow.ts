import type { ExactStats } from '../core/model.ts';
import type { Shape } from '../data/batch.ts';
import { requireExact } from '../data/limits.ts';
import { arrayOf } from '../stats/additive.ts';
import type { Keeper } from './learned.ts';

/** The largest count of a statistic; refuses one that is no longer exact. */
export function largestCount<S extends Shape>(keeper: Keeper<S>, stats: S | ExactStats): number {
  let largest = 0;
  for (const name of keeper.counts) {
    const exact = 'cells' in stats && stats.cells[name].map((parts) => parts?.at(-1) ?? 0);
    const cells = exact || arrayOf(stats, name);
    for (let k = 0; k < cells.length; k++) if (cells[k] > largest) largest = cells[k];
  }
  for (const [name, part] of Object.entries(stats.parts ?? {})) {
    if (keeper.part) largest = Math.max(largest, largestCount(keeper.part(name) as Keeper<Shape>, part));
  }
  return requireExact(largest);
}
