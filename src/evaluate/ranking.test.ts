import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { copies, forecasts, rankings, reordered } from '../../test/reference/evaluate/samples.ts';
import { Matrix } from '../data/matrix.ts';
import { recallScore } from './class-scores.ts';
import { auc, cumulativeGainCurve, detCurve, liftCurve, precisionRecallCurve, rocCurve } from './curves.ts';
import { multilabelConfusionMatrix } from './multilabel-metrics.ts';
import { brierScoreLoss, logLoss, topKAccuracyScore } from './probability-metrics.ts';
import { averagePrecisionScore, rocAucScore } from './ranking-scores.ts';
import { calibrationCurve } from './reliability.ts';

const code = (attempt: () => unknown) => refusalOf(attempt).code;

/** P(positive scores above negative) + ½ P(they tie), over all pairs. */
function pairwise(y: readonly number[], score: readonly number[], w: readonly number[]): number {
  let [won, all] = [0, 0];
  for (let i = 0; i < y.length; i++) {
    for (let j = 0; j < y.length; j++) {
      if (y[i] !== 1 || y[j] !== 0) continue;
      all += w[i] * w[j];
      won += w[i] * w[j] * (score[i] > score[j] ? 1 : score[i] === score[j] ? 0.5 : 0);
    }
  }
  return won / all;
}

describe('areas', () => {
  check.prop([rankings])('the ROC area is the probability that a positive beats a negative', ({ y, score, w }) => {
    expectClose([rocAucScore(y, score, { sampleWeight: w })], [pairwise(y, score, w)], 1e-12, 1);
  });

  check.prop([rankings])('dropping points does not change it, nor does reading it off the curve', ({ y, score, w }) => {
    for (const dropIntermediate of [true, false]) {
      const [fpr, tpr] = rocCurve(y, score, { sampleWeight: w, dropIntermediate });
      expectClose([auc(fpr, tpr)], [rocAucScore(y, score, { sampleWeight: w })], 1e-12, 1);
    }
  });

  check.prop([rankings])('rising transformations of the score change nothing', ({ y, score }) => {
    const bent = score.map((s) => Math.exp(s) - 3);
    expectClose([rocAucScore(y, bent)], [rocAucScore(y, score)]);
    expectClose([averagePrecisionScore(y, bent)], [averagePrecisionScore(y, score)]);
  });

  check.prop([rankings])('two columns of probabilities are read like the second alone', ({ y, score }) => {
    const p = score.map((s) => 1 / (1 + Math.exp(-s)));
    const P = Matrix.from(p.map((value) => [1 - value, value]));
    expect(rocAucScore(y, P)).toBe(rocAucScore(y, p));
    expect(averagePrecisionScore(y, P)).toBe(averagePrecisionScore(y, p));
    expectClose([logLoss(y, P), brierScoreLoss(y, P)], [logLoss(y, p), brierScoreLoss(y, p)]);
  });

  test('one class alone has no area', () => {
    expect(rocAucScore([1, 1], [0.2, 0.3])).toBeNaN();
    expect(rocAucScore(['x', 'x'], [0.2, 0.3])).toBeNaN();
  });
});

describe('weights and order', () => {
  const metrics = {
    rocAucScore,
    averagePrecisionScore,
    logLoss: (y: number[], s: number[], o: object) =>
      logLoss(
        y,
        s.map((v) => 1 / (1 + Math.exp(-v))),
        o,
      ),
    brierScoreLoss: (y: number[], s: number[], o: object) =>
      brierScoreLoss(
        y,
        s.map((v) => 1 / (1 + Math.exp(-v))),
        o,
      ),
  } as Record<string, (y: number[], s: number[], options: object) => number>;

  check.prop([rankings, fc.nat()])('weight k equals k copies, in any order', ({ y, score, w }, seed) => {
    for (const metric of Object.values(metrics)) {
      const value = metric(y, score, { sampleWeight: w });
      const rows = reordered(
        copies(
          y.map((_, i) => i),
          w,
        ),
        seed,
      );
      const many = metric(
        rows.map((i) => y[i]),
        rows.map((i) => score[i]),
        {},
      );
      expectClose([value], [many], 1e-12, 1);
    }
  });

  check.prop([forecasts, fc.nat()])('also with a column per class', ({ y, P, w }, seed) => {
    const rows = reordered(
      copies(
        y.map((_, i) => i),
        w,
      ),
      seed,
    );
    const [many, table] = [rows.map((i) => y[i]), Matrix.from(rows.map((i) => P[i]))];
    const both = (metric: (y: number[], P: number[][] | Matrix, options: object) => number, options: object = {}) => {
      expectClose([metric(y, P, { ...options, sampleWeight: w })], [metric(many, table, options)], 1e-12, 1);
    };
    both(logLoss);
    both(brierScoreLoss);
    both(topKAccuracyScore);
    both(averagePrecisionScore);
    for (const multiClass of ['ovr', 'ovo']) {
      for (const average of ['macro', 'weighted']) both(rocAucScore as never, { multiClass, average });
    }
  });

  check.prop([forecasts])('columns follow labels, whatever their order', ({ y, P }) => {
    const turned = P.map(([a, b, c]) => [c, a, b]);
    expectClose([logLoss(y, turned, { labels: [2, 0, 1] })], [logLoss(y, P)]);
    expectClose([brierScoreLoss(y, turned, { labels: [2, 0, 1] })], [brierScoreLoss(y, P)]);
    const [there, back] = [{ labels: [2, 0, 1], multiClass: 'ovr' } as const, { multiClass: 'ovr' } as const];
    expectClose([rocAucScore(y, turned, there)], [rocAucScore(y, P, back)]);
  });

  check.prop([rankings, fc.nat()])('curves do not depend on the order of rows', ({ y, score }, seed) => {
    const rows = reordered(
      y.map((_, i) => i),
      seed,
    );
    for (const curve of [rocCurve, precisionRecallCurve, detCurve, cumulativeGainCurve, liftCurve]) {
      expect(
        curve(
          rows.map((i) => y[i]),
          rows.map((i) => score[i]),
        ),
      ).toEqual(curve(y, score));
    }
  });
});

describe('gains', () => {
  check.prop([rankings])('the area under cumulative gains is ½ π + (1 − π) AUC', ({ y, score }) => {
    const [taken, found] = cumulativeGainCurve(y, score);
    const share = y.filter((v) => v === 1).length / y.length;
    expectClose([auc(taken, found)], [share / 2 + (1 - share) * rocAucScore(y, score)], 1e-12, 1);
    const [, lift] = liftCurve(y, score);
    expectClose([lift[lift.length - 1]], [1]);
  });
});

describe('refusals', () => {
  test('of scores', () => {
    expect(code(() => rocAucScore([0, 1], [0.5]))).toBe('E_SHAPE');
    expect(code(() => rocAucScore([0, 1], [0.5, Number.NaN]))).toBe('E_NOT_FINITE');
    expect(
      refusalOf(() =>
        logLoss(
          [0, 1, 2],
          [
            [1, 0, 0],
            [0, Infinity, 0],
            [1, 0, 0],
          ],
        ),
      ).details,
    ).toEqual({ row: 1, column: 1 });
    expect(code(() => rocAucScore([0, 1], ['a', 'b'] as never))).toBe('E_TYPE');
    expect(code(() => rocAucScore([0, 1, 2], [0.1, 0.2, 0.3], { multiClass: 'ovr' }))).toBe('E_SHAPE');
    expect(
      code(() =>
        rocAucScore(
          [0, 1, 2],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
        ),
      ),
    ).toBe('E_PARAM');
    expect(
      code(() =>
        rocAucScore(
          [0, 1, 2],
          [
            [2, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
          { multiClass: 'ovr' },
        ),
      ),
    ).toBe('E_VALUE_RANGE');
    expect(
      code(() =>
        rocAucScore(
          [0, 1, 2],
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ],
          { multiClass: 'ovo', average: 'micro' },
        ),
      ),
    ).toBe('E_PARAM');
    expect(code(() => rocAucScore([0, 1], [0.1, 0.2], { maxFpr: 2 }))).toBe('E_PARAM');
    expect(code(() => logLoss([0, 1], [0.1, 1.4]))).toBe('E_VALUE_RANGE');
    expect(code(() => logLoss([0, 1], [0.1, -0.4]))).toBe('E_VALUE_RANGE');
    expect(code(() => logLoss([1, 1], [0.1, 0.4]))).toBe('E_CLASSES_TOO_FEW');
    expect(
      code(() =>
        logLoss(
          [0, 1],
          [
            [0.2, 0.3, 0.5],
            [0.2, 0.3, 0.5],
          ],
        ),
      ),
    ).toBe('E_SHAPE');
    expect(code(() => logLoss([0, 5], [0.1, 0.4], { labels: [0, 1] }))).toBe('E_CLASS_UNKNOWN');
    expect(code(() => brierScoreLoss([0, 1, 2], [0.1, 0.4, 0.5]))).toBe('E_SHAPE');
    expect(code(() => brierScoreLoss(['a', 'b'], [0.1, 0.4]))).toBe('E_PARAM');
    expect(code(() => averagePrecisionScore(['a', 'b'], [0.1, 0.4]))).toBe('E_PARAM');
    expect(code(() => topKAccuracyScore([0, 1], [0.1, 0.4], { k: 0 }))).toBe('E_PARAM');
    const flags = [
      [1, 0],
      [0, 1],
    ];
    expect(code(() => averagePrecisionScore(flags, flags, { posLabel: 0 }))).toBe('E_PARAM');
    expect(code(() => recallScore(flags, flags, { average: 'macro', labels: [0, 1, 2] }))).toBe('E_PARAM');
    expect(code(() => multilabelConfusionMatrix(flags, flags, { labels: [-1] }))).toBe('E_PARAM');
  });

  test('of curves', () => {
    expect(code(() => rocCurve(['a', 'b'], [0.1, 0.2]))).toBe('E_PARAM');
    expect(code(() => rocCurve([0, 1, 2], [0.1, 0.2, 0.3]))).toBe('E_PARAM');
    expect(code(() => rocCurve([0, 1, 2], [0.1, 0.2, 0.3], { posLabel: 2 }))).toBe('accepted');
    expect(code(() => detCurve([1, 1], [0.1, 0.2]))).toBe('E_CLASSES_TOO_FEW');
    expect(code(() => calibrationCurve([0, 1], [0.1, 1.2]))).toBe('E_VALUE_RANGE');
    expect(code(() => auc([0], [1]))).toBe('E_SHAPE');
    expect(code(() => auc([0, 2, 1], [1, 1, 1]))).toBe('E_PARAM');
  });
});
