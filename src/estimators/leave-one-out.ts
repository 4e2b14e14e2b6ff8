import { decide, posterior } from '../core/posterior.ts';
import { requireLearning, requireLike } from '../data/arguments.ts';
import type { Batch } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import { leaveOneOutBySubtraction } from '../models/held-out.ts';
import { insightOf } from '../models/insights.ts';
import type { Fitted } from './inside.ts';
import type { Labels, LearnOptions } from './learning.ts';

/** The prediction for every row by the model without it. */
export interface LeaveOneOutResult {
  readonly classes: readonly Label[];
  /** ln p(c | xᵢ), one row per row that weighs something. */
  readonly logProba: Matrix;
  readonly predictions: Label[];
  /** The weighted share of rows whose class is predicted. */
  readonly accuracy: number;
  /** The weighted mean of −ln p(yᵢ | xᵢ). */
  readonly logLoss: number;
}

/** Any classifier that counts, before or after its first fit. */
interface Countable<Input> extends Fitted {
  clone(): Countable<Input>;
  fit(X: Input, y: Labels, options?: LearnOptions): Countable<Input>;
}

/**
 * Exact leave-one-out: every row is scored by the model without it. Some families correct their counts for one row in a single extra pass;
 * for the others the row is subtracted from the statistic and parameters are re-estimated.
 */
export function leaveOneOut<Input>(
  estimator: Countable<Input>,
  X: Input,
  y: Labels,
  options: LearnOptions = {},
): LeaveOneOutResult {
  requireLike(estimator, 'an estimator that counts', { clone: 'function', fit: 'function', inside: 'function' });
  const { sampleWeight } = requireLearning('leaveOneOut', options);
  const inside = estimator.clone().fit(X, y, options).inside();
  const { model, params, classes } = inside;
  const batch = inside.batch(X, y, sampleWeight);
  const counts = inside.counts();
  const { stats, options: modelOptions } = inside.counted();
  const scores = new Float64Array(batch.rows * classes.length);
  const heldOut = insightOf(model).leaveOneOut ?? leaveOneOutBySubtraction;
  const weighted = { ...model, estimate: (rest, own) => model.estimate(inside.weigh(rest), own) } as typeof model;
  if (stats === counts) heldOut(stats, modelOptions, batch, scores, model);
  else leaveOneOutBySubtraction(counts, modelOptions, batch, scores, weighted);
  return summary(batch, classes, posterior(scores, model.logPrior(params)).logProba);
}

function summary({ y, w }: Batch, classes: readonly Label[], logProba: Float64Array): LeaveOneOutResult {
  const decided = decide(logProba, classes.length);
  let [right, loss, all] = [0, 0, 0];
  for (let i = 0; i < decided.length; i++) {
    all += w[i];
    if (decided[i] === y[i]) right += w[i];
    loss -= w[i] * logProba[i * classes.length + y[i]];
  }
  return {
    classes,
    logProba: new Matrix(decided.length, classes.length, logProba),
    predictions: Array.from(decided, (c) => classes[c]),
    accuracy: right / all,
    logLoss: loss / all,
  };
}
