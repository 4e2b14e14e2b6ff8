import { describe, expect, test } from 'vitest';
import { Classifier } from '../../auto/classifier.ts';
import { loadIris } from '../../datasets/iris.ts';
import { loadTitanic } from '../../datasets/titanic.ts';
import { PolyaError } from '../../errors.ts';
import { CategoricalNB } from '../../estimators/categorical-nb.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { GaussianNB } from '../../estimators/gaussian-nb.ts';
import { MultinomialNB } from '../../estimators/multinomial-nb.ts';
import { makePipeline } from '../../estimators/pipeline.ts';
import { QuadraticDiscriminantAnalysis } from '../../estimators/quadratic-discriminant-analysis.ts';
import { readExample } from './examples.ts';
import { serveModel } from './served-model.ts';

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'nothing';
  } catch (error) {
    return error instanceof PolyaError ? error.code : String(error);
  }
};

const texts = ['win a prize', 'meet me at noon', 'a prize for you', 'lunch at noon', 'win now', 'see you at lunch'];
const labels = ['spam', 'ham', 'spam', 'ham', 'spam', 'ham'];
const { rows: irises } = loadIris();
const measures = irises.map(({ species: _, ...cells }) => Object.values(cells) as number[]);
const species = irises.map((row) => String(row.species));

describe('models of numbers', () => {
  test('a table with names is asked by name, in any order, and without names by place', () => {
    const columns = Object.fromEntries(['a', 'b', 'c', 'd'].map((name, j) => [name, measures.map((row) => row[j])]));
    const named = serveModel(new GaussianNB().fit(columns as never, species).toBytes());
    const plain = serveModel(new GaussianNB().fit(measures, species).toBytes());
    const [d, c, b, a] = [...measures[80]].reverse();
    expect(named.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(named.predictLogProba([{ d, c, b, a }]).data).toEqual(plain.predictLogProba([measures[80]]).data);
    expect(named.predictLogProba([{ d, c, b, a, extra: 1 }], false).data).toEqual(
      plain.predictLogProba([measures[80]]).data,
    );
    expect(codeOf(() => named.predictLogProba([{ a, b, c, d, extra: 1 }]))).toBe('E_FEATURE_UNKNOWN');
    expect(codeOf(() => named.predictLogProba([{ a, b, c }]))).toBe('E_FEATURE_MISSING');
    expect(codeOf(() => named.predictLogProba(['a text']))).toBe('E_BAD_REQUEST');
    expect(codeOf(() => named.predictLogProba([null as never]))).toBe('E_BAD_REQUEST');
    expect(named.explain({ a, b, c, d }).terms.map(({ value }) => value)).toEqual([a, b, c, d]);
    expect(named.predictLogProba([]).rows).toBe(0);
    expect(named.summary).toBe('GaussianNB');
  });

  test('a discriminant learns nothing after it is fitted where it keeps no counts, and says so', () => {
    const slim = serveModel(new QuadraticDiscriminantAnalysis().fit(measures, species).toBytes({ slim: true }));
    expect(slim.learns).toBe(false);
    expect(codeOf(() => slim.learn([{ instance: measures[0], label: 'setosa' }]))).toBe('E_CONFLICT');
  });
});

test('levels are words, numbers or truth values, and may be missing', () => {
  const model = new CategoricalNB().fit(
    [
      ['red', 1],
      ['blue', 2],
      ['red', 2],
      ['blue', 1],
    ] as never,
    [true, false, true, false],
  );
  const served = serveModel(model.toBytes());
  expect(served.columns.every(({ kind }) => kind === 'level')).toBe(true);
  expect(served.predictLogProba([['red', 1]]).data).toEqual(model.predictLogProba([['red', 1]] as never).data);
  expect(codeOf(() => served.predictLogProba([[{}, 1]]))).toBe('E_TYPE');
});

test('records with gaps: blank cells are ordinary, and columns that training rows left blank are optional', () => {
  const { rows, target } = loadTitanic();
  const model = Classifier.fit(rows, { target, model: 'mixed', evaluate: false });
  const served = serveModel(model.toBytes());
  const { [target]: _, ...cells } = rows[5];
  const known = new Set(served.columns.map(({ name }) => name));
  const asked = Object.fromEntries(Object.entries(cells).filter(([name]) => known.has(name)));
  expect(served.predictLogProba([asked]).data).toEqual(model.predictLogProba([rows[5]]).data);
  expect(served.predictLogProba([rows[5]]).data).toEqual(model.predictLogProba([rows[5]]).data);
  const blank = Object.fromEntries([...known].map((name) => [name, null]));
  expect(served.predictLogProba([{}], false).data).toEqual(model.predictLogProba([blank]).data);
  expect(served.predictLogProba([blank]).data).toEqual(model.predictLogProba([blank]).data);
  const given = served.columns.filter(({ optional }) => !optional).map(({ name }) => [name, null]);
  expect(served.predictLogProba([Object.fromEntries(given)]).data).toEqual(model.predictLogProba([blank]).data);
  expect(codeOf(() => served.predictLogProba([{}]))).toBe('E_FEATURE_MISSING');
  expect(codeOf(() => served.predictLogProba([{ [served.columns[0].name]: {} }]))).toBe('E_TYPE');
  expect(served.evaluation()).toBeNull();
  expect(served.toState().kind).toBe('Classifier');
});

test('an ensemble of text answers plain strings and explains', () => {
  const rows = [...texts, ...texts, ...texts].map((text, i) => ({ text, label: labels[i % labels.length] }));
  const model = Classifier.fit(rows, { target: 'label', kinds: { text: 'text' } });
  const served = serveModel(model.toBytes());
  expect(served.kind).toBe('Classifier');
  expect(served.insider()).toBeUndefined();
  expect(served.explain('win a prize').terms.length).toBeGreaterThan(0);
});

test('what gives no class is not served', () => {
  expect(codeOf(() => serveModel(new CountVectorizer().fit(texts).toBytes()))).toBe('E_CONFLICT');
});

test('learning in place equals learning in the library, and unlearning is its way back', () => {
  const model = () => makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
  const served = serveModel(model().toBytes());
  served.learn([
    { instance: 'a new word', label: 'news' },
    { instance: { text: 'win' }, label: 'spam', weight: 3 },
  ]);
  const expected = model().partialFit(['a new word', 'win'], ['news', 'spam'], { sampleWeight: [1, 3] });
  expect(served.classes).toEqual(['ham', 'news', 'spam']);
  const own = served.predictLogProba(['win a new word']).data;
  for (const [c, log] of expected.predictLogProba(['win a new word']).data.entries())
    expect(own[c]).toBeCloseTo(log, 12);
  served.unlearn([
    { instance: 'a new word', label: 'news' },
    { instance: 'win', label: 'spam', weight: 3 },
  ]);
  expect(served.predictLogProba(['win a prize']).data).toEqual(model().predictLogProba(['win a prize']).data);
});

describe('examples', () => {
  const columns = [{ name: 'text', kind: 'text', optional: false }] as const;

  test('the label may stand under the name of its column', () => {
    expect(readExample({ columns, target: 'kind' }, { text: 'a', kind: 'spam' }, 0)).toEqual({
      instance: Object.assign(Object.create(null), { text: 'a' }),
      label: 'spam',
    });
  });

  test('columns that are called as the parts of an example need "instance"', () => {
    const clash = [{ name: 'label', kind: 'level', optional: true }] as const;
    expect(codeOf(() => readExample({ columns: clash, target: 'y' }, { label: 'a' }, 0))).toBe('E_BAD_REQUEST');
    expect(readExample({ columns: clash, target: 'y' }, { instance: { label: 'a' }, label: 1 }, 0)).toMatchObject({
      label: 1,
    });
  });

  test('__proto__ is a cell like others', () => {
    const { instance } = readExample({ columns, target: undefined }, JSON.parse('{"__proto__":"x","label":"a"}'), 0);
    expect(Object.keys(instance)).toEqual(['__proto__']);
  });
});
