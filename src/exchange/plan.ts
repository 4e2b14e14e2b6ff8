import type { Label } from '../data/labels.ts';
import type { PlanInput } from './plan-inputs.ts';
import type { PlanTerm } from './plan-terms.ts';
import type { PlanVector } from './plan-vectors.ts';

export type * from './plan-inputs.ts';

/**
 * How to score a row, as plain data: what a fitted model is once everything about learning is left out. Every export is a
 * translation of this, and `runPlan` says what it means.
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
  /** How columns are read. A column that is read in two ways stands here twice. */
  readonly inputs: readonly PlanInput[];
  /** Vectors of numbers, each made of inputs or of vectors before it. A missing number is NaN. */
  readonly vectors: readonly PlanVector[];
  /** ln p(c | x). The class of the greatest, the first of equals, is the answer. */
  readonly score: PlanScore;
}

/** A number for each class. */
export type PlanScore =
  | SumScore
  | AddScore
  | EitherScore
  | PlacedScore
  | OpposedScore
  | BlankScore
  | Normalised
  | Pooled;

/** For every op of a score, what is made of it with some more arguments. */
export type EachScore<Args extends readonly unknown[], Out> = {
  readonly [Op in PlanScore['op']]: (score: Extract<PlanScore, { readonly op: Op }>, ...args: Args) => Out;
};

/** S[c] = start[c] + Σ terms: ln p(c) + ln p(x | c). Terms are added one after the other, cell by cell. */
export interface SumScore {
  readonly op: 'sum';
  readonly start: Float64Array;
  readonly terms: readonly PlanTerm[];
}

/** S[c] = start[c] + Σ (part[c] − less[c]): models of different columns, whose class priors count once. */
export interface AddScore {
  readonly op: 'add';
  readonly start: Float64Array;
  readonly parts: readonly { readonly of: PlanScore; readonly less: Float64Array | null }[];
}

/**
 * `first`, unless it overflows: where a class with needed[c] = 1 gets no finite number from it, `second` stands for all. Both
 * differ by a number that is the same for all classes; far from the data `first` keeps more digits.
 */
export interface EitherScore {
  readonly op: 'either';
  readonly first: PlanScore;
  readonly second: PlanScore;
  readonly needed: Uint8Array;
}

/** The scores of some classes at their places among all; the others get `fill`. */
export interface PlacedScore {
  readonly op: 'place';
  readonly of: PlanScore;
  readonly places: Int32Array;
  readonly classes: number;
  readonly fill: number;
}

/** Of two classes: −d and d, with d = S[1] − S[0]. */
export interface OpposedScore {
  readonly op: 'opposed';
  readonly of: PlanScore;
}

/** CellGroup of a row: the numbers of vectors, each of which may be missing, or one text, which is missing where no term of it is known. */
export interface CellGroup {
  readonly vectors: readonly number[];
  readonly text: boolean;
}

/**
 * The share r of its cells that a row has: how many are present, divided by `ordinary`, at most 1, and 0 where none is. What is fitted
 * on top of models counts by it: where r < 1, r times the outcome and 1 − r times what it is made of stand in its place.
 */
export interface Share {
  readonly cells: readonly CellGroup[];
  readonly ordinary: number;
}

/** S[c], and where none of the cells is present, `prior`. */
export interface BlankScore {
  readonly op: 'blank';
  readonly of: PlanScore;
  readonly cells: readonly CellGroup[];
  readonly prior: Float64Array;
}

/** Scores that have become log-probabilities. */
export type Normalised = Posterior | Softened | Platt | Curved | Calibrated;

/**
 * ln p(c | x) = S[c] − ln Σ exp S. Scores of Infinity share all alike. Where every score is −Infinity, `prior` stands in their
 * place, or the row is refused. `sum` tells in which order the exponentials are added, which the last digit alone shows:
 * all together, or the greatest apart by ln(1 + rest).
 */
export interface Posterior {
  readonly op: 'posterior';
  readonly of: PlanScore;
  readonly prior: Float64Array | null;
  readonly impossible: 'prior' | 'refuse';
  readonly sum: 'together' | 'apart';
}

/**
 * S[c] = max(least, S[c]), bent to −tail ln(1 − S[c] / tail) where `tail` is a number, as much as `share` says; classes with
 * unmet[c] = 1 get `unmetScore`.
 */
export interface Softened {
  readonly op: 'soften';
  readonly of: PlanScore;
  readonly least: number;
  readonly tail: number | null;
  readonly share: Share | null;
  readonly unmet: Uint8Array;
  readonly unmetScore: number;
}

/**
 * ln p(c | x) of the pool Σₘ weights[m] Sₘ[c] + bias[c]; members of weight 0 are not here. With a share r, weights and biases are
 * r times these and 1 − r times those of the share.
 */
export interface Pooled {
  readonly op: 'pool';
  readonly members: readonly PlanScore[];
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly share: (Share & { readonly weights: Float64Array; readonly bias: Float64Array }) | null;
}

/** −ln(1 + exp(a[c] o[c] + b[c])), normalised, where o[c] = S[c] − ln Σ{d ≠ c} exp S[d] are the log-odds. */
export interface Platt {
  readonly op: 'platt';
  readonly of: PlanScore;
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** A rising line: constant outside its points, straight between them. */
export interface Line {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/**
 * Log-probabilities S on a curve. A temperature: softmax(beta · max(S, −1e4)). Others are over the log-odds
 * o[c] = S[c] − ln Σ{d ≠ c} exp S[d], bounded to ±1e4: ln p of every class by its curve, or by one curve ln p of the second of two
 * classes and ln(1 − p) of the first; heights of lines are kept within floor and 1 − floor. Then they are normalised, and with a share
 * what comes of it once more.
 */
export interface Curved {
  readonly op: 'curve';
  readonly of: PlanScore;
  readonly curve: PlanCurve;
  readonly floor: number;
  readonly share: Share | null;
}

/** ln of the mean of calibrated probabilities. */
export interface Calibrated {
  readonly op: 'calibrated';
  readonly members: readonly CalibratedMember[];
}

/** Scores, and how they become probabilities. */
export interface CalibratedMember {
  readonly of: PlanScore;
  /** What the curve is over: exp S, or S itself. */
  readonly over: 'probabilities' | 'scores';
  readonly curve: PlanCurve;
}

/**
 * In a calibrated member: one curve for each class, normalised to sum 1 (all zeros become uniform), or one for the second of two classes, whose other
 * has the rest: p = 1 / (1 + exp(a s + b)), or a rising line. A temperature: softmax(beta · L) with L = ln(p + 1e-12) or S.
 */
export type PlanCurve =
  | { readonly method: 'sigmoid'; readonly a: Float64Array; readonly b: Float64Array }
  | { readonly method: 'isotonic'; readonly lines: readonly Line[] }
  | { readonly method: 'temperature'; readonly beta: number };
