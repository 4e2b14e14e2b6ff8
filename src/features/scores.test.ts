import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose as expectRelative } from '../../test/close.ts';
import { count } from '../core/model.ts';
import { batch, sliceBatch } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { moments } from '../stats/moments.ts';
import { sums } from '../stats/sums.ts';
import { chi2, chi2FromSums, fClassif, fFromMoments } from './scores.ts';
import { markBest, markPercentile } from './select.ts';

const X = [
  [1, 1, 3],
  [0, 1, 5],
  [5, 4, 1],
  [6, 6, 2],
  [1, 4, 0],
  [0, 0, 0],
];
const y = [1, 1, 0, 0, 2, 2];

const counts = fc.integer({ min: 4, max: 25 }).chain((rows) =>
  fc.record({
    X: fc.array(fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }), { minLength: rows, maxLength: rows }),
    y: fc.array(fc.nat(1), { minLength: rows - 2, maxLength: rows - 2 }).map((list) => [0, 1, ...list]),
    where: fc.nat(rows),
  }),
);

const sparseOf = (rows: readonly (readonly number[])[]) =>
  SparseMatrix.fromRows(
    rows.map((row) => row.map((value, j) => [j, value] as const)),
    rows[0].length,
  );

const expectClose = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-12) =>
  expectRelative(actual, expected, tolerance, 1);

describe('chi-square', () => {
  test('of the lesson of scikit-learn is 15.4, 6.5 and 8.9', () => {
    const [statistics, pValues] = chi2(X, y);
    expectClose(statistics, [15.384615384615387, 6.500000000000001, 8.90909090909091], 1e-15);
    expectClose(pValues, [0.0004563239005810305, 0.03877420783172198, 0.011625603038838493], 1e-14);
  });

  law.prop([counts])('needs no second pass: it follows from sums counted in parts', ({ X, y, where }) => {
    const whole = batch(X, y, undefined, { classes: 2 });
    const stats = count(sums, sliceBatch(whole, 0, where));
    sums.merge(stats, count(sums, sliceBatch(whole, where, X.length)));
    const [fromParts] = chi2FromSums(stats);
    expectClose(fromParts, chi2(X, y)[0]);
    expectClose(chi2(sparseOf(X), y)[0], chi2(X, y)[0]);
  });

  test('reads the counts of a fitted model', () => {
    const stats = count(sums, batch(X, y));
    const model = { classCount: stats.n, featureCount: new Matrix(3, 3, stats.s) };
    expect(chi2FromSums(model)).toEqual(chi2(X, y));
  });

  test('is NaN for a feature that never occurs and for a single class', () => {
    expect(
      Array.from(
        chi2(
          [
            [0, 1],
            [0, 2],
          ],
          ['a', 'b'],
        )[0],
      ),
    ).toEqual([Number.NaN, expect.any(Number)]);
    expect(chi2([[1], [2]], ['a', 'a'])[1][0]).toBeNaN();
  });

  test('refuses negative and endless cells, no rows, and labels that do not fit', () => {
    const refusal = (rows: number[][], labels: unknown[], code: string) =>
      expect(() => chi2(rows, labels as string[])).toThrow(expect.objectContaining({ code }));
    refusal([[-1]], ['a'], 'E_NEGATIVE');
    refusal([[Number.NaN]], ['a'], 'E_NOT_FINITE');
    refusal([], [], 'E_EMPTY_INPUT');
    refusal([[]], ['a'], 'E_EMPTY_INPUT');
    refusal([[1]], ['a', 'b'], 'E_SHAPE');
    refusal([[1], [1]], ['a', null], 'E_LABEL_MISSING');
    expect(() => chi2([[1]], undefined as never)).toThrow(expect.objectContaining({ code: 'E_SHAPE' }));
    expect(() => chi2([[1]], ['a'], { sampleWeight: [0] })).toThrow(
      expect.objectContaining({ code: 'E_WEIGHTS_ALL_ZERO' }),
    );
  });
});

describe('F', () => {
  test('of the lesson of scikit-learn is 33.3, 2.6 and 9.8', () => {
    expectClose(fClassif(X, y)[0], [33.33333333333333, 2.6, 9.799999999999999], 1e-14);
  });

  law.prop([counts])('follows from moments counted in parts, and from sparse rows', ({ X, y, where }) => {
    const whole = batch(X, y, undefined, { classes: 2 });
    const stats = count(moments, sliceBatch(whole, 0, where));
    moments.merge(stats, count(moments, sliceBatch(whole, where, X.length)));
    const noise = 1e-9; // where all spread is within one class, a rest of rounding can stand for zero
    const [expected] = fClassif(X, y);
    const [merged] = fFromMoments(stats);
    const [sparse] = fClassif(sparseOf(X), y);
    expected.forEach((value, j) => {
      if (!Number.isFinite(value) || value > 1e9) return;
      expectClose([merged[j], sparse[j]], [value, value], noise);
    });
  });

  law.prop([counts])('counts weight k as k rows', ({ X, y }) => {
    const weights = y.map((_, i) => 1 + (i % 3));
    const repeated = X.flatMap((row, i) => Array.from({ length: weights[i] }, () => row));
    const labels = y.flatMap((c, i) => Array.from({ length: weights[i] }, () => c));
    const [a, b] = [fClassif(X, y, { sampleWeight: weights })[0], fClassif(repeated, labels)[0]];
    a.forEach((value, j) => {
      if (Number.isFinite(b[j]) && b[j] < 1e9) expectClose([value], [b[j]], 1e-9);
    });
  });

  test('does not lose its digits to an offset of a billion', () => {
    const near = [[4], [7], [13], [16]];
    const far = near.map(([x]) => [1e9 + x]);
    expectClose(fClassif(far, [0, 0, 1, 1])[0], fClassif(near, [0, 0, 1, 1])[0]);
  });

  test('reads means and variances of a fitted model, less what was added to them', () => {
    const model = {
      classCount: Float64Array.of(2, 2),
      theta: Matrix.from([[5.5], [14.5]]),
      var: Matrix.from([[2.25 + 0.5], [2.25 + 0.5]]),
      epsilon: 0.5,
    };
    expectClose(fFromMoments(model)[0], fClassif([[4], [7], [13], [16]], [0, 0, 1, 1])[0]);
  });

  test('is NaN for a constant feature and Infinity for one that is constant in every class', () => {
    const [f, p] = fClassif(
      [
        [1, 1],
        [1, 1],
        [1, 2],
        [1, 2],
      ],
      ['a', 'a', 'b', 'b'],
    );
    expect(Array.from(f)).toEqual([Number.NaN, Infinity]);
    expect(p[1]).toBe(0);
  });
});

describe('the choice of features', () => {
  const scores = fc.array(fc.oneof(fc.nat(5), fc.constant(Number.NaN)), { minLength: 1, maxLength: 12 });

  law.prop([scores, fc.nat(12)])('keeps exactly k, and none kept is below one left out', (list, k) => {
    const values = Float64Array.from(list);
    const mask = markBest(values, k);
    expect(mask.filter(Boolean).length).toBe(Math.min(k, list.length));
    const value = (j: number) => (Number.isNaN(values[j]) ? -1 : values[j]);
    for (let a = 0; a < list.length; a++) {
      for (let b = 0; b < list.length; b++) {
        if (mask[a] && !mask[b]) expect(value(a) > value(b) || (value(a) === value(b) && a > b)).toBe(true);
      }
    }
  });

  law.prop([scores, fc.integer({ min: 0, max: 100 })])(
    'by percentage keeps at most that share and one more',
    (list, percentile) => {
      const kept = markPercentile(Float64Array.from(list), percentile).filter(Boolean).length;
      expect(kept).toBeLessThanOrEqual(Math.ceil((list.length * percentile) / 100));
    },
  );

  test('of equals takes the later, and keeps all when asked for more than there are', () => {
    expect(markBest(Float64Array.of(1, 1, 1), 1)).toEqual([false, false, true]);
    expect(markBest(Float64Array.of(1, 2), 5)).toEqual([true, true]);
  });
});
