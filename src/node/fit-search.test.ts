import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import * as polya from '../index.ts';
import { fitSearch } from './fit-search.ts';

const texts = Array.from({ length: 40 }, (_, i) =>
  i % 2 ? `sun sea ${'warm '.repeat(i % 5)}` : `snow ice ${'cold '.repeat(i % 3)}`,
);
const y = texts.map((_, i) => (i % 2 ? 'south' : i % 7 ? 'north' : 'south'));
const grid = { multinomialnb__alpha: [0.1, 1, 10], countvectorizer__binary: [true, false] };
const search = (nJobs: number | null, scoring: 'accuracy' | (() => number) = 'accuracy') =>
  new polya.GridSearchCV(polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()), grid, {
    cv: 4,
    nJobs,
    scoring,
  });

describe('a search on several threads', () => {
  test.each([null, 2, -1, 100])('nJobs %s gives what fit gives', async (nJobs) => {
    const alone = search(null).fit(texts, y);
    const several = await fitSearch(search(nJobs), texts, y);
    expect(several.cvResults).toEqual(alone.cvResults);
    expect(several.predictProba(texts)).toEqual(alone.predictProba(texts));
  });

  test('matrices reach other threads as well', async () => {
    const X = new polya.CountVectorizer().fitTransform(texts);
    const make = () =>
      new polya.RandomizedSearchCV(
        new polya.BernoulliNB(),
        { alpha: [0.1, 1, 10], binarize: [0, 1] },
        { randomState: 3, nIter: 4, nJobs: 2 },
      );
    expect((await fitSearch(make(), X, y)).cvResults).toEqual(make().fit(X, y).cvResults);
    const rows = new polya.Matrix(
      40,
      1,
      Float64Array.from(texts, (_, i) => i % 7),
    );
    const gaussian = () => new polya.GridSearchCV(new polya.GaussianNB(), { varSmoothing: [1e-9, 0.1] }, { nJobs: 2 });
    expect((await fitSearch(gaussian(), rows, y)).cvResults).toEqual(gaussian().fit(rows, y).cvResults);
  });

  test('a score of your own is tried on this thread', async () => {
    let calls = 0;
    const own = await fitSearch(
      search(2, () => ++calls),
      texts,
      y,
    );
    expect(calls).toBe(24);
    expect(own.bestIndex).toBe(5);
  });

  test('a refused combination refuses the search, as fit does', async () => {
    const wrong = { multinomialnb__alpha: [1, -1] };
    const make = () =>
      new polya.GridSearchCV(polya.makePipeline(new polya.CountVectorizer(), new polya.MultinomialNB()), wrong, {
        cv: 2,
        nJobs: 2,
      });
    const { code } = refusalOf(() => make().fit(texts, y));
    await expect(fitSearch(make(), texts, y)).rejects.toMatchObject({ code });
    await expect(fitSearch(search(2), texts, y, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'E_CANCELLED',
    });
    expect(refusalOf(() => search(0)).code).toBe('E_PARAM');
  });
});
