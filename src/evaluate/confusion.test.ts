import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test, vi } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { copies, predictedRows, reordered } from '../../test/reference/evaluate/samples.ts';
import type { Label } from '../data/labels.ts';
import {
  f1Score,
  fbetaScore,
  jaccardScore,
  precisionRecallFscoreSupport,
  precisionScore,
  recallScore,
} from './class-scores.ts';
import { confusionMatrix, countConfusion } from './confusion.ts';
import {
  accuracyOf,
  accuracyScore,
  balancedAccuracyScore,
  cohenKappaScore,
  hammingLoss,
  matthewsCorrcoef,
  zeroOneLoss,
} from './metrics.ts';
import { classificationReport } from './report.ts';

const truths = (rows: readonly { truth: Label }[]) => rows.map(({ truth }) => truth);
const guesses = (rows: readonly { guess: Label }[]) => rows.map(({ guess }) => guess);

type Metric = (t: Label[], p: Label[], options?: object) => number;
const macro =
  (metric: unknown) =>
  (t: Label[], p: Label[], options: object = {}) =>
    (metric as Metric)(t, p, { average: 'macro', ...options });
const metrics: Record<string, Metric> = {
  accuracyScore: accuracyScore as Metric,
  balancedAccuracyScore: balancedAccuracyScore as Metric,
  hammingLoss: hammingLoss as Metric,
  matthewsCorrcoef: matthewsCorrcoef as Metric,
  cohenKappaScore: cohenKappaScore as Metric,
  precisionScore: macro(precisionScore),
  recallScore: macro(recallScore),
  f1Score: macro(f1Score),
  jaccardScore: macro(jaccardScore),
};

describe('the table', () => {
  check.prop([predictedRows])('the accuracy of the table is that of the rows', (rows) => {
    const table = countConfusion(truths(rows), guesses(rows));
    expectClose([accuracyOf(table)], [accuracyScore(truths(rows), guesses(rows))]);
  });

  test('four rows by hand', () => {
    const matrix = confusionMatrix(['b', 'a', 'b', 'b'], ['b', 'b', 'a', 'b']);
    expect(matrix.toArray()).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(confusionMatrix([0, 1], [1, 1], { labels: [1, 0, 5] }).toArray()).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]);
  });
});

describe.each(Object.entries(metrics))('%s', (_, metric) => {
  check.prop([predictedRows, fc.nat()])('does not depend on the order of rows', (rows, seed) => {
    const mixed = reordered(rows, seed);
    expectClose([metric(truths(mixed), guesses(mixed))], [metric(truths(rows), guesses(rows))], 1e-12, 1);
  });

  check.prop([predictedRows])('weight k equals k copies of the row', (rows) => {
    const sampleWeight = rows.map(({ weight }) => weight);
    const many = copies(rows, sampleWeight);
    expectClose(
      [metric(truths(rows), guesses(rows), { sampleWeight })],
      [metric(truths(many), guesses(many))],
      1e-12,
      1,
    );
  });

  check.prop([predictedRows, predictedRows])('weight 0 equals absence, also of its class', (rows, others) => {
    const strange = others.filter(({ truth }) => typeof truth === typeof rows[0].truth);
    const sampleWeight = [...rows.map(() => 1), ...strange.map(() => 0)];
    const all = [...rows, ...strange];
    expectClose([metric(truths(all), guesses(all), { sampleWeight })], [metric(truths(rows), guesses(rows))], 1e-12, 1);
  });

  check.prop([predictedRows])('does not depend on what the classes are called', (rows) => {
    const renamed = (label: Label) => `class ${String(label)}`;
    const value = metric(truths(rows).map(renamed), guesses(rows).map(renamed));
    expectClose([value], [metric(truths(rows), guesses(rows))], 1e-12, 1);
  });
});

describe('averages', () => {
  check.prop([predictedRows])('micro precision, recall and F are all the accuracy', (rows) => {
    const accuracy = accuracyScore(truths(rows), guesses(rows));
    for (const metric of [precisionScore, recallScore, f1Score]) {
      expectClose([metric(truths(rows), guesses(rows), { average: 'micro' })], [accuracy]);
    }
    expectClose([zeroOneLoss(truths(rows), guesses(rows))], [1 - accuracy], 1e-12, 1);
  });

  test('one value per class, by null and by none', () => {
    const [t, p] = [
      [0, 1, 1, 2],
      [0, 1, 2, 2],
    ];
    expect(precisionScore(t, p, { average: null })).toEqual([1, 1, 0.5]);
    expect(recallScore(t, p, { average: 'none', labels: [2, 1] })).toEqual([1, 0.5]);
    expect(precisionRecallFscoreSupport(t, p)[3]).toEqual([1, 2, 1]);
    expect(precisionRecallFscoreSupport(t, p, { average: 'macro' })[3]).toBe(null);
    expect(fbetaScore(t, p, { beta: 2, average: null })[0]).toBe(1);
  });
});

describe('refusals', () => {
  const codes = (...attempts: (() => unknown)[]) => attempts.map((attempt) => refusalOf(attempt).code);

  test('lengths, emptiness, missing and mixed labels', () => {
    expect(refusalOf(() => accuracyScore([1, 2], [1])).details).toMatchObject({ expected: 2, actual: 1 });
    expect(
      codes(
        () => accuracyScore([1, 2], [1]),
        () => accuracyScore([], []),
        () => accuracyScore('ab' as never, 'ab' as never),
        () => accuracyScore([1, null as never], [1, 1]),
        () => accuracyScore([1, 'a' as never], [1, 1]),
        () => accuracyScore(['1'], [1]),
        () => accuracyScore([1.5], [1]),
        () => confusionMatrix([[1] as never], [1]),
      ),
    ).toEqual([
      'E_SHAPE',
      'E_EMPTY_INPUT',
      'E_SHAPE',
      'E_LABEL_MISSING',
      'E_LABEL_TYPE',
      'E_LABEL_TYPE',
      'E_LABEL_TYPE',
      'E_SHAPE',
    ]);
  });

  test('weights', () => {
    expect(
      codes(
        () => accuracyScore([1, 2], [1, 2], { sampleWeight: [1] }),
        () => accuracyScore([1, 2], [1, 2], { sampleWeight: [1, -1] }),
        () => accuracyScore([1, 2], [1, 2], { sampleWeight: [0, 0] }),
      ),
    ).toEqual(['E_WEIGHT_SHAPE', 'E_WEIGHT_INVALID', 'E_WEIGHTS_ALL_ZERO']);
  });

  test('options that no metric has, or that make no sense', () => {
    const [t, p] = [
      [0, 1, 2],
      [0, 1, 1],
    ];
    expect(
      codes(
        () => precisionScore(t, p),
        () => precisionScore(['a', 'b'], ['a', 'b']),
        () => precisionScore([0, 1], [0, 1], { posLabel: 3 }),
        () => precisionScore([0, 1], [0, 1], { posLabel: '1' }),
        () => precisionScore(t, p, { averge: 'macro' } as never),
        () => precisionScore(t, p, { average: 'samples' as never }),
        () => f1Score(t, p, { average: 'macro', zeroDivision: 0.5 }),
        () => fbetaScore([0, 1], [0, 1], {} as never),
        () => confusionMatrix(t, p, { labels: [] }),
        () => confusionMatrix(t, p, { labels: [1, 1] }),
        () => confusionMatrix(t, p, { labels: [9] }),
        () => confusionMatrix(t, p, { normalize: 'rows' as never }),
        () => classificationReport(t, p, { targetNames: ['a'] }),
        () => cohenKappaScore(t, p, { weights: 'cubic' as never }),
      ),
    ).toEqual([
      'E_PARAM',
      'E_PARAM',
      'E_PARAM',
      'E_LABEL_TYPE',
      'E_PARAM',
      'E_PARAM',
      'E_PARAM',
      'E_PARAM',
      'E_EMPTY_INPUT',
      'E_PARAM',
      'E_PARAM',
      'E_PARAM',
      'E_SHAPE',
      'E_PARAM',
    ]);
  });

  test('a report of data has no inherited names', () => {
    const report = classificationReport(['__proto__', 'constructor'], ['__proto__', '__proto__'], { outputDict: true });
    expect(Object.keys(report)).toEqual(['__proto__', 'constructor', 'accuracy', 'macro avg', 'weighted avg']);
    expect(Object.values(report)[0]).toMatchObject({ support: 1 });
    expect(report.toString).toBe(undefined);
  });
});

test('a report with other names than the given labels warns and names what it can', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const report = classificationReport([0, 1, 1], [0, 1, 0], { labels: [1], targetNames: ['a', 'b'], outputDict: true });
  expect(Object.keys(report)).toEqual(['a', 'micro avg', 'macro avg', 'weighted avg']);
  expect(warn).toHaveBeenCalledWith('classificationReport: there are 2 targetNames for 1 classes');
  warn.mockRestore();
});
