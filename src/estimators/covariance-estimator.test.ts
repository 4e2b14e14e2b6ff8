import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { encodeState } from '../core/artifact.ts';
import * as polya from '../index.ts';

const cases = recorded('features.json').filter(({ what }) => what === 'discriminant');
const { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis } = polya;
const { EmpiricalCovariance, LedoitWolf, OAS, ShrunkCovariance } = polya;
const discriminants = { LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis };
const estimates = { EmpiricalCovariance, LedoitWolf, OAS, ShrunkCovariance };
const make = (name: string) => new estimates[name as keyof typeof estimates]();
const { X, y } = cases[0] as { X: number[][]; y: number[] } & (typeof cases)[0];

describe('scikit-learn 1.9.1', () => {
  test.each(cases.map((one) => [one.name, one] as const))('discriminants with %s', (name, one) => {
    const covarianceEstimator = make(name);
    for (const solver of ['lsqr', 'eigen'] as const) {
      const linear = new polya.LinearDiscriminantAnalysis({ solver, covarianceEstimator }).fit(one.X, one.y);
      expectAlike(linear.predictProba(one.rows).toArray(), one[solver], 1e-8, 1e-3);
      expect(linear.getFeatureNamesOut()).toEqual(one.names);
      if (solver === 'lsqr') continue;
      const places = linear.transform(one.rows).toArray();
      expectAlike(
        places.map((row) => row.map(Math.abs)),
        one.places,
        1e-8,
        1,
      );
      expectAlike(linear.explainedVarianceRatio, one.explained, 1e-8);
    }
    const quadratic = new polya.QuadraticDiscriminantAnalysis({ solver: 'eigen', covarianceEstimator });
    expectAlike(quadratic.fit(one.X, one.y).predictProba(one.rows).toArray(), one.quadratic, 1e-8, 1e-3);
  });
});

describe.each(['LinearDiscriminantAnalysis', 'QuadraticDiscriminantAnalysis'] as const)('%s', (kind) => {
  const covarianceEstimator = new polya.LedoitWolf();
  const model = () => new discriminants[kind]({ solver: 'eigen', covarianceEstimator });

  test('takes any object whose fit leads to a covariance', () => {
    const plain = { fit: (rows: polya.Matrix) => new polya.LedoitWolf().fit(rows) };
    const nested = { fit: (rows: polya.Matrix) => ({ covariance: plain.fit(rows).covariance.toArray() }) };
    for (const own of [plain, nested]) {
      const other = new discriminants[kind]({ solver: 'eigen', covarianceEstimator: own }).fit(X, y);
      expect(other.predictProba(X)).toEqual(model().fit(X, y).predictProba(X));
    }
    const without = { fit: () => ({ covariance: [[1]] }) };
    const bad = new discriminants[kind]({ solver: 'eigen', covarianceEstimator: without });
    expect(() => bad.fit(X, y)).toThrow(/4 × 4/);
    expect(refusalOf(() => new discriminants[kind]({ covarianceEstimator: 3 as never })).code).toBe('E_PARAM');
  });

  test('is refused beside options that would have no effect', () => {
    const refused = (params: object) =>
      refusalOf(() => new discriminants[kind]({ solver: 'eigen', covarianceEstimator, ...params }));
    for (const params of [
      { solver: 'svd' },
      { shrinkage: 0.5 },
      { covarianceDenominator: 'n-1' },
      { missing: 'ignore' },
      { reproducible: true },
      { classWeight: 'balanced' },
    ]) {
      expect(refused(params)).toMatchObject({ code: 'E_PARAM', details: { name: 'covarianceEstimator' } });
    }
    const sampleWeight = y.map((_, i) => 1 + (i % 2));
    expect(refusalOf(() => model().fit(X, y, { sampleWeight })).details.name).toBe('sampleWeight');
  });

  test('needs all rows at once', () => {
    const fitted = model().fit(X, y);
    expect(fitted.capabilities).toMatchObject({ online: false, mergeable: false });
    const attempts = [
      () => fitted.partialFit(X, y),
      () => model().partialFit(X, y),
      () => fitted.unlearn(X.slice(0, 2), y.slice(0, 2)),
      () => fitted.merge(model().fit(X, y) as never),
      () => polya.leaveOneOut(fitted, X, y),
    ];
    for (const attempt of attempts) expect(refusalOf(attempt).code).toBe('E_CONFLICT');
    const plain = new discriminants[kind]().capabilities;
    expect(plain).toMatchObject({ online: true, mergeable: true });
  });

  test('a model file holds what was estimated, and the name of the estimator', () => {
    const fitted = model().fit(X, y);
    const loaded = polya.load(fitted.toBytes()) as typeof fitted;
    expect(loaded.predictProba(X)).toEqual(fitted.predictProba(X));
    expect(loaded.toBytes()).toEqual(fitted.toBytes());
    if ('transform' in loaded && 'transform' in fitted) expect(loaded.transform(X)).toEqual(fitted.transform(X));
    const slim = polya.load(fitted.toBytes({ slim: true })) as typeof fitted;
    expect(slim.predictProba(X)).toEqual(fitted.predictProba(X));
    for (const attempt of [() => loaded.fit(X, y), () => loaded.partialFit(X, y)]) {
      expect(refusalOf(attempt).code).toBe('E_CONFLICT');
    }
    expect(() => loaded.clone().fit(X, y)).toThrow(/LedoitWolf/);
    loaded.setParams({ covarianceEstimator }).fit(X, y);
    expect(loaded.predictProba(X)).toEqual(fitted.predictProba(X));
  });

  test('a class without rows has no covariance, and a damaged file is refused', () => {
    const two = y.map((label) => label % 2);
    const fitted = model().fit(X, two, { classes: [0, 1, 2] });
    expect(fitted.predict(X)).toEqual(model().fit(X, two).predict(X));
    const state = fitted.toState();
    const { covariances } = state.learned.schema as { covariances: number[][] };
    const wrong = [
      { ...state, learned: { ...state.learned, schema: { covariances: covariances.slice(1) } } },
      { ...state, learned: { ...state.learned, schema: { covariances: covariances.map(() => []) } } },
      { ...state, params: { ...state.params, covarianceEstimator: null } },
    ];
    for (const damaged of wrong) {
      expect(refusalOf(() => polya.load(encodeState(damaged))).code).toBe('E_MODEL_CORRUPT');
    }
  });

  test('is cross-validated and searched, every fold with an estimate of its own', () => {
    const search = new polya.GridSearchCV(
      model() as polya.LinearDiscriminantAnalysis,
      { covarianceEstimator: [new polya.OAS(), covarianceEstimator] },
      { cv: 3 },
    ).fit(X, y);
    expect(search.bestScore).toBeGreaterThan(0.9);
    const odd = model().fit(
      X.filter((_, i) => i % 2 === 1),
      y.filter((_, i) => i % 2 === 1),
    );
    const rows = [...y.keys()];
    const cv = [0, 1].map((k) => [rows.filter((i) => i % 2 !== k), rows.filter((i) => i % 2 === k)] as const);
    const [score] = polya.crossValScore(model(), X, y, { cv });
    const even = rows.filter((i) => i % 2 === 0);
    expect(score).toBe(
      odd.score(
        even.map((i) => X[i]),
        even.map((i) => y[i]),
      ),
    );
  });
});
