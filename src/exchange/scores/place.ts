import { constant, number, place, places, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import type { ScoreContext, ScoreOf, ScoreOperation } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('place'), of: inner, places, classes: place, fill: number },
    'Scores at their places among all classes.',
  );

/** The scores of some classes at their places among all; the others get `fill`. */
export interface PlacedScore extends ScoreOf<typeof shape<PlanScore>> {}

function run({ of, places: own, classes, fill }: PlacedScore, context: ScoreContext): Float64Array {
  const all = new Float64Array(classes).fill(fill);
  context.run(of).forEach((value, c) => {
    all[own[c]] = value;
  });
  return all;
}

export const placedScore: ScoreOperation<PlacedScore> = { shape, run };
