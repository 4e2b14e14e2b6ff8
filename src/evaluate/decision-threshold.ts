import { choice, type OptionSpec, optional, readOptions, real } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import type { Weights } from '../data/weights.ts';
import { refuse } from '../errors.ts';
import type { Scores } from './scores.ts';
import { posLabel, sampleWeight } from './targets.ts';
import { countThresholds, last, readRanked } from './thresholds.ts';

/** What a threshold is to maximise, or which precision or recall it is to keep. */
export interface BestThresholdOptions {
  readonly maximize?: 'f1' | 'accuracy' | 'balancedAccuracy' | 'matthews' | 'youden' | undefined;
  /** Among thresholds of at least this precision, the one of highest recall. */
  readonly leastPrecision?: number | null | undefined;
  /** Among thresholds of at least this recall, the one of highest precision. */
  readonly leastRecall?: number | null | undefined;
  readonly posLabel?: Label | null | undefined;
  readonly sampleWeight?: Weights | null | undefined;
}

/** A threshold (positive is what scores at least as high) and what it leads to. */
export interface DecisionThreshold {
  readonly threshold: number;
  readonly value: number;
  readonly precision: number;
  readonly recall: number;
}

const goals = ['f1', 'accuracy', 'balancedAccuracy', 'matthews', 'youden'] as const;
const least = optional(real({ default: 0, min: 0, max: 1 }));
const spec = {
  /** What to maximise. */
  maximize: choice(goals, { default: 'f1' }),
  /** The precision to keep. */
  leastPrecision: least,
  /** The recall to keep. */
  leastRecall: least,
  posLabel,
  sampleWeight,
} satisfies OptionSpec;

/** The goal at tp and fp of P positives and N negatives. */
function judge(goal: (typeof goals)[number], tp: number, fp: number, P: number, N: number): number {
  if (goal === 'f1') return (2 * tp) / (P + tp + fp);
  if (goal === 'accuracy') return (tp + N - fp) / (P + N);
  if (goal === 'balancedAccuracy') return (tp / P + 1 - fp / N) / 2;
  if (goal === 'youden') return tp / P - fp / N;
  const spread = (tp + fp) * P * N * (P + N - tp - fp);
  return spread === 0 ? 0 : (tp * (N - fp) - fp * (P - tp)) / Math.sqrt(spread);
}

/**
 * The threshold of a score that does best on these rows: by F₁ unless told otherwise, by highest recall among thresholds of
 * a least precision, or by highest precision among those of a least recall. Of equals the highest. What is chosen on rows
 * flatters itself on the same rows: judge it on others. E_CLASSES_TOO_FEW without rows of both kinds, and Infinity (nothing
 * is called positive) where no threshold keeps what is asked.
 */
export function bestThreshold(
  yTrue: ArrayLike<Label>,
  yScore: Scores,
  options: BestThresholdOptions = {},
): DecisionThreshold {
  const read = readOptions('bestThreshold', spec, options);
  const points = countThresholds(readRanked(yTrue, yScore, read.posLabel, read.sampleWeight));
  const [P, N] = [last(points.truePositive), last(points.falsePositive)];
  if (!(P > 0 && N > 0)) refuse('E_CLASSES_TOO_FEW', 'a threshold lies between rows of two classes', { limit: 2 });
  let best: DecisionThreshold = { threshold: Infinity, value: -Infinity, precision: Number.NaN, recall: 0 };
  for (let k = 0; k < points.threshold.length; k++) {
    const [tp, fp] = [points.truePositive[k], points.falsePositive[k]];
    const [precision, recall] = [tp / (tp + fp), tp / P];
    if (precision < (read.leastPrecision ?? 0) || recall < (read.leastRecall ?? 0)) continue;
    const kept = read.leastPrecision !== null ? recall : read.leastRecall !== null ? precision : undefined;
    const value = kept ?? judge(read.maximize, tp, fp, P, N);
    if (value > best.value) best = { threshold: points.threshold[k], value, precision, recall };
  }
  return best;
}
