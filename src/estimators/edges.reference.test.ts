import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { expectAlike, type Recorded, recorded } from '../../test/reference/evaluate/recorded.ts';
import * as polya from '../index.ts';

const cases = recorded('edges.json');
const of = (what: string) => cases.filter((one) => one.what === what).map((one, k) => [k, one] as const);
const estimates = {
  EmpiricalCovariance: () => new polya.EmpiricalCovariance(),
  LedoitWolf: () => new polya.LedoitWolf(),
  OAS: () => new polya.OAS(),
  ShrunkCovariance: () => new polya.ShrunkCovariance(),
};
const rowsOf = (rows: unknown) => (rows as polya.Matrix).toArray();
const methods = { auto: 'auto', predict_proba: 'predictProba', decision_function: 'decisionFunction' } as const;
const methodOf = ({ response }: Recorded) => methods[response as keyof typeof methods];

describe('scikit-learn 1.9.1, at the edges', () => {
  test.each(of('hinge'))('hingeLoss of one, two and three classes, %i', (_, { y, scores, loss }) => {
    expectAlike(polya.hingeLoss(y, scores), loss, 1e-12);
  });

  test.each(of('d2'))('shares of explained loss of one row, %i', (_, { y, scores, log, brier }) => {
    expect([polya.d2LogLossScore(y, scores), polya.d2BrierScore(y, scores)]).toEqual([log, brier]);
  });

  test.each(of('ratios'))('classLikelihoodRatios that are undefined, %i', (_, { truth, answer, instead, ratios }) => {
    const own = polya.classLikelihoodRatios(truth, answer, { labels: [0, 1], replaceUndefinedBy: instead });
    expectAlike(own, ratios, 1e-12);
  });

  test.each(of('scaler'))('what a StandardScaler has learned, %i', (_, { X, withStd = true, ...own }) => {
    const scaler = new polya.StandardScaler({ withStd }).fit(X);
    expectAlike(scaler.var, own.var, 1e-12);
    expectAlike(scaler.scale, own.scale, 1e-12);
    expectAlike(scaler.nSamplesSeen, own.seen, 0);
  });

  test.each(of('impute'))('SimpleImputer with a column without values, %i', (_, { X, strategy, keep, ...own }) => {
    const imputer = new polya.SimpleImputer({ strategy, keepEmptyFeatures: keep }).fit(X);
    expectAlike(imputer.statistics, own.statistics, 1e-12);
    expectAlike(rowsOf(imputer.transform(X)), own.rows, 1e-12);
  });

  test.each(of('variance'))('VarianceThreshold with missing cells, %i', (_, { X, threshold, ...own }) => {
    const selector = new polya.VarianceThreshold({ threshold }).fit(X);
    expectAlike(selector.variances, own.variances, 1e-12);
    expect(selector.getSupport()).toEqual(own.support);
    expectAlike(rowsOf(selector.transform(X)), own.rows, 0);
  });

  test.each(of('binarizer'))('LabelBinarizer and a label that it has not learned, %i', (_, { y, given, rows }) => {
    expect(new polya.LabelBinarizer().fit(y).transform(given).toArray()).toEqual(rows);
  });

  test.each(of('several'))('MultiLabelBinarizer with given classes, %i', (_, { classes, y, rows, labels }) => {
    const binarizer = new polya.MultiLabelBinarizer({ classes });
    expect(binarizer.fitTransform(y).toArray()).toEqual(rows);
    expect(binarizer.classes).toEqual(labels);
    expect(binarizer.inverseTransform(rows)).toEqual(y);
  });

  test.each(of('vocabulary'))(
    'CountVectorizer with the columns of terms, %i',
    (_, { vocabulary, texts, rows, names }) => {
      const vectorizer = new polya.CountVectorizer({ vocabulary });
      expect(vectorizer.transform(texts).toArray()).toEqual(rows);
      expect(vectorizer.getFeatureNamesOut()).toEqual(names);
    },
  );

  test.each(of('fixed'))('FixedThresholdClassifier, %i', (_, { X, y, threshold, positive, predict, ...own }) => {
    const options = { threshold, posLabel: positive, responseMethod: methodOf(own) };
    const model = new polya.FixedThresholdClassifier(new polya.LogisticRegression({ tol: 1e-10 }), options).fit(X, y);
    expect(model.predict(X)).toEqual(predict);
  });

  test.each(of('tuned'))('TunedThresholdClassifierCV, %i', (_, { X, y, best, results, ...own }) => {
    const options = {
      scoring: 'f1',
      cv: 4,
      thresholds: 12,
      responseMethod: methodOf(own),
      storeCvResults: true,
    } as const;
    const model = new polya.TunedThresholdClassifierCV(new polya.LogisticRegression({ tol: 1e-10 }), options).fit(X, y);
    expectAlike(model.bestThreshold, best, 1e-8, 1); // minimisers end near the minimum
    expectAlike(model.cvResults, results, 1e-8, 1);
  });

  test.each(of('scoring'))('cross-validation by a share of explained loss, %i', (_, { X, y, scoring, scores }) => {
    expectAlike(polya.crossValScore(new polya.GaussianNB(), X, y, { cv: 4, scoring }), scores, 1e-9);
  });

  test.each(of('covariance'))('singular covariances, %i', (_, { name, X, precision, mahalanobis, score }) => {
    const estimate = estimates[name as keyof typeof estimates]().fit(X);
    expectAlike(rowsOf(estimate.getPrecision()), precision, 1e-9, 1);
    expectAlike(estimate.mahalanobis(X), mahalanobis, 1e-9, 1);
    expectAlike(estimate.score(X), score, 1e-9);
  });
});

test('what would have no effect, or cannot be meant, is refused', () => {
  const scaler = new polya.StandardScaler();
  const attempts = [
    () => scaler.fit([[1], [2]], { sampleWeight: [1, 2] } as never),
    () => scaler.partialFit([[1], [2]], { sampleWeight: [1, 2] }),
    () => new polya.Normalizer().fitTransform([[1]], { sampleWeight: [1] } as never),
    () => new polya.MultiLabelBinarizer({ classes: ['a', 'a'] }),
    () => new polya.MultiLabelBinarizer({ sparseOutput: true } as never),
    () => new polya.OAS().setParams(null as never),
    () => new polya.LabelBinarizer().setParams({ negative: -1 } as never),
    () => new polya.MultiLabelBinarizer({ classes: ['a', 1] }).fit([['a']]),
    () => new polya.LabelEncoder({ classes: ['a'] } as never),
    () => new polya.LabelBinarizer().fit([]),
    () => new polya.LabelBinarizer().fit(['a', 'b', 'c']).inverseTransform([[1]]),
    () => polya.ndcgScore([[-1, 2]], [[1, 2]]),
    () => polya.hingeLoss([0, 1, 2], [0.1, 0.2, 0.3]),
    () => polya.classLikelihoodRatios([0, 1], [0, 1], { replaceUndefinedBy: { 'LR+': 0, 'LR-': 0 } }),
    () => new polya.FixedThresholdClassifier(new polya.GaussianNB(), { responseMethod: 'decisionFunction' }),
  ];
  const codes = attempts.map((attempt) => refusalOf(attempt).code);
  expect(codes).toEqual([
    ...['E_PARAM', 'E_PARAM', 'E_PARAM', 'E_PARAM', 'E_PARAM', 'E_PARAM', 'E_PARAM', 'E_LABEL_TYPE'],
    ...['E_PARAM', 'E_SHAPE', 'E_SHAPE'],
    ...['E_NEGATIVE', 'E_SHAPE', 'E_PARAM', 'E_PARAM'],
  ]);
});
