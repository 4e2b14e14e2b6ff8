import { refuse } from '../../errors.ts';
import type { PlanScore, PlanTerm } from '../plan.ts';

/** A score as one sum: S[c] = start[c] + Σ terms. */
export interface FlatScore {
  readonly start: Float64Array;
  readonly terms: readonly PlanTerm[];
}

/** Refuses what PMML cannot express. */
export function cannotSay(what: string, why: string): never {
  return refuse('E_CONFLICT', `PMML cannot represent ${what}: ${why}`, { what });
}

/** The one sum behind a posterior; undefined where a score is more than a sum. */
export function flatten(score: PlanScore): FlatScore | undefined {
  if (score.op === 'posterior') return flatten(score.of);
  if (score.op === 'sum') return score;
  if (score.op === 'either') return flatten(score.first); // the same, far from the data with more digits
  if (score.op !== 'add') return undefined;
  const parts = score.parts.map(({ of, less }) => ({ sum: flatten(of), less }));
  const start = score.start.map((own, c) => {
    return parts.reduce((sum, part) => sum + (part.sum?.start[c] ?? 0) - (part.less?.[c] ?? 0), own);
  });
  const sums = parts.flatMap(({ sum }) => sum ?? []);
  return sums.length < parts.length ? undefined : { start, terms: sums.flatMap(({ terms }) => terms) };
}
