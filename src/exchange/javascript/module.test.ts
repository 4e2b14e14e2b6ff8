import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { file, piecesModule } from '../../../scripts/exchange.ts';
import { expectClose } from '../../../test/close.ts';
import { load, typeErrors } from '../../../test/exchange/javascript.ts';
import {
  CategoricalNB,
  CountVectorizer,
  GaussianNB,
  KernelNB,
  MixedNB,
  MultinomialNB,
  makePipeline,
} from '../../index.ts';
import { Random } from '../../math/random.ts';
import { toJavaScript } from '../to-javascript.ts';

const texts = [
  'cheap pills </script>',
  'lunch at noon',
  'cheap `lunch` \u0024{x}',
  'noon\u2028pills',
  '__proto__ constructor',
];
const labels = ['</script><script>alert(1)</script>', '__proto__', '__proto__', '\u2028`\u0024{1}`', '\\"'];
const spam = () => makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);

test('the pieces of modules are those of the sources', async () => {
  expect(readFileSync(file, 'utf8')).toBe(await piecesModule());
});

test('a module is plain: no import, no evaluation, nothing that a page would take for markup', () => {
  const { code, types } = toJavaScript(spam());
  for (const text of [code, types]) {
    expect(text).not.toMatch(/<\/|<!--|[\u2028\u2029]/);
    expect(text).not.toMatch(/\bimport\b|\brequire\b|\beval\b|\bFunction\(/);
  }
});

test('a module holds only what its model needs', () => {
  const { code } = toJavaScript(spam());
  for (const word of ['Segmenter', 'isCombining', 'lgamma', 'murmur3', 'heightAt', 'readLevel', 'parseDate']) {
    expect(code).not.toMatch(new RegExp(`\\b${word}\\b`));
  }
  const packed = makePipeline(new CountVectorizer({ tokenizer: 'auto', stripAccents: 'unicode' }), new MultinomialNB());
  const wide = toJavaScript(
    packed.fit([...texts, '東京タワー は高い と 言う 人 が 多い'.repeat(2)], [...labels, 'x']),
  ).code;
  for (const word of ['Segmenter', 'isCombining']) expect(wide).toMatch(new RegExp(`\\b${word}\\b`));
});

test('segments and long texts are split as in the library', async () => {
  const model = makePipeline(new CountVectorizer({ tokenizer: 'auto' }), new MultinomialNB());
  const long = '東京タワーは高いと言う人が多い。'.repeat(40);
  model.fit([long, 'ภาษาไทยเป็นภาษาที่สวยงาม', 'plain words'], ['ja', 'th', 'en']);
  const module = await load(toJavaScript(model).code);
  const rows = [long, `${long} plain`, 'ภาษาไทย words', '', 'x'.repeat(1000), `${'é'.repeat(5000)} plain`];
  for (const row of rows) {
    expect(module.predictLogProba(row)).toEqual(Array.from(model.predictLogProba([row]).row(0)));
  }
});

describe('explain lists what each feature adds', () => {
  test.each([
    ['words', spam(), 'cheap pills noon'],
    [
      'numbers',
      new GaussianNB().fit(
        [
          { a: 1, b: 2 },
          { a: 3, b: 1 },
          { a: 0, b: 0 },
        ],
        [0, 1, 1],
      ),
      { a: 1, b: 1 },
    ],
    [
      'levels',
      new CategoricalNB().fit(
        [
          ['x', 'y'],
          ['x', 'z'],
          ['w', 'z'],
        ],
        [true, false, false],
      ),
      ['x', 'z'],
    ],
  ])('%s', async (_, model, row) => {
    const module = await load(toJavaScript(model).code);
    const { score, contributions } = module.explain!(row);
    const here = (
      model.explain.bind(model) as unknown as (
        X: unknown,
      ) => { score: Float64Array; contributions: { feature: unknown }[] }[]
    )([row])[0];
    expectClose(score, here.score, 1e-12);
    expect(contributions.map(({ feature }) => feature)).toEqual(here.contributions.map(({ feature }) => feature));
  });

  test('not where the score is more than one sum', () => {
    expect(toJavaScript(new KernelNB().fit([[1], [2]], [0, 1])).code).not.toContain('explain');
  });
});

test('a module refuses what the model refuses', async () => {
  const module = await load(
    toJavaScript(
      new GaussianNB().fit(
        [
          [1, 2],
          [3, 4],
        ],
        [0, 1],
      ),
    ).code,
  );
  for (const row of [[1], [1, Number.NaN], [1, 'x'], 'text', null, [1e300, 1]]) {
    expect(() => module.predict(row)).toThrow(/cell|list|number/);
  }
  const words = await load(toJavaScript(spam()).code);
  for (const row of [5, null, 'half \ud800']) expect(() => words.predict(row)).toThrow();
  const strict = new CategoricalNB({ unknown: 'error' }).fit([['x'], ['y']], [0, 1]);
  const levels = await load(toJavaScript(strict).code);
  for (const row of [['z'], [null], [3]]) expect(() => levels.predict(row)).toThrow(/never learned|missing|words/);
});

test('the declarations fit the module, and hold rows and labels to their types', () => {
  const rows = [
    { age: 1, 'odd "name"': 'x' },
    { age: 2, 'odd "name"': 'y' },
  ];
  const { types } = toJavaScript(new MixedNB().fit(rows, ['a', 'b']));
  const [right, wrongLabel, wrongCell] = typeErrors(types, [
    `const label: 'a' | 'b' = m.predict({ age: 1, 'odd "name"': 'x' });
     const shares: number[] = m.predictProba([1, 'x']);
     const all: readonly ('a' | 'b')[] = m.classes;
     export { label, shares, all };`,
    `export const label: 'c' = m.predict({ age: 1 });`,
    `m.predict({ age: 'old' });`,
  ]);
  expect(right).toEqual([]);
  expect(wrongLabel).toHaveLength(1);
  expect(wrongCell).toHaveLength(1);
});

test('models of a hundred thousand numbers keep every bit', async () => {
  const random = new Random(5);
  const X = Array.from({ length: 40 }, () => Array.from({ length: 2500 }, () => random.integer(3)));
  const model = new MultinomialNB({ alpha: 0.1 }).fit(
    X,
    X.map((_, i) => i % 20),
  );
  const module = await load(toJavaScript(model).code);
  const here = model.predictLogProba(X);
  for (const i of [0, 1, 2, 3, 4]) expect(module.predictLogProba(X[i])).toEqual(Array.from(here.row(i)));
});
