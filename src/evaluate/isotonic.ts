import { flag, type GivenOptions, type OptionSpec, readOptions, weightOption } from '../core/options.ts';
import { requireLike } from '../data/arguments.ts';
import type { Label } from '../data/labels.ts';
import { heightAt } from '../math/search.ts';
import { readColumn, type Scores } from './scores.ts';
import type { CalibratorOptions } from './sigmoid.ts';
import {
  markPositive,
  positiveClass,
  positiveOption,
  readLabels,
  readRowWeights,
  requireLength,
  requireList,
} from './targets.ts';

/** An increasing piecewise linear function: linear between its points, constant outside them. */
export interface Isotonic {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

const fitSpec = { ...positiveOption, ...weightOption } satisfies OptionSpec;
const regressionSpec = {
  ...weightOption,
  /** Fit an increasing function instead of a decreasing one. Default: true. */
  increasing: flag({ default: true }),
} satisfies OptionSpec;

/** Options of `isotonicRegression`. */
export type IsotonicRegressionOptions = GivenOptions<typeof regressionSpec>;

/** Scores nearer to each other than this are one score, as in scikit-learn: probabilities of 1e-100 and 0 are tied. */
const TIE = 1e-15;

/**
 * The rising list nearest to y: minimises Σ w (ŷᵢ − yᵢ)² under ŷ₁ ≤ ŷ₂ ≤ …, by pooling adjacent violators, whose common
 * value is their weighted mean. Barlow, Bartholomew, Bremner & Brunk, Statistical Inference under Order Restrictions (1972).
 */
export function isotonicRegression(y: ArrayLike<number>, options: IsotonicRegressionOptions = {}): Float64Array {
  const read = readOptions('isotonicRegression', regressionSpec, options);
  const values = readColumn(y, 'y');
  const weights = readRowWeights(read.sampleWeight, values.length);
  if (read.increasing) return pool(values, weights);
  return pool(values.slice().reverse(), weights.slice().reverse()).reverse();
}

function pool(values: Float64Array, weights: Float64Array): Float64Array {
  const sums: number[] = [];
  const masses: number[] = [];
  const ends: number[] = [];
  const mean = (block: number) => sums[block] / masses[block];
  for (let i = 0; i < values.length; i++) {
    if (weights[i] === 0 && ends.length > 0) {
      ends[ends.length - 1] = i + 1; // a row without weight takes the value of its neighbour
      continue;
    }
    sums.push(weights[i] * values[i]);
    masses.push(weights[i]);
    ends.push(i + 1);
    for (let top = ends.length - 1; top > 0 && !(mean(top - 1) < mean(top)); top--) {
      sums[top - 1] += sums.pop() as number;
      masses[top - 1] += masses.pop() as number;
      ends[top - 1] = ends.pop() as number;
    }
  }
  const result = new Float64Array(values.length);
  for (let block = 0, i = 0; block < ends.length; block++) while (i < ends[block]) result[i++] = mean(block);
  return result;
}

/** Targets: numbers as they are, labels as 1 for the positive class and 0 for the others. */
function readTargets(y: ArrayLike<number | Label>, positive: Label | null): Float64Array {
  const list = requireList(y, 'y');
  const numbers = list.length > 0 && Array.from(list).every((value) => typeof value === 'number');
  if (numbers && positive === null) return readColumn(list as ArrayLike<number>, 'y');
  const labels = readLabels(list, 'y');
  return Float64Array.from(markPositive(labels, positiveClass(labels.classes, positive)));
}

/**
 * Isotonic regression of targets on scores: equal scores are first averaged, then pooled so that the line never falls.
 * `y` holds numbers, or labels of which `posLabel` counts 1. Rows of weight 0 are absent.
 */
export function fitIsotonic(scores: Scores, y: ArrayLike<number | Label>, options: CalibratorOptions = {}): Isotonic {
  const read = readOptions('fitIsotonic', fitSpec, options);
  const score = readColumn(scores, 'scores');
  const target = readTargets(y, read.posLabel);
  requireLength('y', target.length, score.length);
  return fitIsotonicTo(score, target, readRowWeights(read.sampleWeight, score.length));
}

/** Isotonic regression of checked rows. */
export function fitIsotonicTo(score: Float64Array, target: ArrayLike<number>, weights: Float64Array): Isotonic {
  const order = Uint32Array.from(score.keys()).filter((i) => weights[i] > 0);
  order.sort((a, b) => score[a] - score[b] || target[a] - target[b]);
  const [x, sums, masses]: number[][] = [[], [], []];
  for (const i of order) {
    if (x.length === 0 || score[i] - x[x.length - 1] >= TIE) {
      x.push(score[i]);
      sums.push(0);
      masses.push(0);
    }
    sums[x.length - 1] += weights[i] * target[i];
    masses[x.length - 1] += weights[i];
  }
  const y = pool(
    Float64Array.from(sums, (total, k) => total / masses[k]),
    Float64Array.from(masses),
  );
  // points inside a constant stretch are redundant
  const keep = (_: number, k: number) => k === 0 || k === y.length - 1 || y[k] !== y[k - 1] || y[k] !== y[k + 1];
  return { x: Float64Array.from(x).filter(keep), y: y.filter(keep) };
}

/** The value of the function at each score. */
export function predictIsotonic(isotonic: Isotonic, scores: Scores): Float64Array {
  const line = requireLike(isotonic, 'what fitIsotonic returns', { x: 'list', y: 'list' });
  return readColumn(scores, 'scores').map((score) => heightAt(line, score));
}
