import { constant, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import type { ScoreContext, ScoreOperation } from './score.ts';

/** Of two classes: −d and d, with d = S[1] − S[0]. */
export interface OpposedScore {
  readonly op: 'opposed';
  readonly of: PlanScore;
}

const shape = (inner: Shape<PlanScore>): Shape<OpposedScore> =>
  record({ op: constant('opposed'), of: inner }, 'Of two classes: −d and d with d = S[1] − S[0].');

function run({ of }: OpposedScore, context: ScoreContext): Float64Array {
  const [a, b] = context.run(of);
  return Float64Array.of(-1 * (b - a), b - a);
}

export const opposedScore: ScoreOperation<OpposedScore> = { shape, run };
