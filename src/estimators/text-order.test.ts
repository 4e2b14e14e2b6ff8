import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeState } from '../core/artifact.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';

// Weights that are added in another order give other last bits. A pipeline that scores texts must add them as its steps do.

type Options = ConstructorParameters<typeof CountVectorizer>[0];

/** A function, so that terms are read as strings, without the kernels. */
const lower = (text: string) => text.toLowerCase();
const analyzers: Record<string, Options> = {
  words: {},
  pairs: { ngramRange: [1, 2] },
  'twos to fours': { ngramRange: [2, 4] },
  'pairs without stop words': { stopWords: ['the', 'and', 'größe'], ngramRange: [1, 2] },
  'pairs of segments': { tokenizer: 'auto', ngramRange: [1, 2] },
  characters: { analyzer: 'char', ngramRange: [1, 3] },
  'characters of words': { analyzer: 'char_wb', ngramRange: [2, 12] },
  'sets of words': { binary: true },
  'words that are strings': { preprocessor: lower },
  'pairs that are strings': { preprocessor: lower, ngramRange: [1, 2] },
  'a given list': {
    vocabulary: ['the', 'b', 'word30', 'ba', 'über', '東京', 'word3 word1', 'word3', 'and the', 'and', 'c a', '🙂'],
    ngramRange: [1, 3],
  },
  'a given list of strings': { vocabulary: ['the', 'word30', 'ba', 'über', 'word3', 'and', 'a'], preprocessor: lower },
};

const classifiers = {
  multinomial: () => new MultinomialNB({ alpha: 0.3 }),
  complement: () => new ComplementNB(),
  bernoulli: () => new BernoulliNB(),
};

const words = fc.oneof(
  fc.constantFrom(
    'the',
    'The',
    'and',
    'a',
    'x1',
    'über',
    'ÜBER',
    'Größe',
    'naïve',
    'Straße',
    'όσος',
    'ΣΑΣ',
    'İstanbul',
  ),
  fc.constantFrom('東京に行く', 'ไทยแลนด์', '한국어', '٣٤', '𝒳𝒴', '\uffee\uff21', '🙂🙂', 'ﬁn', 'привет', 'שלום'),
  fc.constantFrom('internationally', 'internationalize', 'internationalized', 'internat', 'interna', 'internationals'),
  fc.nat(60).map((number) => `word${number}`),
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' ', '\0', '-'), maxLength: 20 }),
);
const text = fc.array(words, { maxLength: 25 }).map((all) => all.join(' '));
const texts = fc.array(text, { minLength: 2, maxLength: 12 });
const labelsOf = (documents: readonly string[]) => documents.map((_, i) => `class ${i % 3}`);

type Scoring = ReturnType<(typeof classifiers)[keyof typeof classifiers]>;
const pipelineOf = (options: Options, classifier: () => Scoring) =>
  makePipeline(new CountVectorizer(options), classifier() as MultinomialNB);

/** Compares the scores of texts, at once and one by one, with those of the steps, bit for bit. */
function expectSteps(pipeline: ReturnType<typeof pipelineOf>, asked: readonly string[]): void {
  const scores = pipeline.predictJointLogProba(asked).data;
  const single = asked.flatMap((document) => Array.from(pipeline.predictJointLogProba([document]).data));
  const [vectorizer, classifier] = pipeline.steps;
  const expected = classifier.predictJointLogProba(vectorizer.transform(asked)).data;
  expect(scores.length).toBe(expected.length);
  for (let k = 0; k < expected.length; k++) {
    if (!Object.is(scores[k], expected[k])) expect(scores[k]).toBe(expected[k]);
    if (!Object.is(single[k], expected[k])) expect(single[k]).toBe(expected[k]);
  }
}

describe.each(Object.entries(analyzers))(
  'the scores of a pipeline are those of its steps, bit for bit: %s',
  (_, options) => {
    test.each(Object.entries(classifiers))('%s, in all states', (_, classifier) => {
      fc.assert(
        fc.property(texts, texts, texts, (first, second, asked) => {
          const documents = ['the word3 and word30', 'ba über abc', ...first];
          const all = [...documents, ...second, ...asked];
          const pipeline = pipelineOf(options, classifier).fit(documents, labelsOf(documents));
          expectSteps(pipeline, all);
          pipeline.partialFit(second, labelsOf(second));
          expectSteps(pipeline, all);
          const slim = pipelineOf(options, classifier).restore(decodeState(pipeline.toBytes({ slim: true })));
          expectSteps(slim, all);
          expectSteps(pipelineOf(options, classifier).restore(decodeState(pipeline.toBytes())), all);
          pipeline.unlearn(second, labelsOf(second));
          expectSteps(pipeline, all);
          pipeline.merge(pipelineOf(options, classifier).fit([...all], labelsOf(all)));
          expectSteps(pipeline, all);
        }),
        { numRuns: 6 },
      );
    });
  },
);

/** Texts whose words follow Zipf's law; many of them share their first eight bytes. */
function drawn(count: number, length: number, most: number, random: Random): string[] {
  const word = () => {
    const number = Math.floor(most ** random.uniform());
    return number % 3 === 0 ? `commonprefix${number}` : `${number.toString(36)}é${number % 7}`;
  };
  return Array.from({ length: count }, () => Array.from({ length }, word).join(' '));
}

test.each(['words', 'pairs', 'characters of words'] as const)(
  'learning and scoring take turns while thousands of terms become known: %s',
  (name) => {
    const random = new Random(5);
    const pipeline = pipelineOf(analyzers[name], classifiers.multinomial);
    for (const most of [10, 300, 5000, 20_000, 22_000, 100_000]) {
      const documents = drawn(60, 120, most, random);
      pipeline.partialFit(documents, labelsOf(documents));
      expectSteps(pipeline, drawn(20, 300, most, random));
      pipeline.unlearn(documents.slice(0, 10), labelsOf(documents.slice(0, 10)));
      expectSteps(pipeline, [...drawn(5, 2000, most, random), '']);
    }
  },
);

test('terms with a long common beginning are sorted', () => {
  const long = Array.from({ length: 40 }, (_, k) => 'ab'.repeat(20_000) + 'c'.repeat(39 - k));
  const pipeline = makePipeline(new CountVectorizer({ ngramRange: [1, 2] }), new MultinomialNB());
  pipeline.fit([long.join(' '), long.slice(5, 9).join(' '), 'other words'], ['a', 'b', 'b']);
  expectSteps(pipeline, [long.join(' '), `${long[3]} ${long[3]} ${long[2]}`]);
});

test('a term without a column adds nothing, not even to a score of −0', () => {
  for (const options of [{ minDf: 2 }, { minDf: 2, preprocessor: lower }]) {
    const pipeline = makePipeline(new CountVectorizer(options), new MultinomialNB({ fitPrior: false }));
    pipeline.fit(['common rare', 'common'], ['only', 'only']);
    expectSteps(pipeline, ['rare', '']);
    expect(pipeline.predictJointLogProba(['rare']).data[0]).toBe(-0);
  }
});

test('weights that do not all fit in the memory for them are computed again', () => {
  const [terms, classes] = [5000, 2500]; // a quarter more than 64 MB
  const word = (number: number) => `w${number.toString(36)}`;
  const labels = Array.from({ length: terms }, (_, k) => `class ${k % classes}`);
  const random = new Random(7);
  const some = (count: number) => Array.from({ length: count }, () => word(Math.floor(terms * random.uniform())));
  const asked = Array.from({ length: 50 }, () => some(90).join(' '));
  asked.splice(25, 0, Array.from({ length: terms }, (_, k) => word(k)).join(' ')); // which needs more alone
  for (const options of [{}, { preprocessor: lower }]) {
    const pipeline = makePipeline(new CountVectorizer(options), new MultinomialNB());
    pipeline.fit(
      labels.map((_, k) => word(k)),
      labels,
    );
    expectSteps(pipeline, asked);
  }
});

test('a pipeline that is learned step by step does not use up the memory of the kernels', () => {
  const texts = Array.from({ length: 400 }, (_, k) =>
    Array.from({ length: 100 }, (_, j) => `w${k * 100 + j}`).join(' '),
  );
  const labels = texts.map((_, k) => `class ${k % 40}`);
  const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
  for (let k = 0; k < 1500; k++) {
    pipeline.partialFit([texts[k % 400]], [labels[k % 400]], { freeze: true });
    if (k % 100 === 0) pipeline.partialFit([texts[0]], [labels[0]]);
  }
  expectSteps(pipeline, texts.slice(0, 5));
});
