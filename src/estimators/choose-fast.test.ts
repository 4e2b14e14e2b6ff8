import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { drawNormal } from '../math/draws.ts';
import { Generator } from '../math/generator.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';

/** Rows of classes that overlap; half of them lie on the grid of a coarse instrument, so that some are alike for two classes. */
function problem(rows: number, features: number, classes: number, offset: number, seed: number) {
  const random = new Generator(seed);
  const X = new Matrix(rows, features);
  const y = Int32Array.from({ length: rows }, (_, i) => i % classes);
  for (let cell = 0; cell < X.data.length; cell++) {
    const i = Math.floor(cell / features);
    const value = drawNormal(random) + ((y[i] * ((cell % features) + 1)) % 3);
    X.data[cell] = offset + (i % 2 ? Math.round(value) : value);
  }
  return { X, y };
}

const problems = fc
  .tuple(
    fc.integer({ min: 64, max: 400 }),
    fc.integer({ min: 1, max: 9 }),
    fc.integer({ min: 2, max: 7 }),
    fc.constantFrom(0, -3, 1e6, 1e9),
    fc.nat(),
  )
  .map((of) => problem(...of));

/** The generic implementation, row by row. */
const plainly = (model: { predict(X: number[][]): unknown[] }, X: Matrix) =>
  X.toArray().map((row) => model.predict([row])[0]);

describe('the classes of a large matrix', () => {
  check.prop([problems], { numRuns: 40 })('are those of its rows one by one', ({ X, y }) => {
    for (const model of [
      new GaussianNB(),
      new LinearDiscriminantAnalysis(),
      new LinearDiscriminantAnalysis({ solver: 'lsqr', shrinkage: 'auto' }),
      new QuadraticDiscriminantAnalysis({ regParam: 0.1 }),
    ]) {
      model.fit(X, y);
      expect(model.predict(X)).toEqual(plainly(model, X));
    }
  });

  check.prop([problems, fc.nat()], { numRuns: 20 })('that are alike for two classes, too', ({ X, y }, seed) => {
    const mirrored = new Matrix(X.rows * 2, X.cols, Float64Array.from([...X.data, ...X.data.map((value) => -value)]));
    const labels = Int32Array.from([...y.map(() => 0), ...y.map(() => 1)]);
    const random = new Generator(seed);
    const middle = new Matrix(64, X.cols); // the same distance from both, but for rounding
    for (let k = 0; k < 32; k++) middle.data[Math.floor(random.uniform() * middle.data.length)] = 0;
    for (const model of [new GaussianNB(), new LinearDiscriminantAnalysis()]) {
      model.fit(mirrored, labels);
      expect(model.predict(middle)).toEqual(plainly(model, middle));
    }
  });

  test('are refused where a cell is none', () => {
    const { X, y } = problem(4000, 20, 3, 0, 1);
    const models = [new GaussianNB(), new LinearDiscriminantAnalysis(), new QuadraticDiscriminantAnalysis()];
    for (const model of models) model.fit(X, y);
    for (const [bad, code] of [
      [Number.NaN, 'E_NOT_FINITE'],
      [-Infinity, 'E_NOT_FINITE'],
      [1e151, 'E_VALUE_RANGE'],
    ] as const) {
      const copy = new Matrix(X.rows, X.cols, X.data.slice());
      copy.data[3999 * 20 + 7] = bad;
      const where = expect.objectContaining({ code, details: expect.objectContaining({ row: 3999, column: 7 }) });
      for (const model of models) {
        expect(() => model.predict(copy)).toThrow(where);
        expect(() => model.clone().fit(copy, y)).toThrow(where);
      }
    }
  });

  test('with cells that may be missing are read as before', () => {
    const { X, y } = problem(500, 6, 3, 0, 2);
    X.data[100] = Number.NaN;
    const model = new GaussianNB({ missing: 'ignore' }).fit(X, y);
    expect(model.predict(X)).toEqual(plainly(model, X));
  });
});

describe('a large matrix, whose cells are looked at while they are counted', () => {
  check.prop([fc.integer({ min: 2, max: 5 }), fc.nat()], { numRuns: 8 })(
    'teaches what its rows teach',
    (classes, seed) => {
      const { X, y } = problem(9000, 8, classes, 1e5, seed);
      const rows = X.toArray();
      expect(new GaussianNB().fit(X, y).toBytes()).toEqual(new GaussianNB().fit(rows, y).toBytes());
      const online = new GaussianNB().partialFit(X, y).partialFit(X, y);
      expect(online.toBytes()).toEqual(new GaussianNB().partialFit(rows, y).partialFit(rows, y).toBytes());
    },
  );

  test('a refusal leaves what was known', () => {
    const { X, y } = problem(9000, 8, 2, 0, 3);
    const model = new GaussianNB().fit(X, y);
    const before = model.toBytes();
    const bad = new Matrix(X.rows, X.cols, X.data.slice());
    bad.data[71_000] = Number.NaN;
    expect(() => model.fit(bad, y)).toThrow(expect.objectContaining({ code: 'E_NOT_FINITE' }));
    expect(() => model.partialFit(bad, y)).toThrow(expect.objectContaining({ code: 'E_NOT_FINITE' }));
    expect(model.toBytes()).toEqual(before);
  });
});
