import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { camel, type DiscriminantCase, fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { load } from '../auto/load.ts';
import { count } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { GaussianNB } from '../estimators/gaussian-nb.ts';
import { leaveOneOut } from '../estimators/leave-one-out.ts';
import { LinearDiscriminantAnalysis as Linear } from '../estimators/linear-discriminant-analysis.ts';
import { QuadraticDiscriminantAnalysis as Quadratic } from '../estimators/quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis as Regularized } from '../estimators/regularized-discriminant-analysis.ts';
import { Random } from '../math/random.ts';
import { quartic } from '../stats/quartic.ts';
import { ledoitWolf } from './discriminant.ts';

const iris = fixture<Iris>('iris');
const { X, y } = iris;
const chosen = [X[0], X[50], X[70], X[149]];
const errorsOf = (labels: readonly unknown[]) => labels.filter((label, i) => label !== y[i]).length;

/** Rows of Gaussian classes, in general position. */
function cloud(
  seed: number,
  rows: number,
  features: number,
  classes: number,
): { X: number[][]; y: number[]; w: number[] } {
  const random = new Random(seed);
  const labels = Array.from({ length: rows }, (_, i) => i % classes);
  const cells = labels.map((c) => {
    const common = random.normal();
    return Array.from({ length: features }, (_, j) => (j + 1) * random.normal() + common + 2 * c * (j % 2));
  });
  return { X: cells, y: labels, w: labels.map(() => 1 + random.integer(3)) };
}
const clouds = fc
  .record({ seed: fc.nat(), features: fc.integer({ min: 1, max: 4 }), classes: fc.integer({ min: 2, max: 3 }) })
  .map(({ seed, features, classes }) => cloud(seed, classes * (features + 4), features, classes));

describe('laws between the families', () => {
  check.prop([clouds])(
    'lambda 0, gamma 0 is quadratic; lambda 1, gamma 0 is linear, by every solver',
    ({ X, y, w }) => {
      const learn = <T extends Linear | Quadratic | Regularized>(model: T) => model.fit(X, y, { sampleWeight: w });
      const quadratic = learn(new Quadratic()).predictLogProba(X).data;
      expectClose(learn(new Regularized({ lambda: 0 })).predictLogProba(X).data, quadratic, 1e-9, 1);
      const linear = learn(new Regularized({ lambda: 1 })).predictLogProba(X).data;
      for (const solver of ['svd', 'lsqr', 'eigen'] as const) {
        expectClose(learn(new Linear({ solver })).predictLogProba(X).data, linear, 1e-9, 1);
      }
      expectClose(learn(new Quadratic({ solver: 'eigen' })).predictLogProba(X).data, quadratic, 1e-9, 1);
    },
  );

  check.prop([clouds])('a quadratic discriminant with diagonal covariances is Gaussian naive Bayes', ({ X, y, w }) => {
    const diagonal = new Regularized({ lambda: 0, diagonal: true }).fit(X, y, { sampleWeight: w });
    const naive = new GaussianNB({ varSmoothing: 0 }).fit(X, y, { sampleWeight: w });
    expectClose(diagonal.predictJointLogProba(X).data, naive.predictJointLogProba(X).data, 1e-9, 1);
  });

  check.prop([clouds])('lambda 1, gamma 1 goes to the nearest centroid', ({ X, y }) => {
    const model = new Regularized({ lambda: 1, gamma: 1, priors: [...new Set(y)].map(() => 1) }).fit(X, y);
    const means = model.means.toArray();
    const nearest = X.map((row) => {
      const distances = means.map((mean) => mean.reduce((sum, m, j) => sum + (row[j] - m) ** 2, 0));
      return distances.indexOf(Math.min(...distances));
    });
    expect(model.predict(X)).toEqual(nearest);
  });

  check.prop([clouds, fc.integer({ min: -3, max: 3 })])(
    'units do not matter but to gamma without standardize',
    ({ X, y }, power) => {
      const scaled = X.map((row) => row.map((value, j) => (j === 0 ? value * 10 ** power : value)));
      const same = (make: () => Linear | Quadratic | Regularized) =>
        expectClose(
          make().fit(scaled, y).predictLogProba(scaled).data,
          make().fit(X, y).predictLogProba(X).data,
          1e-9,
          1,
        );
      same(() => new Linear());
      same(() => new Linear({ solver: 'lsqr', shrinkage: 'auto' }));
      same(() => new Quadratic());
      same(() => new Regularized({ lambda: 0.3, gamma: 0.2, standardize: true }));
    },
  );
});

describe('leaving one out equals fitting to the others', () => {
  const models: [string, () => Linear | Quadratic | Regularized][] = [
    ['linear', () => new Linear()],
    ['linear, least squares', () => new Linear({ solver: 'lsqr' })],
    ['linear, n − K', () => new Linear({ covarianceDenominator: 'n-1' })],
    ['linear, given priors', () => new Linear({ solver: 'eigen', priors: [0.2, 0.3, 0.5] })],
    ['linear, shrunk', () => new Linear({ solver: 'lsqr', shrinkage: 0.2 })],
    ['linear, Ledoit–Wolf', () => new Linear({ solver: 'eigen', shrinkage: 'auto' })],
    ['quadratic', () => new Quadratic()],
    ['quadratic, n − 1', () => new Quadratic({ covarianceDenominator: 'n-1' })],
    ['quadratic, regularised', () => new Quadratic({ regParam: 0.1 })],
    ['quadratic, Ledoit–Wolf', () => new Quadratic({ solver: 'eigen', shrinkage: 'auto' })],
    ['Friedman, lambda', () => new Regularized({ lambda: 0.3 })],
    ['Friedman, lambda and gamma', () => new Regularized({ lambda: 0.3, gamma: 0.2, standardize: true })],
    ['Friedman, diagonal', () => new Regularized({ lambda: 0.5, diagonal: true })],
  ];
  test.each(models)('%s', (_, make) => {
    for (const seed of [1, 2, 3]) {
      const { X, y, w } = cloud(seed, 21 + 3 * seed, 1 + seed, 3);
      const held = leaveOneOut(make() as Linear, X, y, { sampleWeight: w }).logProba.data;
      const expected = X.flatMap((row, i) => {
        const others = [...X.keys()].filter((k) => k !== i);
        const rest = make().fit(
          others.map((k) => X[k]),
          others.map((k) => y[k]),
          { sampleWeight: others.map((k) => w[k]) },
        );
        return [...rest.predictLogProba([row]).data];
      });
      expectClose(held, expected, 1e-9, 1);
    }
  });

  test('the only row of a class leaves it without probability', () => {
    const { X, y } = cloud(5, 20, 2, 2);
    const held = leaveOneOut(new Linear(), [...X, [9, 9]], [...y, 7]);
    expect(held.logProba.at(20, 2)).toBe(-Infinity);
    expect(held.logProba.row(20).slice(0, 2).every(Number.isFinite)).toBe(true);
    const two = leaveOneOut(new Linear(), [...X, [9, 9]], [...X.map(() => 0), 1]);
    expect([...two.logProba.row(20)]).toEqual([0, -Infinity]);
  });
});

const recorded = fixture<{ cases: DiscriminantCase[] }>('discriminant').cases;
const all = [...recorded, { X, y, query: chosen, linear: iris.linear, quadratic: iris.quadratic }];

describe('scikit-learn 1.9.1, to 1e-9', () => {
  const linear = all.flatMap(({ linear, ...data }, k) =>
    linear.map((record) => [k, JSON.stringify(record.options), record, data] as const),
  );
  test.each(linear)('linear, data %i, %s', (_, __, record, { X, y, query }) => {
    const model = new Linear(camel(record.options)).fit(X, y);
    // least squares and SVD of scikit-learn have their own rounding, of the size of the condition number
    const near = 1e-8;
    expectClose(model.means.data, record.means.flat(), 1e-12);
    expectClose(model.priors, record.priors, 1e-14);
    // far from zero, least squares on means that are not centred cost scikit-learn two digits; centred, it agrees to 1e-11
    const far = X[0][0] > 1e3 && record.options.solver !== undefined;
    expectClose(model.predictProba(query).data, record.proba.flat(), far ? 1e-7 : 1e-9, 1e-3);
    const size = Math.max(...record.coef.flat().map(Math.abs));
    expectClose(model.coef.data, record.coef.flat(), near, size);
    expectClose(model.intercept, record.intercept, near, Math.max(...record.intercept.map(Math.abs), 1));
    expectClose(
      model.decisionFunction(query).data,
      record.decision.flat(),
      near,
      Math.max(...record.intercept.map(Math.abs), 1),
    );
    if (record.covariance) expectClose(model.covariance.data, record.covariance.flat(), 1e-9, 1e-3);
    if (record.xbar) expectClose(model.xbar, record.xbar, 1e-12);
    // scikit-learn's shares leave [0, 1] where total and within, each shrunk or weighted by itself, differ in sign
    const shares = record.explained?.map((share) => Math.min(Math.max(share, 0), 1));
    if (shares) expectClose(model.explainedVarianceRatio, shares, 1e-9, 1);
    // axes are found up to their sign; the solver 'eigen' fills up with directions that do not separate, in any order
    const axes = Math.min(new Set(y).size - 1, X[0].length);
    if (record.scalings) {
      const found = model.scalings.toArray().flatMap((row) => row.slice(0, axes).map(Math.abs));
      expectClose(
        found,
        record.scalings.flatMap((row) => row.slice(0, axes)),
        1e-7,
        1,
      );
    }
    if (record.transform) expectClose(model.transform(query).data.map(Math.abs), record.transform.flat(), 1e-7, 10);
  });

  const quadratic = all.flatMap(({ quadratic, ...data }, k) =>
    quadratic.map((record) => [k, JSON.stringify(record.options), record, data] as const),
  );
  test.each(quadratic)('quadratic, data %i, %s', (_, __, record, { X, y, query }) => {
    const model = new Quadratic(camel(record.options)).fit(X, y);
    expectClose(model.means.data, record.means.flat(), 1e-12);
    expectClose(model.priors, record.priors, 1e-14);
    expectClose(model.predictProba(query).data, record.proba.flat(), 1e-9, 1e-3);
    expectClose(model.decisionFunction(query).data, record.decision.flat(), 1e-9, 1);
    for (const [c, matrix] of model.covariance.entries()) {
      expectClose(matrix.data, record.covariance[c].flat(), 1e-9, 1e-3);
      expectClose(model.scalings[c], record.scalings[c], 1e-9);
      expectClose(model.rotations[c].data.map(Math.abs), record.rotations[c].flat(), 1e-7, 1); // up to their signs
    }
  });

  test('the figures that scikit-learn prints for iris', () => {
    const at = (model: Linear | Quadratic, row: number[]) => [...model.fit(X, y).predictProba([row]).data];
    expectClose(at(new Linear(), X[50]), [8.571909630224053e-19, 0.999908171917983, 9.182808201712599e-5], 1e-9);
    expectClose(
      at(new Linear({ solver: 'lsqr', shrinkage: 'auto' }), X[50]),
      [3.7106982091515955e-18, 0.9997070149392814, 2.929850607186396e-4],
      1e-9,
    );
    expectClose(new Linear().fit(X, y).explainedVarianceRatio, [0.9912126049653671, 0.008787395034632784], 1e-12);
    expectClose(at(new Quadratic(), X[70]).slice(1), [0.32845133430091505, 0.671548665699085], 1e-9);
    expectClose(at(new Quadratic({ regParam: 0.1 }), X[70]).slice(1), [0.5233931812749942, 0.47660681872500565], 1e-9);
  });
});

describe('figures of a second program on iris', () => {
  const rows = [X[0], X[70], X[149]];
  const printed = (model: Linear | Quadratic, expected: number[]) => {
    const found = model.fit(X, y).predictLogProba(rows).data;
    // nine printed digits
    for (const [k, value] of expected.entries()) expectClose([found[k]], [value], 5e-9, 1);
  };
  test('log posteriors with the denominators of earlier versions', () => {
    printed(
      new Quadratic({ covarianceDenominator: 'n-1' }),
      [0, -58.2742054, -93.3135484, -237.114884, -1.09081025, -0.409389071, -272.041052, -2.79982579, -0.0627488248],
    );
    printed(
      new Linear({ covarianceDenominator: 'n-1' }),
      [0, -49.2968298, -95.7487762, -62.4698062, -1.37346412, -0.291995662, -74.9351819, -4.0431407, -0.0176979802],
    );
    printed(
      new Linear(),
      [0, -50.3028875, -97.7028328, -63.7331981, -1.38999185, -0.286452607, -76.4627257, -4.12390811, -0.0163134975],
    );
  });
  test('resubstitution and leave-one-out errors on iris', () => {
    const errors = (make: () => Linear | Quadratic) => [
      errorsOf(make().fit(X, y).predict(X)),
      errorsOf(leaveOneOut(make() as Linear, X, y).predictions),
    ];
    expect(errors(() => new Linear({ covarianceDenominator: 'n-1' }))).toEqual([3, 3]);
    expect(errors(() => new Quadratic({ covarianceDenominator: 'n-1' }))).toEqual([3, 4]);
    expect(errors(() => new Linear({ solver: 'lsqr', shrinkage: 'auto' }))).toEqual([3, 3]);
  });
  test.each([
    [0, 0, 4],
    [1, 0, 3],
    [0.5, 0, 3],
    [0.5, 0.1, 3],
    [0, 1, 13],
    [1, 1, 12],
  ])('Friedman (%d, %d): %i leave-one-out errors on iris', (lambda, gamma, errors) => {
    expect(errorsOf(leaveOneOut(new Regularized({ lambda, gamma }), X, y).predictions)).toBe(errors);
  });
  test('intensities of Ledoit and Wolf', () => {
    const stats = count(quartic, batch(X));
    expectClose([ledoitWolf(stats, 0).intensity], [iris.ledoitWolf.standardised], 1e-12);
    expectClose([ledoitWolf(stats, 0, false).intensity], [iris.ledoitWolf.raw], 1e-12);
    expect(ledoitWolf(stats, 0).intensity.toFixed(11)).toBe('0.01753373664');
    expect(ledoitWolf(stats, 0, false).intensity.toFixed(11)).toBe('0.00757880145');
    const byClass = count(quartic, batch(X, y));
    expectClose(
      [0, 1, 2].map((c) => ledoitWolf(byClass, c).intensity),
      iris.ledoitWolf.byClass,
      1e-12,
    );
  });
  test.each([
    ['linear', () => new Linear(), '0.980000', '0.046658'],
    ['quadratic', () => new Quadratic({ regParam: 0.1 }), '0.973333', '0.084855'],
  ] as const)("scikit-learn's accuracy and log-loss over five folds of iris, %s", (name, make, accuracy, loss) => {
    let [right, lost] = [0, 0];
    for (const test of iris.folds.split) {
      const train = [...X.keys()].filter((i) => !test.includes(i));
      const model = make().fit(
        train.map((i) => X[i]),
        train.map((i) => y[i]),
      );
      const proba = model.predictProba(test.map((i) => X[i]));
      right +=
        model.score(
          test.map((i) => X[i]),
          test.map((i) => y[i]),
        ) / 5;
      lost -= test.reduce((sum, i, k) => sum + Math.log(proba.at(k, y[i])), 0) / test.length / 5;
    }
    expectClose([right, lost], iris.folds.scores[name], 1e-9);
    expect([right.toFixed(6), lost.toFixed(6)]).toEqual([accuracy, loss]);
  });
});

describe('learning in parts', () => {
  test.each([
    ['linear', () => new Linear()],
    ['linear, Ledoit–Wolf', () => new Linear({ solver: 'eigen', shrinkage: 'auto' })],
    ['quadratic', () => new Quadratic()],
    ['Friedman', () => new Regularized({ lambda: 0.2, gamma: 0.1 })],
  ] as [string, () => Linear][])('%s: in batches, merged and unlearned it is close to learning at once', (_, make) => {
    const order = new Random(1).permutation(150);
    const take = (from: number, to: number) => {
      const rows = [...order.subarray(from, to)];
      return [rows.map((i) => X[i]), rows.map((i) => y[i])] as const;
    };
    const whole = make().fit(X, y).predictLogProba(X).data;
    const parts = make();
    for (let from = 0; from < 150; from += 10) parts.partialFit(...take(from, from + 10));
    expectClose(parts.predictLogProba(X).data, whole, 1e-9, 1);
    const merged = make()
      .fit(...take(0, 60))
      .merge(make().fit(...take(60, 150)));
    expectClose(merged.predictLogProba(X).data, whole, 1e-9, 1);
    const less = merged.unlearn(...take(60, 150)).predictLogProba(X).data;
    expectClose(
      less,
      make()
        .fit(...take(0, 60))
        .predictLogProba(X).data,
      1e-9,
      1,
    );
  });

  test('a first lesson that is too small is saved, loaded and completed', () => {
    const model = load(new Quadratic().partialFit(X.slice(0, 1), y.slice(0, 1)).toBytes()) as Quadratic;
    expect(refusalOf(() => model.predict(X)).code).toBe('E_CLASSES_TOO_FEW');
    model.partialFit(X.slice(1), y.slice(1));
    expectClose(model.predictProba(chosen).data, new Quadratic().fit(X, y).predictProba(chosen).data, 1e-9, 1e-9);
  });
});

describe('refusals', () => {
  const rows = [
    [0, 0],
    [1, 0],
    [0, 1],
    [5, 5],
  ];
  test('one class, one row to each class, a class of one row: each by its code, class and count', () => {
    for (const model of [new Linear(), new Quadratic(), new Regularized()]) {
      expect(refusalOf(() => model.fit(rows, ['a', 'a', 'a', 'a'])).code).toBe('E_CLASSES_TOO_FEW');
    }
    expect(refusalOf(() => new Linear().fit(rows, ['a', 'b', 'c', 'd']))).toMatchObject({
      code: 'E_CLASS_TOO_SMALL',
      details: { class: 'a', count: 1 },
    });
    for (const options of [{}, { regParam: 0.5 }]) {
      expect(refusalOf(() => new Quadratic(options).fit(rows, ['a', 'a', 'a', '__proto__']))).toMatchObject({
        code: 'E_CLASS_TOO_SMALL',
        details: { class: '__proto__', count: 1 },
      });
    }
  });
  test('collinear columns: quadratic discriminants refuse with advice and yield to a regularisation', () => {
    const flat = X.map((row) => [...row, row[0] - 2 * row[1]]);
    expect(refusalOf(() => new Quadratic().fit(flat, y))).toMatchObject({
      code: 'E_CLASS_TOO_SMALL',
      details: { class: 0, count: 50 },
    });
    expect(() => new Quadratic().fit(flat, y)).toThrow(/regParam/);
    expect(refusalOf(() => new Linear({ solver: 'eigen' }).fit(flat, y)).code).toBe('E_CLASS_TOO_SMALL');
    for (const model of [
      new Quadratic({ regParam: 0.01 }),
      new Quadratic({ solver: 'eigen', shrinkage: 'auto' }),
      new Regularized({ lambda: 0.1, gamma: 0.05 }),
      new Linear(),
      new Linear({ solver: 'lsqr' }),
      new Linear({ solver: 'eigen', shrinkage: 0.01 }),
    ]) {
      expect(model.fit(flat, y).score(flat, y)).toBeGreaterThan(0.96);
    }
    expectClose(
      new Linear().fit(flat, y).predictProba(flat).data,
      new Linear().fit(X, y).predictProba(X).data,
      1e-9,
      1e-6,
    );
  });
  test('the rank of a covariance does not depend on units, where scikit-learn compares variances with tol', () => {
    const tiny = X.map((row) => row.map((value) => value * 1e-6));
    expectClose(
      new Quadratic().fit(tiny, y).predictProba(tiny).data,
      new Quadratic().fit(X, y).predictProba(X).data,
      1e-9,
      1e-9,
    );
  });
  test('priors: other lengths and no mass are refused, others normalised, where scikit-learn takes them as they are', () => {
    for (const Model of [Linear, Quadratic, Regularized]) {
      expect(refusalOf(() => new Model({ priors: [0.5, 0.5] }).fit(X, y)).code).toBe('E_PARAM');
      expect(refusalOf(() => new Model({ priors: [0, 0, 0] }).fit(X, y)).code).toBe('E_PARAM');
      expectClose(new Model({ priors: [1, 1, 2] }).fit(X, y).priors, [0.25, 0.25, 0.5], 1e-15);
      expect(new Model({ priors: [1, 1, 0] }).fit(X, y).predict(X)).not.toContain(2);
    }
  });
  test('axes: more than there are, or by a solver without them', () => {
    expect(refusalOf(() => new Linear({ nComponents: 3 }).fit(X, y)).code).toBe('E_PARAM');
    expect(refusalOf(() => new Linear({ solver: 'lsqr' }).fit(X, y).transform(X)).code).toBe('E_PARAM');
    expect(new Linear({ nComponents: 1 }).fitTransform(X, y)).toMatchObject({ rows: 150, cols: 1 });
  });
  test('sparse rows and magnitudes beyond 1e150 (1e75 where fourth powers are kept)', () => {
    expect(refusalOf(() => new Linear().fit(SparseMatrix.fromRows([[[0, 1]]], 2), ['a'])).code).toBe('E_TYPE');
    expect(refusalOf(() => new Quadratic().fit([[1e151]], ['a'])).code).toBe('E_VALUE_RANGE');
    const auto = new Linear({ solver: 'lsqr', shrinkage: 'auto' });
    expect(refusalOf(() => auto.fit([[1e76]], ['a'])).code).toBe('E_VALUE_RANGE');
  });
});

describe('extremes give no NaN', () => {
  const models = (): (Linear | Quadratic | Regularized)[] => [
    new Linear(),
    new Linear({ solver: 'lsqr' }),
    new Linear({ solver: 'lsqr', shrinkage: 0.1 }),
    new Quadratic(),
    new Quadratic({ regParam: 0.1 }),
    new Regularized({ lambda: 0.5, gamma: 0.1, standardize: true }),
  ];
  test.each([1e150 / 16, 1, 1e-120])('values of size %d', (size) => {
    const { X, y } = cloud(9, 40, 3, 3);
    const scaled = X.map((row) => row.map((value) => value * size));
    for (const model of models()) {
      const probabilities = model.fit(scaled, y).predictProba([...scaled, [1e150, -1e150, 0], [0, 0, 0]]).data;
      expect(probabilities.every(Number.isFinite)).toBe(true);
      for (const { score } of model.explain([[1e150, -1e150, 0]]))
        expect(score.every((s) => !Number.isNaN(s))).toBe(true);
      expect(model.sample(5, { seed: 1 }).X.data.every(Number.isFinite)).toBe(true);
    }
  });
  test('sums without rounding reach as far', () => {
    const { X, y } = cloud(11, 12, 2, 2);
    const scaled = X.map((row) => row.map((value) => value * 1e149));
    for (const model of [new Linear({ reproducible: true }), new GaussianNB({ reproducible: true })]) {
      const plain = new (model.constructor as new () => Linear)().fit(scaled, y).predictLogProba(scaled).data;
      expectClose(model.fit(scaled, y).predictLogProba(scaled).data, plain, 1e-9, 1);
    }
  });
  test('a huge offset, and nearly collinear columns', () => {
    const { X, y } = cloud(10, 60, 3, 2);
    const far = X.map((row) => row.map((value) => value + 1e9));
    const near = X.map(([a, b, c], i) => [a, b, a + b + 1e-3 * c * (i % 3)]);
    for (const model of models()) {
      expect(model.fit(far, y).predictProba(far).data.every(Number.isFinite)).toBe(true);
      expect(model.fit(near, y).predictProba(near).data.every(Number.isFinite)).toBe(true);
    }
    expectClose(new Linear().fit(far, y).predictProba(far).data, new Linear().fit(X, y).predictProba(X).data, 1e-4, 1);
  });
  test('far from the data a linear discriminant still tells its classes apart', () => {
    const model = new Linear().fit([[0], [1], [4], [5]], ['a', 'a', 'b', 'b']);
    expect([...model.predictProba([[1e20], [-1e20]]).data]).toEqual([0, 1, 1, 0]);
    expect(model.explain([[1e20]])[0].label).toBeDefined();
  });
  test('constant data says nothing: the linear discriminant answers with the prior', () => {
    const model = new Linear().fit([[3], [3], [3], [3]], ['a', 'b', 'b', 'b']);
    expectClose(model.predictProba([[3], [7]]).data, [0.25, 0.75, 0.25, 0.75], 1e-14);
    expect(model.transform([[3]]).cols).toBe(0);
  });
});

test('rows drawn have the mean and the covariance of their class', () => {
  const model = new Quadratic().fit(X, y);
  const drawn = model.sample(6000, { class: 1, seed: 3 }).X.toArray();
  const mean = [0, 1, 2, 3].map((j) => drawn.reduce((sum, row) => sum + row[j], 0) / 6000);
  expectClose(mean, model.means.row(1), 0.01);
  const covariance = drawn.reduce((sum, row) => sum + (row[0] - mean[0]) * (row[2] - mean[2]), 0) / 6000;
  expect(Math.abs(covariance / model.covariance[1].at(0, 2) - 1)).toBeLessThan(0.1);
});
