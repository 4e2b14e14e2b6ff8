import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CalibratedClassifierCV } from './calibrated-classifier-cv.ts';
import { ColumnTransformer } from './column-transformer.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { crossValidate, crossValScore } from './cross-validation.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { KBinsDiscretizer } from './kbins-discretizer.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline, Pipeline } from './pipeline.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';
import { RegularizedDiscriminantAnalysis } from './regularized-discriminant-analysis.ts';
import { combinations, drawCombinations, GridSearchCV, RandomizedSearchCV, ranksOf, sharesCounts } from './search.ts';
import { FixedThresholdClassifier } from './threshold-classifiers.ts';
import { withParams } from './with-params.ts';

const { X, y } = fixture<Iris>('iris');
const code = (attempt: () => unknown) => refusalOf(attempt).code;
const some = <T>(rows: readonly T[]) => rows.filter((_, i) => i % 7 === 0);
const cases = recorded('estimators.json');

describe('against scikit-learn 1.9.1', () => {
  test('a grid over alpha and fitPrior: the table, the best, its probabilities', () => {
    const { order, params, results, bestIndex, bestScore, proba } = cases.find(({ fn }) => fn === 'gridSearch')!;
    const rows = (order as number[]).map((i) => X[i]);
    const labels = (order as number[]).map((i) => y[i]);
    const grid = { fitPrior: [true, false], alpha: [0.01, 0.1, 1, 10] };
    const search = new GridSearchCV(new MultinomialNB(), grid, { scoring: 'neg_log_loss', returnTrainScore: true });
    search.fit(rows, labels);
    const { cvResults } = search;
    expect(cvResults.params.map(({ alpha, fitPrior }) => [alpha, fitPrior])).toEqual(params);
    expect(cvResults.paramAlpha).toEqual(params.map(([alpha]: [number]) => alpha));
    for (const [name, column] of Object.entries(results)) {
      expectAlike(cvResults[name as 'meanTestScore'], column, 1e-9);
    }
    expect(search.nSplits).toBe(5);
    expect([search.bestIndex, search.bestParams]).toEqual([
      bestIndex,
      { alpha: params[bestIndex][0], fitPrior: params[bestIndex][1] },
    ]);
    expectClose([search.bestScore], [bestScore], 1e-9);
    expectAlike(some(search.predictProba(X).toArray()), proba, 1e-9);
  });

  test('a pipeline over documents, two scores, one of which decides', () => {
    const { docs, topics, params, accuracy, loss, rank, bestIndex, score } = cases.find(
      ({ fn }) => fn === 'textSearch',
    )!;
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
    const grid = { multinomialnb__alpha: [0.1, 1, 5], countvectorizer__ngramRange: [[1, 1], [1, 2]] }; // biome-ignore format: pairs
    const options = { scoring: ['accuracy', 'neg_log_loss'], refit: 'neg_log_loss', cv: 4 } as const;
    const search = new GridSearchCV(pipeline, grid, options).fit(docs, topics);
    const tried = search.cvResults.params;
    expect(tried.map((each) => [each.countvectorizer__ngramRange, each.multinomialnb__alpha])).toEqual(params);
    expectAlike(search.cvResults.meanTestAccuracy, accuracy, 1e-12);
    expectAlike(search.cvResults.meanTestNegLogLoss, loss, 1e-9);
    expect(search.cvResults.rankTestNegLogLoss).toEqual(rank);
    expect(search.bestIndex).toBe(bestIndex);
    expectClose([search.score(docs, topics)], [score], 1e-9);
    expect(search.cvResults.paramMultinomialnb__alpha).toHaveLength(6);
  });
});

describe('combinations', () => {
  const grids = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'z'),
    fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 4 }),
  );

  check.prop([grids])('every combination once, the last name fastest', (grid) => {
    const all = combinations(grid);
    const size = Object.values(grid).reduce((product, values) => product * values.length, 1);
    expect(new Set(all.map((params) => JSON.stringify(params))).size).toBe(size);
    expect(all.length).toBe(size);
    const last = Object.keys(grid).sort().at(-1);
    if (last && grid[last].length > 1) expect([all[0][last], all[1][last]]).toEqual(grid[last].slice(0, 2));
  });

  check.prop([grids, fc.integer({ min: 1, max: 20 }), fc.nat()])(
    'drawn ones are of the grid, none twice',
    (grid, n, seed) => {
      const all = new Set(combinations(grid).map((params) => JSON.stringify(params)));
      const drawn = drawCombinations(grid, n, new Random(seed)).map((params) => JSON.stringify(params));
      expect(new Set(drawn).size).toBe(drawn.length);
      expect(drawn.length).toBe(Math.min(n, all.size));
      expect(drawn.every((params) => all.has(params))).toBe(true);
    },
  );

  test('grids one after the other, and grids that are none', () => {
    expect(combinations([{ a: [1] }, { b: [2, 3] }])).toEqual([{ a: 1 }, { b: 2 }, { b: 3 }]);
    expect(combinations({})).toEqual([{}]);
    for (const grid of [{ a: [] }, { a: 1 }, [], null, { a: () => 1 }]) {
      expect(code(() => new GridSearchCV(new GaussianNB(), grid as never))).toBe('E_PARAM');
    }
  });

  test('places: equals share the better one, NaN comes last', () => {
    expect(ranksOf([1, 3, Number.NaN, 3, 2])).toEqual([4, 1, 5, 1, 3]);
  });
});

describe('other parameters', () => {
  test('of an estimator, a step, a transformer inside a step, a wrapped estimator, and a step as a whole', () => {
    expect(withParams(new MultinomialNB({ fitPrior: false }), { alpha: 3 }).getParams()).toMatchObject({
      alpha: 3,
      fitPrior: false,
    });
    const columns = new ColumnTransformer([['bins', new KBinsDiscretizer({ nBins: 3 }), [0, 1]]]);
    const pipeline = new Pipeline([['columns', columns], ['model', new MultinomialNB()]]); // biome-ignore format: pairs
    const changed = withParams(pipeline, {
      columns__bins__nBins: 4,
      model__alpha: 2,
      columns__remainder: 'passthrough',
    });
    expect((changed.steps[0] as ColumnTransformer).getParams()).toMatchObject({ remainder: 'passthrough' });
    expect((changed.steps[0] as ColumnTransformer).getParams().transformers[0][1]).toHaveProperty('params.nBins', 4);
    expect(pipeline.steps[1].getParams().alpha).toBe(1);
    const swapped = withParams(pipeline, { model: new ComplementNB(), model__alpha: 7 });
    expect([swapped.steps[1].kind, swapped.steps[1].getParams().alpha]).toEqual(['ComplementNB', 7]);
    const calibrated = withParams(new CalibratedClassifierCV(new MultinomialNB()), {
      method: 'isotonic',
      estimator__alpha: 9,
    });
    expect(calibrated.getParams().estimator.getParams().alpha).toBe(9);
    expect(calibrated.getParams().method).toBe('isotonic');
  });

  test('what is not there is refused', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
    for (const params of [{ alpha: 1 }, { multinomialnb__alfa: 1 }, { nb__alpha: 1 }, { multinomialnb__alpha: -1 }]) {
      expect(code(() => withParams(pipeline, params))).toBe('E_PARAM');
    }
    expect(code(() => withParams(new MultinomialNB(), { alpha__deep: 1 }))).toBe('E_PARAM');
  });
});

describe('counts are shared where only estimation differs', () => {
  const grids = [
    [new MultinomialNB(), { alpha: [0.1, 1, [1, 2, 3, 4]], fitPrior: [true, false], priorAlpha: [0, 2] }],
    [new MultinomialNB({ smoothing: 'jelinek-mercer' }), { lambda: [0.1, 0.9] }],
    [new MultinomialNB({ smoothing: 'dirichlet' }), { mu: [10, 1000] }],
    [new MultinomialNB({ smoothing: 'absolute' }), { delta: [0.1, 0.9] }],
    [new ComplementNB(), { norm: [true, false], alpha: [0.1, 1] }],
    [new BernoulliNB({ binarize: 1.5 }), { alpha: [0.01, 1], classPrior: [null, [0.2, 0.2, 0.6]] }],
    [new GaussianNB(), { varSmoothing: [1e-9, 0.1], priors: [null, [0.2, 0.2, 0.6]] }],
    [new LinearDiscriminantAnalysis(), { priors: [null, [0.2, 0.2, 0.6]] }],
    [new QuadraticDiscriminantAnalysis(), { regParam: [0, 0.1, 0.5] }],
    [new RegularizedDiscriminantAnalysis(), { lambda: [0, 0.5, 1] }],
    [
      makePipeline(new KBinsDiscretizer({ encode: 'onehot-dense' }), new MultinomialNB()),
      { multinomialnb__alpha: [0.1, 1] },
    ],
  ] as [GaussianNB, Record<string, unknown[]>][];

  test.each(grids)('%# says what learning each combination from scratch says', (estimator, grid) => {
    const tried = combinations(grid);
    expect(sharesCounts(estimator, tried)).toBe(true);
    const search = new GridSearchCV(estimator, grid, { scoring: 'neg_log_loss', cv: 3 }).fit(X, y);
    const byHand = tried.map((params) =>
      crossValScore(withParams(estimator, params), X, y, { scoring: 'neg_log_loss', cv: 3 }),
    );
    expectClose(
      [0, 1, 2].flatMap((k) => [...search.cvResults[`split${k}TestScore`]]),
      [0, 1, 2].flatMap((k) => byHand.map((folds) => folds[k])),
      1e-12,
    );
  });

  test('and nowhere else', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
    expect(sharesCounts(new MultinomialNB(), [{ alpha: 1 }, { alpha: 'auto' }])).toBe(false);
    expect(sharesCounts(new MultinomialNB({ alpha: 'auto' }), [{ fitPrior: true }])).toBe(false);
    expect(sharesCounts(new BernoulliNB(), [{ binarize: 1 }])).toBe(false);
    expect(sharesCounts(pipeline, [{ countvectorizer__lowercase: false }])).toBe(false);
    expect(sharesCounts(pipeline, [{ multinomialnb__alpha: 3 }])).toBe(true);
    const search = new GridSearchCV(new MultinomialNB(), { alpha: [1, 'auto'] }, { cv: 3 }).fit(X, y);
    const auto = crossValScore(new MultinomialNB({ alpha: 'auto' }), X, y, { cv: 3 });
    expect([0, 1, 2].map((k) => search.cvResults[`split${k}TestScore`][1])).toEqual(auto);
  });
});

describe('searching', () => {
  const grid = { varSmoothing: [1e-9, 0.1, 1] };

  test('nested: a search is an estimator, and can be cross-validated', () => {
    const search = new GridSearchCV(new GaussianNB(), grid, { cv: 3 });
    const found = crossValidate(search, X, y, { cv: 3, returnEstimator: true });
    expect(found.testScore).toHaveLength(3);
    expect(found.estimator?.every(({ bestParams }) => 'varSmoothing' in bestParams)).toBe(true);
    expect(code(() => search.predict(X))).toBe('E_NOT_FITTED');
    expect(search.getParams().paramGrid).toBe(grid);
  });

  test('refit: a function chooses, false learns nothing, several scores need one that decides', () => {
    const least = new GridSearchCV(new GaussianNB(), grid, { refit: ({ rankTestScore }) => rankTestScore.indexOf(3) });
    expect(least.fit(X, y).bestEstimator.getParams().varSmoothing).toBe(grid.varSmoothing[least.bestIndex]);
    const idle = new GridSearchCV(new GaussianNB(), grid, { refit: false }).fit(X, y);
    expect(idle.bestParams).toEqual({ varSmoothing: 1e-9 });
    expect(code(() => idle.predict(X))).toBe('E_NOT_FITTED');
    const scoring = ['accuracy', 'neg_log_loss'] as const;
    expect(code(() => new GridSearchCV(new GaussianNB(), grid, { scoring }))).toBe('E_PARAM');
    expect(code(() => new GridSearchCV(new GaussianNB(), grid, { scoring, refit: 'f1' }))).toBe('E_PARAM');
    const both = new GridSearchCV(new GaussianNB(), grid, { scoring, refit: () => 1 }).fit(X, y);
    expect(both.bestIndex).toBe(1);
    expect(code(() => both.bestScore)).toBe('E_PARAM');
    expect(code(() => both.score(X, y))).toBe('E_PARAM');
    expect(code(() => new GridSearchCV(new GaussianNB(), grid, { refit: () => 9 }).fit(X, y))).toBe('E_PARAM');
  });

  test('times on request; progress; abort and refusals change nothing', () => {
    const search = new GridSearchCV(new GaussianNB(), grid, { cv: 3, returnTimes: true });
    const steps: number[] = [];
    search.fit(X, y, { onProgress: (done, all) => steps.push(done, all) });
    expect(steps.slice(-2)).toEqual([9, 9]);
    expect(search.cvResults.meanFitTime).toHaveLength(3);
    const said = search.predictProba(X).data;
    expect(code(() => search.fit(X, y, { signal: AbortSignal.abort() }))).toBe('E_CANCELLED');
    expect(code(() => search.fit(X, y.slice(1)))).toBe('E_SHAPE');
    expect(code(() => search.fit(X, y, { cv: 3 } as object))).toBe('E_PARAM');
    expect(search.predictProba(X).data).toEqual(said);
    expect(code(() => new GridSearchCV(new GaussianNB(), { varSmoothing: [-1] }).fit(X, y))).toBe('E_PARAM');
    expect(search.classes).toEqual([0, 1, 2]);
    expect(search.score(X, y)).toBe(search.bestEstimator.score(X, y));
  });

  test('by chance: the same seed tries the same, from lists and from functions', () => {
    const distributions = { alpha: (random: Random) => 10 ** (3 * random.uniform() - 2), fitPrior: [true, false] };
    const search = (randomState: number) =>
      new RandomizedSearchCV(new MultinomialNB(), distributions, {
        nIter: 6,
        randomState,
        cv: 3,
        scoring: 'neg_log_loss',
      });
    const first = search(4).fit(X, y);
    expect(first.cvResults).toEqual(search(4).clone().fit(X, y).cvResults);
    expect(first.cvResults.params).not.toEqual(search(5).fit(X, y).cvResults.params);
    expect(first.cvResults.params).toHaveLength(6);
    expect(first.bestScore).toBe(Math.max(...first.cvResults.meanTestScore));
    expect(first.getParams()).toMatchObject({ nIter: 6, randomState: 4 });
    expect(code(() => new RandomizedSearchCV(new MultinomialNB(), { alpha: [] }))).toBe('E_PARAM');
    expect(code(() => new RandomizedSearchCV(new MultinomialNB(), { alpha: [1] }, { nIter: 0 }))).toBe('E_PARAM');
  });
});

test('an estimator that has an estimator of its own is not taken for an object of options', () => {
  const X = [[0], [1], [2], [10], [11], [12]];
  const y = ['a', 'a', 'a', 'b', 'b', 'b'];
  const inner = new FixedThresholdClassifier(new GaussianNB(), { threshold: 0.4 });
  const search = new GridSearchCV(inner, { threshold: [0.4, 0.6] }, { cv: 3 }).fit(X, y);
  expect(search.predict([[0], [12]])).toEqual(['a', 'b']);
  const calibrated = new CalibratedClassifierCV(inner, { cv: 3 });
  expect(calibrated.getParams().estimator).toBe(inner);
  expect(calibrated.fit(X, y).predict([[0], [12]])).toEqual(['a', 'b']);
});
