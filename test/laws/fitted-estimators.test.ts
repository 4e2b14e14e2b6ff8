import { describe, expect, test } from 'vitest';
import * as polya from '../../src/index.ts';
import { expectClose, refusalOf } from '../close.ts';

// Laws of estimators that learn all rows at once. Families that count are under the laws of check-estimator.ts.

/** What an estimator may be asked. */
interface Anything {
  readonly kind: string;
  readonly classes?: readonly unknown[];
  clone(): Anything;
  fit(X: unknown, y?: unknown, options?: { sampleWeight?: readonly number[] }): Anything;
  predict?(X: unknown): unknown[];
  predictProba?(X: unknown): polya.Matrix;
  transform?(X: unknown): polya.Matrix | polya.SparseMatrix;
  toBytes?(): Uint8Array;
  getParams(): Record<string, unknown>;
}

interface Subject {
  readonly make: () => object;
  readonly X?: readonly (readonly unknown[])[];
  readonly y?: readonly unknown[];
  /** It takes no weights, or rows count for more than their number: folds, medians, bins, ranks. */
  readonly unweighted?: true;
  /** The order of rows decides: folds are dealt by it. */
  readonly ordered?: true;
  /** It cannot be written to a file. */
  readonly unsaved?: true;
  /** It learns labels, without rows. */
  readonly labels?: true;
  /** What it has learned, where that is not what it makes of rows. */
  readonly numbers?: (model: never) => ArrayLike<number>[];
}

const rows = Array.from({ length: 24 }, (_, i) => [i % 5, (i * 7) % 11, ((i * 3) % 4) + (i % 3)]);
const labels = rows.map(([a, b], i) => (a + b + (i % 2) > 6 ? 'high' : 'low'));
const levels = rows.map((row) => row.map((cell) => `v${cell % 3}`));
const lists = rows.map(([a, b]) => [...(a > 1 ? ['x'] : []), ...(b > 4 ? ['y'] : []), ...(a + b > 9 ? ['z'] : [])]);
const outputs = rows.map(([a, b]) => [a > 1 ? 'x' : 'u', b > 4 ? 'y' : 'v']);
const nb = () => new polya.MultinomialNB();

const covariances = [
  () => new polya.EmpiricalCovariance(),
  () => new polya.ShrunkCovariance({ shrinkage: 0.3 }),
  () => new polya.LedoitWolf(),
  () => new polya.OAS({ assumeCentered: true }),
];

const subjects: readonly Subject[] = [
  { make: () => new polya.LogisticRegression({ tol: 1e-10, maxIter: 5000 }) },
  { make: () => new polya.OneVsRestClassifier(nb()) },
  { make: () => new polya.OneVsRestClassifier(nb()), y: lists },
  { make: () => new polya.MultiOutputClassifier(nb()), y: outputs },
  { make: () => new polya.FixedThresholdClassifier(nb()) },
  { make: () => new polya.TunedThresholdClassifierCV(nb(), { cv: 3 }), unweighted: true, ordered: true },
  { make: () => new polya.CalibratedClassifierCV(nb(), { cv: 3 }), unweighted: true, ordered: true },
  { make: () => new polya.StandardScaler() },
  { make: () => new polya.Binarizer(), unweighted: true },
  { make: () => new polya.Normalizer(), unweighted: true },
  { make: () => new polya.FunctionTransformer(), unweighted: true, unsaved: true },
  { make: () => new polya.SimpleImputer({ strategy: 'mean' }), unweighted: true },
  { make: () => new polya.VarianceThreshold(), unweighted: true },
  { make: () => new polya.SelectKBest({ k: 2 }) },
  { make: () => new polya.SelectPercentile({ percentile: 50 }) },
  { make: () => new polya.SelectFpr({ alpha: 0.9 }) },
  { make: () => new polya.SelectFdr({ alpha: 0.9 }) },
  { make: () => new polya.SelectFwe({ alpha: 0.9 }) },
  { make: () => new polya.KBinsDiscretizer({ nBins: 3, strategy: 'uniform' }), unweighted: true },
  { make: () => new polya.MdlpDiscretizer(), unweighted: true },
  { make: () => new polya.OneHotEncoder(), X: levels, unweighted: true },
  { make: () => new polya.OrdinalEncoder(), X: levels, unweighted: true },
  ...covariances.map(
    (make): Subject => ({
      make,
      unweighted: true,
      unsaved: true,
      numbers: ({ location, covariance }: polya.OAS) => [location, covariance.data],
    }),
  ),
  {
    make: () => new polya.LabelEncoder(),
    unweighted: true,
    unsaved: true,
    labels: true,
    numbers: (model: polya.LabelEncoder) => [model.transform(['low', 'high'])],
  },
  {
    make: () => new polya.LabelBinarizer({ negLabel: -1 }),
    unweighted: true,
    unsaved: true,
    labels: true,
    numbers: (model: polya.LabelBinarizer) => [model.transform(['low', 'high', 'middle']).data],
  },
  {
    make: () => new polya.MultiLabelBinarizer(),
    y: lists,
    unweighted: true,
    unsaved: true,
    labels: true,
    numbers: (model: polya.MultiLabelBinarizer) => [model.transform([['z'], ['x', 'y']]).data],
  },
];

describe.each(subjects.map((own, k) => [(own.make() as Anything).kind, k, own] as const))('%s (%i)', (_, _k, own) => {
  const { X = rows, y = labels } = own;
  const make = own.make as () => Anything;
  const learn = (model: Anything, from: unknown, to: unknown, options = {}) =>
    own.labels ? model.fit(to) : own.numbers ? model.fit(from) : model.fit(from, to, options);
  const fitted = (from = X, to = y, options = {}) => learn(make(), from, to, options);
  const numbers = (model: Anything): number[] => {
    if (own.numbers) return own.numbers(model as never).flatMap((part) => Array.from(part));
    if (model.transform) return model.transform(X).toArray().flat();
    const proba = model.predictProba!(X) as polya.Matrix | readonly polya.Matrix[];
    return (Array.isArray(proba) ? proba : [proba]).flatMap((one: polya.Matrix) => one.toArray().flat());
  };
  const unchanged = numbers(fitted());

  test('learning again gives the same, and a clone has learned nothing', () => {
    const model = fitted();
    expect(numbers(learn(model, X, y))).toEqual(unchanged);
    const clone = model.clone();
    expect(Object.keys(clone.getParams())).toEqual(Object.keys(make().getParams()));
    if (!['Binarizer', 'Normalizer', 'FunctionTransformer'].includes(model.kind)) {
      expect(refusalOf(() => numbers(clone)).code).toBe('E_NOT_FITTED');
    }
    expect(numbers(learn(clone, X, y))).toEqual(unchanged);
  });

  test.skipIf(own.ordered)('the order of the rows does not matter', () => {
    expectClose(numbers(fitted(X.toReversed(), y.toReversed())), unchanged, 1e-6, 1);
  });

  test.skipIf(own.unweighted)('a row of weight two is the row twice', () => {
    const w = X.map((_row, i) => 1 + (i % 2));
    const twice = [...X, ...X.filter((_row, i) => i % 2 === 1)];
    const named = [...y, ...y.filter((_label, i) => i % 2 === 1)];
    expectClose(numbers(fitted(X, y, { sampleWeight: w })), numbers(fitted(twice, named)), 1e-6, 1);
  });

  test.skipIf(own.unsaved)('what was saved loads and answers the same', () => {
    const model = fitted();
    expect(numbers(polya.load<Anything>(model.toBytes!()))).toEqual(unchanged);
  });

  test.skipIf(X === levels || own.labels)('every container of the same numbers gives the same', () => {
    const dense = polya.Matrix.from(rows);
    const records = rows.map(([a, b, c]) => ({ a, b, c }));
    expectClose(numbers(learn(make(), dense, y)), unchanged, 1e-12, 1);
    const named = learn(make(), records, y);
    if (own.numbers) return expectClose(numbers(named), unchanged, 1e-12, 1);
    const answer = named.transform ? named.transform(records).toArray() : named.predict!(records);
    const expected = named.transform ? fitted().transform!(X).toArray() : fitted().predict!(X);
    expect(answer).toEqual(expected);
  });

  test.skipIf(own.y !== undefined || !('predict' in make()))('renamed classes rename the answers', () => {
    const renamed = fitted(
      X,
      y.map((label) => `new ${label}`),
    );
    expect(renamed.predict!(X)).toEqual(fitted().predict!(X).map((label) => `new ${label}`));
  });

  test('a refused fit leaves the estimator as it was', () => {
    const model = fitted();
    expect(refusalOf(() => learn(model, [[Symbol('cell')]], [Symbol('label')])).code).toMatch(/^E_/);
    if (!own.labels) expect(refusalOf(() => learn(model, [], [])).code).toMatch(/^E_/);
    expect(numbers(model)).toEqual(unchanged);
  });
});
