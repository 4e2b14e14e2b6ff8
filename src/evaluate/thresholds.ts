import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import { columnOf, type LabelledScores, readColumn, type Scores } from './scores.ts';
import { markPositive, positiveClass, readLabels, readRowWeights, requireLength } from './targets.ts';

/** Rows, each with a binary label, a score and a weight. */
export interface Ranked {
  readonly positive: Uint8Array;
  readonly score: Float64Array;
  readonly weights: Float64Array;
}

/** The weight of positives and negatives that score at least as high as each distinct score, from the highest down. */
export interface Thresholds {
  readonly falsePositive: Float64Array;
  readonly truePositive: Float64Array;
  readonly threshold: Float64Array;
}

/** Reads labels of two classes (or more, when the positive one is named) and a score per row. */
export function readRanked(
  yTrue: unknown,
  yScore: Scores,
  posLabel: Label | null,
  sampleWeight: Weights | null,
): Ranked {
  const truth = readLabels(yTrue, 'yTrue');
  if (truth.classes.length > 2 && posLabel === null) {
    refuse('E_PARAM', `there are ${truth.classes.length} classes: posLabel has to name the positive one`, {
      name: 'posLabel',
      actual: truth.classes.length,
    });
  }
  const score = readColumn(yScore);
  requireLength('yScore', score.length, truth.codes.length);
  const positive = markPositive(truth, positiveClass(truth.classes, posLabel));
  return { positive, score, weights: readRowWeights(sampleWeight, score.length) };
}

/** The rows of one class against all others, by their scores for it. */
export function against({ codes, table, weights }: LabelledScores, c: number): Ranked {
  return { positive: Uint8Array.from(codes, (code) => Number(code === c)), score: columnOf(table, c), weights };
}

/**
 * Counts both kinds down the ranking: TP(s) = Σ wᵢ [yᵢ = 1, sᵢ ≥ s] and FP(s) = Σ wᵢ [yᵢ = 0, sᵢ ≥ s] at every distinct
 * score s. Equal scores are counted together, so the order of rows is irrelevant. Rows of weight 0 have no threshold.
 */
export function countThresholds({ positive, score, weights }: Ranked): Thresholds {
  const order = Uint32Array.from(score.keys()).filter((i) => weights[i] > 0);
  order.sort((a, b) => score[b] - score[a] || a - b);
  const falsePositive: number[] = [];
  const truePositive: number[] = [];
  const threshold: number[] = [];
  let [right, wrong] = [0, 0];
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    if (positive[i]) right += weights[i];
    else wrong += weights[i];
    if (k + 1 < order.length && score[order[k + 1]] === score[i]) continue;
    falsePositive.push(wrong);
    truePositive.push(right);
    threshold.push(score[i]);
  }
  return {
    falsePositive: Float64Array.from(falsePositive),
    truePositive: Float64Array.from(truePositive),
    threshold: Float64Array.from(threshold),
  };
}

/** The last element. */
export function last(values: Float64Array): number {
  return values[values.length - 1];
}

/** The thresholds at which `keep` is true, and always the first and the last. */
export function thin(points: Thresholds, keep: (k: number) => boolean): Thresholds {
  const end = points.threshold.length - 1;
  if (end < 2) return points;
  const stays = (_: number, k: number) => k === 0 || k === end || keep(k);
  return {
    falsePositive: points.falsePositive.filter(stays),
    truePositive: points.truePositive.filter(stays),
    threshold: points.threshold.filter(stays),
  };
}

/** The same with a point (0, 0) before all others, at an infinite threshold. */
export function withOrigin({ falsePositive, truePositive, threshold }: Thresholds): Thresholds {
  return {
    falsePositive: prepend(0, falsePositive),
    truePositive: prepend(0, truePositive),
    threshold: prepend(Infinity, threshold),
  };
}

function prepend(first: number, rest: Float64Array): Float64Array {
  const all = new Float64Array(rest.length + 1);
  all[0] = first;
  all.set(rest, 1);
  return all;
}
