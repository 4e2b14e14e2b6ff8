import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { load } from '../auto/load.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer, type CountVectorizerOptions } from './count-vectorizer.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline, type Pipeline } from './pipeline.ts';

const models = {
  multinomial: () => new MultinomialNB(),
  'multinomial with alpha 0': () => new MultinomialNB({ alpha: 0 }),
  'multinomial with a uniform prior': () => new MultinomialNB({ alpha: 0.3, fitPrior: false }),
  'multinomial with a chosen alpha': () => new MultinomialNB({ alpha: 'auto' }),
  'multinomial over a background': () => new MultinomialNB({ smoothing: 'dirichlet' }),
  complement: () => new ComplementNB(),
  'complement with norm': () => new ComplementNB({ norm: true }),
};
const vectorizers: Readonly<Record<string, CountVectorizerOptions>> = {
  words: {},
  presence: { binary: true },
  pairs: { ngramRange: [1, 2] },
  'a given list': { vocabulary: ['alpha', 'beta', 'b0', 'zz'] },
};

type Words = Pipeline<readonly [CountVectorizer, MultinomialNB | ComplementNB]>;
const make = (model: keyof typeof models, options: CountVectorizerOptions): Words =>
  makePipeline(new CountVectorizer(options), models[model]()) as Words;

/** Words that come between the same two columns, or differ in surrogates alone, are the hard ones to keep in order. */
const word = fc.constantFrom(
  'alpha',
  'beta',
  'b0',
  'b00',
  'b000',
  'b1',
  'zz',
  '会议',
  '𐐷𐐷',
  '\uff5e\uff21b',
  '__proto__',
);
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
const row = fc.record({
  text,
  label: fc.constantFrom('ham', 'spam', '__proto__'),
  weight: fc.integer({ min: 1, max: 3 }),
});
type Row = { readonly text: string; readonly label: string; readonly weight: number };

const first: readonly Row[] = [
  { text: 'alpha beta beta', label: 'ham', weight: 1 },
  { text: 'zz alpha', label: 'spam', weight: 1 },
];
const lesson = (rows: readonly Row[]) =>
  [rows.map((own) => own.text), rows.map((own) => own.label), { sampleWeight: rows.map((own) => own.weight) }] as const;

/** The bits of every answer that scores can give. */
function answers(pipeline: Words, texts: readonly string[]) {
  return texts.map((asked) => ({
    label: pipeline.predict([asked])[0],
    joint: [...pipeline.predictJointLogProba([asked]).data],
    proba: [...pipeline.predictProba([asked]).data],
    evidence: pipeline.logEvidence([asked])[0],
  }));
}

describe.each(Object.keys(models) as (keyof typeof models)[])('%s', (model) => {
  test.each(Object.keys(vectorizers))('over %s: one by one teaches what all at once teach, bit for bit', (words) => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 12 }), fc.array(text, { maxLength: 3 }), (rows, asked) => {
        const live = make(model, vectorizers[words]).fit(...lesson(first));
        for (const own of rows) live.partialFit(...lesson([own]));
        const said = answers(live, asked);
        const bytes = live.toBytes();
        const plain = make(model, vectorizers[words]).fit(...lesson(first));
        plain.partialFit(...(lesson(rows).slice(0, 2) as [string[], string[]]), {
          ...lesson(rows)[2],
          signal: new AbortController().signal,
        });
        expect(plain.toBytes()).toEqual(bytes);
        expect(answers(load(bytes) as unknown as Words, asked)).toEqual(said);
        expect(answers(live, asked)).toEqual(said);
      }),
      { numRuns: 25 },
    );
  });
});

test('learning, forgetting, merging and looking in any order ends where learning the rest at once does', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ learn: fc.array(row, { minLength: 1, maxLength: 3 }) }) },
    fc.record({ look: text }),
    fc.record({ forget: fc.nat() }),
    fc.record({ merge: fc.array(row, { minLength: 1, maxLength: 2 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const live = make('multinomial', {}).fit(...lesson(first));
      const known: Row[] = [...first];
      for (const each of steps) {
        if ('learn' in each) live.partialFit(...lesson(each.learn));
        if ('learn' in each) known.push(...each.learn);
        if ('look' in each) live.predictProba([each.look]);
        if ('forget' in each && known.length > 3)
          live.unlearn(...lesson(known.splice(2 + (each.forget % (known.length - 2)), 1)));
        if ('merge' in each && each.merge.some((own) => own.text !== '')) {
          live.merge(make('multinomial', {}).fit(...lesson(each.merge)));
          known.push(...each.merge);
        }
      }
      expect(live.toBytes()).toEqual(
        make('multinomial', {})
          .fit(...lesson(known))
          .toBytes(),
      );
    }),
    { numRuns: 100 },
  );
});

test('a refused lesson changes nothing, and what follows is learned', () => {
  const live = make('multinomial', {})
    .fit(...lesson(first))
    .partialFit(['alpha gamma'], ['ham']);
  const said = answers(live, ['gamma zz']);
  const bad: [unknown, unknown, object, string][] = [
    [['fine', 'half \ud800'], ['ham', 'ham'], {}, 'E_UNICODE'],
    [['fine', 7], ['ham', 'ham'], {}, 'E_TYPE'],
    [['fine'], ['ham', 'ham'], {}, 'E_SHAPE'],
    [['fine'], [7], {}, 'E_LABEL_TYPE'],
    [['fine'], [null], {}, 'E_LABEL_MISSING'],
    [['fine'], ['ham'], { sampleWeight: [-1] }, 'E_WEIGHT_INVALID'],
    [['fine'], ['ham'], { sampleWeight: [0] }, 'E_WEIGHTS_ALL_ZERO'],
    [[], [], {}, 'E_EMPTY_INPUT'],
    [['fine fine fine'], ['ham'], { sampleWeight: [2 ** 53 - 1] }, 'E_COUNT_OVERFLOW'],
  ];
  for (const [texts, labels, options, code] of bad) {
    expect(() => live.partialFit(texts as string[], labels as string[], options)).toThrow(
      expect.objectContaining({ code }),
    );
    expect(answers(live, ['gamma zz'])).toEqual(said);
  }
  expect(live.toBytes()).toEqual(
    make('multinomial', {}).fit(['alpha beta beta', 'zz alpha', 'alpha gamma'], ['ham', 'spam', 'ham']).toBytes(),
  );
  live.partialFit(['omega'], ['a third class']);
  expect(live.classes).toEqual(['a third class', 'ham', 'spam']);
  live.partialFit(['omega'], ['ham'], { sampleWeight: [0.5] });
  expect(live.steps[1].classCount).toEqual(Float64Array.of(1, 2.5, 1));
});

test('a vocabulary that grows tenfold one word at a time keeps its order and its counts', () => {
  const live = make('complement', {}).fit(...lesson(first));
  const texts = Array.from({ length: 6000 }, (_, k) => `n${(k * 7919) % 6000}x same`);
  const labels = texts.map((_, k) => (k % 3 ? 'ham' : 'spam'));
  texts.forEach((own, k) => {
    live.partialFit([own], [labels[k]]);
  });
  const whole = make('complement', {}).fit(['alpha beta beta', 'zz alpha', ...texts], ['ham', 'spam', ...labels]);
  expect(answers(live, texts.slice(0, 5))).toEqual(answers(whole, texts.slice(0, 5)));
  expect(live.toBytes()).toEqual(whole.toBytes());
});

test('a step that was taught by itself is not overruled', () => {
  const live = make('multinomial', {})
    .fit(...lesson(first))
    .partialFit(['alpha'], ['ham']);
  const [vectorizer, model] = live.steps;
  model.partialFit(vectorizer.transform(['zz zz']), ['spam']);
  live.partialFit(['beta'], ['ham']);
  expect(live.steps[1].classCount).toEqual(Float64Array.of(3, 2));
});

test('much asked after learning is answered alike', () => {
  const live = make('multinomial', {})
    .fit(...lesson(first))
    .partialFit(['alpha news'], ['ham']);
  const said = answers(live, ['alpha news zz']);
  for (let k = 0; k < 10_100; k++) live.predict(['alpha']);
  expect(answers(live, ['alpha news zz'])).toEqual(said);
  expect(live.predict(Array.from({ length: 70 }, () => 'alpha news zz'))).toHaveLength(70);
});

/** So many words that a second table of their counts is to be avoided. */
const many = Array.from({ length: 1200 }, (_, k) =>
  Array.from({ length: 50 }, (_, j) => `m${(k * 50 + j).toString(36)}`).join(' '),
);
const labelOf = (k: number) => `class ${k % 18}`;
const wide = () =>
  make('multinomial', {}).fit(
    many,
    many.map((_, k) => labelOf(k)),
  );

test('a condensed pipeline answers, learns, forgets and is saved as one that is not', () => {
  const bytes = wide().toBytes();
  const [condensed, plain] = [load(bytes), load(bytes)] as unknown as [Words, Words];
  condensed.condense();
  const asked = ['m1 m2 mzz', 'm1 m1 unseen', '', 'news of m5'];
  expect(answers(condensed, asked)).toEqual(answers(plain, asked));
  expect(condensed.toBytes()).toEqual(bytes);
  for (const each of [condensed, plain]) {
    each.partialFit(['m1 news of m5', 'aa zzz mmm'], ['class 3', 'class 17']).unlearn(['aa zzz mmm'], ['class 17']);
    each.partialFit(
      Array.from({ length: 300 }, () => 'm7 often'),
      Array.from({ length: 300 }, () => 'class 5'),
    );
    each.condense();
  }
  expect(answers(condensed, asked)).toEqual(answers(load<Words>(plain.toBytes()), asked));
  expect(condensed.toBytes()).toEqual(plain.toBytes());
  expect(condensed.explain(['m1 news'])).toEqual(load<Words>(plain.toBytes()).explain(['m1 news']));
});

test('steps that somebody holds know what the pipeline has learned, both or none', () => {
  const live = wide();
  const [vectorizer, model] = live.steps;
  live.partialFit(['m1 brandnew'], ['class 3']).condense();
  expect(vectorizer.vocabulary.has('brandnew')).toBe(true);
  live.partialFit(['m1 newer'], ['class 3']);
  const [said] = model.predict(vectorizer.transform(['brandnew newer']));
  expect(said).toBe('class 3');
  expect(model.nFeaturesIn).toBe(vectorizer.vocabulary.size);
  live.partialFit(['m1'], ['class 3']);
  model.partialFit(vectorizer.transform(['newer']), ['class 4']);
  expect(live.predict(['newer newer'])).toEqual(load(live.toBytes()).predict(['newer newer'] as never));
});
