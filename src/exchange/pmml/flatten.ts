import { refuse } from '../../errors.ts';
import type { PlanScore, PlanTerm } from '../plan.ts';

/** A score as one sum: S[c] = start[c] + Σ terms. */
export interface FlatScore {
  readonly start: Float64Array;
  readonly terms: readonly PlanTerm[];
}

/** Refuses what PMML cannot say. */
export function cannotSay(what: string, why: string): never {
  return refuse('E_CONFLICT', `PMML cannot carry ${what}: ${why}`, { what });
}

/** The one sum behind a posterior; models that are more than a sum are refused. */
export function flatten(score: PlanScore): FlatScore {
  if (score.op === 'posterior') return flatten(score.of);
  if (score.op === 'sum') return score;
  if (score.op === 'blank') return flatten(score.of); // a row without any cell is answered by the sum, not by the class prior
  if (score.op === 'either') return flatten(score.first); // the same, far from the data with more digits
  if (score.op !== 'add') return cannotSay(`the step '${score.op}' of a score`, 'its models are one sum and a softmax');
  const parts = score.parts.map(({ of, less }) => ({ ...flatten(of), less }));
  const start = score.start.map((own, c) => {
    return parts.reduce((sum, part) => sum + part.start[c] - (part.less?.[c] ?? 0), own);
  });
  return { start, terms: parts.flatMap(({ terms }) => terms) };
}
