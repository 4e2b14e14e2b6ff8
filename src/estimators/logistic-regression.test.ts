import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import * as polya from '../index.ts';

const cases = recorded('features.json');
const of = (what: string) => cases.filter((one) => one.what === what).map((one, k) => [k, one] as const);
const sparse = (rows: number[][]) =>
  polya.SparseMatrix.fromRows(
    rows.map((row) => row.map((cell, j) => [j, cell] as const)),
    rows[0].length,
  );

describe('scikit-learn 1.9.1', () => {
  test.each(of('logistic'))('LogisticRegression, %i', (_, one) => {
    const { X, y, options, classWeight, sampleWeight, coef, intercept, proba } = one;
    const { C = 1, fit_intercept: fitIntercept = true } = options;
    const params = { C, fitIntercept, classWeight, tol: 1e-12, maxIter: 10_000 };
    for (const rows of [X, sparse(X)]) {
      const model = new polya.LogisticRegression(params).fit(rows, y, { sampleWeight });
      expectAlike(model.predictProba(rows).toArray(), proba, 1e-6, one.lbfgs ? 1e-2 : 1e-3);
      // lbfgs itself ends up to 4.5e-6 from the minimum that newton-cholesky finds, where C is 100
      if (one.lbfgs) expectAlike(model.predictProba(rows).toArray(), one.lbfgs, 5e-6, 1);
      expectAlike(model.coef.toArray(), coef, 1e-6, 1);
      expectClose(model.intercept, intercept, 1e-6, 1);
    }
  });

  test.each(of('covariance'))('covariance, %i', (_, one) => {
    const { assume_centered: assumeCentered = false, shrinkage } = one.options;
    const make = {
      EmpiricalCovariance: () => new polya.EmpiricalCovariance({ assumeCentered }),
      ShrunkCovariance: () => new polya.ShrunkCovariance({ assumeCentered, ...(shrinkage && { shrinkage }) }),
      LedoitWolf: () => new polya.LedoitWolf({ assumeCentered }),
      OAS: () => new polya.OAS({ assumeCentered }),
    }[one.name as 'OAS'];
    const estimate = make().fit(one.X);
    expectAlike(estimate.covariance.toArray(), one.covariance, 1e-10);
    expectClose(estimate.location, one.location, 1e-12);
    expectAlike(estimate.precision.toArray(), one.precision, 1e-8, 1);
    expectClose(estimate.mahalanobis(one.X.slice(0, 9)), one.mahalanobis, 1e-8);
    expectAlike(estimate.score(one.X.slice(0, 30)), one.score, 1e-9);
    if (one.shrinkage !== null) expectAlike(estimate.shrinkage, one.shrinkage, 1e-10);
  });
});

test('a logistic regression survives a model file, and works in a pipeline and a search', () => {
  const { rows, target } = { rows: of('logistic')[0][1].X as number[][], target: of('logistic')[0][1].y as number[] };
  const model = new polya.LogisticRegression().fit(rows, target);
  const again = polya.load(model.toBytes()) as unknown as polya.LogisticRegression;
  expect(again.predictProba(rows)).toEqual(model.predictProba(rows));
  expect(again.getParams()).toEqual(model.getParams());
  expect(model.nFeaturesIn).toBe(4);
  const pipeline = polya.makePipeline(new polya.StandardScaler(), new polya.LogisticRegression({ maxIter: 50 }));
  const search = new polya.GridSearchCV(pipeline, { logisticregression__C: [0.01, 1] }, { cv: 3 }).fit(rows, target);
  expect(search.bestParams).toEqual({ logisticregression__C: 1 });
  expect(search.score(rows, target)).toBeGreaterThan(0.95);
  expect(refusalOf(() => model.clone().predict(rows)).code).toBe('E_NOT_FITTED');
  expect(
    refusalOf(() =>
      new polya.LogisticRegression().fit(
        rows,
        target.map(() => 1),
      ),
    ).code,
  ).toBe('E_CLASSES_TOO_FEW');
  expect(refusalOf(() => new polya.LogisticRegression({ C: 0 })).code).toBe('E_PARAM');
  expect(refusalOf(() => new polya.OAS().covariance).code).toBe('E_NOT_FITTED');
});

test('the log-likelihood of labelled rows is the sum of their joint log-probabilities', () => {
  const X = [
    [2, 0],
    [0, 1],
    [1, 1],
  ];
  const y = ['b', 'a', 'b'];
  const model = new polya.MultinomialNB({ alpha: 0 }).fit(X, y);
  // by hand: ln p(b) = ln 2/3, p(x0 | b) = 3/4, p(x1 | b) = 1/4; ln p(a) = ln 1/3, p(x1 | a) = 1
  const byHand = 2 * Math.log(2 / 3) + 3 * Math.log(3 / 4) + Math.log(1 / 4) + Math.log(1 / 3);
  expectClose([polya.logLikelihood(model, X, y)], [byHand], 1e-12);
  expectClose([polya.logLikelihood(model, X, y, { sampleWeight: [2, 2, 2] })], [2 * byHand], 1e-12);
  expect(polya.logLikelihood(model, [[1, 0]], ['a'])).toBe(-Infinity);
  expect(refusalOf(() => polya.logLikelihood(model, X, ['z', 'a', 'b'])).code).toBe('E_CLASS_UNKNOWN');
  const words = polya.makePipeline(new polya.CountVectorizer(), new polya.BernoulliNB()).fit(['aa bb', 'cc'], [0, 1]);
  expect(polya.logLikelihood(words, ['aa bb'], [0])).toBeLessThan(0);
  expect(polya.logSumExp(Float64Array.of(0, 0))).toBeCloseTo(Math.log(2), 12);
});
