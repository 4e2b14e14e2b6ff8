import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { Matrix } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { KBinsDiscretizer } from './kbins-discretizer.ts';
import { MdlpDiscretizer } from './mdlp-discretizer.ts';

const X = [[-3], [0], [1], [2], [10], [4]];

describe('KBinsDiscretizer', () => {
  test('gives one column per bin, sparse by default', () => {
    const sparse = new KBinsDiscretizer({ nBins: 3 }).fitTransform(X);
    expect(sparse).toBeInstanceOf(SparseMatrix);
    const dense = new KBinsDiscretizer({ nBins: 3, encode: 'onehot-dense' }).fitTransform(X);
    expect(dense).toBeInstanceOf(Matrix);
    expect(dense.toArray()).toEqual(sparse.toArray());
    expect(sparse.toArray()[4]).toEqual([0, 0, 1]);
  });

  law.prop([
    fc.array(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.nat(3)), { minLength: 1, maxLength: 30 }),
    fc.constantFrom('uniform', 'quantile', 'kmeans', 'frequency', 'proportional'),
    fc.constantFrom('onehot', 'onehot-dense', 'ordinal'),
  ])('puts the middle of a bin into that bin', (rows, strategy, encode) => {
    const model = new KBinsDiscretizer({ nBins: 3, strategy, encode }).fit(rows);
    const once = model.transform(rows);
    const middles = model.inverseTransform(once).toArray();
    middles.forEach((row, i) => {
      if (!row.some(Number.isNaN)) expect(model.transform([row]).toArray()[0]).toEqual(once.toArray()[i]);
    });
  });

  test('has a bin of their own for missing values when asked to', () => {
    const rows = [
      [1, 5],
      [2, null],
      [3, Number.NaN],
      [4, 6],
    ];
    const model = new KBinsDiscretizer({ nBins: 2, encode: 'ordinal', missing: 'bin' }).fit(rows);
    const codes = model.transform(rows);
    expect(codes.toArray()).toEqual([
      [0, 0],
      [0, 2],
      [1, 2],
      [1, 1],
    ]);
    expect(model.inverseTransform(codes).toArray()[1]).toEqual([1.75, Number.NaN]);
    const columns = new KBinsDiscretizer({ nBins: 2, missing: 'bin' }).fit(rows);
    expect(columns.getFeatureNamesOut()).toEqual(['x0_0.0', 'x0_1.0', 'x0_nan', 'x1_0.0', 'x1_1.0', 'x1_nan']);
    expect(columns.transform(rows).toArray()[1]).toEqual([1, 0, 0, 0, 0, 1]);
    expect(columns.inverseTransform(columns.transform(rows)).toArray()[1]).toEqual([1.75, Number.NaN]);
    expect(refusalOf(() => new KBinsDiscretizer().fit([[Number.NaN]])).code).toBe('E_NOT_FINITE');
    expect(refusalOf(() => new KBinsDiscretizer().fit([[null]])).code).toBe('E_TYPE');
  });

  test('gives a constant feature, or one that is missing altogether, a single bin without end', () => {
    const model = new KBinsDiscretizer({ encode: 'ordinal', missing: 'bin' }).fit([
      [7, null],
      [7, null],
    ]);
    expect(model.binEdges.map((edges) => Array.from(edges))).toEqual([
      [-Infinity, Infinity],
      [-Infinity, Infinity],
    ]);
    expect(Array.from(model.nBins)).toEqual([1, 1]);
    expect(model.transform([[1e9, 3]]).toArray()).toEqual([[0, 0]]);
  });

  test('can learn from a sample, and the same one for the same seed', () => {
    const rows = Array.from({ length: 500 }, (_, i) => [Math.sin(i)]);
    const edges = (randomState: number) =>
      new KBinsDiscretizer({ subsample: 50, randomState }).fit(rows, undefined, { sampleWeight: 2 }).binEdges;
    expect(edges(1)).toEqual(edges(1));
    expect(edges(1)).not.toEqual(edges(2));
  });

  test('leaves rows of no weight out', () => {
    const weights = [1, 1, 0, 1, 0, 1];
    for (const strategy of ['uniform', 'quantile', 'kmeans', 'frequency', 'proportional'] as const) {
      const heavy = X.filter((_, i) => weights[i] > 0);
      const options = { nBins: 2, strategy };
      const weighed = new KBinsDiscretizer(options).fit(X, undefined, { sampleWeight: weights });
      expect(weighed.binEdges).toEqual(new KBinsDiscretizer(options).fit(heavy).binEdges);
    }
  });

  test('refuses what does not fit', () => {
    expect(refusalOf(() => new KBinsDiscretizer({ nBins: 1 })).code).toBe('E_PARAM');
    expect(refusalOf(() => new KBinsDiscretizer({ nBins: [2, 1] })).code).toBe('E_PARAM');
    expect(refusalOf(() => new KBinsDiscretizer({ nBins: [2, 2] }).fit(X)).code).toBe('E_PARAM');
    expect(refusalOf(() => new KBinsDiscretizer({ strategy: 'luck' as never })).code).toBe('E_PARAM');
    const linear = new KBinsDiscretizer({ quantileMethod: 'linear' });
    expect(refusalOf(() => linear.fit(X, undefined, { sampleWeight: 1 })).code).toBe('E_PARAM');
    const sparse = SparseMatrix.fromRows([[[0, 1]]], 1);
    expect(refusalOf(() => new KBinsDiscretizer().fit(sparse)).code).toBe('E_TYPE');
    const model = new KBinsDiscretizer({ encode: 'ordinal', nBins: 2 }).fit(X);
    expect(refusalOf(() => model.inverseTransform([[2]])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => model.inverseTransform([[0.5]])).code).toBe('E_VALUE_RANGE');
    expect(refusalOf(() => model.inverseTransform([[0, 1]])).code).toBe('E_FEATURE_COUNT');
    expect(refusalOf(() => model.fit([['a']] as never)).code).toBe('E_TYPE');
  });
});

describe('MdlpDiscretizer', () => {
  const rows = Array.from({ length: 30 }, (_, i) => [i, i % 7]);
  const labels = rows.map((_, i) => (i < 15 ? 'low' : 'high'));

  test('cuts where the classes change, and leaves an uninformative feature whole', () => {
    const model = new MdlpDiscretizer().fit(rows, labels);
    expect(model.cutPoints).toEqual([[14.5], []]);
    expect(model.binEdges.map((edges) => Array.from(edges))).toEqual([
      [0, 14.5, 29],
      [0, 6],
    ]);
    expect(
      model
        .transform([
          [14.4, 3],
          [14.5, 3],
          [-1, 100],
        ])
        .toArray(),
    ).toEqual([
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
    expect(model.inverseTransform([[0, 0]]).toArray()).toEqual([[7.25, 3]]);
  });

  test('has a bin of their own for missing values when asked to', () => {
    const holes = rows.map(([a, b], i) => [i % 5 === 0 ? null : a, b, null]);
    const model = new MdlpDiscretizer({ missing: 'bin' }).fit(holes, labels);
    expect(model.cutPoints[0]).toHaveLength(1);
    expect(model.transform([[null, 1, null]]).toArray()).toEqual([[2, 0, 1]]);
  });

  test('needs labels', () => {
    expect(refusalOf(() => new MdlpDiscretizer().fit(rows)).code).toBe('E_SHAPE');
    expect(refusalOf(() => new MdlpDiscretizer().fit(rows, ['a'])).code).toBe('E_SHAPE');
  });
});
