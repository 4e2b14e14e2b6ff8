import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { decodeState, type State } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { Random } from '../math/random.ts';
import type { Documents } from '../text/documents.ts';
import type { KernelReader } from '../text/kernel-reader.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { DiscriminativeMultinomialNB } from './discriminative-multinomial-nb.ts';
import { HashingVectorizer } from './hashing-vectorizer.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline, Pipeline } from './pipeline.ts';
import type { Step } from './pipeline-step.ts';
import { restore } from './restore.ts';
import { GridSearchCV } from './search.ts';
import { SelectKBest } from './select.ts';
import { TfidfTransformer } from './tfidf-transformer.ts';
import { TfidfVectorizer } from './tfidf-vectorizer.ts';
import { TransformerCache } from './transformer-cache.ts';

const codeOf = (act: () => unknown) => refusalOf(act).code;
const texts = ['cheap pills now', 'lunch at noon', 'cheap lunch', 'now or never', 'noon'];
const labels = ['spam', 'ham', 'ham', 'spam', 'ham'];
const question = ['cheap noon', 'never', 'unknown words', ''];

const kinds: Record<string, () => Step> = {
  CountVectorizer: () => new CountVectorizer(),
  MultinomialNB: () => new MultinomialNB(),
  BernoulliNB: () => new BernoulliNB(),
  TfidfTransformer: () => new TfidfTransformer({ useIdf: false, tf: 'sqrt' }),
};
const restoreStep = (state: State) => restore(kinds[state.kind](), state);

describe('a pipeline equals its steps applied by hand', () => {
  test('with counts and a classifier, method by method', () => {
    const pipeline = makePipeline(new CountVectorizer({ ngramRange: [1, 2] }), new MultinomialNB()).fit(texts, labels);
    const vectorizer = new CountVectorizer({ ngramRange: [1, 2] });
    const classifier = new MultinomialNB().fit(vectorizer.fitTransform(texts), labels);
    const rows = vectorizer.transform(question);
    expect(pipeline.predict(question)).toEqual(classifier.predict(rows));
    expect(pipeline.predictProba(question)).toEqual(classifier.predictProba(rows));
    expect(pipeline.predictLogProba(question)).toEqual(classifier.predictLogProba(rows));
    expect(pipeline.predictJointLogProba(question)).toEqual(classifier.predictJointLogProba(rows));
    expect(pipeline.classPosterior(question)).toEqual(classifier.classPosterior(rows));
    expect(pipeline.logEvidence(question)).toEqual(classifier.logEvidence(rows));
    expect(pipeline.score(texts, labels)).toBe(classifier.score(vectorizer.transform(texts), labels));
    expect(pipeline.classes).toEqual(['ham', 'spam']);
    expect(pipeline.steps[0].toBytes()).toEqual(vectorizer.toBytes());
    expect(pipeline.steps[1].toBytes()).toEqual(classifier.toBytes());
  });

  test('with three steps, and as transformers alone', () => {
    const counts = new CountVectorizer().fitTransform(texts);
    const weights = new TfidfTransformer().fitTransform(counts);
    const pipeline = makePipeline(new CountVectorizer(), new TfidfTransformer(), new MultinomialNB()).fit(
      texts,
      labels,
    );
    expect(pipeline.steps[2].toBytes()).toEqual(new MultinomialNB().fit(weights, labels).toBytes());
    const features = makePipeline(new CountVectorizer(), new TfidfTransformer()).fit(texts);
    expect(features.transform(texts)).toEqual(weights);
    expect(features.getFeatureNamesOut()).toEqual(['at', 'cheap', 'lunch', 'never', 'noon', 'now', 'or', 'pills']);
    expect(codeOf(() => features.predict(texts))).toBe('E_PARAM');
    expect(codeOf(() => features.classes)).toBe('E_PARAM');
  });

  test('an explanation calls features by their terms', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
    const [{ label, contributions }] = pipeline.explain(['cheap pills']);
    expect(label).toBe('spam');
    expect(contributions.map(({ feature }) => feature)).toEqual(['cheap', 'pills']);
  });
});

const words = fc.constantFrom('aa', 'bb', 'cc', 'dd', 'été', '__proto__', 'constructor');
const lessons = fc.array(
  fc.record({
    text: fc.array(words, { minLength: 1, maxLength: 5 }).map((list) => list.join(' ')),
    label: fc.constantFrom('x', 'y', 'z'),
    weight: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 2, maxLength: 8 },
);
type Lesson = { text: string; label: string; weight: number }[];
const X = (lesson: Lesson) => lesson.map(({ text }) => text);
const y = (lesson: Lesson) => lesson.map(({ label }) => label);
const w = (lesson: Lesson) => ({ sampleWeight: lesson.map(({ weight }) => weight) });

const makers = {
  'counts → multinomial': () => makePipeline(new CountVectorizer(), new MultinomialNB()),
  'pairs → Bernoulli': () => makePipeline(new CountVectorizer({ ngramRange: [1, 2], binary: true }), new BernoulliNB()),
  'hashes → multinomial': () =>
    makePipeline(new HashingVectorizer({ nFeatures: 16, alternateSign: false, norm: null }), new MultinomialNB()),
};

describe('learning raw text in parts', () => {
  for (const [name, make] of Object.entries(makers)) {
    check.prop([lessons, fc.nat()])(`${name}: partialFit over any partition equals fit, identically`, (all, where) => {
      const cut = 1 + (where % (all.length - 1));
      const whole = make().fit(X(all), y(all), w(all));
      const [late, early] = [all.slice(0, cut), all.slice(cut)];
      const parts = make().partialFit(X(early), y(early), w(early)).partialFit(X(late), y(late), w(late));
      expect(parts.toBytes()).toEqual(whole.toBytes());
      const alone = make();
      for (const lesson of all) alone.partialFit([lesson.text], [lesson.label], { sampleWeight: lesson.weight });
      expect(alone.toBytes()).toEqual(whole.toBytes());
    });

    check.prop([lessons, lessons])(`${name}: unlearn restores what was known before, identically`, (kept, gone) => {
      const pipeline = make().fit(X(kept), y(kept), w(kept));
      const before = pipeline.toBytes();
      pipeline.partialFit(X(gone), y(gone), w(gone)).unlearn(X(gone), y(gone), w(gone));
      expect(pipeline.toBytes()).toEqual(before);
    });
  }

  for (const [name, make] of Object.entries(makers)) {
    check.prop([lessons, lessons])(
      `${name}: two pipelines merge to what one would have learned, identically`,
      (a, b) => {
        const [left, right] = [a, b].map((part) => make().fit(X(part), y(part), w(part)));
        const whole = make().fit([...X(a), ...X(b)], [...y(a), ...y(b)], {
          sampleWeight: [...w(a).sampleWeight, ...w(b).sampleWeight],
        });
        const before = right.toBytes();
        expect(left.merge(right as never).toBytes()).toEqual(whole.toBytes());
        expect(right.toBytes()).toEqual(before);
        expect(left.merge(make() as never).toBytes()).toEqual(whole.toBytes());
        expect(
          make()
            .merge(right as never)
            .toBytes(),
        ).toEqual(before);
      },
    );
  }

  test('pipelines of other steps or parameters do not merge, and nothing has changed', () => {
    const make = (options: object) =>
      makePipeline(new CountVectorizer(options), new MultinomialNB()).fit(texts, labels);
    const pipeline = make({});
    const before = pipeline.toBytes();
    expect(codeOf(() => pipeline.merge(make({ binary: true })))).toBe('E_MERGE_MISMATCH');
    expect(codeOf(() => pipeline.merge(makePipeline(new CountVectorizer(), new BernoulliNB()) as never))).toBe(
      'E_MERGE_MISMATCH',
    );
    const numbers = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['other words'], [1]);
    expect(codeOf(() => pipeline.merge(numbers))).toBe('E_MERGE_MISMATCH');
    expect(pipeline.toBytes()).toEqual(before);
  });

  test('a classifier that learns from mistakes meets new words', () => {
    const pipeline = makePipeline(new CountVectorizer(), new DiscriminativeMultinomialNB()).fit(texts, labels);
    const [label] = labels;
    pipeline.partialFit(['entirely unheard-of', 'unheard-of'], [label, label]);
    expect(pipeline.predict(['entirely unheard-of'])).toEqual([label]);
    expect(pipeline.predict(texts)).toEqual(labels);
  });

  test('weights between counts and classifier merge as well', () => {
    const make = () =>
      makePipeline(new CountVectorizer(), new TfidfTransformer({ useIdf: false, norm: null }), new MultinomialNB());
    const merged = make()
      .fit(texts.slice(0, 2), labels.slice(0, 2))
      .merge(make().fit(texts.slice(2), labels.slice(2)));
    expect(merged.toBytes()).toEqual(make().fit(texts, labels).toBytes());
    const features = () => makePipeline(new CountVectorizer(), new TfidfTransformer({ useIdf: false }));
    expect(features().fit(texts).merge(features().fit(texts)).steps[0].documentCount).toBe(10);
  });

  check.prop([lessons, lessons])('√tf rows of length 1 learn in parts, closely', (a, b) => {
    const make = () =>
      makePipeline(new CountVectorizer(), new TfidfTransformer({ tf: 'sqrt', useIdf: false }), new MultinomialNB());
    const whole = make().fit([...X(a), ...X(b)], [...y(a), ...y(b)]);
    const parts = make().partialFit(X(a), y(a)).partialFit(X(b), y(b));
    expect(parts.steps[1].toBytes()).toEqual(whole.steps[1].toBytes());
    const [p, q] = [parts, whole].map((pipeline) => pipeline.predictProba(X(a)).data);
    for (let k = 0; k < p.length; k++) expect(Math.abs(p[k] - q[k])).toBeLessThan(1e-12);
    parts.unlearn(X(b), y(b));
    expect(parts.steps[0].toBytes()).toEqual(new CountVectorizer().fit(X(a)).toBytes());
  });

  test('a document weighing nothing teaches no word and no class', () => {
    const make = () => makePipeline(new CountVectorizer(), new MultinomialNB());
    const silent = make().fit(['aa', 'bb cc'], ['x', 'y'], { sampleWeight: [1, 0] });
    expect(silent.toBytes()).toEqual(make().fit(['aa'], ['x']).toBytes());
  });

  test('a word that was unlearned leaves scores as they are, to the sign of zero', () => {
    const options = { fitPrior: false };
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB(options)).fit(['', 'free'], ['ham', 'ham']);
    const { data } = pipeline.unlearn(['free'], ['ham']).predictJointLogProba(['', 'free', 'never heard']);
    for (const score of data) expect(score).toBe(-0); // ln 1 of the only class, with no word added to it
  });

  test('pruning drops the columns from every step', () => {
    const vectorizer = () => new CountVectorizer();
    const pruned = makePipeline(vectorizer(), new TfidfTransformer({ useIdf: false, norm: null }), new MultinomialNB())
      .fit(texts, labels)
      .prune({ minDf: 2 });
    expect(pruned.getFeatureNamesOut()).toEqual(['cheap', 'lunch', 'noon', 'now']);
    const frequent = new CountVectorizer({ minDf: 2 }).fitTransform(texts);
    expect(pruned.steps[2].toBytes()).toEqual(new MultinomialNB().fit(frequent, labels).toBytes());
    expect(pruned.predict(question)).toHaveLength(4);
    expect(codeOf(() => makePipeline(new HashingVectorizer(), new MultinomialNB()).prune())).toBe('E_PARAM');
  });
});

describe('all or nothing', () => {
  const known = () => makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);

  test('when any step refuses, none has changed', () => {
    const pipeline = known();
    const before = pipeline.toBytes();
    const attempts: [string, () => unknown][] = [
      ['E_SHAPE', () => pipeline.fit(['new words'], ['a', 'b'])],
      ['E_SHAPE', () => pipeline.partialFit(['new words'], ['a', 'b'])],
      ['E_LABEL_TYPE', () => pipeline.partialFit(['new words'], [1])],
      ['E_LABEL_MISSING', () => pipeline.partialFit(['new words'])],
      ['E_TYPE', () => pipeline.partialFit(['new', null] as never, labels)],
      ['E_WEIGHT_INVALID', () => pipeline.partialFit(['new words'], ['ham'], { sampleWeight: [-1] })],
      ['E_UNLEARN_UNDERFLOW', () => pipeline.unlearn(['pills'], ['ham'])],
      ['E_UNLEARN_UNDERFLOW', () => pipeline.unlearn(['never heard'], ['spam'])],
      ['E_UNLEARN_UNDERFLOW', () => pipeline.unlearn([texts[0]], ['eggs'])],
      ['E_PARAM', () => pipeline.prune({ minDf: 9 })],
    ];
    for (const [code, attempt] of attempts) {
      expect(codeOf(attempt)).toBe(code);
      expect(pipeline.toBytes()).toEqual(before);
    }
  });

  test('a smoothing for each feature cannot grow with the vocabulary, and the vocabulary stays with it', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB({ alpha: [1, 2] })).fit(['aa bb'], ['x']);
    const before = pipeline.toBytes();
    expect(codeOf(() => pipeline.partialFit(['cc'], ['x']))).toBe('E_PARAM');
    expect(pipeline.toBytes()).toEqual(before);
    expect(pipeline.partialFit(['aa'], ['y']).classes).toEqual(['x', 'y']);
  });

  test('idf would make earlier rows wrong, so it is refused until it is frozen', () => {
    const pipeline = makePipeline(new TfidfVectorizer(), new MultinomialNB()).fit(texts, labels);
    expect(codeOf(() => pipeline.partialFit(['more'], ['ham']))).toBe('E_PARAM');
    const rows = pipeline.steps[0].transform(['cheap more']);
    const expected = new MultinomialNB().fit(pipeline.steps[0].transform(texts), labels).partialFit(rows, ['ham']);
    pipeline.partialFit(['cheap more'], ['ham'], { freeze: true });
    expect(pipeline.steps[1].toBytes()).toEqual(expected.toBytes());
    expect(pipeline.steps[0].vocabulary.has('more')).toBe(false);
    pipeline.unlearn(['cheap more'], ['ham'], { freeze: true });
    expect(pipeline.predict(texts)).toEqual(labels);
  });

  test('a step that learns only at once is fitted with the others, and spared while the last learns on', () => {
    const pipeline = makePipeline(new CountVectorizer(), new SelectKBest({ k: 3 }), new MultinomialNB()).fit(
      texts,
      labels,
    );
    const names = pipeline.getFeatureNamesOut();
    expect(names).toHaveLength(3);
    expect(codeOf(() => pipeline.partialFit(texts, labels))).toBe('E_PARAM');
    expect(codeOf(() => pipeline.prune())).toBe('E_PARAM');
    expect(pipeline.partialFit(texts, labels, { freeze: true }).getFeatureNamesOut()).toEqual(names);
    expect(pipeline.predict(texts)).toHaveLength(5);
  });

  test('everything can be unlearned', () => {
    const pipeline = known().unlearn(texts, labels);
    expect(codeOf(() => pipeline.predict(texts))).toBe('E_NOT_FITTED');
    expect(pipeline.partialFit(['aa'], ['x']).predict(['aa'])).toEqual(['x']);
  });
});

describe('building', () => {
  test('names come from the classes, and a step is found by its name', () => {
    const pipeline = makePipeline(new CountVectorizer(), new TfidfTransformer(), new TfidfTransformer());
    expect(pipeline.getParams().steps.map(([name]) => name)).toEqual([
      'countvectorizer',
      'tfidftransformer-1',
      'tfidftransformer-2',
    ]);
    const named = new Pipeline([['words', new CountVectorizer()], ['bayes', new MultinomialNB()]]); // biome-ignore format: pairs
    expect(named.step('bayes')).toBe(named.steps[1]);
    expect(codeOf(() => named.step('svm'))).toBe('E_PARAM');
    expect(new Pipeline(named.getParams().steps).getParams()).toEqual(named.getParams());
  });

  test('what makes no pipeline is E_PARAM', () => {
    const step = () => new CountVectorizer();
    const bad: unknown[] = [[], [['a', step()], ['a', step()]], [['a', new MultinomialNB()], ['b', step()]], [['a']], [step()], 'steps']; // biome-ignore format: short
    for (const steps of bad) expect(codeOf(() => new Pipeline(steps as never))).toBe('E_PARAM');
  });

  test('a clone knows nothing and shares nothing', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
    const before = pipeline.toBytes();
    const clone = pipeline.clone();
    expect(codeOf(() => clone.predict(texts))).toBe('E_NOT_FITTED');
    clone.fit(['aa'], ['x']).partialFit(['bb'], ['y']);
    expect(pipeline.toBytes()).toEqual(before);
  });

  test('a file gives the same pipeline back', () => {
    const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels);
    const loaded = Pipeline.fromState(decodeState(pipeline.toBytes()), restoreStep);
    expect(loaded.toBytes()).toEqual(pipeline.toBytes());
    expect(loaded.predict(texts as never)).toEqual(pipeline.predict(texts));
    const again = makePipeline(new CountVectorizer(), new MultinomialNB()).restore(decodeState(pipeline.toBytes()));
    expect(again.partialFit(['aa'], ['new']).classes).toEqual(['ham', 'new', 'spam']);
    const state = pipeline.toState();
    expect(codeOf(() => Pipeline.fromState({ ...state, params: {} }, restoreStep))).toBe('E_MODEL_CORRUPT');
    expect(codeOf(() => makePipeline(new MultinomialNB()).restore(state))).toBe('E_MODEL_CORRUPT');
  });
});

describe('a pipeline of words that is saved without its counts', () => {
  const random = new Random(8);
  const many = Array.from({ length: 60 }, () =>
    Array.from({ length: 1 + random.integer(30) }, () => `word${random.integer(80)}`).join(' '),
  );
  const classes = many.map((_, i) => `class ${i % 3}`);
  const pipelines = {
    multinomial: () => makePipeline(new CountVectorizer(), new MultinomialNB({ alpha: 0.3 })),
    'multinomial of sets': () => makePipeline(new CountVectorizer({ binary: true }), new MultinomialNB()),
    complement: () => makePipeline(new CountVectorizer({ minDf: 4 }), new ComplementNB()),
    'complement, normalised': () => makePipeline(new CountVectorizer(), new ComplementNB({ norm: true })),
    bernoulli: () => makePipeline(new CountVectorizer(), new BernoulliNB()),
  };

  test.each(Object.entries(pipelines))('scores as it did with them, bit for bit: %s', (_, make) => {
    const full = make().fit(many.slice(0, 40), classes.slice(0, 40));
    const slim = make().restore(decodeState(full.toBytes({ slim: true })));
    expect(slim.predictLogProba(many)).toEqual(full.predictLogProba(many));
    slim.fit(many, classes);
    expect(slim.predictLogProba(many)).toEqual(make().fit(many, classes).predictLogProba(many));
  });
});

test('memory of the kernels is used again when learning and scoring take turns', () => {
  const words = Array.from({ length: 20_000 }, (_, k) => `word${k}`).join(' ');
  const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit([words, words], ['a', 'b']);
  const { reader } = pipeline.steps[0].known();
  const turn = () => {
    pipeline.partialFit(['word1 word2'], ['a']);
    pipeline.predict([words]);
  };
  for (let k = 0; k < 5; k++) turn();
  const size = (reader as KernelReader).kernels.memory.buffer.byteLength;
  for (let k = 0; k < 50; k++) turn();
  expect((reader as KernelReader).kernels.memory.buffer.byteLength).toBe(size);
});

test('a pipeline takes what its first step takes and answers what its last step answers, at compile time', () => {
  const pipeline = makePipeline(new CountVectorizer(), new TfidfTransformer(), new MultinomialNB());
  expectTypeOf(pipeline.fit).parameter(0).toEqualTypeOf<Documents>();
  expectTypeOf<string[]>().toExtend<Parameters<typeof pipeline.predict>[0]>();
  expectTypeOf<string>().not.toExtend<Parameters<typeof pipeline.predict>[0]>();
  expectTypeOf<number[][]>().not.toExtend<Parameters<typeof pipeline.predict>[0]>();
  expectTypeOf(pipeline.predict).returns.toEqualTypeOf<Label[]>();
  expectTypeOf(pipeline.predictProba).returns.toEqualTypeOf<Matrix>();
  expectTypeOf(pipeline.transform).returns.toBeNever();
  expectTypeOf(pipeline.steps[0]).toEqualTypeOf<CountVectorizer>();
  const features = makePipeline(new CountVectorizer(), new TfidfTransformer());
  expectTypeOf(features.transform).returns.toEqualTypeOf<SparseMatrix>();
  expectTypeOf(features.predict).returns.toBeNever();
  const tables = makePipeline(new TfidfTransformer(), new MultinomialNB());
  expectTypeOf<number[][]>().toExtend<Parameters<typeof tables.fit>[0]>();
  expectTypeOf<string[]>().not.toExtend<Parameters<typeof tables.fit>[0]>();
  // @ts-expect-error a vectorizer takes documents, not rows of numbers
  makePipeline(new TfidfTransformer(), new CountVectorizer());
  // @ts-expect-error a classifier gives no rows
  expect(() => makePipeline(new MultinomialNB(), new CountVectorizer())).toThrow();
  const named = new Pipeline([['words', new CountVectorizer()], ['bayes', new MultinomialNB()]]); // biome-ignore format: pairs
  expectTypeOf(named.fit).parameter(0).toEqualTypeOf<Documents>();
  expectTypeOf(named.predict).returns.toEqualTypeOf<Label[]>();
});

describe('memory', () => {
  const documents = ['aa bb', 'bb cc', 'aa aa', 'cc cc', 'aa cc', 'bb bb', 'aa', 'cc'];
  const labels = [0, 1, 0, 1, 0, 1, 0, 1];
  const steps = () =>
    [
      ['words', new CountVectorizer()],
      ['tfidf', new TfidfTransformer()],
      ['bayes', new MultinomialNB()],
    ] as const;

  test('a transformer learns the same rows once, and pipelines with and without a cache are equal', () => {
    const memory = new TransformerCache();
    const plain = new Pipeline(steps()).fit(documents, labels);
    const first = new Pipeline(steps(), { memory }).fit(documents, labels);
    const second = new Pipeline(steps(), { memory }).setParams({ bayes__alpha: 0.1 }).fit(documents, labels);
    expect(memory.hits).toBe(2);
    expect(first.predictProba(documents)).toEqual(plain.predictProba(documents));
    expect(second.predictProba(documents)).toEqual(
      plain.setParams({ bayes__alpha: 0.1 }).fit(documents, labels).predictProba(documents),
    );
  });

  test('what one pipeline learns further does not reach the cache', () => {
    const memory = new TransformerCache();
    const make = () =>
      new Pipeline(
        [
          ['words', new CountVectorizer()],
          ['bayes', new MultinomialNB()],
        ] as const,
        { memory },
      );
    make().fit(documents, labels).partialFit(['dd'], [1]);
    expect(make().fit(documents, labels).steps[0].getFeatureNamesOut()).toEqual(['aa', 'bb', 'cc']);
    expect(
      make()
        .fit([...documents], labels)
        .getParams().memory,
    ).toBe(memory);
    expect(memory.hits).toBe(1); // other rows are another object
    memory.clear();
    expect(memory.hits).toBe(0);
  });

  test('a search learns each transformer once per fold', () => {
    const memory = new TransformerCache();
    const grid = { bayes__alpha: [0.1, 1, 10], tfidf__useIdf: [true, false] };
    const search = new GridSearchCV(new Pipeline(steps(), { memory }), grid, { cv: 2 }).fit(documents, labels);
    expect(memory.hits).toBeGreaterThanOrEqual(2 * 5); // of six combinations, five find the words of each of two folds
    const plain = new GridSearchCV(new Pipeline(steps()), grid, { cv: 2 }).fit(documents, labels);
    expect(search.cvResults).toEqual(plain.cvResults);
  });

  test('memory is a cache or null', () => {
    expect(refusalOf(() => new Pipeline(steps(), { memory: 'folder' as never })).code).toBe('E_PARAM');
    expect(refusalOf(() => new Pipeline(steps(), { cache: null } as never)).code).toBe('E_PARAM');
  });
});
