import { constant, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import type { ScoreContext, ScoreOf, ScoreOperation } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record({ op: constant('opposed'), of: inner }, 'Of two classes: −d and d with d = S[1] − S[0].');

/** Of two classes: −d and d, with d = S[1] − S[0]. */
export interface OpposedScore extends ScoreOf<typeof shape<PlanScore>> {}

function run({ of }: OpposedScore, context: ScoreContext): Float64Array {
  const [a, b] = context.run(of);
  return Float64Array.of(-1 * (b - a), b - a);
}

export const opposedScore: ScoreOperation<OpposedScore> = { shape, run };
