import type { ValueOf } from '../shape.ts';
import { aodeTerm } from './aode.ts';
import { bellTerm } from './bells.ts';
import { coinTerm } from './coins.ts';
import { contextTerm } from './contexts.ts';
import { densityTerm } from './densities.ts';
import { kernelTerm } from './kernels.ts';
import { linearTerm } from './linear.ts';
import { planeTerm } from './planes.ts';
import { poissonTerm } from './poisson.ts';
import { quadricTerm } from './quadrics.ts';
import { shiftTerm } from './shift.ts';
import { tableTerm } from './table.ts';
import { treeTerm } from './tree.ts';
import { urnTerm } from './urns.ts';

export type * from './aode.ts';
export type * from './bells.ts';
export type * from './coins.ts';
export type * from './contexts.ts';
export type * from './densities.ts';
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

/** All terms, in the order of the schema. */
export const terms = {
  linear: linearTerm,
  coins: coinTerm,
  table: tableTerm,
  bells: bellTerm,
  poisson: poissonTerm,
  kernels: kernelTerm,
  densities: densityTerm,
  planes: planeTerm,
  quadrics: quadricTerm,
  shift: shiftTerm,
  urns: urnTerm,
  tree: treeTerm,
  aode: aodeTerm,
  contexts: contextTerm,
};

/**
 * What a vector x adds to the score of each class c. Tables are class-major (cell c · J + j of J numbers) unless they say
 * otherwise. A missing number (NaN) adds nothing, unless the term says otherwise.
 */
export type PlanTerm = ValueOf<(typeof terms)[keyof typeof terms]['shape']>;
