import { constant, numbers, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import { presentIn, type ScoreContext, type ScoreOf, type ScoreOperation, shareEntries } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('blank'), of: inner, cells: shareEntries.cells, prior: numbers },
    'S[c], and where no cell is present, prior[c].',
  );

/** S[c], and where none of the cells is present, `prior`. */
export interface BlankScore extends ScoreOf<typeof shape<PlanScore>> {}

const run = ({ of, cells, prior }: BlankScore, context: ScoreContext) =>
  presentIn(cells, context.vectors) === 0 ? prior : context.run(of);

export const blankScore: ScoreOperation<BlankScore> = { shape, run };
