import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { PolyaError } from '../errors.ts';
import { Random } from '../math/random.ts';
import { LEAST_DOCUMENTS } from '../text/kernel-choice.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer, type CountVectorizerOptions } from './count-vectorizer.ts';
import { fitWords } from './fit-words.ts';
import { MultinomialNB, type MultinomialNBOptions } from './multinomial-nb.ts';
import { makePipeline, Pipeline } from './pipeline.ts';
import { fitSteps } from './pipeline-learning.ts';
import type { Step } from './pipeline-step.ts';
import { useKernels } from './use-kernels.ts';

const bytesOf = (steps: readonly Step[]) => Buffer.from(new Pipeline(steps.map((step, k) => [`${k}`, step])).toBytes());

/** More documents than the kernels wait for: these, again and again, each with a word of its own. */
const many = (texts: readonly string[]) =>
  Array.from({ length: LEAST_DOCUMENTS + texts.length }, (_, i) => `${texts[i % texts.length] ?? ''} w${i % 50}`);

const piece = fc.constantFrom(
  'the',
  'THE',
  'prize',
  'x',
  'Straße',
  'İstanbul',
  'ΣΑΣ',
  '北京',
  '😀',
  'it’s',
  'a_1',
  '\n',
  '"',
);
const texts = fc.array(
  fc.array(piece, { maxLength: 12 }).map((all) => all.join(' ')),
  { minLength: 2, maxLength: 20 },
);
const labels = fc.constantFrom<readonly (string | number | boolean)[]>(['b', 'a', 'Ä'], [3, -1, 0], [true, false]);
const readings: CountVectorizerOptions[] = [
  {},
  { binary: true, stopWords: ['the', 'w1', '北京'] },
  { lowercase: false, tokenizer: 'auto' },
];
const rules: MultinomialNBOptions[] = [{}, { alpha: 0.3, fitPrior: false }, { smoothing: 'dirichlet' }];

describe('texts counted by class', () => {
  check.prop([texts, labels, fc.constantFrom(...readings), fc.constantFrom(...rules), fc.boolean()], { numRuns: 60 })(
    'give the steps of the plain way, to the last bit',
    (some, classes, reading, rule, complement) => {
      const X = many(some);
      const y = X.map((_, i) => classes[i % classes.length]);
      const classifier = complement ? new ComplementNB() : new MultinomialNB(rule);
      const steps = [new CountVectorizer(reading), classifier];
      const fast = fitWords(steps, X, y);
      expect(Buffer.compare(bytesOf(fast!), bytesOf(fitSteps(steps, X, y, {})))).toBe(0);
    },
  );

  test('a memory that was used before gives the same counts', () => {
    const random = new Random(3);
    const corpus = (size: number) =>
      Array.from({ length: size }, () =>
        Array.from({ length: 40 }, () => `w${Math.floor(random.uniform() ** 2 * 9_000)}`).join(' '),
      );
    const learned = [3_000, 300, 5_000, 400].map((size) => {
      const X = corpus(size);
      const y = X.map((_, i) => i % 3);
      const steps = [new CountVectorizer(), new MultinomialNB()];
      return { fast: fitWords(steps, X, y)!, plain: bytesOf(fitSteps(steps, X, y, {})) };
    });
    for (const { fast, plain } of learned) expect(Buffer.compare(bytesOf(fast), plain)).toBe(0);
  });
});

const X = many(['win a prize', 'see you at lunch']);
const y = X.map((_, i) => (i % 2 ? 'ham' : 'spam'));

describe('what is for the plain way', () => {
  test.each<[string, readonly Step[], unknown, typeof y]>([
    ['few documents', [new CountVectorizer(), new MultinomialNB()], X.slice(0, 99), y.slice(0, 99)],
    ['limits of a vocabulary', [new CountVectorizer({ minDf: 2 }), new MultinomialNB()], X, y],
    ['pairs of words', [new CountVectorizer({ ngramRange: [1, 2] }), new MultinomialNB()], X, y],
    ['characters', [new CountVectorizer({ analyzer: 'char' }), new MultinomialNB()], X, y],
    ['a choice of alpha', [new CountVectorizer(), new MultinomialNB({ alpha: 'auto' })], X, y],
    ['given priors', [new CountVectorizer(), new MultinomialNB({ classPrior: [0.5, 0.5] })], X, y],
    ['coins', [new CountVectorizer({ binary: true }), new BernoulliNB()], X, y],
    ['bytes', [new CountVectorizer(), new MultinomialNB()], [...X.slice(1), Buffer.from('win')], y],
  ])('%s', (_, steps, documents, given) => {
    expect(fitWords(steps, documents, given)).toBeUndefined();
    expect(() => fitSteps(steps, documents, given, {})).not.toThrow();
  });

  const bad = (at: number, value: unknown, list: readonly unknown[]) => list.map((own, i) => (i === at ? value : own));

  test.each<[string, unknown, unknown]>([
    ['half a surrogate pair', bad(7, 'a \ud800 b', X), y],
    ['a document that is none', bad(7, 5, X), y],
    ['a label too few', X, y.slice(1)],
    ['no label', X, bad(7, undefined, y)],
    ['labels of two types', X, bad(7, 1, y)],
    ['one class', X, y.map(() => 'spam')],
    ['no word at all', X.map(() => '.'), y],
  ])('%s is refused, or not, as ever', (_, documents, given) => {
    useKernels();
    const refusal = (work: () => unknown) => {
      try {
        return work() && 'nothing';
      } catch (error) {
        return (error as PolyaError).toJSON();
      }
    };
    const steps = () => [new CountVectorizer(), new MultinomialNB()] as const;
    const plain = refusal(() => fitSteps(steps(), documents, given as never, {}));
    expect(refusal(() => makePipeline(...steps()).fit(documents as string[], given as never))).toEqual(plain);
  });
});
