import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { PolyaError } from '../errors.ts';
import * as full from '../index.ts';
import * as light from '../light.ts';

/** Letters on which case, width, accents and scripts trip, and whatever else Unicode has. */
const letters = fc.oneof(
  fc.constantFrom(...'aBz_7 .-\n\0éÉİıßΣσςＡ１あ漢字กำक्षि👍🏽𝒳'.split('')),
  fc.constantFrom('e\u0301', 'A\u030a', '\u00a0', '\u3000', '今天', '天气', '𝒳', '👨‍👩‍👧', 'straße', 'ΟΔΟΣ'),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
const words = fc.constantFrom(
  'free',
  'Free',
  'lunch',
  'prize',
  'café',
  'cafe\u0301',
  'the',
  'ΟΔΟΣ',
  '東京',
  'ＦＲＥＥ',
);
const document = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: words },
      letters.filter((text) => text.isWellFormed()),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(parts.length % 2 ? ' ' : ''));

/** One way to read in both spellings: names at the full door, values at the light one. */
interface Way {
  readonly full: full.CountVectorizerOptions;
  readonly light: light.CountVectorizerOptions;
}
const stem = (word: string) => word.slice(0, 4);
const shared: fc.Arbitrary<full.CountVectorizerOptions & light.CountVectorizerOptions> = fc.record(
  {
    lowercase: fc.boolean(),
    binary: fc.boolean(),
    normalize: fc.constantFrom('NFC' as const, 'NFKC' as const, null),
    ngramRange: fc.constantFrom([1, 1] as const, [1, 2] as const, [2, 3] as const),
    minDf: fc.constantFrom(1, 2, 0.3),
    maxDf: fc.constantFrom(1, 0.9),
    maxFeatures: fc.constantFrom(null, 5),
    stemmer: fc.constantFrom(null, stem),
    preprocessor: fc.constantFrom(null, (text: string) => text.toUpperCase()),
    stopWords: fc.constantFrom(null, ['the', 'free']),
  },
  { requiredKeys: [] },
);
const named: readonly ((options: light.CountVectorizerOptions) => Way)[] = [
  () => ({ full: {}, light: {} }),
  () => ({ full: { stopWords: 'english' }, light: { stopWords: light.englishStopWords() } }),
  () => ({ full: { tokenizer: 'auto' }, light: { tokenizer: light.segmentWords } }),
  () => ({ full: { tokenPattern: '(?u)\\b\\w+\\b' }, light: { tokenizer: light.patternTokenizer('(?u)\\b\\w+\\b') } }),
  () => ({ full: { stripAccents: 'unicode' }, light: { stripAccents: light.stripAccentsUnicode } }),
  () => ({ full: { stripAccents: 'ascii' }, light: { stripAccents: light.stripAccentsAscii } }),
  (options) => ({ full: { analyzer: 'char' }, light: { analyzer: light.characterTerms('char', options) } }),
  (options) => ({ full: { analyzer: 'char_wb' }, light: { analyzer: light.characterTerms('char_wb', options) } }),
];
const ways: fc.Arbitrary<Way> = fc.tuple(shared, fc.constantFrom(...named)).map(([options, name]) => {
  const way = name(options);
  return { full: { ...options, ...way.full }, light: { ...options, ...way.light } };
});
const models = fc.record(
  {
    alpha: fc.constantFrom(0, 0.5, 1, 3.25),
    fitPrior: fc.boolean(),
    priorAlpha: fc.constantFrom(0, 1),
    zeroEvidence: fc.constantFrom('prior' as const, 'error' as const),
  },
  { requiredKeys: [] },
);
const lessons = fc.array(fc.tuple(document, fc.constantFrom('ham', 'spam', 'egg', 'tea', 'rye'), fc.nat(3)), {
  minLength: 4,
  maxLength: 12,
});

/** Values with every bit of their numbers; a refusal as its code and its sentence. */
function told(work: () => unknown): unknown {
  try {
    return JSON.stringify(work(), (_, value) => {
      if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
      return value instanceof Map ? [...value] : value;
    });
  } catch (error) {
    if (!(error instanceof PolyaError)) throw error;
    return [error.code, error.message];
  }
}

type Door = typeof fullClasses;
const fullClasses = { CountVectorizer: full.CountVectorizer, MultinomialNB: full.MultinomialNB };
const lightClasses = { CountVectorizer: light.CountVectorizer, MultinomialNB: light.MultinomialNB };
const doors = [fullClasses, lightClasses as unknown as Door];

/** What a vectorizer knows. */
const known = (vectorizer: full.CountVectorizer) => [
  vectorizer.getFeatureNamesOut(),
  vectorizer.vocabulary,
  vectorizer.documentFrequency,
  vectorizer.termFrequency,
  vectorizer.documentCount,
];

/** What a classifier knows and answers. */
const answers = (model: full.MultinomialNB, X: full.SparseMatrix) => [
  model.classes,
  model.classCount,
  model.featureCount,
  model.featureLogProb,
  model.classLogPrior,
  model.predictJointLogProba(X),
  model.logEvidence(X),
  model.explain(X),
  told(() => [model.predict(X), model.predictLogProba(X), model.predictProba(X)]),
];

describe('the light classes are the full ones, to the bit', () => {
  law.prop([lessons, ways], { numRuns: 300 })('vocabulary and counts, through growth and shrinkage', (rows, way) => {
    const texts = rows.map(([text]) => text);
    const [said, lightly] = doors.map(({ CountVectorizer }, door) => {
      const options = (door === 0 ? way.full : way.light) as full.CountVectorizerOptions;
      const vectorizer = new CountVectorizer(options);
      const weights = rows.map(([, , weight]) => weight + 1);
      return [
        told(() => [vectorizer.fitTransform(texts.slice(0, 3)), known(vectorizer)]),
        told(() => known(vectorizer.partialFit(texts.slice(2), undefined, { sampleWeight: weights.slice(2) }))),
        told(() => vectorizer.transform(texts)),
        told(() => known(vectorizer.unlearn(texts.slice(3, 5), undefined, { sampleWeight: weights.slice(3, 5) }))),
        told(() => known(vectorizer.merge(new CountVectorizer(options).partialFit(texts)))),
        told(() => known(vectorizer.clone().fit(texts, undefined, { sampleWeight: weights }))),
      ];
    });
    expect(lightly).toEqual(said);
  });

  law.prop([lessons, models], { numRuns: 120 })(
    'sums, parameters and scores, through all that is learned',
    (rows, given) => {
      const texts = rows.map(([text]) => `${text} lunch`);
      const y = rows.map(([, label]) => label);
      const X = new full.CountVectorizer().fitTransform(texts);
      const sampleWeight = rows.map(([, , weight]) => weight + 0.5);
      const [said, lightly] = doors.map(({ MultinomialNB }) => {
        const model = new MultinomialNB(given);
        const other = new MultinomialNB(given);
        const half = [X.slice(0, 3), y.slice(0, 3)] as const;
        return [
          told(() => answers(model.fit(X, y, { sampleWeight }), X)),
          told(() => answers(model.partialFit(...half), X)),
          told(() => answers(model.unlearn(...half), X)),
          told(() => answers(model.merge(other.fit(...half)).decay(3, 2), X)),
          told(() => answers(model.partialFit([[-1]] as never, ['ham']), X)),
          told(() => model.score(X, y, { sampleWeight })),
          told(() => model.getParams()),
          told(() => answers(model.unlearn(X, y), X)),
        ];
      });
      expect(lightly).toEqual(said);
    },
  );

  law.prop([lessons, ways, models], { numRuns: 100 })(
    'a pipeline, and its file read at the light door',
    (rows, way, given) => {
      const texts = rows.map(([text]) => text);
      const y = rows.map(([, label]) => label);
      const heavy = full.makePipeline(new full.CountVectorizer(way.full), new full.MultinomialNB(given));
      const slight = light.makePipeline(new light.CountVectorizer(way.light), new light.MultinomialNB(given));
      const talk = (pipeline: typeof heavy) => [
        told(() => [pipeline.fit(texts, y).predictJointLogProba(texts), pipeline.explain(texts)]),
        told(() => pipeline.partialFit(texts.slice(0, 2), y.slice(0, 2)).predictJointLogProba(texts)),
        told(() => [pipeline.unlearn(texts.slice(1, 2), y.slice(1, 2)).predict(texts), pipeline.getFeatureNamesOut()]),
      ];
      expect(talk(slight as unknown as typeof heavy)).toEqual(talk(heavy));
      const { stopWords, tokenizer, stripAccents, analyzer, stemmer, preprocessor } = way.light;
      if (way.full.tokenPattern !== undefined) return; // a file tells the pattern, which is a tokenizer here
      const values = { stopWords, tokenizer, stripAccents, analyzer, stemmer, preprocessor };
      const asked = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
      for (const slim of [false, true]) {
        let bytes: Uint8Array;
        try {
          bytes = heavy.toBytes({ slim });
        } catch {
          continue; // too little was learned for a slim file
        }
        const read = light.load(bytes, asked);
        const score = (pipeline: typeof heavy) => told(() => [pipeline.classes, pipeline.predictJointLogProba(texts)]);
        expect(score(read as unknown as typeof heavy)).toEqual(score(heavy));
      }
    },
  );
});

/** The door that each import of a refusal is meant to come from. */
const importable = new Set([...Object.keys(light), ...Object.keys(full)]);

/** Every option of the full classes that the light ones do not take, and what its refusal says to import. */
const refusedOptions: readonly [kind: 'CountVectorizer' | 'MultinomialNB', options: object, instead: string][] = [
  ['CountVectorizer', { analyzer: 'char' }, 'characterTerms'],
  ['CountVectorizer', { analyzer: 'char_wb' }, 'characterTerms'],
  ['CountVectorizer', { tokenizer: 'auto' }, 'segmentWords'],
  ['CountVectorizer', { tokenPattern: '\\w+' }, 'patternTokenizer'],
  ['CountVectorizer', { tokenPattern: /[a-z]+/ }, 'patternTokenizer'],
  ['CountVectorizer', { stripAccents: 'ascii' }, 'stripAccents'],
  ['CountVectorizer', { stripAccents: 'unicode' }, 'stripAccentsUnicode'],
  ['CountVectorizer', { stopWords: 'english' }, 'englishStopWords'],
  ['MultinomialNB', { forceAlpha: false }, 'MultinomialNB'],
  ['MultinomialNB', { smoothing: 'jelinek-mercer' }, 'MultinomialNB'],
  ['MultinomialNB', { smoothing: 'dirichlet' }, 'MultinomialNB'],
  ['MultinomialNB', { smoothing: 'absolute' }, 'MultinomialNB'],
  ['MultinomialNB', { lambda: 0.5 }, 'MultinomialNB'],
  ['MultinomialNB', { mu: 5 }, 'MultinomialNB'],
  ['MultinomialNB', { delta: 0.5 }, 'MultinomialNB'],
  ['MultinomialNB', { extra: 'ignore' }, 'MultinomialNB'],
  ['MultinomialNB', { reproducible: true }, 'MultinomialNB'],
  ['MultinomialNB', { alpha: 'auto' }, 'MultinomialNB'],
  ['MultinomialNB', { alpha: [1, 2] }, 'MultinomialNB'],
];

test.each(refusedOptions)('%s takes no %o here: the refusal names %s', (kind, options, instead) => {
  expect(() => new fullClasses[kind](options)).not.toThrow();
  const refusal = told(() => new lightClasses[kind](options));
  expect(refusal).toEqual(['E_PARAM', expect.stringContaining(instead)]);
  expect(refusal).toEqual(['E_PARAM', expect.stringMatching(/'polya(\/light)?'|polya\/light/)]);
  if (instead !== 'stripAccents') expect(importable).toContain(instead);
});

test('the light classes have all parameters of the full ones, in their order and with their defaults', () => {
  for (const kind of ['CountVectorizer', 'MultinomialNB'] as const) {
    expect(JSON.stringify(new lightClasses[kind]().getParams())).toBe(
      JSON.stringify(new fullClasses[kind]().getParams()),
    );
  }
});

test('types forbid what the light classes do not take', () => {
  type Words = light.CountVectorizerOptions;
  type Model = light.MultinomialNBOptions;
  expectTypeOf<'english'>().not.toExtend<Words['stopWords']>();
  expectTypeOf<readonly string[]>().toExtend<Words['stopWords']>();
  expectTypeOf<'auto'>().not.toExtend<Words['tokenizer']>();
  expectTypeOf<'char' | 'char_wb'>().not.toExtend<Words['analyzer']>();
  expectTypeOf<'ascii' | 'unicode'>().not.toExtend<Words['stripAccents']>();
  expectTypeOf<Words>().not.toHaveProperty('tokenPattern');
  expectTypeOf<'auto'>().not.toExtend<Model['alpha']>();
  expectTypeOf<number[]>().not.toExtend<Model['alpha']>();
  expectTypeOf<keyof Model>().toEqualTypeOf<'alpha' | 'fitPrior' | 'classPrior' | 'priorAlpha' | 'zeroEvidence'>();
  expectTypeOf<{ word: number }[]>().not.toExtend<light.LightFeatures>();
  expectTypeOf<Uint8Array[]>().not.toExtend<light.Texts>();
  expectTypeOf<string>().not.toExtend<light.Texts>();
  expectTypeOf<string[]>().toExtend<Parameters<light.CountVectorizer['fit']>[0]>();
  expectTypeOf<light.CountVectorizer>().not.toHaveProperty('toBytes');
  expectTypeOf<light.MultinomialNB>().not.toHaveProperty('sample');
});

test('bytes and rows with names are for the full door', () => {
  const bytes = [new TextEncoder().encode('free lunch')] as never;
  expect(told(() => new light.CountVectorizer().fit(bytes))).toEqual(['E_TYPE', expect.stringContaining("'polya'")]);
  const rows = [{ free: 1 }] as never;
  expect(told(() => new light.MultinomialNB().fit(rows, ['a']))).toEqual(['E_SHAPE', expect.stringContaining('row 0')]);
  const columns = { free: [1] } as never;
  expect(told(() => new light.MultinomialNB().fit(columns, ['a']))).toEqual(['E_SHAPE', expect.any(String)]);
});

const texts = ['Free lunch', 'free prize now', 'see you at lunch', 'the café at noon'];
const y = ['spam', 'spam', 'ham', 'ham'];

test('a file tells what it needs: names of its words are given as values, an alpha that was chosen is a number', () => {
  const words = new full.CountVectorizer({ stopWords: 'english', stripAccents: 'unicode' });
  const saved = full.makePipeline(words, new full.MultinomialNB({ alpha: 'auto' })).fit(texts, y);
  const bytes = saved.toBytes();
  expect(told(() => light.load(bytes))).toEqual(['E_PARAM', expect.stringContaining('stripAccentsUnicode')]);
  const values = { stopWords: light.englishStopWords(), stripAccents: light.stripAccentsUnicode };
  const read = light.load(bytes, values);
  expect(read.steps[1].alpha).toBe(saved.steps[1].alpha);
  expect(read.predictProba(texts)).toEqual(saved.predictProba(texts));
  const more = [['an evening at the opera'], ['ham']] as const;
  expect(read.partialFit(...more).predictProba(texts)).toEqual(saved.partialFit(...more).predictProba(texts));
  expect(read.explain(['free opera'])).toEqual(saved.explain(['free opera']));
});

test('a vocabulary is pruned by the function of the full door', () => {
  const pruned = light.prune(new light.CountVectorizer().fit(texts), { minDf: 2 });
  expect(pruned.getFeatureNamesOut()).toEqual(
    full.prune(new full.CountVectorizer().fit(texts), { minDf: 2 }).getFeatureNamesOut(),
  );
  expect(pruned.getFeatureNamesOut()).toEqual(['at', 'free', 'lunch']);
});

test('a step alone, an empty one, and what is not at this door', () => {
  const X = new full.CountVectorizer().fitTransform(texts);
  const model = new full.MultinomialNB({ classPrior: [0.4, 0.6] }).fit(X, y);
  const read = light.load<light.MultinomialNB>(model.toBytes().buffer);
  expect(read).toBeInstanceOf(light.MultinomialNB);
  expect(read.predictLogProba(X)).toEqual(model.predictLogProba(X));
  expect(told(() => light.load<light.CountVectorizer>(new full.CountVectorizer().toBytes()).known())).toEqual([
    'E_NOT_FITTED',
    expect.any(String),
  ]);
  const other = new full.BernoulliNB().fit(X, y).toBytes();
  expect(told(() => light.load(other))).toEqual(['E_CONFLICT', expect.stringContaining("'polya'")]);
  const damaged = model.toBytes();
  damaged[damaged.length - 1] ^= 1;
  expect(told(() => light.load(damaged))).toEqual(['E_MODEL_CORRUPT', expect.any(String)]);
  const exact = new full.MultinomialNB({ reproducible: true }).fit(X, y).toBytes();
  expect(told(() => light.load(exact))).toEqual(['E_PARAM', expect.stringContaining('reproducible')]);
});
