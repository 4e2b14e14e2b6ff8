import { constant, list, numbers, orNull, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import type { ScoreContext, ScoreOf, ScoreOperation } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('add'), start: numbers, parts: list(record({ of: inner, less: orNull(numbers) })) },
    'start[c] + Σ (part[c] − less[c]).',
  );

/** S[c] = start[c] + Σ (part[c] − less[c]): models of different columns, whose class priors count once. */
export interface AddScore extends ScoreOf<typeof shape<PlanScore>> {}

const run = ({ start, parts }: AddScore, context: ScoreContext) =>
  parts.reduce((sum, { of, less }) => {
    const part = context.run(of);
    return sum.map((value, c) => value + (less ? part[c] - less[c] : part[c]));
  }, start);

export const addScore: ScoreOperation<AddScore> = { shape, run };
