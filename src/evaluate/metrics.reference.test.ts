import { describe, test } from 'vitest';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { Matrix } from '../data/matrix.ts';
import * as classScores from './class-scores.ts';
import { confusionMatrix } from './confusion.ts';
import * as curves from './curves.ts';
import * as metrics from './metrics.ts';
import * as probabilities from './probability-metrics.ts';
import * as ranking from './ranking-scores.ts';
import { calibrationCurve } from './reliability.ts';
import { classificationReport } from './report.ts';

type Metric = (...args: unknown[]) => unknown;
const ours = {
  ...classScores,
  ...curves,
  ...metrics,
  ...probabilities,
  ...ranking,
  calibrationCurve,
  classificationReport,
  confusionMatrix,
} as unknown as Record<string, Metric>;

const all = recorded('metrics.json');
const names = [...new Set(all.map((each) => each.fn as string))];

describe.each(names)('%s', (fn) => {
  const cases = all.filter((each) => each.fn === fn);
  test(`agrees with scikit-learn 1.9.1 in ${cases.length} recorded cases`, () => {
    for (const [k, { args, options, expected }] of cases.entries()) {
      try {
        const answer = Object.keys(options).length === 0 ? ours[fn](...args) : ours[fn](...args, options);
        // Differences of sums of weights are 0 up to rounding, hence the scale of 1.
        expectAlike(answer instanceof Matrix ? answer.toArray() : answer, expected, 1e-12, 1);
      } catch (error) {
        throw new Error(`case ${k} of ${fn}, options ${JSON.stringify(options)}: ${error}`);
      }
    }
  });
});
