import { trigamma } from '../math/gamma.ts';
import { digammaDifference, logGammaRatio } from '../math/gamma-ratio.ts';
import { solveInLog } from '../math/inverse.ts';
import { xlogy } from '../math/logs.ts';
import { firstFrom } from '../math/search.ts';
import type { Bursts } from '../stats/bursts.ts';
import { valuesOf } from '../stats/multiset.ts';
import { combineRuns, plainWeights, type Run, wholeRun } from '../stats/runs.ts';

/** A multiset of numbers: each value with the weight of the documents in which it occurred. */
export interface Counts {
  readonly values: Float64Array;
  readonly weights: Float64Array;
}

/** Words with the same counts: they share one parameter. */
interface Kind extends Counts {
  /** The number of words of this kind. */
  readonly size: number;
  /** Σᵢ wᵢ xᵢⱼ and Σᵢ wᵢ [xᵢⱼ > 0]. */
  readonly total: number;
  readonly documents: number;
}

/** The documents of a class for fitting an urn: counts of its words, and lengths. */
export interface Bag {
  /** The words that occurred, and the kind of each. */
  readonly words: Uint32Array;
  readonly kindOf: Uint32Array;
  readonly kinds: readonly Kind[];
  readonly lengths: Counts;
}

/** The bag of every class, or of all classes but that one. */
export function bagsOf(stats: Bursts, complement: boolean): Bag[] {
  const runs = classRuns(stats);
  if (!complement) return runs.map((run) => bagOf(run, stats.features));
  const all = runs.reduce((sum, run) => combineRuns(plainWeights, sum, run, 1), wholeRun(plainWeights, []));
  return runs.map((run) => bagOf(combineRuns(plainWeights, all, run, -1), stats.features));
}

/** The lengths of the documents of every class. */
export function lengthsOf(stats: Bursts): Counts[] {
  return classRuns(stats).map(({ cells, values, weights }) => {
    const end = firstFrom(cells, stats.features);
    return { values: values.slice(end), weights: weights.slice(end) };
  });
}

/** The counts of every class, by word. */
function classRuns(stats: Bursts): Run<Float64Array>[] {
  const width = stats.features + 1;
  const { cells, values, weights } = valuesOf(stats);
  return Array.from({ length: stats.classes }, (_, c) => {
    const [from, to] = [firstFrom(cells, c * width), firstFrom(cells, (c + 1) * width)];
    return {
      cells: cells.subarray(from, to).map((cell) => cell - c * width),
      values: values.subarray(from, to),
      weights: weights.subarray(from, to),
    };
  });
}

/**
 * Gathers the words of a run into kinds. Kinds stand in an order of their own, whatever the order of the columns, so that
 * a fit gives the same bits for permuted columns. Most words of a text are rare: a class has far fewer kinds than words.
 */
function bagOf({ cells, values, weights }: Run<Float64Array>, features: number): Bag {
  const end = firstFrom(cells, features);
  const names: string[] = [];
  const words: number[] = [];
  const found = new Map<string, { from: number; to: number; size: number }>();
  for (let from = 0, to = 0; from < end; from = to) {
    let name = '';
    while (to < end && cells[to] === cells[from]) name += `${values[to]}×${weights[to++]} `;
    words.push(cells[from]);
    names.push(name);
    const kind = found.get(name);
    if (kind) kind.size++;
    else found.set(name, { from, to, size: 1 });
  }
  const order = [...found.keys()].sort();
  const place = new Map(order.map((name, k) => [name, k]));
  const kinds = order.map((name) => {
    const { from, to, size } = found.get(name)!;
    const counts = { values: values.slice(from, to), weights: weights.slice(from, to) };
    return { ...counts, size, total: sumOver(counts, (v) => v), documents: sumOver(counts, () => 1) };
  });
  return {
    words: Uint32Array.from(words),
    kindOf: Uint32Array.from(names, (name) => place.get(name)!),
    kinds,
    lengths: { values: values.slice(end), weights: weights.slice(end) },
  };
}

/** Σ w f(v) over the values of a multiset. */
function sumOver({ values, weights }: Counts, term: (value: number) => number): number {
  let sum = 0;
  for (let k = 0; k < values.length; k++) sum += weights[k] * term(values[k]);
  return sum;
}

/** How an urn is fitted to documents. */
export type UrnMethod = 'fixed-point' | 'newton' | 'leave-one-out' | 'edcm';

/** The stopping rules of a fit. */
export interface UrnFitOptions {
  readonly method: UrnMethod;
  /** The largest precision s; beyond it an urn is indistinguishable from a die. */
  readonly cap: number;
  readonly maxIter: number;
  /** A fit ends when no parameter changes by more than this share. */
  readonly tol: number;
  /** Called with the objective after every step. */
  readonly onStep?: (objective: number) => void;
}

/** An urn: one parameter for each kind of words. */
export interface UrnFit {
  readonly alpha: Float64Array;
  /** s = Σⱼ αⱼ. */
  readonly precision: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** 'dcm', or its form for small parameters 'edcm'; a class without burstiness is a 'multinomial' at the cap. */
  readonly form: 'dcm' | 'edcm' | 'multinomial';
}

/** What remains of a count when one is left out; of less than one, nothing. */
const rest = (count: number) => Math.max(0, count - 1);

/** s = Σⱼ αⱼ. */
function precisionOf(kinds: readonly Kind[], alpha: Float64Array): number {
  return kinds.reduce((sum, { size }, k) => sum + size * alpha[k], 0);
}

/** (1), without the multinomial coefficients. */
export function urnLogLikelihood({ kinds, lengths }: Bag, alpha: Float64Array, s: number): number {
  const start = -sumOver(lengths, (n) => logGammaRatio(s, n));
  return kinds.reduce((sum, kind, k) => sum + kind.size * sumOver(kind, (v) => logGammaRatio(alpha[k], v)), start);
}

/** Σᵢ wᵢ [Σⱼ xᵢⱼ ln(xᵢⱼ − 1 + αⱼ) − nᵢ ln(nᵢ − 1 + s)]: each word foretold by the others of its document. */
export function leaveOneOutObjective({ kinds, lengths }: Bag, alpha: Float64Array, s: number): number {
  const start = -sumOver(lengths, (n) => n * Math.log(rest(n) + s));
  return kinds.reduce((sum, kind, k) => sum + kind.size * sumOver(kind, (v) => xlogy(v, rest(v) + alpha[k])), start);
}

/** Σᵢ wᵢ [Σ{j: xᵢⱼ > 0} ln βⱼ/xᵢⱼ − lnΓ(nᵢ + s) + lnΓ(s)], without nᵢ!. */
function edcmLogLikelihood({ kinds, lengths }: Bag, beta: Float64Array, s: number): number {
  const start = -sumOver(lengths, (n) => logGammaRatio(s, n));
  return kinds.reduce((sum, kind, k) => sum + kind.size * sumOver(kind, (v) => Math.log(beta[k] / v)), start);
}

const FEW = 16;

/** ψ′(x) − ψ′(x + n); as a sum for few whole steps, where the difference would lose digits. */
function trigammaDifference(x: number, n: number): number {
  if (n > FEW || !Number.isInteger(n)) return trigamma(x) - trigamma(x + n);
  let sum = 0;
  for (let k = 0; k < n; k++) sum += 1 / (x + k) ** 2;
  return sum;
}

/** Documents that repeat one word each pull s to zero; at this value a second word is practically impossible. */
export const LEAST_PRECISION = 1e-6;

/**
 * Fits an urn to a bag.
 *
 *   ℓ(α) = Σᵢ wᵢ [lnΓ(s) − lnΓ(nᵢ + s) + Σⱼ lnΓ(xᵢⱼ + αⱼ) − lnΓ(αⱼ)],  s = Σⱼ αⱼ               (1)
 *
 * For s → ∞ at αⱼ/s = mⱼ = Σᵢ xᵢⱼ / Σᵢ nᵢ, (1) is that of the multinomial plus D/2s with
 *
 *   D = Σⱼ Σᵢ wᵢ xᵢⱼ(xᵢⱼ − 1)/mⱼ − Σᵢ wᵢ nᵢ(nᵢ − 1)                                            (2)
 *
 * so that without an excess of repetitions, D ≤ 0, the multinomial is the answer. Minka, Estimating a Dirichlet
 * Distribution (2000), eq. 55 (fixed point), 61–65 (leave-one-out), 105–108 (start and EDCM).
 */
export function fitUrn(bag: Bag, options: UrnFitOptions): UrnFit {
  const { method, cap, onStep } = options;
  if (bag.kinds.length === 0) return { ...ended(new Float64Array(0), 0, 0, true), form: 'multinomial' };
  const precision = edcmPrecision(bag, cap);
  const bursting = method === 'edcm' ? precision < cap : excess(bag) > 0;
  if (!bursting) return multinomialAt(bag, cap);
  // near s = 0 the two forms coincide, and there is nothing to optimise
  if (method === 'edcm' || precision === LEAST_PRECISION) {
    const alpha = shares(bag.kinds, ({ documents }) => documents, precision);
    onStep?.(edcmLogLikelihood(bag, alpha, precision));
    return { ...ended(alpha, precision, 1, true), form: method === 'edcm' ? 'edcm' : 'dcm' };
  }
  const start = shares(bag.kinds, ({ total }) => total, precision);
  const fit = method === 'newton' ? climbByNewton(bag, start, options) : climbByRatios(bag, start, options);
  if (fit.precision > cap) return { ...multinomialAt(bag, cap), iterations: fit.iterations };
  if (fit.precision >= LEAST_PRECISION) return fit;
  const alpha = fit.alpha.map((a) => Math.max((a / fit.precision) * LEAST_PRECISION, LEAST_ALPHA));
  return { ...ended(alpha, LEAST_PRECISION, fit.iterations, true), form: 'dcm' };
}

function ended(alpha: Float64Array, precision: number, iterations: number, converged: boolean) {
  return { alpha, precision, iterations, converged };
}

function multinomialAt({ kinds }: Bag, cap: number): UrnFit {
  const alpha = shares(kinds, ({ total }) => total, cap);
  return { ...ended(alpha, cap, 0, true), form: 'multinomial' };
}

/** No parameter is smaller: its square, by which its trigamma function divides, is still a number. */
const LEAST_ALPHA = 1e-150;

/** s · m with m proportional to some number of each kind. */
function shares(kinds: readonly Kind[], of: (kind: Kind) => number, s: number): Float64Array {
  const all = kinds.reduce((sum, kind) => sum + kind.size * of(kind), 0);
  return Float64Array.from(kinds, (kind) => Math.max(s * (of(kind) / all), LEAST_ALPHA));
}

/** The rounding of (2), as a share of its terms: documents of one word give D = 0 but for that. */
const ROUNDING = 1e-12;

/** D of (2), zero where it is only rounding. */
function excess({ kinds, lengths }: Bag): number {
  const all = kinds.reduce((sum, { size, total }) => sum + size * total, 0);
  const repeats = kinds.reduce((sum, kind) => {
    return sum + (kind.size * all * sumOver(kind, (v) => v * (v - 1))) / kind.total;
  }, 0);
  const expected = sumOver(lengths, (n) => n * (n - 1));
  return repeats - expected <= ROUNDING * Math.abs(expected) ? 0 : repeats - expected;
}

/**
 * The s with s Σᵢ wᵢ [ψ(nᵢ + s) − ψ(s)] = Σᵢ wᵢ Kᵢ, Kᵢ distinct words (Minka 2000, eq. 108). The left side grows with s from the number of
 * documents to the number of words; outside this range the result is a bound of s.
 */
export function edcmPrecision({ kinds, lengths }: Bag, cap: number): number {
  const distinct = kinds.reduce((sum, { size, documents }) => sum + size * documents, 0);
  const lack = (s: number) => s * sumOver(lengths, (n) => digammaDifference(s, n)) - distinct;
  if (!(lack(cap) > ROUNDING * distinct)) return cap;
  if (!(lack(LEAST_PRECISION) < -ROUNDING * distinct)) return LEAST_PRECISION;
  const s = solveInLog(distinct / lengths.values.length, cap, (x) => {
    const value = lack(x);
    const slope = value + distinct - x * x * sumOver(lengths, (n) => trigammaDifference(x, n));
    return [value / distinct, slope / distinct];
  });
  return Math.min(cap, Math.max(LEAST_PRECISION, s));
}

/**
 * α ← α · a(α)/b(s), both of whose sides come from a bound on the objective, so that it rises with every step:
 *
 *   a = Σᵢ wᵢ [ψ(xᵢⱼ + αⱼ) − ψ(αⱼ)],     b = Σᵢ wᵢ [ψ(nᵢ + s) − ψ(s)]         for the likelihood           (3)
 *   a = Σᵢ wᵢ xᵢⱼ/(xᵢⱼ − 1 + αⱼ),        b = Σᵢ wᵢ nᵢ/(nᵢ − 1 + s)            for leaving out a word        (4)
 *
 * (4) may drive a word to zero that never occurs alone in a document; below COLLAPSED it counts as unseen and is smoothed like any unseen
 * word. A count below one is left out as a whole.
 */
function climbByRatios(bag: Bag, start: Float64Array, { method, cap, maxIter, tol, onStep }: UrnFitOptions): UrnFit {
  const loo = method === 'leave-one-out';
  const ratio = loo ? (v: number, a: number) => v / (rest(v) + a) : (v: number, a: number) => digammaDifference(a, v);
  const objective = loo ? leaveOneOutObjective : urnLogLikelihood;
  let alpha = start;
  let s = precisionOf(bag.kinds, alpha);
  for (let step = 1; step <= maxIter; step++) {
    const below = sumOver(bag.lengths, (n) => ratio(n, s));
    let change = 0;
    alpha = alpha.map((a, k) => {
      if (a === 0) return 0;
      const next = (a * sumOver(bag.kinds[k], (v) => ratio(v, a))) / below;
      change = Math.max(change, Math.abs(next - a) / a);
      return next < COLLAPSED * s ? 0 : next;
    });
    s = precisionOf(bag.kinds, alpha);
    onStep?.(objective(bag, alpha, s));
    if (change <= tol || s > cap || s < LEAST_PRECISION) return { ...ended(alpha, s, step, true), form: 'dcm' };
  }
  return { ...ended(alpha, s, maxIter, false), form: 'dcm' };
}

const COLLAPSED = 1e-12;

const FIRST_DAMPING = 0.1;
const LEAST_DAMPING = 1e-30;
const LAST_DAMPING = 1e6;

/**
 * Newton's method on the likelihood of an urn. The Hessian is diag(q) + z 11ᵀ, so that a step costs no more than a sum:
 *
 *   α ← α − (g − b)/q,   b = (Σⱼ gⱼ/qⱼ) / (1/z + Σⱼ 1/qⱼ)                                        (1)
 *   gⱼ = Σᵢ wᵢ [ψ(s) − ψ(nᵢ + s) + ψ(xᵢⱼ + αⱼ) − ψ(αⱼ)]
 *   qⱼ = Σᵢ wᵢ [ψ′(xᵢⱼ + αⱼ) − ψ′(αⱼ)] − λ,   z = Σᵢ wᵢ [ψ′(s) − ψ′(nᵢ + s)]
 *
 * all per document. A step is taken only if every α stays positive and the likelihood does not fall; λ then shrinks, and
 * grows otherwise. Minka, Estimating a Dirichlet Distribution (2000), eq. 56–60, with the damping of his fastfit.
 */
function climbByNewton(bag: Bag, start: Float64Array, { cap, maxIter, tol, onStep }: UrnFitOptions): UrnFit {
  let alpha = start;
  let s = precisionOf(bag.kinds, alpha);
  let logLikelihood = urnLogLikelihood(bag, alpha, s);
  let damping = FIRST_DAMPING;
  let iterations = 0;
  let change = Infinity;
  while (iterations < maxIter && change > tol && damping <= LAST_DAMPING && s <= cap) {
    const curve = curvature(bag, alpha, s);
    for (let taken = false; !taken && damping <= LAST_DAMPING && change > tol; ) {
      const next = newtonStep(bag, alpha, curve, damping);
      const total = precisionOf(bag.kinds, next);
      const positive = next.every((a) => a > 0);
      const value = positive ? urnLogLikelihood(bag, next, total) : -Infinity;
      taken = value >= logLikelihood;
      // If rounding decides whether the likelihood increases, the rejected step is already too short to matter.
      if (taken || positive) change = largestChange(alpha, next);
      damping = taken ? Math.max(damping / 10, LEAST_DAMPING) : damping * 10;
      if (taken) [alpha, s, logLikelihood] = [next, total, value];
    }
    iterations++;
    onStep?.(logLikelihood);
  }
  return { alpha, precision: s, iterations, converged: change <= tol, form: 'dcm' };
}

interface Curvature {
  readonly gradient: Float64Array;
  readonly diagonal: Float64Array;
  readonly common: number;
}

function curvature({ kinds, lengths }: Bag, alpha: Float64Array, s: number): Curvature {
  const documents = sumOver(lengths, () => 1);
  const pull = sumOver(lengths, (n) => digammaDifference(s, n));
  return {
    gradient: alpha.map((a, k) => (sumOver(kinds[k], (v) => digammaDifference(a, v)) - pull) / documents),
    diagonal: alpha.map((a, k) => -sumOver(kinds[k], (v) => trigammaDifference(a, v)) / documents),
    common: sumOver(lengths, (n) => trigammaDifference(s, n)) / documents,
  };
}

function newtonStep({ kinds }: Bag, alpha: Float64Array, curve: Curvature, damping: number): Float64Array {
  const { gradient, diagonal, common } = curve;
  let [upper, lower] = [0, 1 / common];
  for (let k = 0; k < alpha.length; k++) {
    const q = diagonal[k] - damping;
    upper += (kinds[k].size * gradient[k]) / q;
    lower += kinds[k].size / q;
  }
  const b = upper / lower;
  return alpha.map((a, k) => a - (gradient[k] - b) / (diagonal[k] - damping));
}

function largestChange(from: Float64Array, to: Float64Array): number {
  return from.reduce((most, a, k) => Math.max(most, Math.abs(to[k] - a) / a), 0);
}
