import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { decodeState } from '../core/artifact.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { documentInformation } from '../features/events.ts';
import { mutualInfoClassif } from '../features/mutual-information.ts';
import { chi2, fClassif } from '../features/scores.ts';
import { SelectKBest, SelectPercentile } from './select.ts';

const X = [
  [1, 1, 3],
  [0, 1, 5],
  [5, 4, 1],
  [6, 6, 2],
  [1, 4, 0],
  [0, 0, 0],
];
const y = [1, 1, 0, 0, 2, 2];

const lessons = fc
  .array(fc.tuple(fc.nat(4), fc.nat(4), fc.nat(4), fc.constantFrom('a', 'b', '__proto__')), {
    minLength: 2,
    maxLength: 20,
  })
  .map((rows) => ({ X: rows.map(([p, q, r]) => [p, q, r]), y: rows.map(([, , , label]) => label) }));
const names = ['chi2', 'fClassif', 'documentInformation', 'wordInformation'] as const;

describe('SelectKBest', () => {
  test('of one keeps the first feature by F and by chi-square, the last by information', () => {
    expect(new SelectKBest({ k: 1 }).fit(X, y).getSupport()).toEqual([true, false, false]);
    expect(new SelectKBest({ k: 1, scoreFunc: chi2 }).fit(X, y).getSupport({ indices: true })).toEqual([0]);
    const informed = (rows: number[][], labels: ArrayLike<number>) =>
      mutualInfoClassif(rows, labels, { discreteFeatures: true });
    const model = new SelectKBest({ k: 1, scoreFunc: informed as never }).fit(X, y);
    expect(model.getSupport({ indices: true })).toEqual([2]);
    expect(model.pvalues).toBeUndefined();
  });

  test('shows scores and p-values', () => {
    const model = new SelectKBest({ k: 2, scoreFunc: 'chi2' }).fit(X, y);
    expectClose(model.scores, [15.384615384615387, 6.500000000000001, 8.90909090909091], 1e-15);
    expectClose(model.pvalues!, [0.0004563239005810305, 0.03877420783172198, 0.011625603038838493]);
    expect(model.transform(X).toArray()[0]).toEqual([1, 3]);
    expect(model.getFeatureNamesOut()).toEqual(['x0', 'x2']);
    expect(model.getFeatureNamesOut(['a', 'b', 'c'])).toEqual(['a', 'c']);
  });

  test('keeps sparse rows sparse, and gives back zeros for what it left out', () => {
    const sparse = SparseMatrix.fromRows(
      X.map((row) => row.map((value, j) => [j, value] as const)),
      3,
    );
    const model = new SelectKBest({ k: 2 }).fit(sparse, y);
    const kept = model.transform(sparse);
    expect(kept).toBeInstanceOf(SparseMatrix);
    expect(kept.toArray()).toEqual(new SelectKBest({ k: 2 }).fitTransform(X, y).toArray());
    const expected = X.map(([a, , c]) => [a, 0, c]);
    expect(model.inverseTransform(kept).toArray()).toEqual(expected);
    expect(model.inverseTransform(Matrix.from(kept.toArray())).toArray()).toEqual(expected);
    expect(refusalOf(() => model.inverseTransform([[1]])).code).toBe('E_FEATURE_COUNT');
  });

  test('keeps all or none on request', () => {
    expect(new SelectKBest({ k: 'all' }).fit(X, y).getSupport()).toEqual([true, true, true]);
    expect(new SelectKBest({ k: 0 }).fitTransform(X, y).cols).toBe(0);
  });

  law.prop([lessons, fc.nat(), fc.constantFrom(...names)])(
    'learned in parts or merged is learned at once',
    ({ X, y }, where, scoreFunc) => {
      const at = 1 + (where % (X.length - 1));
      const whole = new SelectKBest({ scoreFunc, k: 1 }).fit(X, y);
      const parts = new SelectKBest({ scoreFunc, k: 1 }).partialFit(X.slice(0, at), y.slice(0, at));
      const other = new SelectKBest({ scoreFunc, k: 1 }).fit(X.slice(at), y.slice(at));
      const merged = new SelectKBest({ scoreFunc, k: 1 }).merge(parts).merge(other);
      parts.partialFit(X.slice(at), y.slice(at));
      const close = (model: SelectKBest) =>
        whole.scores.forEach((score, j) => {
          // A class that is constant but for rounding has any F at all.
          if (!(Math.abs(score) > 1e9)) expectClose([model.scores[j]], [score], 1e-9, 1);
        });
      close(parts);
      close(merged);
      expect(new SelectKBest({ scoreFunc, k: 1 }).merge(new SelectKBest({ scoreFunc, k: 1 })).toBytes()).toEqual(
        new SelectKBest({ scoreFunc, k: 1 }).toBytes(),
      );
    },
  );

  test('loaded from a file goes on counting', () => {
    const model = new SelectKBest({ scoreFunc: documentInformation, k: 1 }).fit(X.slice(0, 3), y.slice(0, 3));
    const state = decodeState(model.toBytes());
    const back = new SelectKBest(state.params as object).restore(state).partialFit(X.slice(3), y.slice(3));
    expectClose(back.scores, documentInformation(X, y));
  });

  test('of a function of your own is saved with its scores, and asks for the function to learn anew', () => {
    const model = new SelectKBest({ scoreFunc: () => [1, 3, 2], k: 1 }).fit(X, y);
    const state = decodeState(model.toBytes());
    const back = new SelectKBest(state.params as object).restore(state);
    expect(back.getSupport({ indices: true })).toEqual([1]);
    expect(refusalOf(() => back.fit(X, y)).code).toBe('E_PARAM');
  });

  test('refuses what does not fit', () => {
    expect(refusalOf(() => new SelectKBest({ k: -1 })).code).toBe('E_PARAM');
    expect(refusalOf(() => new SelectKBest({ scoreFunc: 'luck' as never })).code).toBe('E_PARAM');
    expect(refusalOf(() => new SelectKBest({ scoreFunc: () => [1] }).fit(X, y)).code).toBe('E_SHAPE');
    expect(refusalOf(() => new SelectKBest({ scoreFunc: 'chi2' }).fit([[-1]], [1])).code).toBe('E_NEGATIVE');
    expect(refusalOf(() => new SelectKBest().fit(X)).code).toBe('E_SHAPE');
    const informed = new SelectKBest({ scoreFunc: mutualInfoClassif });
    expect(refusalOf(() => informed.partialFit(X, y)).code).toBe('E_PARAM');
    expect(refusalOf(() => informed.fit(X, y, { sampleWeight: 1 })).code).toBe('E_PARAM');
    const model = new SelectKBest().fit(X, y);
    expect(refusalOf(() => model.merge(new SelectKBest({ scoreFunc: chi2 }).fit(X, y))).code).toBe('E_MERGE_MISMATCH');
    expect(refusalOf(() => model.merge(new SelectKBest().fit([[1], [2]], [0, 1]))).code).toBe('E_MERGE_MISMATCH');
    expect(refusalOf(() => model.partialFit([[1]], [0])).code).toBe('E_FEATURE_COUNT');
    expect(refusalOf(() => model.partialFit(X, y.map(String))).code).toBe('E_LABEL_TYPE');
  });
});

describe('SelectPercentile', () => {
  test('of a third keeps one of three', () => {
    const model = new SelectPercentile({ scoreFunc: fClassif, percentile: 34 }).fit(X, y);
    expect(model.getSupport()).toEqual([true, false, false]);
    expect(refusalOf(() => new SelectPercentile({ percentile: 101 })).code).toBe('E_PARAM');
  });
});

test('a score function of ones own may do without labels, ours may not', () => {
  const spread = new SelectKBest({ scoreFunc: () => [1, 3, 2], k: 2 }).fit(X);
  expect(spread.getSupport()).toEqual([false, true, true]);
  for (const scoreFunc of ['chi2', 'mutualInfoClassif'] as const) {
    expect(refusalOf(() => new SelectKBest({ scoreFunc }).fit(X)).code).toBe('E_SHAPE');
  }
});
