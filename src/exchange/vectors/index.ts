import type { Cells } from '../cells.ts';
import { type AboveVector, aboveVector } from './above.ts';
import { type BinVector, binVector } from './bin.ts';
import { type EqualVector, equalVector } from './equal.ts';
import { type InputVector, inputVector } from './inputs.ts';
import { type JoinVector, joinVector } from './join.ts';
import { type LimitVector, limitVector } from './limit.ts';
import { type HotVector, hotVector } from './onehot.ts';
import { type PickVector, pickVector } from './pick.ts';
import { type RootShareVector, rootShareVector } from './root-share.ts';
import { type ScaleVector, scaleVector } from './scale.ts';
import { type TermVector, termVector } from './terms.ts';
import type { VectorContext, VectorOperation } from './vector.ts';
import { type WeighVector, weighVector } from './weigh.ts';

export type * from './above.ts';
export type * from './analysis.ts';
export type * from './bin.ts';
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

/** A vector of numbers, made of inputs or of a vector before it (`from` is its place among the vectors of the plan). */
export type PlanVector =
  | InputVector
  | TermVector
  | WeighVector
  | RootShareVector
  | PickVector
  | BinVector
  | EqualVector
  | ScaleVector
  | HotVector
  | AboveVector
  | LimitVector
  | JoinVector;

/** For every op of a vector, what is made of it with some more arguments. */
export type EachVector<Args extends readonly unknown[], Out> = {
  readonly [Op in PlanVector['op']]: (vector: Extract<PlanVector, { readonly op: Op }>, ...args: Args) => Out;
};

/** All vectors, in the order of the schema. */
export const vectors: { readonly [Op in PlanVector['op']]: VectorOperation<Extract<PlanVector, { readonly op: Op }>> } =
  {
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
    join: joinVector,
  };

/** The numbers of a vector for one row. */
export function runVector(vector: PlanVector, context: VectorContext): Cells {
  return vectors[vector.op].run(vector as never, context);
}
