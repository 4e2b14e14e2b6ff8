import type { Cells } from '../cells.ts';
import { type Shape, union } from '../shape.ts';
import { type AddScore, addScore } from './add.ts';
import { type BlankScore, blankScore } from './blank.ts';
import { type Calibrated, calibrated } from './calibrated.ts';
import { type Curved, curved } from './curve.ts';
import { type EitherScore, eitherScore } from './either.ts';
import { type OpposedScore, opposedScore } from './opposed.ts';
import { type PlacedScore, placedScore } from './place.ts';
import { type Platt, platt } from './platt.ts';
import { type Pooled, pooled } from './pool.ts';
import { type Posterior, posterior } from './posterior.ts';
import type { ScoreOperation } from './score.ts';
import { type Softened, softened } from './soften.ts';
import { type SumScore, sumScore } from './sum.ts';

export type * from './add.ts';
export type * from './blank.ts';
export type * from './calibrated.ts';
export type * from './curve.ts';
export type * from './curve-shape.ts';
export type * from './either.ts';
export type * from './opposed.ts';
export type * from './place.ts';
export type * from './platt.ts';
export type * from './pool.ts';
export type * from './posterior.ts';
export type { CellGroup, Share } from './score.ts';
export type * from './soften.ts';
export type * from './sum.ts';

/** A number for each class. */
export type PlanScore =
  | SumScore
  | AddScore
  | EitherScore
  | PlacedScore
  | OpposedScore
  | Posterior
  | Softened
  | Pooled
  | BlankScore
  | Platt
  | Curved
  | Calibrated;

/** Scores that have become log-probabilities. */
export type Normalised = Posterior | Softened | Platt | Curved | Calibrated;

/** All scores, in the order of the schema. */
export const scores: { readonly [Op in PlanScore['op']]: ScoreOperation<Extract<PlanScore, { readonly op: Op }>> } = {
  sum: sumScore,
  add: addScore,
  either: eitherScore,
  place: placedScore,
  opposed: opposedScore,
  posterior: posterior,
  soften: softened,
  pool: pooled,
  blank: blankScore,
  platt: platt,
  curve: curved,
  calibrated: calibrated,
};

/** The scores of one row. */
export function runScore(score: PlanScore, vectors: readonly Cells[]): Float64Array {
  return scores[score.op].run(score as never, { vectors, run: (inner) => runScore(inner, vectors) });
}

/** The JSON of scores, those inside included: by its name in the schema, and its definition. */
export function scoreShapes(): { readonly shape: Shape<PlanScore>; readonly definition: Shape<PlanScore> } {
  const byOp: Record<string, Shape<PlanScore>> = {};
  const shape = union<PlanScore>('op', byOp, 'score');
  for (const [op, own] of Object.entries(scores)) byOp[op] = own.shape(shape);
  return { shape, definition: union<PlanScore>('op', byOp) };
}
