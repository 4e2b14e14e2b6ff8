import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { CalibratedClassifierCV } from '../estimators/calibrated-classifier-cv.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { MixedNB } from '../estimators/mixed-nb.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline } from '../estimators/pipeline.ts';
import { Random } from '../math/random.ts';
import { Classifier } from './classifier.ts';
import { load } from './load.ts';

const random = new Random(3);
const rows = Array.from({ length: 80 }, (_, i) => ({
  flower_no: `flower-${1000 + i}`,
  sepal_length: 5 + (i % 2) + random.uniform(),
  sepal_width: 3 - (i % 2) + random.uniform(),
  colour: ['white', 'blue', 'red'][(random.integer(2) + (i % 2)) % 3],
  note: i % 7 === 0 ? null : `${['pale and small on the dry hill', 'large and bright by the river'][i % 2]}, day ${i}`,
  species: ['setosa', 'virginica'][i % 2],
}));
const row = { sepal_length: 5.5, sepal_width: 3, colour: 'white', note: 'small and pale' };
const pool = Classifier.fit(rows, { target: 'species' });
const online = Classifier.fit(rows, { target: 'species', model: 'mixed', evaluate: false });
const models = [
  ['an ensemble', pool],
  ['a family that learns', online],
  ['a model from a file', load<Classifier>(online.toBytes())],
] as const;

describe.each(models)('%s', (_, model) => {
  const said = (record: object, options?: object) => refusalOf(() => model.classify(record as never, options));

  test('refuses a record whose column has another name, and says which was meant', () => {
    const { sepal_length, ...rest } = row;
    const renamed = { ...rest, SepalLength: sepal_length };
    expect(said(renamed)).toMatchObject({
      code: 'E_FEATURE_MISSING',
      details: { row: 0, feature: 'sepal_length', near: 'SepalLength' },
    });
    expect(() => model.classify(renamed)).toThrow('it has "SepalLength": did you mean "sepal_length"?');
    expect(said({ SepalLength: 5.1 }).code).toBe('E_FEATURE_MISSING');
    expect(said({ ...rest, sepal_length: undefined }).code).toBe('E_FEATURE_MISSING');
    const { note, ...others } = row;
    expect(said({ ...others, notes: note })).toMatchObject({
      code: 'E_FEATURE_UNKNOWN',
      details: { row: 0, feature: 'notes', near: 'note' },
    });
    expect(() => model.classify({ ...row, petals: 3 })).toThrow(
      'it reads "sepal_length", "sepal_width", "colour", "note"; strict: false answers without a check',
    );
  });

  test.each([
    ['sepal_length', 'abc', 'E_TYPE'],
    ['sepal_length', true, 'E_TYPE'],
    ['sepal_length', new Date(0), 'E_TYPE'],
    ['sepal_length', [5.1], 'E_TYPE'],
    ['sepal_length', Number.POSITIVE_INFINITY, 'E_NOT_FINITE'],
    ['colour', ['red'], 'E_TYPE'],
    ['note', 17, 'E_TYPE'],
  ])('refuses a cell of another type: %s = %o', (feature, cell, code) => {
    expect(said({ ...row, [feature]: cell })).toMatchObject({ code, details: { row: 0, feature } });
    expect(said({ [feature]: cell }).code).toBe(code); // the cell is named before what is left out
    expect(said({ ...row, [feature]: cell }, { strict: false }).code).toBe('accepted');
  });

  test('takes blank cells, spelled numbers, unseen levels and the columns of the training table', () => {
    const answer = model.classify(row);
    expect(model.classify({ ...row, sepal_length: '5.5', sepal_width: ' 3 ' })).toEqual(answer);
    const blank = model.classify({ ...row, sepal_length: null });
    for (const cell of ['', '  ', Number.NaN, '?', 'NA']) {
      expect(model.classify({ ...row, sepal_length: cell })).toEqual(blank);
    }
    expect(said({ ...row, colour: 'green' }).code).toBe('accepted');
    expect(model.classify({ ...row, species: 'setosa', flower_no: 'flower-9' })).toEqual(answer);
    expect(model.predict(rows)).toHaveLength(80);
  });

  test('a column that training rows left blank may be left out, others may not', () => {
    const { note, ...others } = row;
    expect(model.classify(others)).toEqual(model.classify({ ...row, note: null }));
    expect(model.columns.filter(({ optional }) => optional).map(({ name }) => name)).toEqual(['note']);
  });

  test('with strict: false further columns are ignored and cells that cannot be read are missing', () => {
    const blank = { ...row, sepal_length: null };
    const { sepal_length, ...without } = row;
    for (const record of [{ ...blank, SepalLength: 5.1 }, { ...row, sepal_length: 'abc' }, without]) {
      expect(model.classify(record, { strict: false })).toEqual(model.classify(blank));
    }
  });

  test('every method that takes records checks them', () => {
    const wrong = [row, { ...row, sepal_length: 'abc' }] as never;
    const strict = { strict: false };
    const methods = ['predict', 'predictProba', 'predictLogProba', 'classifyAll', 'logEvidence'] as const;
    for (const method of methods) {
      const act = (options?: object) => refusalOf(() => model[method](wrong, options));
      expect(act(), method).toMatchObject({ code: 'E_TYPE', details: { row: 1, feature: 'sepal_length' } });
      expect(act(strict).code, method).toBe('accepted');
    }
    expect(refusalOf(() => model.explain(wrong[1])).code).toBe('E_TYPE');
    expect(refusalOf(() => model.score(wrong, ['setosa', 'setosa'])).code).toBe('E_TYPE');
    expect(model.score(wrong, ['setosa', 'setosa'], strict)).toBeGreaterThanOrEqual(0.5);
    const labelled = [{ ...rows[1], Colour: 'red' }];
    expect(refusalOf(() => model.clone().calibrate(labelled)).code).toBe('E_FEATURE_UNKNOWN');
    if (!model.learns) return;
    for (const method of ['partialFit', 'unlearn'] as const) {
      expect(refusalOf(() => model.clone()[method](labelled)).code).toBe('E_FEATURE_UNKNOWN');
      expect(refusalOf(() => model.clone()[method](labelled, strict)).code).toBe('accepted');
    }
  });
});

test('records of estimators are matched by the same rule', () => {
  const model = new MixedNB().fit(
    rows.map(({ sepal_length, colour }) => ({ sepal_length, colour })),
    rows.map(({ species }) => species),
  );
  expect(() => model.predict([{ sepal_length: 5.1, Colour: 'red' }])).toThrow('did you mean "colour"?');
  expect(refusalOf(() => model.predict([{ sepal_length: 'abc', colour: 'red' }])).code).toBe('E_TYPE');
});

test('every fitted model predicts, scores and is loaded from its file by one interface', () => {
  const texts = rows.map(({ note }) => note ?? 'nothing was written down');
  const y = rows.map(({ species }) => species);
  const counts = rows.map(({ sepal_length, sepal_width }) => [sepal_length, sepal_width]);
  const fitted: readonly (readonly [FittedModel, unknown])[] = [
    [new MultinomialNB().fit(counts, y), counts],
    [makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, y), texts],
    [new CalibratedClassifierCV(new MultinomialNB(), { cv: 2 }).fit(counts, y), counts],
    [pool, rows],
    [online, rows],
  ];
  for (const [model, X] of fitted) {
    const loaded = load(model.toBytes());
    expect(loaded.kind).toBe(model.kind);
    expect(loaded).toBeInstanceOf(model.constructor);
    expect(loaded.classes).toEqual(['setosa', 'virginica']);
    expect(loaded.predict(X as never)).toEqual(model.predict(X as never));
    const proba = loaded.predictProba(X as never);
    expectClose(proba.data, loaded.predictLogProba(X as never).data.map(Math.exp));
    const labels = Array.from({ length: 80 }, (_, i) => loaded.classes[proba.at(i, 0) >= proba.at(i, 1) ? 0 : 1]);
    expect(loaded.predict(X as never)).toEqual(labels);
    const right = labels.filter((label, i) => label === y[i]).length;
    expect(loaded.score(X as never, y)).toBeCloseTo(right / 80, 12);
    expect(loaded.score(X as never, y, { sampleWeight: y.map((_, i) => (labels[i] === y[i] ? 1 : 0)) })).toBe(1);
  }
  expect(pool.score(rows)).toBe(pool.score(rows, y));
});
