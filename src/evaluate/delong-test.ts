import { type GivenOptions, type OptionSpec, readOptions } from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { normalTail } from '../math/erf.ts';
import { covariance, placements } from './delong.ts';
import type { Scores } from './scores.ts';
import { positiveOption } from './targets.ts';
import { readRanked } from './thresholds.ts';
import { describeVerdict, namingSpec, type Verdict } from './verdict.ts';

const spec = { ...namingSpec, ...positiveOption } satisfies OptionSpec;

/** Which class is positive, and what the two scores are called. */
export type DelongTestOptions = GivenOptions<typeof spec>;

/**
 * DeLong's test of two areas under the ROC curve on the same rows: z = (A₁ − A₂) / √(V₁ + V₂ − 2 V₁₂), with variances and
 * covariance from what each row contributes to either area. DeLong, DeLong & Clarke-Pearson, Biometrics 44 (1988).
 */
export function delongTest(
  yTrue: ArrayLike<Label>,
  first: Scores,
  second: Scores,
  options: DelongTestOptions = {},
): Verdict {
  const read = readOptions('delongTest', spec, options);
  const [a, b] = [first, second].map((score) => {
    const ranked = readRanked(yTrue, score, read.posLabel, null);
    return placements(ranked.positive, ranked.score);
  });
  const [m, n] = [a.positives.length, a.negatives.length];
  if (m === 0 || n === 0) refuse('E_CLASSES_TOO_FEW', 'an area needs rows of two classes', { actual: 1, limit: 2 });
  const together = (x: typeof a, y: typeof a) =>
    covariance(x.positives, y.positives) / m + covariance(x.negatives, y.negatives) / n;
  const variance = Math.max(0, together(a, a) + together(b, b) - 2 * together(a, b));
  const difference = a.auc - b.auc;
  const statistic = difference === 0 ? 0 : difference / Math.sqrt(variance);
  const pValue = 2 * normalTail(Math.abs(statistic));
  const evidence = `areas ${a.auc.toFixed(4)} and ${b.auc.toFixed(4)} of ${m} positives and ${n} negatives`;
  const what = 'area under the ROC curve';
  return describeVerdict({ difference, statistic, pValue, method: 'DeLong', what, evidence }, read);
}
