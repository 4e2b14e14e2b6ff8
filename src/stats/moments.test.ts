import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches, cut } from '../../test/batches.ts';
import { expectClose } from '../../test/close.ts';
import { count } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { Random } from '../math/random.ts';
import { toPlanes } from './exact.ts';
import { type Moments, meanAt, moments, varianceAt } from './moments.ts';
import { gappedScatter, meanVector, scatter, scatterMatrix } from './scatter.ts';

const one = (values: readonly number[]) =>
  count(
    moments,
    batch(
      values.map((value) => [value]),
      values.map(() => 0),
    ),
  );

test('1e9 + {4, 7, 13, 16} has mean 1e9 + 10 and squared deviations 90', () => {
  const stats = one([4, 7, 13, 16].map((d) => 1e9 + d));
  expect(meanAt(stats, 0, 0)).toBe(1e9 + 10);
  expect(varianceAt(stats, 0, 0)).toBe(90 / 4);
});

test('an empty class has mean and variance zero', () => {
  expect([meanAt(moments.empty({ classes: 1, features: 1 }), 0, 0), varianceAt(one([5]), 0, 0)]).toEqual([0, 0]);
});

/** Offsets are integers, so that the two-pass variance of the small parts is exact. */
function offsetSample(offset: number, n: number, seed: number): { values: number[]; variance: number } {
  const random = new Random(seed);
  const small = Array.from({ length: n }, () => Math.round(random.normal() * 2 ** 10) / 2 ** 10);
  const mean = small.reduce((sum, d) => sum + d, 0) / n;
  return { values: small.map((d) => offset + d), variance: small.reduce((sum, d) => sum + (d - mean) ** 2, 0) / n };
}

describe('variance does not cancel', () => {
  for (const offset of [0, 1e3, 1e6, 1e9, 1e12]) {
    test(`within 1e-10 of two passes at offset ${offset}, also after 20 merges`, () => {
      const { values, variance } = offsetSample(offset, 2000, 5);
      expectClose([varianceAt(one(values), 0, 0)], [variance], 1e-10);
      const merged = moments.empty({ classes: 1, features: 1 });
      for (let part = 0; part < 20; part++) moments.merge(merged, one(values.slice(part * 100, (part + 1) * 100)));
      expectClose([varianceAt(merged, 0, 0)], [variance], 1e-10);
    });
  }

  test('if the first value is far from all others', () => {
    const { values, variance } = offsetSample(0, 5000, 7);
    const stats = one([1e6, ...values]);
    const between = varianceOfShift(5000, 1e6, values);
    expectClose([varianceAt(stats, 0, 0)], [(variance * 5000) / 5001 + between], 1e-10);
  });
});

/** The part of the variance of n values and one outlier that comes from the distance between them. */
function varianceOfShift(n: number, outlier: number, values: readonly number[]): number {
  const mean = values.reduce((sum, d) => sum + d, 0) / n;
  return (n / (n + 1) ** 2) * (outlier - mean) ** 2;
}

check.prop([batches('reals', { missing: true }), fc.nat()])(
  'missing cells are counted separately and merged',
  (all, where) => {
    const [left, right] = cut(all, where);
    const merged = count(moments, left);
    moments.merge(merged, count(moments, right));
    const whole = count(moments, all);
    expect(merged.m).toEqual(whole.m);
    for (let c = 0; c < all.classes; c++) {
      for (let j = 0; j < all.features; j++) {
        expectClose([meanAt(merged, c, j)], [meanAt(whole, c, j)], 1e-12, 100);
        expectClose([varianceAt(merged, c, j)], [varianceAt(whole, c, j)], 1e-12, 1e4);
      }
    }
  },
);

check.prop([batches('reals', { missing: true })])('exact moments with missing cells agree with plain ones', (all) => {
  const plain = count(moments, all);
  const exact: Moments = moments.exact.round(count(moments.exact as never, all));
  expect(exact.m).toEqual(plain.m);
  for (let c = 0; c < all.classes; c++) {
    for (let j = 0; j < all.features; j++) {
      expectClose([meanAt(exact, c, j)], [meanAt(plain, c, j)], 1e-12, 100);
      expectClose([varianceAt(exact, c, j)], [varianceAt(plain, c, j)], 1e-12, 1e4);
    }
  }
});

test('in exact arithmetic an outlier can be unlearned without a trace', () => {
  const rows = (values: number[]) =>
    batch(
      values.map((value) => [value]),
      values.map(() => 0),
    ); // prettier-ignore
  const stats = count(moments.exact as never, rows([1e15, 1, 2, 3])) as never;
  moments.exact.subtract(stats, count(moments.exact as never, rows([1e15])) as never);
  const rest = moments.exact.round(stats);
  expect([meanAt(rest, 0, 0), varianceAt(rest, 0, 0)]).toEqual([2, 2 / 3]);
});

test('the scatter matrix of three points', () => {
  const stats = count(
    scatter,
    batch(
      [
        [1e9 + 1, 0],
        [1e9 + 2, 1],
        [1e9 + 3, 5],
      ],
      [0, 0, 0],
    ),
  ); // prettier-ignore
  expect([...meanVector(stats, 0)]).toEqual([1e9 + 2, 2]);
  expectClose(scatterMatrix(stats, 0), [2, 5, 5, 14], 1e-14);
});

describe('rows with exact plain sums', () => {
  const random = new Random(3);
  const cell = () => (random.uniform() < 0.1 ? Number.NaN : Math.round(random.normal() * 2 ** 12) / 2 ** 12 + 3);
  // one row in a hundred is too far away for plain sums of many rows
  const rows = Array.from({ length: 3000 }, (_, i) => [cell(), cell(), (i % 100 === 7 ? 2 ** 20 : 50) * cell()]);
  const y = rows.map(() => random.integer(2));
  for (const { name, exact } of [moments, gappedScatter]) {
    test(`give the same ${name} as expansions`, () => {
      const whole = { ...batch(rows, y), missing: true as const };
      const [plain, slow] = [exact.empty(whole), exact.empty(whole)];
      exact.add(plain, whole);
      const half = { ...whole, w: whole.w.map(() => 0.5) }; // sums of fractional weights are added one by one without rounding
      exact.add(slow, half);
      exact.add(slow, half);
      for (const array of Object.keys(exact.arrays)) {
        expect(toPlanes(plain.cells[array]), array).toEqual(toPlanes(slow.cells[array]));
      }
      expect(exact.round(plain as never)).toEqual(exact.round(slow as never));
    });
  }
});
