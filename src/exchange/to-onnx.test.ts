import * as ort from 'onnxruntime-web';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { canSay, notesOf, run } from '../../test/exchange/onnx.ts';
import { chosen, drawn, labelsOf, type Subject, subjects, writtenCells } from '../../test/exchange-subjects.ts';
import {
  ComplementNB,
  CountVectorizer,
  GaussianNB,
  HashingVectorizer,
  MultinomialNB,
  makePipeline,
  sqrtTf,
  TfidfVectorizer,
} from '../index.ts';
import { planOf } from './plan-of.ts';
import { type OnnxOptions, toOnnx } from './to-onnx.ts';

/** Expects the graph of a model to say what the model says. */
async function expectSame(subject: Subject, seed: number, options: OnnxOptions = {}): Promise<void> {
  const { model, rows: all } = drawn(subject, seed);
  const plan = planOf(model);
  const rows = all.filter(canSay(plan));
  const here = model.predictLogProba(rows as never, { strict: false });
  const { labels, probabilities } = await run(toOnnx(model, options), plan, rows, options.float);
  expect(probabilities.dims).toEqual([rows.length, model.classes.length]);
  const wanted = labelsOf(model, here);
  rows.forEach((_, i) => {
    const expected = here.row(i).map(Math.exp);
    const { length } = expected;
    const actual = Array.from(probabilities.data as Float64Array).slice(i * length, (i + 1) * length);
    actual.forEach((p, c) => {
      expect(Math.abs(p - expected[c])).toBeLessThanOrEqual(1e-9);
    });
    const tied = expected.filter((p) => p > Math.max(...expected) - 1e-9).length > 1;
    if (!tied) expect(typeof wanted[i] === 'boolean' ? Boolean(labels[i]) : labels[i]).toBe(wanted[i]);
  });
}

describe('a graph run by onnxruntime gives the posteriors of the model, within 1e-9', () => {
  test.each(subjects.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    for (const seed of [1, 2, 3]) await expectSame(subject, seed);
  });

  test.each(chosen.map((subject) => [subject.name, subject] as const))('%s', async (_, subject) => {
    await expectSame(subject, 3);
  });
});

const texts = ['Cheap pills', 'lunch at Noon', 'pills pills NOW', 'été 東京 noon', 'ΔΟΚΙΜΗ Ünter Lunch', ''];
const sides = ['spam', 'ham', 'spam', 'ham', 'ham', 'spam'];

describe('text goes in', () => {
  test.each([
    { lowercase: false },
    { lowercase: false, ngramRange: [1, 3] as const },
    { lowercase: false, ngramRange: [2, 2] as const, binary: true },
    { lowercase: false, stopWords: ['at'] },
  ])('as it is, where operators find the same words: %o', async (options) => {
    const model = makePipeline(new CountVectorizer(options), new MultinomialNB()).fit(texts, sides);
    const bytes = toOnnx(model);
    expect(JSON.parse(notesOf(bytes).inputs)).toEqual([{ input: 'text', column: 'text', holds: 'texts' }]);
    for (const rows of [texts, [''], ['', '!'], ['pills unknown'], ['a 😀 __proto__ x1']]) {
      const { probabilities } = await run(bytes, planOf(model), rows);
      expectClose(probabilities.data as Float64Array, model.predictProba(rows).data, 1e-12);
    }
  });

  test('as it is, where that was asked for, with small letters made letter by letter', async () => {
    const model = makePipeline(sqrtTf(), new ComplementNB()).fit(texts, sides);
    const { probabilities } = await run(toOnnx(model, { text: 'string' }), planOf(model), texts);
    expectClose(probabilities.data as Float64Array, model.predictProba(texts).data, 1e-12);
  });

  test('as tokens', async () => {
    const model = makePipeline(new TfidfVectorizer({ ngramRange: [1, 2], tokenPattern: '\\w+' }), new ComplementNB());
    model.fit(texts, sides);
    const session = await ort.InferenceSession.create(toOnnx(model, { text: 'tokens' }));
    const tokens = new ort.Tensor('string', ['cheap', 'pills', '', 'lunch', 'at', 'noon'], [2, 3]);
    const { probabilities } = await session.run({ tokens });
    expectClose(probabilities.data as Float64Array, model.predictProba(['Cheap pills', 'lunch at noon']).data, 1e-12);
  });

  test('as counts otherwise, and is refused where it was asked for and cannot be', () => {
    const model = (options: object) =>
      makePipeline(new CountVectorizer(options), new MultinomialNB()).fit(texts, sides);
    expect(JSON.parse(notesOf(toOnnx(model({}))).inputs)[0].input).toBe('X');
    const code = (options: object, text: 'string' | 'tokens') => refusalOf(() => toOnnx(model(options), { text })).code;
    expect(code({ stripAccents: 'unicode' }, 'string')).toBe('E_CONFLICT');
    expect(code({ stopWords: ['at'], ngramRange: [1, 2] }, 'string')).toBe('E_CONFLICT');
    expect(code({ analyzer: 'char' }, 'tokens')).toBe('E_CONFLICT');
    const hashed = makePipeline(new HashingVectorizer({ alternateSign: false, nFeatures: 9 }), new MultinomialNB());
    expect(refusalOf(() => toOnnx(hashed.fit(texts, sides), { text: 'string' })).code).toBe('E_CONFLICT');
  });
});

test('numbers of 32 bits go in and come out where that is asked for', async () => {
  const X = [
    [1.5, 2],
    [2.5, 0],
    [0, 1],
    [4, 4],
  ];
  const model = new GaussianNB().fit(X, [1, 1, 2, 2]);
  const { probabilities, label } = await run(toOnnx(model, { float: true }), planOf(model), X, true);
  expect([probabilities.type, label.type]).toEqual(['float32', 'int64']);
  expectClose(probabilities.data as Float32Array, model.predictProba(X).data, 1e-6, 1);
});

test('what ONNX has no operator for is refused by name', () => {
  const { model } = drawn(writtenCells[1], 3);
  const refusal = { code: 'E_CONFLICT', details: { target: 'ONNX', what: 'the dates in seen' } };
  expect(refusalOf(() => toOnnx(model))).toMatchObject(refusal);
});

test('a graph that takes counts lists its terms, in the order of its columns', () => {
  const texts = ['free prize call', 'see you at lunch', '中奖 call', 'lunch 今天'];
  const pipeline = makePipeline(new CountVectorizer({ tokenizer: 'auto' }), new MultinomialNB());
  const model = pipeline.fit(texts, ['spam', 'ham', 'spam', 'ham']);
  const [{ input, terms }] = JSON.parse(notesOf(toOnnx(model)).inputs);
  expect(input).toBe('X');
  expect(terms).toEqual(model.steps[0].getFeatureNamesOut());
  expect(terms).toContain('今天');
});
