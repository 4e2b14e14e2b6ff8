import { constant, list, numbers, orNull, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import type { ScoreContext, ScoreOperation } from './score.ts';

/** S[c] = start[c] + Σ (part[c] − less[c]): models of different columns, whose class priors count once. */
export interface AddScore {
  readonly op: 'add';
  readonly start: Float64Array;
  readonly parts: readonly AddPart[];
}

interface AddPart {
  readonly of: PlanScore;
  readonly less: Float64Array | null;
}

const shape = (inner: Shape<PlanScore>): Shape<AddScore> =>
  record(
    { op: constant('add'), start: numbers, parts: list(record({ of: inner, less: orNull(numbers) })) },
    'start[c] + Σ (part[c] − less[c]).',
  );

const run = ({ start, parts }: AddScore, context: ScoreContext) =>
  parts.reduce((sum, { of, less }) => {
    const part = context.run(of);
    return sum.map((value, c) => value + (less ? part[c] - less[c] : part[c]));
  }, start);

export const addScore: ScoreOperation<AddScore> = { shape, run };
