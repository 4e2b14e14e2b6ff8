import type { ExactStats } from '../core/model.ts';
import type { Batch, Shape } from '../data/batch.ts';
import { refuse } from '../errors.ts';
import type { Keeper } from './learned.ts';

/** The largest count of a statistic. */
export function largestCount<S extends Shape>(keeper: Keeper<S>, stats: S | ExactStats): number {
  let largest = 0;
  for (const name of keeper.counts) {
    for (const cell of cellsOf(stats, name)) {
      const value = typeof cell === 'number' ? cell : (cell?.at(-1) ?? 0);
      if (value > largest) largest = value;
    }
  }
  for (const [name, part] of Object.entries(stats.parts ?? {})) {
    if (keeper.part) largest = Math.max(largest, largestCount(keeper.part(name) as Keeper<Shape>, part));
  }
  return largest;
}

function cellsOf(stats: Shape, name: string): Iterable<number | number[] | undefined> {
  return 'cells' in stats
    ? (stats as ExactStats).cells[name]
    : (stats as unknown as Record<string, Float64Array>)[name];
}

/**
 * Adds a batch so that no count ever stops being exact: what would pass 2^53 − 1 is refused and nothing is changed.
 * `ceiling` bounds the counts so far; as long as the batch cannot lift it too far, nothing needs to be looked at.
 * Returns the new ceiling.
 */
export function addCounts<S extends Shape>(
  keeper: Keeper<S>,
  stats: S | ExactStats,
  batch: Batch,
  peak: number,
  ceiling: number,
  add: (stats: S | ExactStats) => void,
): number {
  const most = ceiling + batch.w.reduce((sum, weight) => sum + weight, 0) * Math.max(1, peak);
  if (most > Number.MAX_SAFE_INTEGER) {
    const trial = keeper.reshape(stats as never, stats, {}) as S | ExactStats;
    add(trial);
    const largest = requireExact(largestCount(keeper, trial));
    add(stats);
    return largest;
  }
  add(stats);
  return most;
}

/** Refuses a count that would stop being exact. */
export function requireExact(largest: number): number {
  if (largest > Number.MAX_SAFE_INTEGER) {
    refuse('E_COUNT_OVERFLOW', `a count would become ${largest} and stop being exact`, {
      limit: Number.MAX_SAFE_INTEGER,
      actual: largest,
    });
  }
  return largest;
}
