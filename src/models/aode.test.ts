import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches } from '../../test/batches.ts';
import { expectClose } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { type Batch, batch, sliceBatch } from '../data/batch.ts';
import { Random } from '../math/random.ts';
import { pairs } from '../stats/pairs.ts';
import { aode } from './aode.ts';
import { leaveOneOutBySubtraction } from './held-out.ts';

const gaps = batches('levels', { missing: true });
const plain = { alpha: 1, minimumFrequency: 1, weighted: false };

/** Formula (1) of the model, straight from the rows: no tables, no logarithms. A missing parent is summed over its K levels. */
function byHand(lesson: Batch, row: readonly number[], alpha: number, least: number, K: number): number[] {
  const { classes, features, rows, y, w, x } = lesson as Batch & { x: Float64Array };
  const weigh = (test: (i: number) => boolean) => {
    let sum = 0;
    for (let i = 0; i < rows; i++) if (test(i)) sum += w[i];
    return sum;
  };
  const cell = (i: number, j: number) => x[i * features + j];
  const seen = row.map((_, j) => j).filter((j) => !Number.isNaN(row[j]));
  const isFrequent = (j: number, v: number) => weigh((i) => cell(i, j) === v) >= Math.max(least, Number.MIN_VALUE);
  const levels = Array.from({ length: K }, (_, v) => v);
  const parents = [...row.keys()].filter((j) =>
    Number.isNaN(row[j]) ? levels.some((v) => isFrequent(j, v)) : isFrequent(j, row[j]),
  );
  return Array.from({ length: classes }, (_, c) => {
    if (parents.length === 0) {
      const prior = (weigh((i) => y[i] === c) + alpha) / (weigh(() => true) + alpha * classes);
      return seen.reduce((product, j) => {
        const own = weigh((i) => y[i] === c && cell(i, j) === row[j]);
        return (product * (own + alpha)) / (weigh((i) => y[i] === c && !Number.isNaN(cell(i, j))) + alpha * K);
      }, prior);
    }
    const underParent = (u: number, level: number) => {
      const joint = weigh((i) => y[i] === c && cell(i, u) === level) + alpha;
      const start = joint / (weigh((i) => !Number.isNaN(cell(i, u))) + alpha * classes * K);
      return seen
        .filter((j) => j !== u)
        .reduce((product, j) => {
          const both = weigh((i) => y[i] === c && cell(i, u) === level && cell(i, j) === row[j]);
          const given = weigh((i) => y[i] === c && cell(i, u) === level && !Number.isNaN(cell(i, j)));
          return (product * (both + alpha)) / (given + alpha * K);
        }, start);
    };
    const models = parents.flatMap((u) =>
      (Number.isNaN(row[u]) ? levels : [row[u]]).map((level) => underParent(u, level)),
    );
    return models.reduce((sum, p) => sum + p, 0) / parents.length;
  });
}

describe('scores', () => {
  check.prop([gaps, fc.constantFrom(1, 0.25), fc.constantFrom(0, 1, 5)])(
    'are the mean over one-dependence models, as the formula says',
    (lesson, alpha, minimumFrequency) => {
      const ensemble = aode.estimate(count(pairs, lesson), { alpha, minimumFrequency, weighted: false });
      const { x } = lesson as Batch & { x: Float64Array };
      for (let i = 0; i < lesson.rows; i++) {
        const row = [...x.slice(i * lesson.features, (i + 1) * lesson.features)];
        const expected = byHand(lesson, row, alpha, minimumFrequency, 3).map(Math.log);
        expectClose(score(aode, ensemble, sliceBatch(lesson, i, i + 1)), expected, 1e-12, 1);
      }
    },
  );

  test('two columns and four rows by hand', () => {
    const lesson = batch(
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 1],
      ],
      [0, 0, 1, 1],
      undefined,
      { levels: Int32Array.of(2, 2) },
    );
    const ensemble = aode.estimate(count(pairs, lesson), plain);
    // parent 1: p(c, 0) = 3/8 and 1/8, p(0 | c, 0) = 2/4 and 1/2; parent 2: p(c, 0) = 2/8 and 1/8, then 2/3 and 1/2
    const expected = [(3 / 16 + 1 / 6) / 2, (1 / 16 + 1 / 16) / 2].map(Math.log);
    expectClose(score(aode, ensemble, batch([[0, 0]])), expected, 1e-12);
    // both levels are new: naive Bayes, where a level on no list is an empty face: 3/6 · (1/4)²
    const naive = Math.log(1 / 32);
    expectClose(score(aode, ensemble, batch([[2, 2]])), [naive, naive], 1e-12);
    // one level is new: the other is the only parent, 3/8 · 1/4 and 1/8 · 1/2
    expectClose(score(aode, ensemble, batch([[0, 2]])), [Math.log(3 / 32), Math.log(1 / 16)], 1e-12);
  });

  test('weighted: a column that says nothing about the class is no parent', () => {
    const lesson = batch(
      [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ],
      [0, 0, 1, 1],
      undefined,
      { levels: Int32Array.of(2, 2) },
    );
    const { weights } = aode.estimate(count(pairs, lesson), { ...plain, weighted: true });
    expectClose(weights, [Math.LN2, 0], 1e-12);
    const scores = score(aode, aode.estimate(count(pairs, lesson), { ...plain, weighted: true }), batch([[0, 0]]));
    expectClose(scores, [Math.log((3 / 8) * (2 / 4)), Math.log((1 / 8) * (1 / 2))], 1e-12);
  });

  check.prop([gaps])('weighted: without any information all parents count alike', (lesson) => {
    const one = { ...lesson, classes: 1, y: new Int32Array(lesson.rows) } as Batch;
    const stats = count(pairs, one);
    const [even, weighted] = [false, true].map((on) =>
      score(aode, aode.estimate(stats, { ...plain, weighted: on }), one),
    );
    expect(weighted).toEqual(even);
  });
});

describe('leave-one-out and samples', () => {
  check.prop([gaps, fc.boolean(), fc.constantFrom(0, 1, 3)])(
    'leaving a row out is counting without it',
    (lesson, weighted, minimumFrequency) => {
      const options = { alpha: 0.5, minimumFrequency, weighted };
      const out = new Float64Array(lesson.rows * lesson.classes);
      leaveOneOutBySubtraction(count(pairs, lesson), options, lesson, out, aode);
      for (let i = 0; i < lesson.rows; i++) {
        const rest = pairs.empty(lesson);
        pairs.add(rest, sliceBatch(lesson, 0, i));
        pairs.add(rest, sliceBatch(lesson, i + 1, lesson.rows));
        const expected = score(aode, aode.estimate(rest, options), sliceBatch(lesson, i, i + 1));
        expectClose(out.subarray(i * lesson.classes, (i + 1) * lesson.classes), expected, 1e-12, 1);
      }
    },
  );

  test('samples follow the mixture', () => {
    const lesson = batch(
      [
        [0, 0],
        [0, 0],
        [1, 1],
        [1, 1],
      ],
      [0, 0, 1, 1],
      undefined,
      { levels: Int32Array.of(2, 2) },
    );
    const ensemble = aode.estimate(count(pairs, lesson), { ...plain, alpha: 1e-10 });
    const random = new Random(3);
    const row = new Float64Array(2);
    for (let i = 0; i < 100; i++) {
      aode.sample(ensemble, i % 2, random, row);
      expect([...row]).toEqual([i % 2, i % 2]);
    }
  });
});
