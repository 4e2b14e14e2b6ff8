import { sum } from '../math/arrays.ts';

/** How features distinguish every class from the others; class-major. */
export interface Telling {
  /** How strongly feature j indicates class c, in nats; negative values indicate against it. */
  readonly nats: Float64Array;
  /**
   * ln of the odds ratio of the feature (or of its most telling level) between class c and the others; NaN for
   * measurements.
   */
  readonly logOdds: Float64Array;
}

interface Size {
  readonly classes: number;
  readonly features: number;
}

/** Allocates arrays for the features of a model. */
export function emptyTelling({ classes, features }: Size): Telling {
  const cells = classes * features;
  return { nats: new Float64Array(cells), logOdds: new Float64Array(cells).fill(Number.NaN) };
}

/**
 * Returns a function that computes the mean over the other classes, Σ{c' ≠ c} p(c') v[c'] / Σ{c' ≠ c} p(c'), or v[c]
 * itself if there are no others. It sums from both ends, because subtracting one class from the total would cancel. The
 * returned array is overwritten by the next call.
 */
export function othersBy(priors: Float64Array): (values: Float64Array) => Float64Array {
  const sumOthers = (value: (c: number) => number, out: Float64Array) => {
    let [before, after] = [0, 0];
    for (let c = 0; c < out.length; c++) {
      out[c] = before;
      before += value(c);
    }
    for (let c = out.length - 1; c >= 0; c--) {
      out[c] += after;
      after += value(c);
    }
  };
  const masses = new Float64Array(priors.length);
  sumOthers((c) => priors[c], masses);
  const rest = new Float64Array(priors.length);
  return (values) => {
    sumOthers((c) => priors[c] * values[c], rest);
    for (let c = 0; c < rest.length; c++) rest[c] = masses[c] > 0 ? rest[c] / masses[c] : values[c];
    return rest;
  };
}

/** The divergence and log-ratio between every class and the others, for features with one parameter per class. */
export function tellingBy(
  { classes, features }: Size,
  logPrior: Float64Array,
  parameter: (c: number, j: number) => number,
  divergence: (own: number, rest: number) => number = rateDivergence,
  logRatio: (own: number, rest: number) => number = logOf,
): Telling {
  const others = othersBy(logPrior.map(Math.exp));
  const own = new Float64Array(classes);
  const telling = emptyTelling({ classes, features });
  for (let j = 0; j < features; j++) {
    for (let c = 0; c < classes; c++) own[c] = parameter(c, j);
    const rest = others(own);
    for (let c = 0; c < classes; c++) {
      telling.nats[c * features + j] = divergence(own[c], rest[c]);
      telling.logOdds[c * features + j] = logRatio(own[c], rest[c]);
    }
  }
  return telling;
}

/** p ln(p / q), with 0 ln 0 = 0: the contribution of one category to the divergence. */
export function divergenceAt(p: number, q: number): number {
  return p === 0 ? 0 : p * Math.log(p / q);
}

/**
 * The divergence of two rates, λ ln(λ / r) − λ + r ≥ 0, negated where events are rarer than elsewhere. Summed over all
 * categories it is the divergence of the distributions, as is Σ p ln(p / q); but p ln(p / q) alone is large for every
 * frequent category, and this is not.
 */
export function rateDivergence(own: number, rest: number): number {
  return Math.sign(own - rest) * Math.max(0, divergenceAt(own, rest) - own + rest);
}

/** The divergence of two Bernoulli distributions, negated where success is rarer than elsewhere. */
export function coinDivergence(own: number, rest: number): number {
  const divergence = divergenceAt(own, rest) + divergenceAt(1 - own, 1 - rest);
  return Math.sign(own - rest) * Math.max(0, divergence);
}

const logOf = (own: number, rest: number): number => (own === rest ? 0 : Math.log(own / rest));

/** ln of the ratio of two odds. */
export const logOddsRatio = (own: number, rest: number): number =>
  own === rest ? 0 : Math.log(own / (1 - own)) - Math.log(rest / (1 - rest));

/**
 * How words distinguish a class from all others together. The shares of a word are smoothed towards its overall share,
 * as under an informative Dirichlet prior with a weight of one word per feature (Monroe, Colaresi & Quinn, Fightin'
 * Words, 2008, §3.3),
 *
 *   θ[c,j] = (s[c,j] + p[j] D) / (Σⱼ s[c,j] + D),   p[j] = Σ_c s[c,j] / Σ s,   D features                      (1)
 *
 * and likewise for the sums of the other classes. A uniform prior would make frequent words look typical of the larger
 * classes.
 */
export function wordTelling({ classes, features, s }: Size & { readonly s: Float64Array }): Telling {
  const telling = emptyTelling({ classes, features });
  const words = new Float64Array(features);
  for (let c = 0; c < classes; c++) for (let j = 0; j < features; j++) words[j] += s[c * features + j];
  const all = sum(words);
  for (let c = 0; c < classes; c++) {
    const own = sum(s, c * features, features);
    const others = Math.max(0, all - own);
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      const prior = all > 0 ? (words[j] / all) * features : 1;
      const share = (s[cell] + prior) / (own + features);
      const rest = classes > 1 ? (Math.max(0, words[j] - s[cell]) + prior) / (others + features) : share;
      telling.nats[cell] = rateDivergence(share, rest);
      telling.logOdds[cell] = share === rest ? 0 : Math.log(share / rest);
    }
  }
  return telling;
}
