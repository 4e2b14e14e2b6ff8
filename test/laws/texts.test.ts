import { test as check } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  BernoulliNB,
  ComplementNB,
  CountVectorizer,
  DirichletMultinomialNB,
  HashingVectorizer,
  load,
  MultinomialNB,
  makePipeline,
  type Pipeline,
  PoissonNB,
  Random,
  RobinsonFisherFilter,
  sqrtTf,
  TfidfTransformer,
} from '../../src/index.ts';
import { expectClose, refusalOf } from '../close.ts';
import { runSequence, type Subject, sequences } from './check-sequence.ts';
import { asked, asText, bytesOf, drawTexts, SIZES, type Size, type Text, weightsOf, word } from './texts.ts';

/** The common interface of pipelines from texts to classes. */
type TextModel = Pipeline<readonly [CountVectorizer, MultinomialNB]>;

interface Named {
  readonly name: string;
  readonly steps: () => readonly unknown[];
  /** Relative tolerance for log-probabilities; zero if all counts are exact. */
  readonly rounding?: number;
  /**
   * Whether the classifier counts texts with a word, or words; given if its counts are compared with those of a plain
   * loop.
   */
  readonly counts?: 'texts' | 'words';
  /** The number of classes that it supports. */
  readonly classes?: number;
}

const words = () => new CountVectorizer();
const pipelines: readonly Named[] = [
  { name: 'MultinomialNB', steps: () => [words(), new MultinomialNB()], counts: 'words' },
  { name: 'ComplementNB', steps: () => [words(), new ComplementNB()], counts: 'words' },
  { name: 'BernoulliNB', steps: () => [words(), new BernoulliNB()], counts: 'texts' },
  { name: 'PoissonNB', steps: () => [words(), new PoissonNB()], counts: 'words' },
  { name: 'DirichletMultinomialNB', steps: () => [words(), new DirichletMultinomialNB({ method: 'edcm' })] },
  { name: 'RobinsonFisherFilter', steps: () => [words(), new RobinsonFisherFilter()], classes: 2 },
  {
    name: 'MultinomialNB of presence, with a background',
    steps: () => [new CountVectorizer({ binary: true }), new MultinomialNB({ smoothing: 'jelinek-mercer' })],
    counts: 'texts',
  },
  {
    name: 'MultinomialNB of pairs of words',
    steps: () => [new CountVectorizer({ ngramRange: [1, 2] }), new MultinomialNB()],
  },
  {
    name: 'ComplementNB of letters',
    steps: () => [new CountVectorizer({ analyzer: 'char_wb', ngramRange: [2, 3] }), new ComplementNB()],
  },
  {
    name: 'MultinomialNB of a given vocabulary',
    steps: () => [new CountVectorizer({ vocabulary: [0, 1, 2, 3, 40, 400].map(word) }), new MultinomialNB()],
  },
  {
    name: 'MultinomialNB of hashed words',
    steps: () => [new HashingVectorizer({ nFeatures: 512, alternateSign: false, norm: null }), new MultinomialNB()],
  },
  {
    name: 'BernoulliNB of hashed words',
    steps: () => [new HashingVectorizer({ nFeatures: 4096 }), new BernoulliNB()],
  },
  { name: 'ComplementNB of roots of counts', steps: () => [sqrtTf(), new ComplementNB()], rounding: 1e-9 },
  {
    name: 'MultinomialNB of shares of words',
    steps: () => [words(), new TfidfTransformer({ useIdf: false, norm: 'l1' }), new MultinomialNB()],
    rounding: 1e-9,
  },
];

const dataset = (rows: readonly Text[]) => [rows.map(asText), rows.map(({ label }) => label), weightsOf(rows)] as const;
const hasWords = (rows: readonly Text[]) => rows.some((row) => row.words.length > 0);

function subjectOf({ steps, rounding = 0, counts, classes }: Named, size: Size): Subject<TextModel, Text> {
  const make = () => makePipeline(...(steps() as TextModel['steps'])) as TextModel;
  const learned = (rows: readonly Text[]) => make().fit(...dataset(rows));
  return {
    fresh: make,
    draw: (random, count) => drawTexts(random, count, { ...size, classes: classes ?? size.classes }),
    starts: size.starts,
    counts: size.counts,
    learn: (model, rows) => model.partialFit(...dataset(rows)),
    unlearn: (model, rows) => model.unlearn(...dataset(rows)),
    merge: (into, from) => into.merge(from),
    reload: (model) => load<TextModel>(model.toBytes()),
    halve: (model) => model.decay(1),
    neutral: {
      condense: (model) => model.condense(),
      'read the steps': (model) => model.steps,
      'predict many texts': (model) =>
        refusalOf(() => model.predict(Array.from({ length: 300 }, (_, i) => `${word(i % size.words)} w0`))),
    },
    expectRefusal(model, rows) {
      const before = bytesOf(model);
      const heavier = rows.map((row) => ({ ...row, weight: row.weight + 1 }));
      const strange = rows.slice(0, 2).map((row) => ({ ...row, label: 'never learned' }));
      for (const refused of [heavier, strange]) {
        expect(refusalOf(() => model.unlearn(...dataset(refused))).code).toBe('E_UNLEARN_UNDERFLOW');
        expect(bytesOf(model)).toBe(before);
      }
    },
    expectAnswers(model, rows) {
      if (rows.length === 0) expect(refusalOf(() => model.predict(['w0'])).code).toBe('E_NOT_FITTED');
      else if (hasWords(rows)) expectSameAnswers(model, learned(rows), asked(rows), rounding);
      else expectPrior(model, rows);
    },
    expectState(model, rows) {
      if (rows.length > 0 && !hasWords(rows)) return expectPrior(load<TextModel>(model.toBytes()), rows);
      if (rounding === 0) expect(bytesOf(model)).toBe(bytesOf(rows.length > 0 ? learned(rows) : make()));
      if (counts && rows.length > 0) expectCounts(model, rows, counts);
    },
  };
}

function expectSameAnswers(actual: TextModel, expected: TextModel, texts: string[], rounding: number): void {
  expect(actual.classes).toEqual(expected.classes);
  const [p, q] = [actual.predictLogProba(texts).data, expected.predictLogProba(texts).data];
  if (rounding === 0) expect(p).toEqual(q);
  else expectClose(p, q, rounding, 1);
}

/** Expects the class prior for texts without words: `fit` rejects only such texts, but unlearning may leave them. */
function expectPrior(model: TextModel, rows: readonly Text[]): void {
  const weight = (own: readonly Text[]) => own.reduce((sum, row) => sum + row.weight, 0);
  const shares = model.classes.map((label) => weight(rows.filter((row) => row.label === label)) / weight(rows));
  expectClose(model.predictProba(['w0']).data, shares, 1e-12);
}

/** Compares all counts with those of a plain loop over the words. */
function expectCounts(model: TextModel, rows: readonly Text[], of: 'texts' | 'words'): void {
  const documents = new Map<string, number>();
  const counts = new Map<string, number>();
  const classes = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, weight: number) => to.set(key, (to.get(key) ?? 0) + weight);
  for (const { words: all, label, weight } of rows) {
    add(classes, label, weight);
    for (const term of new Set(all)) add(documents, term, weight);
    for (const term of of === 'texts' ? new Set(all) : all) add(counts, `${label} ${term}`, weight);
  }
  const [vectorizer, classifier] = model.steps;
  const terms = vectorizer.getFeatureNamesOut();
  expect(new Set(terms)).toEqual(new Set(documents.keys()));
  expect([...vectorizer.documentFrequency]).toEqual(terms.map((term) => documents.get(term)));
  expect([...classifier.classCount]).toEqual(classifier.classes.map((label) => classes.get(String(label))));
  expect([...classifier.featureCount.data]).toEqual(
    classifier.classes.flatMap((label) => terms.map((term) => counts.get(`${label} ${term}`) ?? 0)),
  );
}

describe.each(Object.keys(SIZES))('%s', (name) => {
  const size = SIZES[name];
  describe.each(pipelines)('$name', (named) => {
    const subject = subjectOf(named, size);
    check.prop([sequences(subject, size.steps)], { numRuns: size.runs })(
      'learning, unlearning, merging, decay and loading in any order give the model of the remaining texts',
      (steps) => runSequence(subject, steps),
    );
  });
});

describe.each(pipelines.slice(0, 3))('$name', (named) => {
  test.each([50, 200, 255, 256, 257, 1100])(
    'with %i texts, learning and unlearning one more changes nothing',
    (count) => {
      const size = { ...SIZES['thousands of words in 20 classes'], classes: 2 };
      const subject = subjectOf(named, size);
      const rows = drawTexts(new Random(count), count, size).map((row) => ({ ...row, weight: 1 }));
      const one: Text = { words: ['free', 'entry', word(0)], label: 'class 0', weight: 1 };
      const model = subject.fresh().fit(...dataset(rows));
      const before = bytesOf(model);
      expect(bytesOf(model.partialFit(...dataset([one])).unlearn(...dataset([one])))).toBe(before);
      expect(
        bytesOf(
          model
            .partialFit(...dataset([one]))
            .merge(subject.fresh().fit(...dataset([one])))
            .unlearn(...dataset([one, one])),
        ),
      ).toBe(before);
    },
  );
});
