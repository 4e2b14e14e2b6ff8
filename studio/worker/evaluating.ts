import { auc, averagePrecisionScore, calibrationBins, precisionRecallCurve, rocCurve } from '../../src/index.ts';
import { type Evaluation, evaluateRows, refuse, ruleFor, type ScoredRows, show } from '../../src/workbench.ts';
import type { Evaluated, Operating, ThresholdRule } from '../protocol.ts';

const MOST_CLASSES = 8;
const MOST_POINTS = 200;
/** Steps of the threshold slider. */
const STEPS = 1_000;
const BINS = 10;
const BARS = 25;

/** The evaluation of scored rows, with the curves of the shown classes. */
export function evaluate(scored: ScoredRows, on: string): Evaluated {
  return { evaluation: evaluateRows(scored, on), operating: shownClasses(scored).map((c) => operatingOf(scored, c)) };
}

/** Applies a threshold rule to scored rows. */
export function withThreshold(scored: ScoredRows, at: ThresholdRule | undefined): ScoredRows {
  return at ? { ...scored, rule: ruleFor(scored.classes, { threshold: { [at.label]: at.threshold } }) } : scored;
}

/** The evaluation with a threshold rule, as by `polya evaluate --threshold`. */
export const evaluateAt = (scored: ScoredRows, on: string, at: ThresholdRule): Evaluation =>
  evaluateRows(withThreshold(scored, at), on);

/** The classes that have curves: the rarer of two first, or the most frequent ones. */
function shownClasses({ classes, truth }: ScoredRows): number[] {
  const rows = new Map<string, number>();
  for (const label of truth) rows.set(label, (rows.get(label) ?? 0) + 1);
  const sizeOf = (c: number) => rows.get(classes[c]) ?? 0;
  const usable = [...classes.keys()].filter((c) => sizeOf(c) > 0 && sizeOf(c) < truth.length);
  if (classes.length === 2) return usable.sort((a, b) => sizeOf(a) - sizeOf(b));
  return usable.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_CLASSES);
}

/** The curves of one class. */
export function operatingFor(scored: ScoredRows, label: string): Operating {
  const c = scored.classes.indexOf(label);
  const rows = scored.truth.filter((own) => own === label).length;
  if (c < 0 || rows === 0 || rows === scored.truth.length)
    refuse('E_CLASSES_TOO_FEW', `the held-out rows need rows with and without class ${show(label)}`);
  return operatingOf(scored, c);
}

function operatingOf({ classes, truth, logProba }: ScoredRows, c: number): Operating {
  const scores = Float64Array.from({ length: logProba.rows }, (_, i) => Math.exp(logProba.at(i, c)));
  const own = truth.map((label) => Number(label === classes[c]));
  const [fpr, tpr] = rocCurve(own, scores, { posLabel: 1 });
  const [precision, recall] = precisionRecallCurve(own, scores, { posLabel: 1 });
  const positives = own.reduce((sum, yes) => sum + yes, 0);
  return {
    label: classes[c],
    positives,
    negatives: own.length - positives,
    above: aboveOf(scores, own),
    roc: thinned(fpr.map((x, k) => [x, tpr[k]] as const)),
    area: auc(fpr, tpr),
    precisionRecall: thinned(recall.map((x, k) => [x, precision[k]] as const)),
    averagePrecision: averagePrecisionScore(own, scores, { posLabel: 1 }),
    calibration: calibrationBins(own, scores, { nBins: BINS, posLabel: 1 }).map(({ predicted, observed, ...bin }) => ({
      ...bin,
      ...{ predicted, observed: observed.value, low: observed.low, high: observed.high },
    })),
    histogram: histogramOf(scores, own),
  };
}

function thinned<T>(points: ArrayLike<T>): T[] {
  const step = Math.ceil(points.length / MOST_POINTS);
  return Array.from(points).filter((_, k) => k % step === 0 || k === points.length - 1);
}

/** For each threshold, the number of rows of the class and of the others that reach it. */
function aboveOf(scores: Float64Array, own: readonly number[]): Operating['above'] {
  const counts = [new Float64Array(STEPS + 1), new Float64Array(STEPS + 1)] as const;
  for (const [i, score] of scores.entries()) {
    let k = Math.min(STEPS, Math.floor(score * STEPS));
    while (k < STEPS && (k + 1) / STEPS <= score) k++; // the product was rounded
    while (k / STEPS > score) k--;
    counts[1 - own[i]][k]++;
  }
  for (const above of counts) for (let k = STEPS - 1; k >= 0; k--) above[k] += above[k + 1];
  return counts;
}

function histogramOf(scores: Float64Array, own: readonly number[]): Operating['histogram'] {
  const bars = Array.from({ length: BARS }, (_, k) => ({ from: k / BARS, own: 0, others: 0 }));
  for (const [i, score] of scores.entries()) {
    const bar = bars[Math.max(0, Math.ceil(score * BARS) - 1)]; // bins include their upper edge, as in the calibration
    if (own[i]) bar.own++;
    else bar.others++;
  }
  return bars;
}
