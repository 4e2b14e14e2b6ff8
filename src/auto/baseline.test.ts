import { expect, test } from 'vitest';
import { RecordTable } from '../data/column-table.ts';
import { LogisticRegression } from '../estimators/logistic-regression.ts';
import { StandardScaler } from '../estimators/standard-scaler.ts';
import { TfidfVectorizer } from '../estimators/tfidf-vectorizer.ts';
import { loadIris, loadPostings } from '../index.ts';
import { fitLogistic } from './baseline.ts';

test('numbers are standardised, and the rest is logistic regression', () => {
  const { rows, columns, target } = loadIris();
  const names = columns.filter((name) => name !== target);
  const labels = rows.map((row) => String(row[target]));
  const table = new RecordTable(rows);
  const X = new StandardScaler().fitTransform(rows.map((row) => names.map((name) => Number(row[name]))));
  const expected = new LogisticRegression().fit(X, labels).predictLogProba(X);
  const model = fitLogistic(table, labels, { target });
  expect(model.classes).toEqual(['setosa', 'versicolor', 'virginica']);
  expect(model.predictLogProba(table).toArray()).toEqual(expected.toArray());
});

test('texts are tf-idf weights, read with the options given', () => {
  const { rows } = loadPostings();
  const texts = rows.map(({ text }) => String(text));
  const labels = rows.map(({ abusive }) => String(abusive));
  const X = new TfidfVectorizer({ ngramRange: [1, 2] }).fitTransform(texts);
  const expected = new LogisticRegression({ classWeight: 'balanced' }).fit(X, labels).predictLogProba(X);
  const table = new RecordTable(rows.map(({ text, abusive }) => ({ text, abusive })));
  const options = { target: 'abusive', kinds: { text: 'text' }, ngrams: [1, 2], classWeight: 'balanced' } as const;
  expect(fitLogistic(table, labels, options).predictLogProba(table).toArray()).toEqual(expected.toArray());
});

const mixed = Array.from({ length: 60 }, (_, i) => ({
  size: i % 7 === 0 ? null : (i % 2) * 3 + (i % 5),
  colour: i % 11 === 0 ? '' : ['red', 'blue', i % 2 ? 'green' : 'red'][i % 3],
  day: `2024-0${1 + (i % 9)}-${10 + (i % 18)}`,
  weight: 1 + (i % 3),
  label: i % 2 ? 'large' : 'small',
}));

test('missing cells, unseen levels and dates are scored', () => {
  const labels = mixed.map(({ label }) => label);
  const model = fitLogistic(new RecordTable(mixed), labels, { target: 'label' });
  const unseen = new RecordTable([
    { size: null, colour: 'violet', day: '', weight: null, label: '' },
    { size: 7, colour: 'green', day: '2024-05-11', weight: 2, label: '' },
  ]);
  const proba = model.predictLogProba(unseen).toArray();
  for (const row of proba) expect(row.reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
  expect(model.classes[0]).toBe('large');
  expect(Math.exp(proba[1][0])).toBeGreaterThan(0.9);
});

test('a weight of two counts like a row that comes twice, and is no feature', () => {
  const options = { target: 'label', features: ['size', 'colour'], weight: 'weight' };
  const doubled = mixed.map((row) => ({ ...row, weight: 2 }));
  const scores = [doubled, [...mixed, ...mixed].map((row) => ({ ...row, weight: 1 }))].map((rows) => {
    const labels = rows.map(({ label }) => label);
    return fitLogistic(new RecordTable(rows), labels, options).predictLogProba(new RecordTable(mixed)).data;
  });
  for (const [k, log] of scores[0].entries()) expect(log).toBeCloseTo(scores[1][k], 6);
});

test('a table without features is refused', () => {
  const rows = ['a', 'b'].map((label) => ({ label, same: 1 }));
  const fit = () => fitLogistic(new RecordTable(rows), ['a', 'b'], { target: 'label' });
  expect(fit).toThrow(expect.objectContaining({ code: 'E_PARAM' }));
});
