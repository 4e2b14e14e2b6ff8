import { requireKind, requireLike } from '../data/arguments.ts';
import type { Batch, Rows, Shape } from '../data/batch.ts';
import { requireWidth } from '../data/input.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { ExactSum } from '../math/exact.ts';
import type { Generator } from '../math/generator.ts';

/**
 * The axes of a statistic's arrays. `gaps` is as long as the features if cells may be missing, and empty otherwise;
 * `triangle` holds the pairs of features j ≥ k.
 */
export type Axis = 'classes' | 'features' | 'levels' | 'gaps' | 'triangle';

/** The index of each old class, feature or level in a new shape; an axis that is not named is unchanged. */
export interface Moves {
  readonly classes?: Int32Array;
  readonly features?: Int32Array;
  readonly levels?: Int32Array;
  /** Pairs of features, which a statistic of pairs derives from the features. */
  readonly triangle?: Int32Array;
  readonly parts?: Readonly<Record<string, Moves>>;
}

/** What sums are multiplied by: one number, or one per class. */
export type Factor = number | Float64Array;

/**
 * A sufficient statistic: sums over rows that can be added, subtracted, scaled and moved into a larger shape. `empty`
 * is the identity of `merge`, and `merge` is associative and commutative.
 */
export interface Statistic<S extends Shape> {
  readonly name: string;
  /** The arrays of the statistic with their axes, as saved to files and sent to engines and threads. */
  readonly arrays: Readonly<Record<string, readonly Axis[]>>;
  /** The arrays that hold plain counts: never negative, exact up to 2^53 − 1. */
  readonly counts: readonly string[];
  /** Whether counting sparse rows takes time proportional to their non-zero cells. */
  readonly sparse: boolean;
  empty(shape: Shape): S;
  add(stats: S, batch: Batch): void;
  merge(to: S, from: S): void;
  /**
   * The inverse of `merge`. Throws E_UNLEARN_UNDERFLOW, before changing anything, if it would subtract more than was
   * counted.
   */
  subtract(from: S, what: S): void;
  /** Multiplies all mass by one factor (forgetting), or the mass of each class by its own factor (class weights). */
  scale(stats: S, factor: Factor): void;
  /** The same counts in another shape. */
  reshape(stats: S, shape: Shape, moves: Moves): S;
  /**
   * The statistic as arrays of a model file, for statistics whose array lengths `arrays` does not determine: a multiset
   * grows with its rows. Equal statistics give equal arrays, in whatever order they were counted.
   */
  toArrays?(stats: S): Readonly<Record<string, Tensor>>;
  /** The inverse of `toArrays`. Validates everything and throws E_MODEL_CORRUPT for arrays that don't belong to it. */
  fromArrays?(shape: Shape, arrays: Readonly<Record<string, Tensor>>): S;
  /** For a statistic made of parts, each with its own shape: the statistic of one part. */
  part?(name: string): Omit<Statistic<never>, 'exact'>;
  /** The same statistic with sums that do not depend on the order of the rows, at a cost in time and memory. */
  readonly exact: ExactTwin<S>;
}

/** Sums without rounding: each cell is a number, or a list of numbers whose exact total is the sum. */
export interface ExactStats extends Shape {
  readonly cells: Readonly<Record<string, ExactSum[]>>;
}

/** A statistic in exact arithmetic, and the conversion back to plain numbers. */
export interface ExactTwin<S extends Shape> extends Omit<Statistic<ExactStats>, 'exact'> {
  round(stats: ExactStats): S;
}

/**
 * The part of a model that classifies: which statistic it needs, how to estimate parameters from it, how to score with
 * them.
 */
export interface ScoringModel<S extends Shape, P extends Shape, O> {
  readonly name: string;
  readonly statistic: Omit<Statistic<S>, 'exact'>;
  /** Statistic → parameters, under a prior. */
  estimate(stats: S, options: O): P;
  /**
   * The parameters of some features only, as `estimate` gives them; undefined if the options need more than sums. A
   * caller that asks for every row may pass a buffer for the weights.
   */
  estimatePart?(part: S, whole: Whole, options: O, room?: Float64Array): P | undefined;
  /** out[i,c] = ln p(c) + ln p(xᵢ | c). */
  score(params: P, rows: Rows, out: Float64Array): void;
  /** ln p(c) by class: the first term of every score. */
  logPrior(params: P): Float64Array;
  /** The terms that make up the score of row i, feature by feature. */
  terms(params: P, rows: Rows, i: number): Terms;
}

/** A stateless classifier: estimation and scoring, exact sums, sampling, and the layout of its parameters in a file. */
export interface Model<S extends Shape, P extends Shape, O> extends ScoringModel<S, P, O> {
  readonly statistic: Statistic<S>;
  /** Draws one row from p(x | c) into `row`. */
  sample(params: P, c: number, random: Generator, row: Float64Array): void;
  /** The layout of the parameters in a slim file; every built-in model has one. */
  readonly form?: Form<P, O>;
}

/** What the parameters of some features need from all features. */
export interface Whole {
  readonly features: number;
  /** By class: Σⱼ s[c,j]. */
  readonly totals: Float64Array;
}

/** ln p(xⱼ | c) of one row: per feature for those that are present, summed for those that are absent. */
export interface Terms {
  readonly features: Uint32Array;
  readonly terms: Float64Array; // terms[f * classes + c] belongs to features[f]
  readonly rest: Float64Array; // one per class
}

/** The terms of all features, from a function of feature and class; nothing remains. */
export function allTerms(classes: number, features: number, term: (j: number, c: number) => number): Terms {
  const terms = new Float64Array(features * classes);
  for (let j = 0; j < features; j++) for (let c = 0; c < classes; c++) terms[j * classes + c] = term(j, c);
  return { features: Uint32Array.from({ length: features }, (_, j) => j), terms, rest: new Float64Array(classes) };
}

/** Rows → statistic: the only pass over the data. */
export function count<S extends Shape>(statistic: Statistic<S>, batches: Batch | Iterable<Batch>): S {
  requireLike(statistic, 'a statistic such as sums', { empty: 'function', add: 'function' });
  requireKind(batches, 'a batch, or several', 'object');
  let stats: S | undefined;
  for (const batch of Symbol.iterator in batches ? batches : [batches]) {
    requireLike(batch, 'a batch as batch() makes it', { rows: 'number', features: 'number', y: 'list', w: 'list' });
    stats ??= statistic.empty(batch);
    statistic.add(stats, batch);
  }
  return stats ?? statistic.empty({ classes: 0, features: 0 });
}

/** Rows → ln p(c) + ln p(x | c), row by row. */
export function score<S extends Shape, P extends Shape, O>(model: Model<S, P, O>, params: P, rows: Rows): Float64Array {
  requireLike(model, 'a model such as multinomial', { score: 'function' });
  requireLike(params, 'the parameters that estimate returns', { classes: 'number', features: 'number' });
  requireLike(rows, 'rows as batch() makes them', { rows: 'number', features: 'number' });
  requireWidth(rows, params.features);
  const out = new Float64Array(rows.rows * params.classes);
  model.score(params, rows, out);
  return out;
}

/**
 * The kind of numbers in a parameter array, and thus what a file may contain: a `log` is a number or −∞, `odds` may
 * also be +∞, a `real` is finite, a `weight` is finite and not negative, a `scale` is above zero and may be infinite, a
 * `share` is between 0 and 1, a `place` is an integer ≥ −1. Logarithms and odds are added to the score directly, so
 * rounding them changes the score by no more than the rounding itself.
 */
export type Content = 'log' | 'odds' | 'real' | 'weight' | 'scale' | 'share' | 'place';

/**
 * The kind of an array and the length of each of its sides; without sides it is one number, `any` allows any length.
 */
export type Field = readonly [content: Content, ...sides: (Axis | number | 'any')[]];

/** Parameters as flat arrays. */
export type Packed = Readonly<Record<string, Float64Array>>;

/** The layout of a model's parameters in a slim file. */
export interface Form<P extends Shape, O> {
  /**
   * The arrays by name. Without `pack` they are the parameters with these names; an array without sides is one number.
   */
  readonly arrays: Readonly<Record<string, Field>> | ((shape: Shape) => Readonly<Record<string, Field>>);
  pack?(params: P): Packed;
  /** The inverse of `pack`, given arrays that were validated one by one; undefined if they are inconsistent. */
  unpack?(packed: Packed, shape: Shape, options: O): P | undefined;
}
