import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { fixture, type Iris } from '../../test/reference/gaussian/fixtures.ts';
import { correctedResampledTTest, mcnemarTest } from '../evaluate/compare.ts';
import { RepeatedStratifiedKFold } from '../evaluate/repeated-folds.ts';
import { compareModels } from './compare-models.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { crossValPredict, crossValScore } from './cross-validation.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';

const { X, y } = fixture<Iris>('iris');
const code = (attempt: () => unknown) => refusalOf(attempt).code;

describe('two models on the same folds', () => {
  test('a clear difference is named', () => {
    const found = compareModels(new GaussianNB(), new ComplementNB(), X, y);
    expect(found.better).toBe('GaussianNB');
    expect(found.words).toBe(
      'On the same 5 folds the accuracy is 0.9533 ± 0.0267 for GaussianNB and 0.6667 ± 0.0000 for ComplementNB. ' +
        'GaussianNB is better than ComplementNB by 0.287 in score, more than chance explains (corrected resampled t: p < 0.001; ' +
        '5 folds, standard deviation of the difference 0.030). GaussianNB is better than ComplementNB by 0.287 in accuracy, ' +
        'more than chance explains (McNemar, exact: p < 0.001; 47 rows only the first gets right, 4 only the second, of 150).',
    );
  });

  test('a difference that the data do not support is reported as open', () => {
    const found = compareModels(new GaussianNB(), new LinearDiscriminantAnalysis(), X, y);
    expect(found.better).toBe(null);
    expect(found.words).toContain('LinearDiscriminantAnalysis is ahead of GaussianNB');
    expect(found.words).toContain('may well be chance');
    const same = compareModels(new GaussianNB(), new GaussianNB(), X, y);
    expect(same.words).toContain('the first GaussianNB and the second GaussianNB are equal in score');
    expect([same.tTest.pValue, same.mcnemar?.pValue]).toEqual([1, 1]);
  });

  test('the numbers are those of the two tests on cross-validated scores and labels', () => {
    const [first, second] = [new GaussianNB(), new MultinomialNB()];
    const options = { cv: 4, scoring: 'neg_log_loss' } as const;
    const names = ['bells', 'dice'] as const;
    const found = compareModels(first, second, X, y, { ...options, names, significance: 0.01 });
    const scores = [first, second].map((model) => crossValScore(model, X, y, options)) as [number[], number[]];
    expect(found.scores).toEqual(scores);
    const sizes = { nTrain: 112.5, nTest: 37.5 };
    expect(found.tTest).toEqual(correctedResampledTTest(...scores, { ...sizes, names, significance: 0.01 }));
    const labels = [first, second].map((model) => crossValPredict(model, X, y, { cv: 4 }));
    expect(found.mcnemar).toEqual(mcnemarTest(y, labels[0], labels[1], { names, significance: 0.01 }));
  });

  test('repeated folds: scores alone are compared', () => {
    const cv = new RepeatedStratifiedKFold({ nSplits: 5, nRepeats: 2, randomState: 0 });
    const found = compareModels(new GaussianNB(), new LinearDiscriminantAnalysis(), X, y, { cv });
    expect(found.mcnemar).toBe(null);
    expect(found.scores[0]).toHaveLength(10);
  });

  test('pipelines over documents; a score of one’s own; progress, abort and refusals', () => {
    const documents = y.map((label, i) => `word${label} word${i % 3} word${i % 5}`);
    const [words, letters] = [new CountVectorizer(), new CountVectorizer({ analyzer: 'char' })];
    const steps: number[] = [];
    const found = compareModels(
      makePipeline(words, new MultinomialNB()),
      makePipeline(letters, new ComplementNB()),
      documents,
      y,
      {
        scoring: (model, rows, labels) => model.predict(rows as never).filter((label, i) => label === labels[i]).length,
        names: ['words', 'letters'],
        cv: 3,
        onProgress: (done, all) => steps.push(done, all),
      },
    );
    expect(found.words).toContain('On the same 3 folds the score is');
    expect(steps.slice(-2)).toEqual([6, 6]);
    const two = [new GaussianNB(), new GaussianNB()] as const;
    expect(code(() => compareModels(...two, X, y, { signal: AbortSignal.abort() }))).toBe('E_CANCELLED');
    expect(code(() => compareModels(...two, X, y, { scoring: ['accuracy'] as never }))).toBe('E_PARAM');
    expect(code(() => compareModels(...two, X, y, { cv: [[[0, 50, 100], [1]]] }))).toBe('E_PARAM');
    expect(code(() => compareModels(...two, X, y, { names: ['one'] as never }))).toBe('E_PARAM');
  });
});
