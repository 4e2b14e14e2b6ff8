import { type AodeTerm, aodeTerm } from './aode.ts';
import { type BellTerm, bellTerm } from './bells.ts';
import { type CoinTerm, coinTerm } from './coins.ts';
import { type ContextTerm, contextTerm } from './contexts.ts';
import { type KernelTerm, kernelTerm } from './kernels.ts';
import { type LinearTerm, linearTerm } from './linear.ts';
import { type PlaneTerm, planeTerm } from './planes.ts';
import { type PoissonTerm, poissonTerm } from './poisson.ts';
import { type QuadricTerm, quadricTerm } from './quadrics.ts';
import { type ShiftTerm, shiftTerm } from './shift.ts';
import { type TableTerm, tableTerm } from './table.ts';
import type { TermOperation } from './term.ts';
import { type TreeTerm, treeTerm } from './tree.ts';
import { type UrnTerm, urnTerm } from './urns.ts';

export type * from './aode.ts';
export type * from './bells.ts';
export type * from './coins.ts';
export type * from './contexts.ts';
export type * from './kernels.ts';
export type * from './linear.ts';
export type * from './marginals.ts';
export type * from './planes.ts';
export type * from './poisson.ts';
export type * from './quadrics.ts';
export type * from './shift.ts';
export type * from './table.ts';
export type * from './term.ts';
export type * from './tree.ts';
export type * from './urns.ts';

/**
 * What a vector x adds to the score of each class c. Tables are class-major (cell c · J + j of J numbers) unless they say
 * otherwise. A missing number (NaN) adds nothing, unless the term says otherwise.
 */
export type PlanTerm =
  | LinearTerm
  | CoinTerm
  | TableTerm
  | BellTerm
  | PoissonTerm
  | KernelTerm
  | PlaneTerm
  | QuadricTerm
  | ShiftTerm
  | UrnTerm
  | TreeTerm
  | AodeTerm
  | ContextTerm;

/** For every op of a term, what is made of it with some more arguments. */
export type EachTerm<Args extends readonly unknown[], Out> = {
  readonly [Op in PlanTerm['op']]: (term: Extract<PlanTerm, { readonly op: Op }>, ...args: Args) => Out;
};

/** All terms, in the order of the schema. */
export const terms: { readonly [Op in PlanTerm['op']]: TermOperation<Extract<PlanTerm, { readonly op: Op }>> } = {
  linear: linearTerm,
  coins: coinTerm,
  table: tableTerm,
  bells: bellTerm,
  poisson: poissonTerm,
  kernels: kernelTerm,
  planes: planeTerm,
  quadrics: quadricTerm,
  shift: shiftTerm,
  urns: urnTerm,
  tree: treeTerm,
  aode: aodeTerm,
  contexts: contextTerm,
};
