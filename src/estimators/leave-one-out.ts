import type { OptionSpec } from '../core/options.ts';
import { decide, posterior } from '../core/posterior.ts';
import { type Batch, type Shape, sliceBatch } from '../data/batch.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { CountingClassifier } from './classifier.ts';
import type { Labels } from './labels.ts';
import type { LearnOptions, Tally } from './lesson.ts';

/** What every row is told by the model that was counted without it. */
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

/**
 * Exact leave-one-out: every row is scored by the model that has unlearned it. Families that know how to correct their counts
 * for one row do it in one extra pass; for the others the row is subtracted from the statistic and parameters are derived anew.
 */
export function leaveOneOut<Spec extends OptionSpec, S extends Shape, P extends Shape, Input>(
  estimator: CountingClassifier<Spec, S, P, Input>,
  X: Input,
  y: Labels,
  options: LearnOptions = {},
): LeaveOneOutResult {
  const tally = estimator.tally(X, y, options);
  const { batch, classes, stats } = tally;
  const scores = new Float64Array(batch.rows * classes.length);
  const { model } = estimator;
  if (model.leaveOneOut) model.leaveOneOut(stats, tally.options, batch, scores);
  else oneByOne(model, tally, scores);
  const full = model.logPrior(model.estimate(stats, tally.options));
  return summary(batch, classes, posterior(scores, full).logProba);
}

function oneByOne<S extends Shape, P extends Shape>(
  model: CountingClassifier<OptionSpec, S, P, never>['model'],
  { batch, stats, options }: Tally<S>,
  scores: Float64Array,
): void {
  const { statistic } = model;
  for (let i = 0; i < batch.rows; i++) {
    const row = sliceBatch(batch, i, i + 1);
    const alone = statistic.empty(batch);
    statistic.add(alone, row);
    const rest = statistic.reshape(stats, batch, {});
    statistic.subtract(rest, alone);
    model.score(model.estimate(rest, options), row, scores.subarray(i * batch.classes, (i + 1) * batch.classes));
  }
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
