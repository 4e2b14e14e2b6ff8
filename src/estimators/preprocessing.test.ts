import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, type Recorded, recorded } from '../../test/reference/evaluate/recorded.ts';
import * as polya from '../index.ts';

const cases = recorded('features.json');
const of = (what: string) => cases.filter((one) => one.what === what).map((one, k) => [k, one] as const);
const camel = (options: object) =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name.replace(/_(\w)/g, (_, c) => c.toUpperCase()), value]),
  );
const numbersIn = (rows: Recorded): number[][] =>
  rows.map((row: (number | 'nan')[]) => row.map((cell) => Number(cell)));
const sparseOf = (rows: number[][]) =>
  polya.SparseMatrix.fromRows(
    rows.map((row) => row.map((cell, j) => [j, cell] as const)),
    rows[0].length,
  );
const toArray = (rows: unknown) => (rows as polya.Matrix).toArray();

describe('scikit-learn 1.9.1', () => {
  const selectors = { SelectFdr: polya.SelectFdr, SelectFpr: polya.SelectFpr, SelectFwe: polya.SelectFwe };
  test.each(of('select'))('features by p-values, %i', (_, { name, options, score, X, y, support }) => {
    const scoreFunc = score === 'chi2' ? polya.chi2 : polya.fClassif;
    const selector = new selectors[name as keyof typeof selectors]({ scoreFunc, ...options }).fit(X, y);
    expect(selector.getSupport()).toEqual(support);
    expect(toArray(selector.transform(X))[0]).toHaveLength(support.filter(Boolean).length);
    expect(selector.getSupport({ indices: true })).toHaveLength(support.filter(Boolean).length);
  });

  test.each(of('variance'))('VarianceThreshold, %i', (_, { X, threshold, variances, support }) => {
    const selector = new polya.VarianceThreshold({ threshold }).fit(X);
    expectClose(selector.variances, variances, 1e-12);
    expect(selector.getSupport()).toEqual(support);
    const rows = selector.transform(X);
    expect(toArray(selector.inverseTransform(rows))[3]).toEqual(
      X[3].map((cell: number, j: number) => (support[j] ? cell : 0)),
    );
  });

  test.each(of('scale'))('StandardScaler, %i', (_, { X, options, weights, mean, variance, rows }) => {
    const scaler = new polya.StandardScaler(camel(options)).fit(X, undefined, { sampleWeight: weights ?? undefined });
    if (mean) expectClose(scaler.mean, mean, 1e-12, 1);
    if (variance) expectClose(scaler.var, variance, 1e-12, 1);
    const scaled = scaler.transform(X.slice(0, 9));
    expectAlike(toArray(scaled), rows, 1e-12, 1);
    expectAlike(toArray(scaler.inverseTransform(scaled)), X.slice(0, 9), 1e-12, 1);
    const parts = new polya.StandardScaler(camel(options));
    for (const [from, to] of [
      [0, 20],
      [20, 60],
    ]) {
      const sampleWeight = weights?.slice(from, to);
      parts.partialFit(X.slice(from, to), undefined, { sampleWeight });
    }
    expectAlike(toArray(parts.transform(X.slice(0, 9))), rows, 1e-12, 1);
  });

  test.each(of('normalize'))('Normalizer, %i', (_, { X, norm, rows }) => {
    const given = [...X.slice(0, 9), [0, 0, 0, 0]];
    expectAlike(toArray(new polya.Normalizer({ norm }).fitTransform(given)), rows, 1e-12);
    const sparse = new polya.Normalizer({ norm }).fitTransform(sparseOf(given));
    expectAlike(toArray(sparse), rows, 1e-12);
  });

  test.each(of('binarize'))('Binarizer, %i', (_, { X, threshold, rows }) => {
    const binarizer = new polya.Binarizer({ threshold }).fit(X);
    expect(toArray(binarizer.transform(X.slice(0, 9)))).toEqual(rows);
    expect(toArray(binarizer.transform(sparseOf(X.slice(0, 9))))).toEqual(rows);
  });

  test.each(of('impute'))('SimpleImputer, %i', (_, { X, strategy, fill, indicator, statistics, rows }) => {
    const imputer = new polya.SimpleImputer({ strategy, fillValue: fill, addIndicator: indicator }).fit(numbersIn(X));
    expectClose(imputer.statistics, statistics, 1e-12);
    expectAlike(toArray(imputer.transform(numbersIn(X))), rows, 1e-12);
    expect(imputer.getFeatureNamesOut().slice(0, 4)).toEqual(['x0', 'x1', 'x2', 'x3']);
  });

  test.each(of('binarizer'))('LabelBinarizer, %i', (_, { y, classes, rows, two }) => {
    const binarizer = new polya.LabelBinarizer().fit(y);
    expect(binarizer.classes).toEqual(classes);
    expect(binarizer.transform(y).toArray()).toEqual(rows);
    expect(binarizer.inverseTransform(rows)).toEqual(y);
    const pair = new polya.LabelBinarizer({ negLabel: -1 });
    expect(pair.fitTransform(['x', 'y', 'x']).toArray()).toEqual(two);
    expect(pair.inverseTransform(two)).toEqual(['x', 'y', 'x']);
  });
});

test('LabelEncoder and MultiLabelBinarizer go there and back', () => {
  const encoder = new polya.LabelEncoder();
  expect([...encoder.fitTransform(['b', 'a', 'b'])]).toEqual([1, 0, 1]);
  expect(encoder.inverseTransform([1, 0])).toEqual(['b', 'a']);
  const lists = [['b', 'a'], [], ['c']];
  const binarizer = new polya.MultiLabelBinarizer();
  const flags = binarizer.fitTransform(lists);
  expect(flags.toArray()).toEqual([
    [1, 1, 0],
    [0, 0, 0],
    [0, 0, 1],
  ]);
  expect(binarizer.inverseTransform(flags)).toEqual([['a', 'b'], [], ['c']]);
  const codes = [
    () => new polya.LabelEncoder().transform(['a']),
    () => encoder.transform(['z']),
    () => encoder.inverseTransform([7]),
    () => binarizer.transform([['z']]),
    () => new polya.MultiLabelBinarizer().fit(['a'] as never),
    () => new polya.LabelBinarizer({ negLabel: 1 }),
  ].map((attempt) => refusalOf(attempt).code);
  expect(codes).toEqual([
    'E_NOT_FITTED',
    'E_CLASS_UNKNOWN',
    'E_CLASS_UNKNOWN',
    'E_CLASS_UNKNOWN',
    'E_SHAPE',
    'E_PARAM',
  ]);
});

const X = [
  [1, -2, 3],
  [0, 5, 3],
  [4, 1, 3],
];

describe.each([
  new polya.StandardScaler(),
  new polya.Binarizer({ threshold: 2 }),
  new polya.Normalizer({ norm: 'l1' }),
  new polya.VarianceThreshold(),
  new polya.SimpleImputer({ strategy: 'median' }),
  new polya.FunctionTransformer(),
  new polya.SelectFpr({ scoreFunc: 'fClassif', alpha: 1 }),
  new polya.SelectFdr({ scoreFunc: 'fClassif', alpha: 1 }),
  new polya.SelectFwe({ scoreFunc: 'fClassif', alpha: 1 }),
])('$kind', (step) => {
  const y = [0, 1, 0];
  test('survives a model file, is cloned unfitted and works in a pipeline', () => {
    const fitted = (step.clone() as polya.StandardScaler).fit(X, y);
    const again = polya.load(fitted.toBytes()) as unknown as polya.StandardScaler;
    expect(again.getParams()).toEqual(fitted.getParams());
    expect(toArray(again.transform(X))).toEqual(toArray(fitted.transform(X)));
    expect(again.getFeatureNamesOut(['a', 'b', 'c'])).toEqual(fitted.getFeatureNamesOut(['a', 'b', 'c']));
    const learns = !['Binarizer', 'Normalizer', 'FunctionTransformer'].includes(step.kind);
    if (learns) expect(refusalOf(() => fitted.clone().transform(X)).code).toBe('E_NOT_FITTED');
    const pipeline = polya.makePipeline(fitted.clone(), new polya.GaussianNB()).fit(X, y);
    expect(pipeline.predict(X)).toEqual(
      new polya.GaussianNB().fit(fitted.transform(X), y).predict(fitted.transform(X)),
    );
  });
});

test('what cannot be done is refused', () => {
  const twice = new polya.FunctionTransformer({
    func: (rows) =>
      new polya.Matrix(
        3,
        3,
        (rows as polya.Matrix).data.map((x) => 2 * x),
      ),
  });
  expect(toArray(twice.fitTransform(X))[1]).toEqual([0, 10, 6]);
  const codes = [
    () => (polya.load(twice.toBytes()) as unknown as polya.FunctionTransformer).transform(X),
    () => new polya.Binarizer().fit(X).inverseTransform(X),
    () => new polya.Binarizer({ threshold: -1 }).fit(X).transform(sparseOf(X)),
    () => new polya.StandardScaler().fit(sparseOf(X)),
    () => new polya.StandardScaler().fit(X).partialFit([[1]]),
    () => new polya.VarianceThreshold().fit([[1], [1]]),
    () => new polya.SelectFpr({ scoreFunc: 'informationGain' }).fit(X, [0, 1, 0]).transform(X),
  ].map((attempt) => refusalOf(attempt).code);
  expect(codes).toEqual(['E_PARAM', 'E_CONFLICT', 'E_PARAM', 'E_PARAM', 'E_FEATURE_COUNT', 'E_PARAM', 'E_PARAM']);
  expect(toArray(new polya.StandardScaler({ withMean: false }).fitTransform(sparseOf(X)))[1][0]).toBe(0);
});

test('transformers that learn nothing need no fit', () => {
  expect(toArray(new polya.Binarizer({ threshold: 1 }).transform([[1, 2]]))).toEqual([[0, 1]]);
  expect(toArray(new polya.Normalizer({ norm: 'l1' }).transform([[1, 3]]))).toEqual([[0.25, 0.75]]);
  expect(toArray(new polya.FunctionTransformer().transform([[1, 3]]))).toEqual([[1, 3]]);
});

test('VarianceThreshold answers flags or numbers of columns', () => {
  const selector = new polya.VarianceThreshold().fit([
    [0, 1],
    [0, 2],
  ]);
  expect(selector.getSupport()).toEqual([false, true]);
  expect(selector.getSupport({ indices: true })).toEqual([1]);
});

test('MultiLabelBinarizer inverts only rows of zeros and ones, one for each class', () => {
  const binarizer = new polya.MultiLabelBinarizer().fit([['a'], ['b']]);
  expect(binarizer.inverseTransform([[1, 0]])).toEqual([['a']]);
  for (const wrong of [[[0, 2]], [[0, 1, 1]], [[1]]]) {
    expect(refusalOf(() => binarizer.inverseTransform(wrong)).code).toBe('E_SHAPE');
  }
});
