import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose as expectRelative } from '../../test/close.ts';
import { count } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { histogram } from '../stats/histogram.ts';
import { informationOfTable } from './events.ts';
import { gainRatio, gainRatioFromHistogram, informationFromHistogram, informationGain } from './gain.ts';
import { entropy, surprise } from './information.ts';
import { mutualInfoClassif } from './mutual-information.ts';

/** Small tables of whole numbers with labels. */
const tables = fc.tuple(fc.integer({ min: 2, max: 25 }), fc.integer({ min: 1, max: 4 })).chain(([rows, features]) =>
  fc.record({
    X: fc.array(fc.array(fc.nat(3), { minLength: features, maxLength: features }), {
      minLength: rows,
      maxLength: rows,
    }),
    y: fc.array(fc.nat(2), { minLength: rows, maxLength: rows }),
  }),
);

const sparseOf = (X: readonly (readonly number[])[]) =>
  SparseMatrix.fromRows(
    X.map((row) => row.map((value, j) => [j, value] as const)),
    X[0].length,
  );
const column = (X: readonly (readonly number[])[], j: number) => X.map((row) => row[j]);
const countsOf = (values: readonly number[]) =>
  [...new Set(values)].map((value) => values.filter((other) => other === value).length);

/** Information is compared on the scale of one nat. */
const expectClose = (actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-12) =>
  expectRelative(actual, expected, tolerance, 1);

describe('mutual information of discrete features', () => {
  law.prop([tables])('is never negative, and at most the entropy of either side', ({ X, y }) => {
    mutualInfoClassif(X, y, { discreteFeatures: true }).forEach((value, j) => {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(Math.min(entropy(countsOf(y)), entropy(countsOf(column(X, j)))) + 1e-12);
    });
  });

  law.prop([tables])('is the same with feature and class exchanged', ({ X, y }) => {
    const forth = mutualInfoClassif(X, y, { discreteFeatures: true });
    const back = forth.map(
      (_, j) =>
        mutualInfoClassif(
          y.map((c) => [c]),
          column(X, j),
          { discreteFeatures: true },
        )[0],
    );
    expectClose(forth, back);
  });

  law.prop([tables])('is the same for sparse rows, for a histogram and as information gain', ({ X, y }) => {
    const expected = mutualInfoClassif(X, y, { discreteFeatures: true });
    const levels = new Int32Array(X[0].length).fill(4);
    expectClose(mutualInfoClassif(sparseOf(X), y), expected);
    expectClose(informationFromHistogram(count(histogram, batch(X, y, undefined, { levels }))), expected);
    expectClose(informationGain(X, y), expected);
    expectClose(
      informationGain(X, y, { unit: 'bits' }),
      expected.map((value) => value / Math.LN2),
    );
  });

  law.prop([tables])('does not depend on what the values are called', ({ X, y }) => {
    const renamed = X.map((row) => row.map((value) => 17 - 3 * value));
    const options = { discreteFeatures: true };
    expectClose(mutualInfoClassif(renamed, y, options), mutualInfoClassif(X, y, options));
  });

  law.prop([tables])('over the entropy of the feature is its gain ratio', ({ X, y }) => {
    const gain = informationGain(X, y);
    const expected = gain.map((value, j) => (value === 0 ? 0 : value / entropy(countsOf(column(X, j)))));
    const levels = new Int32Array(X[0].length).fill(4);
    expectClose(gainRatio(X, y), expected);
    expectClose(gainRatioFromHistogram(count(histogram, batch(X, y, undefined, { levels }))), expected);
  });

  test('of the lesson of scikit-learn is 0.64, 0.87 and 1.10 nats', () => {
    const X = [
      [1, 1, 3],
      [0, 1, 5],
      [5, 4, 1],
      [6, 6, 2],
      [1, 4, 0],
      [0, 0, 0],
    ];
    const expected = [0.6365141682948127, 0.8675632284814612, 1.0986122886681098];
    expectClose(mutualInfoClassif(X, [1, 1, 0, 0, 2, 2], { discreteFeatures: true }), expected, 1e-15);
  });

  test('keeps its digits where it is tiny', () => {
    // Of 2n rows one more agrees than disagrees: with r = 1/n, I = ½ ((1 + r) ln(1 + r) + (1 − r) ln(1 − r)) ≈ r²/2.
    const n = 1e6;
    const tiny = informationOfTable({ n11: n + 1, n10: n - 1, n01: n - 1, n00: n + 1 });
    expect(Math.abs(tiny / (0.5 / n ** 2) - 1)).toBeLessThan(1e-11);
    expect(surprise(5, 5)).toBe(0);
  });
});

describe('mutual information of continuous features', () => {
  const wave = Array.from({ length: 60 }, (_, i) => [Math.sin(i * 7.3) + (i % 2), Math.cos(i * 3.1)]);
  const labels = wave.map((_, i) => i % 2);

  test('is the same for the same seed, whatever the order of the columns', () => {
    const [a, b] = mutualInfoClassif(wave, labels, { randomState: 5 });
    const swapped = wave.map(([x, z]) => [z, x]);
    expect(Array.from(mutualInfoClassif(swapped, labels, { randomState: 5 }))).toEqual([b, a]);
  });

  test('is near ln 2 for two classes far apart and near 0 for noise', () => {
    const X = Array.from({ length: 400 }, (_, i) => [(i % 2) * 100 + Math.sin(i * i), Math.sin(i * i + 0.5)]);
    const [apart, noise] = mutualInfoClassif(
      X,
      X.map((_, i) => i % 2),
      { nNeighbors: 5 },
    );
    expect(apart).toBeCloseTo(Math.LN2, 2);
    expect(noise).toBeLessThan(0.1);
  });

  test('leaves a class of one row out, and is 0 where no class has two', () => {
    expect(mutualInfoClassif([[1], [2]], ['a', 'b'])[0]).toBe(0);
  });

  test('survives values that are all equal', () => {
    expect(mutualInfoClassif([[1], [1], [1], [1]], [0, 0, 1, 1])[0]).toBeGreaterThanOrEqual(0);
  });

  test('refuses sparse rows, odd neighbours and odd masks', () => {
    const refused = (options: object, X: number[][] | SparseMatrix = wave) =>
      expect(() => mutualInfoClassif(X, labels, options)).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
    refused({ discreteFeatures: false }, sparseOf(wave));
    refused({ nNeighbors: 0 });
    refused({ discreteFeatures: [true] });
    refused({ discreteFeatures: [2] });
    refused({ discreteFeatures: 'none' });
  });
});
