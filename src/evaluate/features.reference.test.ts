import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { f1Score, jaccardScore, precisionScore, recallScore } from './class-scores.ts';
import { d2BrierScore, d2LogLossScore, dcgScore, hingeLoss, ndcgScore } from './gain-metrics.ts';
import { LeaveOneGroupOut, LeavePOut, PredefinedSplit } from './leave-out.ts';
import { accuracyScore, hammingLoss, zeroOneLoss } from './metrics.ts';
import { classLikelihoodRatios, multilabelConfusionMatrix } from './multilabel-metrics.ts';
import { averagePrecisionScore, rocAucScore } from './ranking-scores.ts';
import { classificationReport } from './report.ts';
import { GroupShuffleSplit, ShuffleSplit, StratifiedShuffleSplit } from './shuffle-splits.ts';

const cases = recorded('features.json');
const of = (what: string) => cases.filter((one) => one.what === what).map((one, k) => [k, one] as const);

describe('scikit-learn 1.9.1', () => {
  test.each(of('multilabel'))('precision, recall, F and Jaccard of several labels, %i', (_, one) => {
    const { truth, guess, average, weights } = one;
    const options = { average, sampleWeight: weights, zeroDivision: 0 };
    for (const [name, score] of Object.entries({
      precision: precisionScore,
      recall: recallScore,
      f1: f1Score,
      jaccard: jaccardScore,
    })) {
      expectAlike(score(truth, guess, options), one[name], 1e-12);
    }
  });

  test.each(of('multilabel-plain'))('accuracy, losses, tables and report of several labels, %i', (_, one) => {
    const options = { sampleWeight: one.weights };
    expectAlike(accuracyScore(one.truth, one.guess, options), one.accuracy, 1e-12);
    expectAlike(hammingLoss(one.truth, one.guess, options), one.hamming, 1e-12);
    expectAlike(zeroOneLoss(one.truth, one.guess, options), one.zeroOne, 1e-12);
    const tables = multilabelConfusionMatrix(one.truth, one.guess, options);
    expect(tables.map((table) => table.toArray())).toEqual(one.matrices);
    expect(classificationReport(one.truth, one.guess, { ...options, zeroDivision: 0 })).toBe(one.report);
    expectAlike(
      classificationReport(one.truth, one.guess, { ...options, zeroDivision: 0, outputDict: true }),
      one.dict,
      1e-12,
    );
  });

  test.each(of('multilabel-ranking'))('areas under curves of several labels, %i', (_, one) => {
    const options = { average: one.average, sampleWeight: one.weights };
    expectAlike(rocAucScore(one.truth, one.scores, options), one.auc, 1e-12);
    expectAlike(averagePrecisionScore(one.truth, one.scores, options), one.precision, 1e-12);
    const lists = one.truth.map((row: number[]) => row.flatMap((flag, c) => (flag ? ['abcd'[c]] : [])));
    expectAlike(rocAucScore(lists, one.scores, options), one.auc, 1e-12);
  });

  test.each(of('multilabel-partial'))('a partial area of several labels, %i', (_, { truth, scores, auc }) => {
    expectAlike(rocAucScore(truth, scores, { maxFpr: 0.3 }), auc, 1e-12);
    expect(refusalOf(() => rocAucScore(truth, scores.slice(1))).code).toBe('E_SHAPE');
    expect(
      refusalOf(() =>
        averagePrecisionScore(
          truth,
          scores.map((row: number[]) => row.slice(1)),
        ),
      ).code,
    ).toBe('E_SHAPE');
  });

  test.each(of('multiclass-matrices'))('tables of one class against the rest, %i', (_, { truth, guess, matrices }) => {
    expect(multilabelConfusionMatrix(truth, guess).map((table) => table.toArray())).toEqual(matrices);
  });

  test.each(of('losses'))('shares of losses, hinge and likelihood ratios, %i', (_, one) => {
    const options = { sampleWeight: one.weights };
    expectAlike(d2LogLossScore(one.y, one.proba, options), one.d2log, 1e-9);
    expectAlike(d2BrierScore(one.y, one.proba, options), one.d2brier, 1e-9);
    expectAlike(d2LogLossScore(one.two, one.p, options), one.d2log2, 1e-9);
    expectAlike(d2BrierScore(one.two, one.p, options), one.d2brier2, 1e-9);
    const decision = one.p.map((p: number) => 4 * p - 2);
    expectAlike(hingeLoss(one.two, decision, options), one.hinge, 1e-12);
    const three = one.proba.map((row: number[]) => row.map((p) => 3 * p));
    expectAlike(hingeLoss(one.y, three, options), one.hinge3, 1e-12);
    expectAlike(classLikelihoodRatios(one.two, one.said, options), one.ratios, 1e-12);
  });

  test.each(of('ndcg'))('cumulative gain, %i', (_, { relevance, scores, k, ignoreTies, weights, dcg, ndcg }) => {
    const options = { k, ignoreTies, sampleWeight: weights };
    expectAlike(dcgScore(relevance, scores, options), dcg, 1e-12);
    expectAlike(ndcgScore(relevance, scores, options), ndcg, 1e-12);
  });
});

describe('several labels', () => {
  const truth = [['a', 'b'], [], ['b']];
  const guess = [['b', 'a'], ['a'], ['b', 'a']];

  test('as lists of names give what zeros and ones give', () => {
    const flags = (lists: string[][]) => lists.map((list) => ['a', 'b'].map((label) => Number(list.includes(label))));
    for (const average of ['micro', 'macro', 'samples'] as const) {
      expect(f1Score(truth, guess, { average })).toBe(f1Score(flags(truth), flags(guess), { average }));
    }
    expect(accuracyScore(truth, guess)).toBe(1 / 3);
    expect(hammingLoss(truth, guess)).toBe(2 / 6);
    expect(multilabelConfusionMatrix(truth, guess, { samplewise: true })[2].toArray()).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  test('are not mixed with one label for each row', () => {
    expect(refusalOf(() => f1Score(truth, ['a', 'b', 'b'], { average: 'micro' })).code).toBe('E_LABEL_TYPE');
    expect(refusalOf(() => f1Score(truth, guess)).code).toBe('E_PARAM');
    expect(refusalOf(() => f1Score([0, 1], [0, 1], { average: 'samples' })).code).toBe('E_PARAM');
    expect(refusalOf(() => multilabelConfusionMatrix([0, 1], [0, 1], { samplewise: true })).code).toBe('E_PARAM');
    expect(refusalOf(() => classLikelihoodRatios([0, 1, 2], [0, 1, 2])).code).toBe('E_PARAM');
    expect(refusalOf(() => ndcgScore([[1]], [[1]])).code).toBe('E_SHAPE');
    expect(refusalOf(() => hingeLoss([0, 1, 2], [[1, 2]])).code).toMatch(/^E_/);
  });
});

describe('splits', () => {
  const rows = Array.from({ length: 30 }, (_, i) => i);
  const y = rows.map((i) => 'abc'[i % 3]);
  const groups = rows.map((i) => i % 7);

  test.each([
    [new ShuffleSplit({ nSplits: 4, testSize: 0.2, randomState: 1 }), 4, 6, 24],
    [new ShuffleSplit({ nSplits: 2, testSize: 5, trainSize: 10 }), 2, 5, 10],
    [new ShuffleSplit(), 10, 3, 27],
    [new StratifiedShuffleSplit({ nSplits: 3, testSize: 0.2 }), 3, 6, 24],
  ])('%s draws sides of the sizes asked for, without a row on both', (splitter, count, test, train) => {
    const splits = [...splitter.split(rows, y)];
    expect(splits).toHaveLength(count);
    expect(splitter.getNSplits()).toBe(count);
    for (const [learn, held] of splits) {
      expect([held.length, learn.length]).toEqual([test, train]);
      expect(new Set([...learn, ...held]).size).toBe(test + train);
    }
    expect(splits[0]).not.toEqual(splits[1]);
    expect([...splitter.split(rows, y)]).toEqual(splits);
  });

  test('classes are in proportion, groups on one side', () => {
    for (const [, held] of new StratifiedShuffleSplit({ testSize: 6 }).split(rows, y)) {
      expect('abc'.split('').map((label) => held.filter((i) => y[i] === label).length)).toEqual([2, 2, 2]);
    }
    for (const [learn, held] of new GroupShuffleSplit({ testSize: 2 }).split(rows, y, groups)) {
      const [left, right] = [learn, held].map((side) => new Set(side.map((i) => groups[i])));
      expect([left.size, right.size]).toEqual([5, 2]);
      expect([...left].some((group) => right.has(group))).toBe(false);
    }
  });

  test('LeaveOneGroupOut, LeavePOut and PredefinedSplit are those of scikit-learn', () => {
    expect([...new LeaveOneGroupOut().split([1, 2, 3, 4], null, ['b', 'a', 'b', 'c'])]).toEqual([
      [[0, 2, 3], [1]],
      [
        [1, 3],
        [0, 2],
      ],
      [[0, 1, 2], [3]],
    ]);
    expect(new LeaveOneGroupOut().getNSplits(undefined, null, ['b', 'a', 'b'])).toBe(2);
    const pairs = [...new LeavePOut(2).split([1, 2, 3, 4])];
    expect(pairs.map(([, held]) => held.join(''))).toEqual(['01', '02', '03', '12', '13', '23']);
    expect(pairs[0][0]).toEqual([2, 3]);
    expect(new LeavePOut(3).getNSplits(rows)).toBe(4060);
    const given = new PredefinedSplit([0, 1, -1, 1]);
    expect([...given.split()]).toEqual([
      [[1, 2, 3], [0]],
      [
        [0, 2],
        [1, 3],
      ],
    ]);
    expect(given.getNSplits()).toBe(2);
  });

  test('what cannot be split is refused', () => {
    const codes = [
      () => new LeavePOut(0),
      () => new LeavePOut(3).split([1, 2, 3]),
      () => new LeaveOneGroupOut().split([1, 2], null, ['a', 'a']),
      () => new LeaveOneGroupOut().split([1, 2]),
      () => new PredefinedSplit([-1, -1]),
      () => new ShuffleSplit({ test_size: 0.2 } as never),
      () => new ShuffleSplit({ testSize: 40 }).split(rows),
      () => new GroupShuffleSplit().split(rows),
    ].map((attempt) => refusalOf(attempt).code);
    expect(new Set(codes)).toEqual(new Set(['E_PARAM']));
  });
});
