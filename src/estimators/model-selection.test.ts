import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import * as polya from '../index.ts';

const cases = recorded('features.json');
const thresholds = cases.filter(({ what }) => what === 'threshold').map((one) => [one.scoring, one] as const);
const [, { X, y }] = thresholds[0];

describe('thresholds', () => {
  test.each(thresholds)('TunedThresholdClassifierCV by %s is that of scikit-learn 1.9.1', (scoring, one) => {
    const model = new polya.TunedThresholdClassifierCV(new polya.GaussianNB(), { scoring, cv: 5 }).fit(one.X, one.y);
    expectAlike(model.bestThreshold, one.best, 1e-6);
    expectAlike(model.bestScore, one.score, 1e-9);
    expect(model.predict(one.X)).toEqual(one.predict);
    const again = polya.load(model.toBytes()) as unknown as typeof model;
    expect(again.predict(one.X)).toEqual(one.predict);
  });

  test('a score of the caller sees the labels and probabilities of a threshold', () => {
    const scoring = (model: { predict(X: never): unknown[]; predictProba(X: never): polya.Matrix }, rows: never) => {
      const proba = model.predictProba(rows);
      const labels = model.predict(rows);
      const least = labels.map((label, i) => (label === 1 ? proba.at(i, 1) : 1));
      return Math.min(...least) >= 0.7 ? 1 : 0;
    };
    const options = { scoring: scoring as never, cv: 3, thresholds: [0.2, 0.7, 0.9] };
    const model = new polya.TunedThresholdClassifierCV(new polya.GaussianNB(), options).fit(X, y);
    expect(model.bestThreshold).toBe(0.7);
    const ranked = { scoring: 'roc_auc', cv: 3 } as const;
    const linear = new polya.TunedThresholdClassifierCV(new polya.LinearDiscriminantAnalysis(), ranked).fit(X, y);
    expect(linear.bestScore).toBeGreaterThan(0.9);
  });

  test('FixedThresholdClassifier gives the positive class from its threshold on', () => {
    const proba = new polya.GaussianNB().fit(X, y).predictProba(X);
    for (const posLabel of [0, 1]) {
      const model = new polya.FixedThresholdClassifier(new polya.GaussianNB(), { threshold: 0.9, posLabel }).fit(X, y);
      const expected = Array.from({ length: proba.rows }, (_, i) =>
        proba.at(i, posLabel) >= 0.9 ? posLabel : 1 - posLabel,
      );
      expect(model.predict(X)).toEqual(expected);
      expect((polya.load(model.toBytes()) as unknown as typeof model).predict(X)).toEqual(expected);
    }
    const three = y.map((label: number, i: number) => (i % 3 === 0 ? 2 : label));
    const codes = [
      () => new polya.FixedThresholdClassifier(new polya.GaussianNB()).fit(X, three),
      () => new polya.FixedThresholdClassifier(new polya.GaussianNB(), { posLabel: 'z' }).fit(X, y),
      () => new polya.FixedThresholdClassifier(7 as never),
      () => new polya.TunedThresholdClassifierCV(new polya.GaussianNB(), { scoring: ['f1', 'recall'] as never }),
    ].map((attempt) => refusalOf(attempt).code);
    expect(codes).toEqual(['E_PARAM', 'E_PARAM', 'E_PARAM', 'E_PARAM']);
  });

  test('parameters that are refused change nothing', () => {
    const fixed = new polya.FixedThresholdClassifier(new polya.GaussianNB(), { threshold: 0.9 }).fit(X, y);
    const tuned = new polya.TunedThresholdClassifierCV(new polya.GaussianNB(), { cv: 3 }).fit(X, y);
    const before = [fixed.predict(X), tuned.predict(X), tuned.bestScore];
    for (const model of [fixed, tuned]) {
      expect(refusalOf(() => model.setParams({ estimator__varSmoothing: -1 })).code).toBe('E_PARAM');
    }
    expect([fixed.predict(X), tuned.predict(X), tuned.bestScore]).toEqual(before);
    expect(refusalOf(() => tuned.setParams({ cv: 4 }).bestScore).code).toBe('E_NOT_FITTED');
  });
});

test('permuted labels score as chance, those of the data do not', () => {
  const options = { cv: 3, nPermutations: 19, randomState: 3 };
  const found = polya.permutationTestScore(new polya.GaussianNB(), X, y, options);
  expect(found.score).toBeGreaterThan(0.8);
  expect(found.permutationScores).toHaveLength(19);
  expect(found.pvalue).toBe(1 / 20);
  expect(found.score).toBeGreaterThan(Math.max(...found.permutationScores));
  expect(polya.permutationTestScore(new polya.GaussianNB(), X, y, options)).toEqual(found);
});

test('pipelines and searches are ranked by a decision function only where they have one', () => {
  const inner = [new polya.GaussianNB(), new polya.LinearDiscriminantAnalysis()];
  for (const own of inner) {
    const pipeline = polya.makePipeline(new polya.StandardScaler(), own as polya.GaussianNB);
    const search = new polya.GridSearchCV(pipeline, { standardscaler__withMean: [true] }, { cv: 2 });
    const [plain, inPipeline, inSearch] = [own as polya.GaussianNB, pipeline, search].map((model) =>
      polya.crossValScore(model as polya.GaussianNB, X, y, { cv: 3, scoring: 'roc_auc' }),
    );
    expectClose(inPipeline, plain, 1e-6);
    expect(inSearch).toEqual(inPipeline);
    expect(new polya.CalibratedClassifierCV(pipeline, { cv: 3 }).fit(X, y).score(X, y)).toBeGreaterThan(0.9);
  }
});

test('a metric becomes a score', () => {
  const scoring = polya.makeScorer(polya.fbetaScore, { beta: 2, posLabel: 1 });
  const model = new polya.GaussianNB().fit(X, y);
  expect(scoring(model as never, X as never, y, {})).toBe(
    polya.fbetaScore(y, model.predict(X), { beta: 2, posLabel: 1 }),
  );
  const loss = polya.makeScorer(polya.logLoss, { greaterIsBetter: false, responseMethod: 'predictProba' });
  const named = polya.crossValScore(new polya.GaussianNB(), X, y, { cv: 3, scoring: 'neg_log_loss' });
  expectClose(polya.crossValScore(new polya.GaussianNB(), X, y, { cv: 3, scoring: loss }), named, 1e-12);
  expect(refusalOf(() => polya.makeScorer(7 as never)).code).toBe('E_TYPE');
  expect(refusalOf(() => polya.makeScorer(polya.logLoss, { responseMethod: 'x' as never })).code).toBe('E_PARAM');
});

test('the combinations of a grid can be walked', () => {
  const grid = new polya.ParameterGrid({ b: [1, 2], a: ['x'] });
  expect([...grid]).toEqual([
    { a: 'x', b: 1 },
    { a: 'x', b: 2 },
  ]);
  expect(grid.length).toBe(2);
});

test('a search answers what its best estimator answers, and scores what is refused as asked', () => {
  const grid = { regParam: [0, 0.5] };
  const make = (errorScore: number | 'raise') =>
    new polya.GridSearchCV(new polya.QuadraticDiscriminantAnalysis(), grid, { cv: 3, errorScore });
  const search = make('raise').fit(X, y);
  expect(search.predictLogProba(X)).toEqual(search.bestEstimator.predictLogProba(X));
  expect(search.decisionFunction(X)).toEqual(search.bestEstimator.decisionFunction(X));
  expect(search.nFeaturesIn).toBe(4);
  expect(refusalOf(() => search.transform(X)).code).toBe('E_PARAM');
  // a column that is another one twice has no covariance matrix to invert without a penalty
  const flat = X.map((row: number[]) => [...row, 2 * row[0]]);
  expect(refusalOf(() => make('raise').fit(flat, y)).code).toBe('E_CLASS_TOO_SMALL');
  const kept = make(Number.NaN).fit(flat, y);
  expect(kept.bestParams).toEqual({ regParam: 0.5 });
  expect(kept.cvResults.meanTestScore[0]).toBeNaN();
});

test('a pipeline has its steps by name, a way back and the scores of its last step', () => {
  const scaled = new polya.Pipeline([
    ['variance', new polya.VarianceThreshold()],
    ['scale', new polya.StandardScaler()],
  ]);
  const rows = scaled.fitTransform(X) as polya.Matrix;
  expectClose((scaled.inverseTransform(rows) as polya.Matrix).data, X.flat(), 1e-12);
  expect(Object.keys(scaled.namedSteps)).toEqual(['variance', 'scale']);
  expect(scaled.nFeaturesIn).toBe(4);
  expect(scaled.featureNamesIn).toBeUndefined();
  const lda = polya.makePipeline(new polya.StandardScaler(), new polya.LinearDiscriminantAnalysis()).fit(X, y);
  expect(lda.decisionFunction(X).rows).toBe(X.length);
  expect(
    refusalOf(() =>
      polya
        .makePipeline(new polya.GaussianNB())
        .fit(X, y)
        .decisionFunction(X as never),
    ).code,
  ).toBe('E_PARAM');
  expect(
    refusalOf(() =>
      polya
        .makePipeline(new polya.TfidfTransformer())
        .fit([[1]])
        .inverseTransform([[1]]),
    ).code,
  ).toBe('E_PARAM');
});

test('the parts of a vectorizer can be had by themselves', () => {
  const words = new polya.CountVectorizer({ stopWords: ['the'], ngramRange: [1, 2], stripAccents: 'unicode' });
  expect(words.buildPreprocessor()('Été')).toBe('ete');
  expect(words.buildTokenizer()('the big cat')).toEqual(['the', 'big', 'cat']);
  expect(words.buildAnalyzer()('The BIG cat')).toEqual(['big', 'cat', 'big cat']);
  expect(words.getStopWords()).toEqual(['the']);
  expect(words.fixedVocabulary).toBe(false);
  expect(new polya.CountVectorizer({ vocabulary: ['cat', 'dog'] }).fixedVocabulary).toBe(true);
  const rows = words.fitTransform(['the cat', 'a dog']);
  expect(words.inverseTransform(rows)).toEqual([['cat'], ['dog']]);
  const hashed = new polya.HashingVectorizer({ analyzer: 'char', ngramRange: [2, 2] });
  expect(hashed.buildAnalyzer()('abc')).toEqual(['ab', 'bc']);
  expect(hashed.getStopWords()).toBeNull();
});
