import { constant, flags, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import type { ScoreContext, ScoreOf, ScoreOperation } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('either'), first: inner, second: inner, needed: flags },
    '`first`, unless a class with needed[c] gets no finite number from it: then `second`. They differ by what all classes share.',
  );

/**
 * `first`, unless it overflows: where a class with needed[c] = 1 gets no finite number from it, `second` stands for all. Both
 * differ by a number that is the same for all classes; far from the data `first` keeps more digits.
 */
export interface EitherScore extends ScoreOf<typeof shape<PlanScore>> {}

function run({ first, second, needed }: EitherScore, context: ScoreContext): Float64Array {
  const scores = context.run(first);
  return scores.every((value, c) => Number.isFinite(value) || !needed[c]) ? scores : context.run(second);
}

export const eitherScore: ScoreOperation<EitherScore> = { shape, run };
