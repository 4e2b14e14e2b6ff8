import type { Moves, Statistic } from '../core/model.ts';
import { type Shape, toDense } from '../data/batch.ts';
import { levelOffsets } from './layout.ts';
import { type Multiset, multiset } from './multiset.ts';

/**
 * Values in context: for every class c and feature j, how often each value occurred with each combination of values of
 * the feature's parents,
 *
 *   w[c,j,u,v] = Σᵢ wᵢ [yᵢ = c, xᵢ at the parents of j = u, xᵢⱼ = v]                              (1)
 *
 * as a multiset of codes: the digits of a code are u₁, …, u_D and v, in mixed radix. Only codes that occurred are
 * stored, at 24 bytes per distinct code and at most one code per row and feature. A missing parent, and all parents
 * after it, have the digit Kᵤ, one past their levels; a missing value has no code. Parents are part of the shape;
 * without them every feature is independent and (1) is a histogram.
 */
export type Contexts = Multiset;

/** A code is an integer, exact below this. */
export const MOST_CODES: number = 2 ** 53;

/** The code layout of one feature. */
export interface Coding {
  readonly parents: readonly number[];
  /** The radix of each digit: levels + 1 for a parent, levels for the feature itself. */
  readonly radix: readonly number[];
}

/** The code layout of feature j. */
export function codingOf({ given, levels }: Shape, j: number): Coding {
  const own = given?.[j] ?? [];
  return { parents: own, radix: [...own.map((parent) => (levels?.[parent] ?? 0) + 1), levels?.[j] ?? 0] };
}

/** The number of possible codes. */
export function codesOf({ radix }: Coding): number {
  return radix.reduce((product, size) => product * size, 1);
}

/** The digits of a code, one per parent and then the value. */
export function digitsOf({ radix }: Coding, code: number, digits: Int32Array): Int32Array {
  for (let d = radix.length - 1; d >= 0; d--) {
    const rest = Math.floor(code / radix[d]);
    digits[d] = code - rest * radix[d];
    code = rest;
  }
  return digits;
}

/** The code of some digits: the inverse of `digitsOf`. */
export function codeOf({ radix }: Coding, digits: ArrayLike<number>): number {
  let code = 0;
  for (let d = 0; d < radix.length; d++) code = code * radix[d] + digits[d];
  return code;
}

/** Codes after levels have moved. */
function recode(from: Shape, to: Shape, { levels: places }: Moves): ((code: number, j: number) => number) | undefined {
  if (!places || !from.levels || !to.levels) return undefined;
  const [before, after] = [levelOffsets(from.levels), levelOffsets(to.levels)];
  const codings = Array.from(from.levels, (_, j) => [codingOf(from, j), codingOf(to, j)] as const);
  const digits = new Int32Array(from.features + 1);
  return (code, j) => {
    const [old, now] = codings[j];
    digitsOf(old, code, digits);
    for (let d = 0; d < old.radix.length; d++) {
      const feature = old.parents[d] ?? j;
      const missing = digits[d] === before[feature + 1] - before[feature];
      digits[d] = missing ? now.radix[d] - 1 : places[before[feature] + digits[d]] - after[feature];
      if (digits[d] < 0) return -1;
    }
    return codeOf(now, digits);
  };
}

/** Weights of values in the context of their parents, by class. */
export const contexts: Statistic<Contexts> = multiset<Contexts>({
  name: 'contexts',
  sparse: false,
  beside: 0,
  isValue(code, j, shape) {
    const coding = codingOf(shape, j);
    if (!Number.isInteger(code) || code < 0 || code >= codesOf(coding)) return false;
    const digits = digitsOf(coding, code, new Int32Array(coding.radix.length));
    const gap = coding.parents.findIndex((_, d) => digits[d] === coding.radix[d] - 1);
    return gap < 0 || coding.parents.every((_, d) => d < gap || digits[d] === coding.radix[d] - 1);
  },
  eachValue(batch, put) {
    const { rows, features } = batch;
    const { x } = toDense(batch);
    const codings = Array.from({ length: features }, (_, j) => codingOf(batch, j));
    for (let i = 0; i < rows; i++) {
      const row = i * features;
      for (let j = 0; j < features; j++) {
        const value = x[row + j];
        if (Number.isNaN(value)) continue;
        const { parents, radix } = codings[j];
        let [code, present] = [0, true];
        for (let d = 0; d < parents.length; d++) {
          const digit = x[row + parents[d]];
          present &&= !Number.isNaN(digit);
          code = code * radix[d] + (present ? digit : radix[d] - 1);
        }
        put(i, j, code * radix[parents.length] + value);
      }
    }
  },
  recode,
});
