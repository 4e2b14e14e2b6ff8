import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';

const random = new Random(7);
/** Texts of a common and a rare class; enough of them, and of words, for every way that pipelines have to count. */
const labels = Array.from({ length: 700 }, (_, i) => (i % 20 === 0 ? 'rare' : 'common'));
const texts = labels.map((label) =>
  Array.from({ length: 12 }, () => `w${random.integer(600) + (label === 'rare' ? 150 : 0)}`).join(' '),
);
const balanced = labels.map((label) => (label === 'rare' ? 700 / (2 * 35) : 700 / (2 * 665)));

test.each([
  ['multinomial', MultinomialNB],
  ['complement', ComplementNB],
  ['Bernoulli', BernoulliNB],
])('a pipeline of texts with a %s model and class weights equals one with sample weights', (_, Family) => {
  const make = (classWeight: 'balanced' | null) => makePipeline(new CountVectorizer(), new Family({ classWeight }));
  const byRow = make(null).fit(texts, labels, { sampleWeight: balanced });
  const expected = byRow.predictLogProba(texts).data;
  const byClass = make('balanced').fit(texts, labels);
  expectClose(byClass.predictLogProba(texts).data, expected, 1e-9, 1);
  const inParts = make('balanced').fit(texts.slice(0, 300), labels.slice(0, 300));
  for (let i = 300; i < texts.length; i += 100) inParts.partialFit(texts.slice(i, i + 100), labels.slice(i, i + 100));
  inParts.partialFit([texts[0]], [labels[0]]).unlearn([texts[0]], [labels[0]]);
  expectClose(inParts.predictLogProba(texts).data, expected, 1e-9, 1);
  expectClose(inParts.predictLogProba([texts[5]]).data, expected.subarray(10, 12), 1e-9, 1);
});

test('balanced weights make the class prior uniform, and counts stay what was counted', () => {
  const X = [[1], [2], [3], [9]];
  const model = new MultinomialNB({ classWeight: 'balanced' }).fit(X, ['a', 'a', 'a', 'b']);
  expect([...model.classCount]).toEqual([3, 1]);
  expect([...model.featureCount.data]).toEqual([6, 9]);
  expectClose(model.classLogPrior, [Math.log(0.5), Math.log(0.5)]);
});

test('labels that are numbers have weights by their names', () => {
  const X = [[1], [2], [3], [9]];
  const byName = new GaussianNB({ classWeight: { 7: 3 } }).fit(X, [0, 0, 7, 7]);
  expectClose(byName.classPrior, [0.25, 0.75]);
  expect(refusalOf(() => new GaussianNB({ classWeight: { '07': 3 } }).fit(X, [0, 0, 7, 7])).code).toBe(
    'E_CLASS_UNKNOWN',
  );
});

test('leave-one-out with balanced weights scores every row by the other rows, balanced anew', () => {
  const X = [
    [1, 0],
    [2, 1],
    [0, 3],
    [1, 1],
    [4, 0],
  ];
  const y = ['a', 'a', 'a', 'b', 'b'];
  const make = () => new MultinomialNB({ classWeight: 'balanced' });
  const { logProba } = leaveOneOut(make(), X, y);
  X.forEach((row, i) => {
    const others = make().fit(
      X.filter((_, k) => k !== i),
      y.filter((_, k) => k !== i),
    );
    expectClose(logProba.row(i), others.predictLogProba([row]).data, 1e-12, 1);
  });
});
