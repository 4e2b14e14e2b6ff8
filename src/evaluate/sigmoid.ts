import { flag, type GivenOptions, type OptionSpec, readOptions, real, weightOption } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { sum } from '../math/arrays.ts';
import { logistic, softplus } from '../math/logs.ts';
import { readColumn, type Scores } from './scores.ts';
import { positiveOption } from './targets.ts';
import { type Ranked, readRanked } from './thresholds.ts';

/** p = 1 / (1 + exp(a s + b)); a is negative where higher scores mean more positives. */
export interface Sigmoid {
  readonly a: number;
  readonly b: number;
}

/** The option `increasing`. */
export const increasingOption = {
  /** Never let a higher score mean a lower probability. Default: false. */
  increasing: flag({ default: false }),
} satisfies OptionSpec;

/** The option `prior`. */
export const priorOption = {
  /** Strength of the prior around the identity, for scores that are log-odds; 0 is no prior. Default: 0. */
  prior: real({ default: 0, min: 0 }),
} satisfies OptionSpec;

const spec = { ...positiveOption, ...weightOption, ...increasingOption, ...priorOption } satisfies OptionSpec;

/** Options of `fitSigmoid`. The defaults give scikit-learn's numbers. */
export type SigmoidOptions = GivenOptions<typeof spec>;

/** Which class is positive, and the weight of each row. */
export type CalibratorOptions = Pick<SigmoidOptions, 'posLabel' | 'sampleWeight'>;

/** Constraints and prior of a fit. */
export type ShrinkOptions = Pick<SigmoidOptions, 'increasing' | 'prior'>;

const MAX_STEPS = 100;

/**
 * Standardised scores s = (score − mean) / spread, so that a = a′ / spread and b = b′ − a′ mean / spread are the parameters for
 * the scores themselves. The prior is on those.
 */
interface Problem {
  readonly s: Float64Array;
  readonly target: Float64Array;
  readonly w: Float64Array;
  readonly mean: number;
  readonly spread: number;
  readonly prior: number;
}

/** The parameters for scores that were not standardised. */
function unscaled({ a, b }: Sigmoid, { mean, spread }: Problem): Sigmoid {
  return { a: a / spread, b: b - (a * mean) / spread };
}

/** Σ w (softplus z − t z) with z = −(a s + b), plus prior · ((a + 1)² + b²) of the unscaled parameters. */
function loss(problem: Problem, at: Sigmoid): number {
  const { s, target, w, prior } = problem;
  const { a, b } = unscaled(at, problem);
  let total = prior * ((a + 1) ** 2 + b * b);
  for (let i = 0; i < s.length; i++) {
    const z = -(at.a * s[i] + at.b);
    total += w[i] * (softplus(z) - target[i] * z);
  }
  return total;
}

/** One Newton step. A ridge far below the curvature keeps it defined where the loss is flat. */
function newtonStep(problem: Problem, at: Sigmoid): { step: Sigmoid; decrease: number } {
  const { s, target, w, mean, spread, prior } = problem;
  const own = unscaled(at, problem);
  let ga = (2 * prior * (own.a + 1 - own.b * mean)) / spread;
  let gb = 2 * prior * own.b;
  let haa = (2 * prior * (1 + mean * mean)) / (spread * spread);
  let hab = (-2 * prior * mean) / spread;
  let hbb = 2 * prior;
  for (let i = 0; i < s.length; i++) {
    const p = logistic(-(at.a * s[i] + at.b));
    const slope = w[i] * (target[i] - p);
    const curvature = w[i] * p * (1 - p);
    ga += slope * s[i];
    gb += slope;
    haa += curvature * s[i] * s[i];
    hab += curvature * s[i];
    hbb += curvature;
  }
  const ridge = 1e-14 * (haa + hbb) + Number.MIN_VALUE;
  const determinant = (haa + ridge) * (hbb + ridge) - hab * hab;
  const step = {
    a: -((hbb + ridge) * ga - hab * gb) / determinant,
    b: -((haa + ridge) * gb - hab * ga) / determinant,
  };
  return { step, decrease: -(ga * step.a + gb * step.b) };
}

const along = ({ a, b }: Sigmoid, step: Sigmoid, size: number) => ({ a: a + size * step.a, b: b + size * step.b });

/**
 * Newton's method with backtracking (Lin, Lin & Weng, Mach. Learn. 68 (2007)). Near the optimum the loss no longer resolves
 * the steps but the gradient does: there, full steps are taken while the predicted decrease shrinks.
 */
function minimise(problem: Problem, start: Sigmoid): Sigmoid {
  let best = start;
  let least = loss(problem, start);
  let previous = Infinity;
  for (let round = 0; round < MAX_STEPS; round++) {
    const { step, decrease } = newtonStep(problem, best);
    if (decrease <= 1e-8 * least) {
      if (!(decrease < previous)) return best;
      previous = decrease;
      best = along(best, step, 1);
      continue;
    }
    let size = 1;
    while (size > 1e-10 && !(loss(problem, along(best, step, size)) <= least)) size /= 2;
    best = along(best, step, size);
    least = loss(problem, best);
  }
  return best;
}

/**
 * Platt's scaling: the a and b that minimise
 *
 *   Σ w (−t ln p − (1 − t) ln(1 − p)) + prior · ((a + 1)² + b²),   p = 1 / (1 + exp(a s + b))                  (1)
 *   t = (N₊ + 1) / (N₊ + 2) for positives, 1 / (N₋ + 2) for negatives                                         (2)
 *
 * where N₊ and N₋ are the weights of the two kinds. The prior is centred on a = −1, b = 0, which leaves log-odds as they are;
 * without it the fit is scikit-learn's. With `increasing`, a ≤ 0: the loss is convex, so if its minimum has a > 0 the best
 * admissible a is 0. Without `increasing`, scores that rank rows the wrong way round are inverted, as in scikit-learn.
 *
 * Scores are standardised for the search, so that log-odds of thousands do not stall it. If all scores are equal and there
 * is no prior, a is undetermined; the result is then the one nearest to (0, ln((N₋ + 1) / (N₊ + 1))), from where scikit-learn
 * starts. Platt (1999); Lin, Lin & Weng (2007).
 */
export function fitSigmoid(scores: Scores, y: ArrayLike<Label>, options: SigmoidOptions = {}): Sigmoid {
  const read = readOptions('fitSigmoid', spec, options);
  return fitSigmoidTo(readRanked(y, scores, read.posLabel, read.sampleWeight), read);
}

/** Platt's scaling of checked rows. */
export function fitSigmoidTo({ positive, score, weights }: Ranked, options: ShrinkOptions = {}): Sigmoid {
  const { increasing = false, prior = 0 } = options;
  const positives = sum(weights.filter((_, i) => positive[i] === 1));
  const negatives = sum(weights.filter((_, i) => positive[i] === 0));
  const [high, low] = [(positives + 1) / (positives + 2), 1 / (negatives + 2)];
  const target = Float64Array.from(positive, (mark) => (mark ? high : low));
  const start = { a: 0, b: Math.log((negatives + 1) / (positives + 1)) };
  const total = sum(weights);
  const mean = sum(score.map((value, i) => (weights[i] / total) * value));
  const spread = Math.sqrt(sum(score.map((value, i) => (weights[i] / total) * (value - mean) ** 2)));
  const equal = !(spread > 1e-15 * Math.abs(mean));
  const scale = equal ? 1 : spread;
  const s = score.map((value) => (equal ? 0 : (value - mean) / scale));
  const problem: Problem = { s, target, w: weights, mean, spread: scale, prior };
  let fit: Sigmoid;
  if (equal && prior === 0) {
    const share = sum(target.map((t, i) => t * weights[i])) / total;
    fit = nearestFor(score[0], Math.log(share / (1 - share)), start.b);
  } else fit = unscaled(minimise(problem, start), problem);
  if (!increasing || fit.a <= 0) return fit;
  // With scores and mean of zero, b no longer depends on a.
  return { a: 0, b: minimise({ ...problem, s: new Float64Array(s.length), mean: 0 }, start).b };
}

/** The (a, b) nearest to (0, b₀) that gives the one score the log-odds z, in scores brought below 30. */
function nearestFor(score: number, z: number, b: number): Sigmoid {
  const scale = Math.abs(score) >= 30 ? Math.abs(score) : 1;
  const move = -(z + b) / ((score / scale) ** 2 + 1);
  return { a: (move * (score / scale)) / scale, b: b + move };
}

/** Probabilities of the positive class: 1 / (1 + exp(a s + b)). */
export function predictSigmoid(sigmoid: Sigmoid, scores: Scores): Float64Array {
  const { a, b } = requireLike(sigmoid, 'what fitSigmoid returns', { a: 'number', b: 'number' });
  return readColumn(scores, 'scores').map((score) => logistic(-(a * score + b)));
}
