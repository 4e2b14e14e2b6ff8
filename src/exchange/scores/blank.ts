import { constant, numbers, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import { type CellGroup, groups, presentIn, type ScoreContext, type ScoreOperation } from './score.ts';

/** S[c], and where none of the cells is present, `prior`. */
export interface BlankScore {
  readonly op: 'blank';
  readonly of: PlanScore;
  readonly cells: readonly CellGroup[];
  readonly prior: Float64Array;
}

const shape = (inner: Shape<PlanScore>): Shape<BlankScore> =>
  record(
    { op: constant('blank'), of: inner, cells: groups, prior: numbers },
    'S[c], and where no cell is present, prior[c].',
  );

const run = ({ of, cells, prior }: BlankScore, context: ScoreContext) =>
  presentIn(cells, context.vectors) === 0 ? prior : context.run(of);

export const blankScore: ScoreOperation<BlankScore> = { shape, run };
