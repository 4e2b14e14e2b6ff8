import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { forecasts, rankings } from '../../test/reference/evaluate/samples.ts';
import { f1Score, precisionScore, recallScore } from './class-scores.ts';
import { evaluateSets, fitConformal, predictSets } from './conformal.ts';
import { type Decision, decide } from './decide.ts';
import { abstentionThreshold, bestThreshold, noveltyThreshold } from './decision-threshold.ts';
import { accuracyScore, balancedAccuracyScore, matthewsCorrcoef } from './metrics.ts';

const labels = (decisions: readonly Decision[]) => decisions.map(({ label }) => label);
const code = (attempt: () => unknown) => refusalOf(attempt).code;

describe('conformal sets', () => {
  const options = fc.record({
    alpha: fc.constantFrom(0.05, 0.1, 0.2, 0.5),
    method: fc.constantFrom('lac' as const, 'aps' as const),
    classConditional: fc.boolean(),
  });

  check.prop([forecasts, options])(
    'leaving each row out in turn, the sets of the rest hold at least 1 − α of the labels',
    ({ y, P }, given) => {
      const held = y.map((label, i) => {
        const rest = (list: readonly unknown[]) => list.filter((_, k) => k !== i);
        const conformal = fitConformal(rest(P) as number[][], rest(y) as number[], { ...given, labels: [0, 1, 2] });
        return predictSets(conformal, [P[i]], { allowEmpty: true })[0].includes(label);
      });
      const missed = (rows: boolean[]) => rows.filter((own) => !own).length;
      expect(missed(held)).toBeLessThanOrEqual(given.alpha * y.length + 1e-9);
      if (!given.classConditional) return;
      for (const label of [0, 1, 2]) {
        const own = held.filter((_, i) => y[i] === label);
        expect(missed(own)).toBeLessThanOrEqual(given.alpha * own.length + 1e-9);
      }
    },
  );

  check.prop([forecasts, options])('a smaller α gives sets that hold the others', ({ y, P }, given) => {
    const wide = predictSets(fitConformal(P, y, { ...given, alpha: given.alpha / 2 }), P, { allowEmpty: true });
    const narrow = predictSets(fitConformal(P, y, given), P, { allowEmpty: true });
    narrow.forEach((set, i) => {
      for (const label of set) expect(wide[i]).toContain(label);
    });
  });

  check.prop([forecasts, options])(
    'no set is empty unless it may be, and the others are the same',
    ({ y, P }, given) => {
      const conformal = fitConformal(P, y, given);
      const sets = predictSets(conformal, P);
      predictSets(conformal, P, { allowEmpty: true }).forEach((set, i) => {
        if (set.length > 0) expect(sets[i]).toEqual(set);
        else expect(sets[i]).toEqual([conformal.classes[P[i].indexOf(Math.max(...P[i]))]]);
      });
    },
  );

  test('sets are evaluated by coverage and size', () => {
    const { coverage, meanSize, singletons, empty } = evaluateSets(
      [['a'], ['a', 'b'], [], ['b']],
      ['a', 'b', 'b', 'a'],
    );
    expect([coverage.value, meanSize, singletons, empty]).toEqual([0.5, 1, 0.5, 0.25]);
    expect(code(() => evaluateSets([['a']], ['a', 'b']))).toBe('E_SHAPE');
    expect(code(() => fitConformal([[0.5, 0.5]], ['a'], { labels: ['a', 'b'], alpha: 0 }))).toBe('E_PARAM');
    const few = fitConformal([[0.9, 0.1]], ['a'], { labels: ['a', 'b'] });
    expect(predictSets(few, [[1, 0]])).toEqual([['a', 'b']]);
  });
});

describe('costs and thresholds', () => {
  check.prop([forecasts])('equal costs decide for the most probable class', ({ P }) => {
    const costs = [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 0],
    ];
    const cheap = decide(P, ['x', 'y', 'z'], { costs });
    const plain = decide(P, ['x', 'y', 'z']);
    P.forEach((row, i) => {
      expectClose([cheap[i].expectedCost ?? Number.NaN], [1 - Math.max(...row)], 1e-12, 1);
      const tied = row.filter((p) => Math.abs(p - Math.max(...row)) < 1e-12).length > 1;
      if (!tied) expect(cheap[i].label).toBe(plain[i].label);
    });
  });

  test('an expensive mistake moves the decision, and asking may be cheapest', () => {
    const costs = [
      [0, 10],
      [1, 0],
    ]; // true ham called spam costs 10
    const P = [
      [0.2, 0.8],
      [0.05, 0.95],
    ];
    expect(labels(decide(P, ['ham', 'spam'], { costs }))).toEqual(['ham', 'spam']);
    // the same as a threshold of 10 / (10 + 1) for spam, Elkan (2001), eq. (2)
    expect(labels(decide(P, ['ham', 'spam'], { threshold: { spam: 10 / 11 } }))).toEqual(['ham', 'spam']);
    const asking = [
      [0, 10, 0.5],
      [1, 0, 0.5],
    ];
    expect(decide([[0.2, 0.8]], ['ham', 'spam'], { costs: asking })[0]).toMatchObject({
      label: null,
      expectedCost: 0.5,
    });
    expect(code(() => decide([[0.5, 0.5]], ['a', 'b'], { costs: [[0, 1]] }))).toBe('E_SHAPE');
    expect(code(() => decide([[0.5, 0.5]], ['a', 'b', 'c']))).toBe('E_SHAPE');
    expect(code(() => decide([[0.5, 7]], ['a', 'b']))).toBe('E_VALUE_RANGE');
  });

  test('abstention by probability and by margin', () => {
    const P = [
      [0.5, 0.3, 0.2],
      [0.45, 0.44, 0.11],
      [0.9, 0.05, 0.05],
    ];
    expect(labels(decide(P, [1, 2, 3], { reject: 0.6 }))).toEqual([null, null, 1]);
    expect(labels(decide(P, [1, 2, 3], { margin: 0.1 }))).toEqual([1, null, 1]);
    expect(labels(decide([0.2, 0.9], [false, true]))).toEqual([false, true]);
  });

  check.prop([forecasts, fc.constantFrom(0, 0.1, 0.3, 1)])(
    'the threshold of certainty keeps the error rate',
    ({ y, P }, errorRate) => {
      const found = abstentionThreshold(y, P, { errorRate });
      const answered = y.flatMap((_, i) => (Math.max(...P[i]) >= found.threshold ? [i] : []));
      expectClose([found.coverage], [answered.length / y.length]);
      const wrong = answered.filter((i) => P[i].indexOf(Math.max(...P[i])) !== y[i]).length;
      expect(wrong).toBeLessThanOrEqual(errorRate * answered.length + 1e-9);
      expect(code(() => abstentionThreshold(y, P, {} as never))).toBe('E_PARAM');
    },
  );

  check.prop([rankings])('the best threshold is no worse than any other', ({ y, score, w }) => {
    const at = (threshold: number) => score.map((s) => (s >= threshold ? 1 : 0));
    const goals = {
      f1: f1Score,
      accuracy: accuracyScore,
      balancedAccuracy: balancedAccuracyScore,
      matthews: matthewsCorrcoef,
    };
    for (const [maximize, metric] of Object.entries(goals)) {
      const best = bestThreshold(y, score, { maximize: maximize as 'f1', sampleWeight: w });
      const values = score.map((s) => metric(y, at(s), { sampleWeight: w }));
      expectClose([best.value], [Math.max(...values)], 1e-12, 1);
      expectClose(
        [best.precision, best.recall],
        [
          precisionScore(y, at(best.threshold), { sampleWeight: w }),
          recallScore(y, at(best.threshold), { sampleWeight: w }),
        ],
      );
    }
  });

  test('thresholds that keep a precision or a recall', () => {
    const [y, score] = [
      [0, 1, 0, 1, 1],
      [0.1, 0.2, 0.3, 0.4, 0.5],
    ];
    expect(bestThreshold(y, score, { precision: 1 })).toMatchObject({ threshold: 0.4, recall: 2 / 3 });
    expect(bestThreshold(y, score, { recall: 1 })).toMatchObject({ threshold: 0.2, precision: 0.75 });
    expect(bestThreshold([1, 0], [0.1, 0.2], { precision: 0.9 }).threshold).toBe(Infinity);
    expect(bestThreshold(y, score, { maximize: 'youden' }).value).toBeCloseTo(2 / 3);
    expect(code(() => bestThreshold([1, 1], [1, 2]))).toBe('E_CLASSES_TOO_FEW');
    expect(code(() => bestThreshold(y, score, { precision: 1, recall: 1 }))).toBe('E_PARAM');
  });

  check.prop([rankings, fc.constantFrom(0, 1, 5), fc.constantFrom(1, 3)])(
    'the threshold of least cost is no dearer than any other, or than calling nothing positive',
    ({ y, score, w }, falsePositive, falseNegative) => {
      const cost = (threshold: number) => {
        const paid = y.map((label, i) => {
          const called = score[i] >= threshold;
          return w[i] * (called && label === 0 ? falsePositive : !called && label === 1 ? falseNegative : 0);
        });
        return paid.reduce((sum, own) => sum + own, 0) / w.reduce((sum, own) => sum + own, 0);
      };
      const best = bestThreshold(y, score, { costs: { falsePositive, falseNegative }, sampleWeight: w });
      expectClose([best.value], [cost(best.threshold)], 1e-12, 1);
      expectClose([best.value], [Math.min(...[...score, Infinity].map(cost))], 1e-12, 1);
      expect(code(() => bestThreshold(y, score, { costs: { falsePositive: 0, falseNegative: 0 } }))).toBe('E_PARAM');
    },
  );
});

describe('novelty', () => {
  check.prop([
    fc.array(fc.integer({ min: -20, max: 0 }), { minLength: 1, maxLength: 40 }),
    fc.constantFrom(0.01, 0.05, 0.1, 0.5),
  ])('leaving each row out in turn, at most the stated share raises a false alarm', (evidence, rate) => {
    const alarms = evidence.filter((own, i) => {
      const rest = evidence.filter((_, k) => k !== i);
      return own < noveltyThreshold(rest, rate).threshold;
    });
    expect(alarms.length).toBeLessThanOrEqual(rate * evidence.length + 1e-9);
  });

  test('a hundred rows by hand, impossible rows, and refusals', () => {
    const evidence = Array.from({ length: 99 }, (_, i) => -i);
    expect(noveltyThreshold(evidence, 0.05)).toEqual({ threshold: -94, falseAlarmRate: 0.05, n: 99 });
    expect(noveltyThreshold([-1, -2], 0.05).threshold).toBe(-Infinity);
    expect(code(() => noveltyThreshold([Number.NaN], 0.05))).toBe('E_NOT_FINITE');
    expect(code(() => noveltyThreshold([-1], 5))).toBe('E_PARAM');
  });
});
