import { type OptionSpec, readOptions } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { sum } from '../math/arrays.ts';
import { softplus } from '../math/logs.ts';
import { readColumn, type Scores } from './scores.ts';
import { posLabel, sampleWeight } from './targets.ts';
import { type Ranked, readRanked } from './thresholds.ts';

/** Which class is positive, and what rows weigh. */
export interface CalibratorOptions {
  readonly posLabel?: Label | null | undefined;
  readonly sampleWeight?: Weights | null | undefined;
}

/** p = 1 / (1 + exp(a s + b)); a is negative where higher scores mean more positives. */
export interface Sigmoid {
  readonly a: number;
  readonly b: number;
}

const spec = { posLabel, sampleWeight } satisfies OptionSpec;
const MOST_STEPS = 100;

/** 1 / (1 + e^−z). */
function logistic(z: number): number {
  return z >= 0 ? 1 / (1 + Math.exp(-z)) : Math.exp(z) / (1 + Math.exp(z));
}

interface Problem {
  readonly s: Float64Array;
  readonly target: Float64Array;
  readonly w: Float64Array;
}

/** Σ w (softplus z − t z) with z = −(a s + b). */
function loss({ s, target, w }: Problem, { a, b }: Sigmoid): number {
  return sum(
    s.map((value, i) => {
      const z = -(a * value + b);
      return w[i] * (softplus(z) - target[i] * z);
    }),
  );
}

/** One Newton step; a ridge far below the curvature keeps it defined where that is flat. */
function newtonStep({ s, target, w }: Problem, { a, b }: Sigmoid): { step: Sigmoid; decrease: number } {
  let [ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0];
  for (let i = 0; i < s.length; i++) {
    const p = logistic(-(a * s[i] + b));
    const pull = w[i] * (target[i] - p);
    const bend = w[i] * p * (1 - p);
    ga += pull * s[i];
    gb += pull;
    haa += bend * s[i] * s[i];
    hab += bend * s[i];
    hbb += bend;
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
 * Newton's method with halved steps where a whole one does not help (Lin, Lin & Weng, Mach. Learn. 68 (2007)). Near the
 * optimum the loss can no longer tell steps apart, but the gradient can: there whole steps are taken while it shrinks.
 */
function minimise(problem: Problem, start: Sigmoid): Sigmoid {
  let best = start;
  let least = loss(problem, start);
  let previous = Infinity;
  for (let round = 0; round < MOST_STEPS; round++) {
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
 * Platt's scaling: the a and b that minimise Σ w (−t ln p − (1 − t) ln(1 − p)) with p = 1 / (1 + exp(a s + b)) and
 *
 *   t = (N₊ + 1) / (N₊ + 2) for positives, 1 / (N₋ + 2) for negatives    (1)
 *
 * where N₊ and N₋ are the weights of the two kinds. Scores are standardised for the search, so that log-odds of thousands
 * do not stall it. Scores that are all equal leave a open; the answer is then the one nearest to (0, ln((N₋ + 1) / (N₊ + 1))),
 * from where scikit-learn starts. Platt (1999); Lin, Lin & Weng (2007).
 */
export function fitSigmoid(scores: Scores, y: ArrayLike<Label>, options: CalibratorOptions = {}): Sigmoid {
  const read = readOptions('fitSigmoid', spec, options);
  return fitSigmoidTo(readRanked(y, scores, read.posLabel, read.sampleWeight));
}

/** Platt's scaling of marked rows. */
export function fitSigmoidTo({ positive, score, weights }: Ranked): Sigmoid {
  const positives = sum(weights.filter((_, i) => positive[i] === 1));
  const negatives = sum(weights.filter((_, i) => positive[i] === 0));
  const target = Float64Array.from(positive, (mark) =>
    mark ? (positives + 1) / (positives + 2) : 1 / (negatives + 2),
  );
  const start = { a: 0, b: Math.log((negatives + 1) / (positives + 1)) };
  const total = sum(weights);
  const mean = sum(score.map((value, i) => (weights[i] / total) * value));
  const spread = Math.sqrt(sum(score.map((value, i) => (weights[i] / total) * (value - mean) ** 2)));
  if (!(spread > 1e-15 * Math.abs(mean))) {
    const share = sum(target.map((t, i) => t * weights[i])) / total;
    return nearestFor(score[0], Math.log(share / (1 - share)), start.b);
  }
  const s = score.map((value) => (value - mean) / spread);
  const { a, b } = minimise({ s, target, w: weights }, start);
  return { a: a / spread, b: b - (a * mean) / spread };
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
