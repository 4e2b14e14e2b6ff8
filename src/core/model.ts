import { requireKind, requireLike } from '../data/arguments.ts';
import type { Batch, Rows, Shape } from '../data/batch.ts';
import { requireWidth } from '../data/input.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { ExactSum } from '../math/exact.ts';
import type { Generator } from '../math/generator.ts';

/**
 * The directions in which the array of a statistic extends. `gaps` is as long as the features where cells may be missing
 * and empty otherwise; `triangle` holds the pairs of features j ≥ k.
 */
export type Axis = 'classes' | 'features' | 'levels' | 'gaps' | 'triangle';

/** Where each old class, feature or level stands in a new shape; an axis that is not named stays as it is. */
export interface Moves {
  readonly classes?: Int32Array;
  readonly features?: Int32Array;
  readonly levels?: Int32Array;
  /** Pairs of features, which a statistic of pairs works out from the features. */
  readonly triangle?: Int32Array;
  readonly parts?: Readonly<Record<string, Moves>>;
}

/** What sums are multiplied by: one number, or one per class. */
export type Factor = number | Float64Array;

/**
 * A countable thing: sums over rows that can be added, taken away, weakened and put into a larger shape.
 * `empty` is the identity of `merge`, and `merge` is associative and commutative.
 */
export interface Statistic<S extends Shape> {
  readonly name: string;
  /** The arrays of the statistic with their axes: what files, engines and threads carry. */
  readonly arrays: Readonly<Record<string, readonly Axis[]>>;
  /** The arrays that hold plain counts: never negative, exact up to 2^53 − 1. */
  readonly counts: readonly string[];
  /** Whether sparse rows are counted in time proportional to their non-zero cells. */
  readonly sparse: boolean;
  empty(shape: Shape): S;
  add(stats: S, batch: Batch): void;
  merge(to: S, from: S): void;
  /** The inverse of `merge`: refuses with E_UNLEARN_UNDERFLOW, before anything is changed, to take away more than is there. */
  subtract(from: S, what: S): void;
  /** Multiplies all mass by a factor (forgetting), or the mass of each class by a factor of its own (class weights). */
  scale(stats: S, factor: Factor): void;
  /** The same counts in another shape. */
  reshape(stats: S, shape: Shape, moves: Moves): S;
  /**
   * The statistic as the arrays of a model file, where `arrays` alone cannot tell their lengths: a multiset grows with its
   * rows. Equal statistics give equal arrays, whatever the order in which they were counted.
   */
  toArrays?(stats: S): Readonly<Record<string, Tensor>>;
  /** The inverse of `toArrays`: trusts nothing, and refuses arrays that are not its own with E_MODEL_CORRUPT. */
  fromArrays?(shape: Shape, arrays: Readonly<Record<string, Tensor>>): S;
  /** Where a statistic is made of parts, each with a shape of its own: the statistic of one of them. */
  part?(name: string): Omit<Statistic<never>, 'exact'>;
  /** The same statistic with sums that do not depend on the order of the rows, at a price in time and memory. */
  readonly exact: ExactTwin<S>;
}

/** Sums kept without rounding: each cell is a number, or a list of numbers whose exact total is the sum. */
export interface ExactStats extends Shape {
  readonly cells: Readonly<Record<string, ExactSum[]>>;
}

/** A statistic in exact arithmetic, and the way back to plain numbers. */
export interface ExactTwin<S extends Shape> extends Omit<Statistic<ExactStats>, 'exact'> {
  round(stats: ExactStats): S;
}

/** What of a model classifies: which statistic it needs, how to estimate parameters from it, how to score with them. */
export interface ScoringModel<S extends Shape, P extends Shape, O> {
  readonly name: string;
  readonly statistic: Omit<Statistic<S>, 'exact'>;
  /** Statistic → parameters, under a prior. */
  estimate(stats: S, options: O): P;
  /**
   * The parameters of some features alone, as `estimate` gives them; undefined where the options ask for more than sums. Who asks for
   * each row anew lends the room for the weights.
   */
  estimatePart?(part: S, whole: Whole, options: O, room?: Float64Array): P | undefined;
  /** out[i,c] = ln p(c) + ln p(xᵢ | c). */
  score(params: P, rows: Rows, out: Float64Array): void;
  /** ln p(c) by class: the first term of every score. */
  logPrior(params: P): Float64Array;
  /** The terms that make up the score of row i, feature by feature. */
  terms(params: P, rows: Rows, i: number): Terms;
}

/** A classifier without state: what classifies, exact sums, samples, and how its parameters lie in a file. */
export interface Model<S extends Shape, P extends Shape, O> extends ScoringModel<S, P, O> {
  readonly statistic: Statistic<S>;
  /** Draws one row from p(x | c) into `row`. */
  sample(params: P, c: number, random: Generator, row: Float64Array): void;
  /** How the parameters lie in a file that keeps nothing else; every model of the house has one. */
  readonly form?: Form<P, O>;
}

/** What the parameters of some features need to know of all of them. */
export interface Whole {
  readonly features: number;
  /** By class: Σⱼ s[c,j]. */
  readonly totals: Float64Array;
}

/** ln p(xⱼ | c) of one row: for the features that speak, and summed over those that are merely absent. */
export interface Terms {
  readonly features: Uint32Array;
  readonly terms: Float64Array; // terms[f * classes + c] belongs to features[f]
  readonly rest: Float64Array; // one per class
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
 * What the numbers of an array of parameters are, and so what a file may hold in their place:
 * a `log` is a number or −∞, `odds` may also be +∞, a `real` is finite, a `weight` finite and not negative, a `scale` above
 * zero and perhaps infinite, a `share` between 0 and 1, a `place` a whole number from −1 on.
 * Logarithms and odds are added up to the score as they are, so that rounding them costs no more than it takes.
 */
export type Content = 'log' | 'odds' | 'real' | 'weight' | 'scale' | 'share' | 'place';

/** What an array holds, and how long each of its sides is; without sides it is one number, `any` is as long as it comes. */
export type Field = readonly [content: Content, ...sides: (Axis | number | 'any')[]];

/** Parameters as flat arrays. */
export type Packed = Readonly<Record<string, Float64Array>>;

/** How the parameters of a model lie in a file that keeps nothing else. */
export interface Form<P extends Shape, O> {
  /** The arrays by name. Without `pack` they are the parameters of these names, one number for an array without sides. */
  readonly arrays: Readonly<Record<string, Field>> | ((shape: Shape) => Readonly<Record<string, Field>>);
  pack?(params: P): Packed;
  /** The inverse of `pack` over arrays that were checked one by one; undefined where they do not fit together. */
  unpack?(packed: Packed, shape: Shape, options: O): P | undefined;
}
