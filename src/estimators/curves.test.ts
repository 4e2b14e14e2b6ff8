import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { expectAlike, recorded } from '../../test/reference/evaluate/recorded.ts';
import { fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { learningCurve, validationCurve } from './curves.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';

const { X, y } = fixture<Iris>('iris');
const cases = recorded('estimators.json');
const code = (attempt: () => unknown) => refusalOf(attempt).code;

describe('against scikit-learn 1.9.1', () => {
  test('learning curves by shares and by numbers of rows', () => {
    const kinds = {
      GaussianNB: new GaussianNB(),
      MultinomialNB: new MultinomialNB(),
      ComplementNB: new ComplementNB(),
      BernoulliNB: new BernoulliNB({ binarize: 1.5 }),
      LinearDiscriminantAnalysis: new LinearDiscriminantAnalysis(),
      QuadraticDiscriminantAnalysis: new QuadraticDiscriminantAnalysis(),
    };
    const all = cases.filter(({ fn }) => fn === 'learningCurve');
    for (const { kind, order, sizes, trainSizes, train, test: tests } of all) {
      const rows = (order as number[]).map((i) => X[i]);
      const labels = (order as number[]).map((i) => y[i]);
      const curve = learningCurve(kinds[kind as keyof typeof kinds] as GaussianNB, rows, labels, { trainSizes: sizes });
      expectAlike(curve, { trainSizes, trainScores: train, testScores: tests }, 1e-12);
    }
    expect(all.length).toBe(12);
  });

  test('a validation curve of varSmoothing', () => {
    const { values, train, test: tests } = cases.find(({ fn }) => fn === 'validationCurve')!;
    const options = { paramName: 'varSmoothing', paramRange: values, scoring: 'neg_log_loss' } as const;
    expectAlike(validationCurve(new GaussianNB(), X, y, options), { trainScores: train, testScores: tests }, 1e-9);
  });
});

test('rows that are counted on say what learning from scratch says', () => {
  const options = { shuffle: true, randomState: 3, cv: 3, scoring: 'neg_log_loss' } as const;
  const counted = learningCurve(new MultinomialNB(), X, y, options);
  const afresh = Object.assign(new MultinomialNB(), { getParams: () => ({ alpha: 'auto' }) }); // as if rows chose alpha
  afresh.clone = () => Object.assign(new MultinomialNB(), { clone: afresh.clone }) as never;
  expect(learningCurve(afresh, X, y, options)).toEqual(counted);
  expect(learningCurve(new MultinomialNB(), X, y, options)).toEqual(counted);
  expect(learningCurve(new MultinomialNB(), X, y, { ...options, randomState: 4 })).not.toEqual(counted);
  expect(counted.trainSizes).toEqual([10, 32, 55, 77, 100]);
});

test('a pipeline over documents, with a parameter of its step', () => {
  const documents = y.map((label, i) => `word${label} word${i % 3} word${i % 5}`);
  const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB());
  const curve = validationCurve(pipeline, documents, y, {
    paramName: 'multinomialnb__alpha',
    paramRange: [0.1, 1000],
    cv: 3,
  });
  expect(curve.testScores.map((row) => row.length)).toEqual([3, 3]);
  const { trainScores } = learningCurve(pipeline, documents, y, { trainSizes: [1], shuffle: true, cv: 3 });
  expect(trainScores).toHaveLength(1);
});

test('progress, abort and refusals', () => {
  const steps: number[] = [];
  learningCurve(new GaussianNB(), X, y, { cv: 3, onProgress: (done, all) => steps.push(done, all) });
  expect(steps).toEqual([1, 3, 2, 3, 3, 3]);
  const signal = AbortSignal.abort();
  const range = { paramName: 'varSmoothing', paramRange: [1] };
  expect(code(() => learningCurve(new GaussianNB(), X, y, { signal }))).toBe('E_CANCELLED');
  expect(code(() => learningCurve(new LinearDiscriminantAnalysis(), X, y, { trainSizes: [3] }))).toBe(
    'E_CLASSES_TOO_FEW',
  );
  expect(code(() => validationCurve(new GaussianNB(), X, y, { ...range, signal }))).toBe('E_CANCELLED');
  for (const trainSizes of [[], [0, 0.5], [1.5], [121], [-1]]) {
    expect(code(() => learningCurve(new GaussianNB(), X, y, { trainSizes }))).toBe('E_PARAM');
  }
  expect(code(() => learningCurve(new GaussianNB(), X, y, { scoring: ['accuracy'] as never }))).toBe('E_PARAM');
  expect(code(() => validationCurve(new GaussianNB(), X, y, { ...range, paramRange: [] }))).toBe('E_PARAM');
  expect(code(() => validationCurve(new GaussianNB(), X, y, { ...range, paramName: 'smoothing' }))).toBe('E_PARAM');
  expect(code(() => validationCurve(new GaussianNB(), X, y, {} as never))).toBe('E_PARAM');
});
