import type { Label } from '../data/labels.ts';
import type { PlanInput } from './inputs.ts';
import type { PlanScore } from './scores.ts';
import type { PlanVector } from './vectors.ts';

export type { PlanAnalysis } from './analysis.ts';
export type { Line, PlanCurve } from './curves.ts';
export type { Fallback, LevelInput, NumberInput, PlanDate, PlanInput, TextInput } from './inputs.ts';
export type * from './scores.ts';
export type * from './terms.ts';
export type { PlanVector, TermVector, VectorOf } from './vectors.ts';

/**
 * How to score a row, as plain data: a fitted model without its learning state. Every export is a translation of a plan, and `runPlan`
 * defines its meaning.
 *
 *   row → inputs → vectors of numbers → scores by class → ln p(c | x)
 */
export interface Plan {
  readonly format: 'polya/plan@1';
  /** The public name of the model's class. */
  readonly model: string;
  /** The sorted class labels: all strings, all numbers or all booleans. */
  readonly classes: readonly Label[];
  /** What a row is: the one input itself (a text), a list of cells, or an object with a cell for each name. */
  readonly row: 'value' | 'list' | 'record';
  /** How columns are read. A column that is read in two ways is listed twice. */
  readonly inputs: readonly PlanInput[];
  /** Vectors of numbers, each made of inputs or of vectors before it. A missing number is NaN. */
  readonly vectors: readonly PlanVector[];
  /** ln p(c | x). The class of the greatest, the first of equals, is the answer. */
  readonly score: PlanScore;
}
