import type { Cells } from '../cells.ts';
import type { ValueOf } from '../shape.ts';
import { aboveVector } from './above.ts';
import { binVector } from './bin.ts';
import { crossVector } from './cross.ts';
import { equalVector } from './equal.ts';
import { inputVector } from './inputs.ts';
import { joinVector } from './join.ts';
import { limitVector } from './limit.ts';
import { hotVector } from './onehot.ts';
import { pickVector } from './pick.ts';
import { rootShareVector } from './root-share.ts';
import { scaleVector } from './scale.ts';
import { termVector } from './terms.ts';
import type { VectorContext } from './vector.ts';
import { weighVector } from './weigh.ts';
import { withinVector } from './within.ts';

export type * from './above.ts';
export type * from './analysis.ts';
export type * from './bin.ts';
export type * from './cross.ts';
export type * from './equal.ts';
export type * from './inputs.ts';
export type * from './join.ts';
export type * from './limit.ts';
export type * from './onehot.ts';
export type * from './pick.ts';
export type * from './root-share.ts';
export type * from './scale.ts';
export type * from './terms.ts';
export type * from './weigh.ts';
export type * from './within.ts';

/** All vectors, in the order of the schema. */
export const vectors = {
  inputs: inputVector,
  terms: termVector,
  weigh: weighVector,
  'root-share': rootShareVector,
  pick: pickVector,
  bin: binVector,
  equal: equalVector,
  scale: scaleVector,
  onehot: hotVector,
  above: aboveVector,
  limit: limitVector,
  within: withinVector,
  cross: crossVector,
  join: joinVector,
};

/** A vector of numbers, made of inputs or of a vector before it (`from` is its place among the vectors of the plan). */
export type PlanVector = ValueOf<(typeof vectors)[keyof typeof vectors]['shape']>;

/** The numbers of a vector for one row. */
export function runVector(vector: PlanVector, context: VectorContext): Cells {
  return vectors[vector.op].run(vector as never, context);
}
