import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { camel, fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { count, score } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { GaussianNB, type GaussianNBOptions } from '../estimators/gaussian-nb.ts';
import { leaveOneOut } from '../estimators/leave-one-out.ts';
import { parameterPosterior } from '../estimators/parameter-posterior.ts';
import { moments } from '../stats/moments.ts';
import { gaussian } from './gaussian.ts';
import { leaveOneOutBySubtraction } from './held-out.ts';

/** Four digits behind the point: squares of smaller differences would leave the range of numbers. */
const reals = fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 1e4);
const table = (cells: fc.Arbitrary<number>) =>
  fc
    .record({ features: fc.integer({ min: 1, max: 3 }), rows: fc.integer({ min: 2, max: 9 }) })
    .chain(({ features, rows }) =>
      fc.record({
        X: fc.array(fc.array(cells, { minLength: features, maxLength: features }), {
          minLength: rows,
          maxLength: rows,
        }),
        y: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: rows, maxLength: rows }),
        w: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: rows, maxLength: rows }),
      }),
    );

/** Every row scored by a model that was fitted to all others; a class that is gone has probability zero. */
function refits(options: GaussianNBOptions, X: number[][], y: string[], w: number[]): number[][] {
  const classes = [...new Set(y)].sort();
  return X.map((row, i) => {
    const others = [...X.keys()].filter((k) => k !== i);
    const rest = new GaussianNB(options).partialFit(
      others.map((k) => X[k]),
      others.map((k) => y[k]),
      { sampleWeight: others.map((k) => w[k]), classes },
    );
    return [...rest.predictJointLogProba([row]).data];
  });
}

describe('leaving one out equals fitting to the others', () => {
  const variants: GaussianNBOptions[] = [
    {},
    { varSmoothing: 0.01, priors: null },
    { rule: 'map', prior: { mean: 0, kappa: 1, a: 1, b: 1 } },
    { rule: 'bayes', prior: { mean: 1, kappa: 0.5, a: 2, b: 3 } },
  ];
  check.prop([table(fc.integer({ min: -12, max: 12 }).map((n) => n / 4)), fc.constantFrom(...variants)])(
    'for every rule and weight, also where a class or its spread is gone',
    ({ X, y, w }, options) => {
      const { counted, batch: read, classes } = new GaussianNB(options).fit(X, y, { sampleWeight: w }).inside();
      const out = new Float64Array(X.length * classes.length);
      leaveOneOutBySubtraction(counted().stats, counted().options as never, read(X, y, w), out, gaussian);
      expectClose(out, refits(options, X, y, w).flat(), 1e-9, 1);
    },
  );

  check.prop([table(fc.oneof({ weight: 4, arbitrary: reals }, fc.constant(Number.NaN)))])(
    'with missing cells, above the level of rounding',
    ({ X, y, w }) => {
      const options: GaussianNBOptions = { missing: 'ignore', varSmoothing: 1e-3 };
      const { counted, batch: read, classes } = new GaussianNB(options).fit(X, y, { sampleWeight: w }).inside();
      const out = new Float64Array(X.length * classes.length);
      leaveOneOutBySubtraction(counted().stats, counted().options as never, read(X, y, w), out, gaussian);
      expectClose(out, refits(options, X, y, w).flat(), 1e-9, 1);
    },
  );
});

test('six points by hand: two bells of variance 2/9 about ∓4/3', () => {
  const stats = count(moments, batch([[-2], [-1], [-1], [1], [1], [2]], [0, 0, 0, 1, 1, 1]));
  const bells = gaussian.estimate(stats, { rule: { rule: 'mle', varSmoothing: 0 } });
  expectClose(bells.mean, [-4 / 3, 4 / 3], 1e-15);
  expectClose(bells.variance, [2 / 9, 2 / 9], 1e-14);
  const at = (distance: number) => Math.log(0.5) - 0.5 * Math.log((4 * Math.PI) / 9) - (distance * distance) / (4 / 9);
  expectClose(score(gaussian, bells, batch([[0.5]])), [at(0.5 + 4 / 3), at(0.5 - 4 / 3)], 1e-13);
});

check.prop([table(reals)])('a missing cell drops out: the score is that of the other columns', ({ X, y, w }) => {
  const options = { missing: 'ignore', varSmoothing: 0.1 } as const;
  const estimator = new GaussianNB(options).fit(X, y, { sampleWeight: w });
  const [why] = estimator.explain([X[0]]);
  const gap = [Number.NaN, ...X[0].slice(1)];
  const without = [...why.score].map((s, c) => s - why.contributions[0].byClass[c]);
  expectClose(estimator.predictJointLogProba([gap]).data, without, 1e-12, 10);
});

describe("the six points of scikit-learn's own tests", () => {
  const X = [
    [-2, -1],
    [-1, -1],
    [-1, -2],
    [1, 1],
    [1, 2],
    [2, 1],
  ]; // prettier-ignore
  const y = [1, 1, 1, 2, 2, 2];
  test('attributes and joint log-probabilities', () => {
    const estimator = new GaussianNB().fit(X, y);
    expect(estimator.epsilon).toBeCloseTo(2e-9, 23);
    expectClose(estimator.theta.data, [-4 / 3, -4 / 3, 4 / 3, 4 / 3], 1e-15);
    expectClose(estimator.var.data, Array(4).fill(0.2222222242222222), 1e-15);
    expectClose(estimator.classPrior, [0.5, 0.5], 1e-15);
    expect([...estimator.classCount]).toEqual([3, 3]);
    expectClose(estimator.predictJointLogProba([[-0.8, -1]]).data, [-1.9169468511830163, -23.516946656783016], 1e-13);
  });
  test('given priors', () => {
    const estimator = new GaussianNB({ priors: [0.3, 0.7] }).fit(X, y);
    expectClose(estimator.predictProba([[-0.1, -0.1]]).data, [0.8253036590474486, 0.1746963409525519], 1e-13);
    for (const priors of [[0.5], [0.5, 0.6]])
      expect(refusalOf(() => new GaussianNB({ priors }).fit(X, y)).code).toBe('E_PARAM');
    expect(new GaussianNB({ priors: [0, 1] }).fit(X, y).predict([[-2, -2]])).toEqual([2]);
  });
  test('sparse rows are refused as in scikit-learn', () => {
    expect(refusalOf(() => new GaussianNB().fit(SparseMatrix.fromRows([[[0, 1]]], 2), [1])).code).toBe('E_TYPE');
  });
});

interface NaiveCase {
  X: number[][];
  y: number[];
  query: number[][];
  weight?: number[];
  options: Record<string, unknown>;
  theta: number[][];
  var: number[][];
  epsilon: number;
  classPrior: number[];
  classCount: number[];
  joint: number[][];
  proba: number[][];
}

interface StudentCase {
  values: number[];
  prior: { mean: number; kappa: number; a: number; b: number };
  at: number[];
  logDensity: number[];
  meanInterval: [number, number];
  varianceInterval: [number, number];
  mode: [number, number];
}

const recorded = fixture<{ naive: NaiveCase[]; student: StudentCase[] }>('gaussian');

test.each(recorded.naive.map((record, k) => [k, record] as const))('case %i of scikit-learn 1.9.1', (_, record) => {
  const estimator = new GaussianNB(camel(record.options)).fit(
    record.X,
    record.y,
    record.weight ? { sampleWeight: record.weight } : {},
  );
  expectClose(estimator.theta.data, record.theta.flat(), 1e-12);
  // NumPy's variance of values near 10⁶ has its own rounding of 1e-10
  expectClose(estimator.var.data, record.var.flat(), Math.abs(record.X[0][0]) > 1e5 ? 1e-9 : 1e-12);
  expectClose([estimator.epsilon], [record.epsilon], 1e-9);
  expectClose(estimator.classPrior, record.classPrior, 1e-14);
  expectClose(estimator.classCount, record.classCount, 1e-14);
  const near = Math.abs(record.X[0][0]) > 1e5 ? 1e-9 : 1e-12;
  expectClose(estimator.predictJointLogProba(record.query).data, record.joint.flat(), near, 1);
  expectClose(estimator.predictProba(record.query).data, record.proba.flat(), 10 * near, 1);
});

describe('under a Normal-inverse-gamma prior', () => {
  test.each(recorded.student.map((record) => [record.values.length, record] as const))(
    '%i values: mode, Student predictive curve and credible intervals as SciPy has them',
    (_, { values, prior, at, logDensity, meanInterval, varianceInterval, mode }) => {
      const X = [...values, 0, 1].map((value) => [value]);
      const y = [...values.map(() => 'a'), 'b', 'b'];
      const learn = (rule: 'map' | 'bayes') =>
        new GaussianNB({ rule, prior }).partialFit(X, y, { classes: ['a', 'b'] });
      const curve = learn('bayes');
      const joint = curve.predictJointLogProba(at.map((x) => [x])).toArray();
      if (values.length > 0) {
        const logPrior = Math.log(curve.classPrior[0]);
        expectClose(
          joint.map(([a]) => a - logPrior),
          logDensity,
          1e-11,
          1,
        );
      }
      expectClose([learn('map').theta.at(0, 0), learn('map').var.at(0, 0)], mode, 1e-13);
      const mean = parameterPosterior(curve, { class: 'a', feature: 0 });
      expect(mean.distribution).toBe('student');
      expectClose(mean.interval(0.9), meanInterval, 1e-9);
      const variance = parameterPosterior(curve, { class: 'a', feature: 0, parameter: 'variance' });
      expect(variance.distribution).toBe('inverse-gamma');
      expectClose(variance.interval(0.9), varianceInterval, 1e-9);
    },
  );

  test('without a prior the classical intervals stand: x̄ ± t s/√n, and χ² for the variance', () => {
    const estimator = new GaussianNB().fit([[1], [2], [4], [9], [0]], ['a', 'a', 'a', 'a', 'b']);
    // t quantile of 3 degrees of freedom at 0.975: 3.182446305284263; mean 4, squares 38
    const half = (3.182446305284263 * Math.sqrt(38 / 3)) / 2;
    const mean = parameterPosterior(estimator, { class: 'a', feature: 0 });
    expectClose(mean.interval(), [4 - half, 4 + half], 1e-12);
    const variance = parameterPosterior(estimator, { class: 'a', feature: 0, parameter: 'variance' });
    // χ² quantiles of 3 degrees of freedom at 0.975 and 0.025
    expectClose(variance.interval(), [38 / 9.348403604496148, 38 / 0.2157952826238981], 1e-11);
    const known = parameterPosterior(estimator, { class: 'a', feature: 0, variance: 4 });
    expectClose(known.interval(), [4 - 1.959963984540054, 4 + 1.959963984540054], 1e-12);
    expect(known.distribution).toBe('normal');
    expect(refusalOf(() => parameterPosterior(estimator, { class: 'b', feature: 0 })).code).toBe('E_CLASS_TOO_SMALL');
    expect(refusalOf(() => parameterPosterior(estimator, { class: 'a', feature: 1 })).code).toBe('E_FEATURE_UNKNOWN');
    expect(refusalOf(() => parameterPosterior(estimator, { class: 'x', feature: 0 })).code).toBe('E_CLASS_UNKNOWN');
    expect(refusalOf(() => mean.interval(1)).code).toBe('E_PARAM');
  });

  test('lists of the wrong length are refused', () => {
    const prior = { mean: [0, 0], kappa: 1, a: 1, b: 1 };
    expect(refusalOf(() => new GaussianNB({ rule: 'bayes', prior }).fit([[1]], ['a'])).code).toBe('E_PARAM');
    expect(new GaussianNB({ rule: 'bayes', prior }).fit([[1, 2]], ['a']).predict([[0, 0]])).toEqual(['a']);
  });
});

describe('where scikit-learn 1.9.1 errs, GaussianNB does not', () => {
  const { X, y } = fixture<Iris>('iris');
  test('learning in batches, even row by row, gives the variances of learning at once', () => {
    const options = { varSmoothing: 0.1 };
    const whole = new GaussianNB(options).fit(X, y);
    const parts = new GaussianNB(options);
    for (const i of X.keys()) parts.partialFit([X[i]], [y[i]]);
    expectClose(parts.var.data, whole.var.data, 1e-12);
    expectClose([parts.epsilon], [whole.epsilon], 1e-12);
    const merged = new GaussianNB(options).fit(X.slice(0, 70), y.slice(0, 70));
    merged.merge(new GaussianNB(options).fit(X.slice(70), y.slice(70)));
    expectClose(merged.var.data, whole.var.data, 1e-12);
    expectClose(
      merged.unlearn(X.slice(70), y.slice(70)).var.data,
      new GaussianNB(options).fit(X.slice(0, 70), y.slice(0, 70)).var.data,
      1e-9,
    );
  });
  test('all-constant data gives the prior, at any size of the constant', () => {
    for (const value of [0, 0.1, -7, 1e150, 1e-300]) {
      const estimator = new GaussianNB().fit(Array(3).fill([value, value]), ['a', 'b', 'b']);
      expect(estimator.epsilon).toBe(0);
      expectClose(estimator.predictProba([[value, value]]).data, [1 / 3, 2 / 3], 1e-9);
      for (const p of estimator.predictProba([[value + 1, -1e150]]).data) expect(Number.isNaN(p)).toBe(false);
    }
  });
  test('epsilon counts a row as often as it weighs', () => {
    const weighted = new GaussianNB({ varSmoothing: 0.5 }).fit([[0], [1], [5]], ['a', 'a', 'b'], {
      sampleWeight: [1, 2, 3],
    });
    const copied = new GaussianNB({ varSmoothing: 0.5 }).fit(
      [[0], [1], [1], [5], [5], [5]],
      ['a', 'a', 'a', 'b', 'b', 'b'],
    );
    expectClose([weighted.epsilon], [copied.epsilon], 1e-14);
  });
});

describe('extremes', () => {
  test('magnitudes up to 1e150 are computed with, larger ones refused', () => {
    const estimator = new GaussianNB().fit(
      [
        [1e150, 0],
        [-1e150, 1],
        [9e149, 2],
      ],
      ['a', 'b', 'a'],
    );
    for (const p of estimator.predictProba([
      [1e150, -1e150],
      [0, 0],
    ]).data)
      expect(Number.isFinite(p)).toBe(true);
    expect(
      estimator.predict([
        [1e150, 0],
        [-1e150, 0],
      ]),
    ).toEqual(['a', 'b']);
    expect(refusalOf(() => estimator.predict([[2e150, 0]]))).toMatchObject({
      code: 'E_VALUE_RANGE',
      details: { row: 0, column: 0 },
    });
    expect(refusalOf(() => new GaussianNB().fit([[1e151]], ['a'])).code).toBe('E_VALUE_RANGE');
  });
  test('without smoothing a class of one value is a spike, not a hole', () => {
    const estimator = new GaussianNB({ varSmoothing: 0 }).fit(
      [[0.1], [0.1], [0.1], [1], [3]],
      ['a', 'a', 'a', 'b', 'b'],
    );
    expect(estimator.predict([[0.1], [0.2], [1e150]])).toEqual(['a', 'b', 'b']);
    for (const p of estimator.predictProba([[0.1], [0.2], [1e150], [-1e150]]).data)
      expect(Number.isFinite(p)).toBe(true);
  });
  test('a class that never showed a feature takes the curve of all classes', () => {
    const estimator = new GaussianNB({ missing: 'ignore' }).fit(
      [
        [Number.NaN, 0],
        [1, 1],
        [3, 2],
      ],
      ['a', 'b', 'b'],
    );
    expect(estimator.theta.toArray()).toEqual([
      [2, 0],
      [2, 1.5],
    ]);
  });
  test('rows of one class, drawn, have its mean and variance', () => {
    const estimator = new GaussianNB().fit([[1], [3], [10]], ['a', 'a', 'b']);
    const drawn = [...estimator.sample(4000, { class: 'a', seed: 2 }).X.data];
    const mean = drawn.reduce((sum, x) => sum + x, 0) / 4000;
    const variance = drawn.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 4000;
    expect(Math.abs(mean - 2)).toBeLessThan(0.06);
    expect(Math.abs(variance - 1)).toBeLessThan(0.1);
    const student = new GaussianNB({ rule: 'bayes', prior: { mean: 2, kappa: 1, a: 3, b: 2 } }).fit([[2]], ['a']);
    const draws = [...student.sample(6000, { seed: 3 }).X.data];
    const scale = student.var.at(0, 0) * (7 / 5); // variance of Student's distribution with 7 degrees of freedom
    expect(Math.abs(draws.reduce((sum, x) => sum + (x - 2) ** 2, 0) / 6000 / scale - 1)).toBeLessThan(0.1);
  });
});

describe('errors and folds of iris', () => {
  const { X, y, folds } = fixture<Iris>('iris');
  const estimator = new GaussianNB().fit(X, y);
  test('means, variances, floor and joint log-likelihoods', () => {
    expectClose(estimator.theta.row(0), [5.006, 3.428, 1.462, 0.246], 1e-12);
    expectClose(estimator.theta.row(2), [6.588, 2.974, 5.552, 2.026], 1e-12);
    expectClose(estimator.var.row(0), [0.121764, 0.140816, 0.029556, 0.010884], 1e-6);
    expect(estimator.epsilon).toBeCloseTo(3.0955e-9, 13);
    const joint = estimator.predictJointLogProba([X[0], X[70], X[149]]).data;
    const printed = [
      1.06265794, -40.07797658, -56.84265356, -301.61943548, -5.10322439, -3.40344503, -337.4892668, -5.37584849,
      -2.55116877,
    ];
    for (const [k, value] of printed.entries()) expect(joint[k]).toBeCloseTo(value, 7);
  });
  test('6 resubstitution errors, 7 leave-one-out errors', () => {
    expect(estimator.predict(X).filter((label, i) => label !== y[i])).toHaveLength(6);
    expect(leaveOneOut(new GaussianNB(), X, y).predictions.filter((label, i) => label !== y[i])).toHaveLength(7);
  });
  test('five folds: accuracy 0.953333, log-loss 0.135439', () => {
    let [accuracy, loss] = [0, 0];
    for (const test of folds.split) {
      const train = [...X.keys()].filter((i) => !test.includes(i));
      const model = new GaussianNB().fit(
        train.map((i) => X[i]),
        train.map((i) => y[i]),
      );
      const proba = model.predictProba(test.map((i) => X[i]));
      accuracy +=
        model.score(
          test.map((i) => X[i]),
          test.map((i) => y[i]),
        ) / 5;
      loss -= test.reduce((sum, i, k) => sum + Math.log(proba.at(k, y[i])), 0) / test.length / 5;
    }
    expectClose([accuracy, loss], folds.scores.gaussian, 1e-12);
    expect([accuracy.toFixed(6), loss.toFixed(6)]).toEqual(['0.953333', '0.135439']);
  });
});
