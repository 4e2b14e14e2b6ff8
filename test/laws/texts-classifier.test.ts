import { test as check } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  Classifier,
  type ClassifierOptions,
  type CountVectorizer,
  type MultinomialNB,
  type Pipeline,
  Random,
} from '../../src/index.ts';
import { expectClose, refusalOf } from '../close.ts';
import { runSequence, type Subject, sequences } from './check-sequence.ts';
import { asked, asText, bytesOf, drawTexts, SIZES, type Text, weightsOf } from './texts.ts';

const size = SIZES['a few hundred texts'];

/** A text, a number and a level: the other two are derived from the text. */
const record = (words: readonly string[]) => ({
  text: words.join(' '),
  length: words.length / 4,
  opening: words[0] ?? 'none',
});
const records = (rows: readonly Text[]) => rows.map((row) => ({ ...record(row.words), label: row.label }));
const questions = (rows: readonly Text[]) => asked(rows).map((text) => record(text === '' ? [] : text.split(' ')));

/** The predictions and counts of a classifier with the same options that has learned other rows at once. */
interface Reference {
  readonly classes: unknown[];
  logProba(rows: readonly Text[]): Float64Array;
  readonly counts?: string;
}

/** One text column: the counts are those of a pipeline, which can be fitted again. */
function byPipeline(first: Classifier): (rows: readonly Text[]) => Reference {
  const pipeline = pipelineOf(first);
  return (rows) => {
    const labels = rows.map(({ label }) => label);
    const fitted = pipeline.clone().fit(rows.map(asText), labels, weightsOf(rows));
    return {
      classes: fitted.classes,
      logProba: (own) => withPrior(fitted, asked(own)),
      counts: bytesOf(fitted),
    };
  };
}

type TextPipeline = Pipeline<readonly [CountVectorizer, MultinomialNB]>;

/**
 * ln p(c | x) of a pipeline; a text without a known word is a missing cell for a classifier, and gets the class prior.
 */
function withPrior(fitted: TextPipeline, texts: string[]): Float64Array {
  const answers = fitted.predictLogProba(texts);
  const [vectorizer, { classCount }] = fitted.steps;
  const { indptr } = vectorizer.transform(texts);
  const all = classCount.reduce((sum, count) => sum + count, 0);
  const prior = classCount.map((count) => Math.log(count / all));
  texts.forEach((_, i) => {
    if (indptr[i] === indptr[i + 1]) answers.row(i).set(prior);
  });
  return answers.data;
}

const pipelineOf = (classifier: Classifier) => classifier.estimator as TextPipeline;

/** Several columns: another classifier is fitted with the schema of the first. */
function bySchema(first: Classifier, options: ClassifierOptions): (rows: readonly Text[]) => Reference {
  return (rows) => {
    const weighted = records(rows).map((row, i) => ({ ...row, weight: rows[i].weight }));
    const fitted = Classifier.fit(weighted, { ...options, kinds: undefined, schema: first.schema, weight: 'weight' });
    return { classes: fitted.classes, logProba: (own) => fitted.predictLogProba(questions(own)).data };
  };
}

function subjectOf(given: Partial<ClassifierOptions>): Subject<Classifier, Text> {
  const text = { features: ['text'], kinds: { text: 'text' } } as const;
  const options = { target: 'label', evaluate: false, calibrate: false, ...text, ...given };
  const start = drawTexts(new Random(200), 200, size).map((row) => ({ ...row, weight: 1 }));
  const first = Classifier.fit(records(start), options);
  const learned = (options.features?.length ?? 0) > 1 ? bySchema(first, options) : byPipeline(first);
  return {
    fresh: () => first.clone(),
    start,
    draw: (random, rows) => drawTexts(random, rows, size),
    starts: size.counts,
    counts: size.counts,
    learn: (classifier, rows) => classifier.partialFit(records(rows), weightsOf(rows)),
    unlearn: (classifier, rows) => classifier.unlearn(records(rows), weightsOf(rows)),
    merge: (into, from) => into.merge(from),
    reload: (classifier) => Classifier.load(classifier.save()),
    halve: (classifier) => classifier.decay(0.5),
    neutral: {
      condense: (classifier) => classifier.condense(),
      'read the estimator': (classifier) => classifier.estimator,
      'classify many texts': (classifier) => classifier.classifyAll(records(start)),
    },
    expectRefusal(classifier, rows) {
      const before = bytesOf(classifier);
      const strange = rows.slice(0, 2).map((row) => ({ ...row, label: 'never learned' }));
      expect(refusalOf(() => classifier.unlearn(records(strange))).code).toBe('E_UNLEARN_UNDERFLOW');
      expect(bytesOf(classifier)).toBe(before);
    },
    expectAnswers(classifier, rows) {
      const expected = learned(rows);
      expect(classifier.classes).toEqual(expected.classes);
      // sums of squares that were added and subtracted keep about 9 digits
      expectClose(classifier.predictLogProba(questions(rows)).data, expected.logProba(rows), 1e-9, 1);
    },
    expectState(classifier, rows) {
      const { counts } = learned(rows);
      if (counts !== undefined) expect(bytesOf(pipelineOf(classifier))).toBe(counts);
    },
  };
}

const table = { features: ['text', 'length', 'opening'], kinds: { text: 'text', opening: 'category' } } as const;

describe.each<[string, Partial<ClassifierOptions>]>([
  ['multinomial', { model: 'multinomial' }],
  ['complement', { model: 'complement' }],
  ['bernoulli', { model: 'bernoulli' }],
  ['mixed, over a text, a number and a level', { model: 'mixed', ...table }],
])('Classifier, %s', (_, options) => {
  const subject = subjectOf(options);

  test('unlearning a record restores the model, also after decay', () => {
    const one: Text = { words: ['words', 'never', 'met'], label: 'class 0', weight: 1 };
    const half = { ...one, weight: 0.5 };
    const classifier = subject
      .fresh()
      .partialFit(records([one]))
      .unlearn(records([one]));
    subject.expectAnswers(classifier, subject.start ?? []);
    subject.expectState(classifier, subject.start ?? []);
    classifier
      .partialFit(records([one]))
      .decay(0.5)
      .unlearn(records([one]), weightsOf([half]));
    const faded = (subject.start ?? []).map((row) => ({ ...row, weight: row.weight / 2 }));
    subject.expectAnswers(classifier, faded);
    subject.expectState(classifier, faded);
  });

  check.prop([sequences(subject, 8)], { numRuns: 2 })(
    'any sequence of operations on hundreds of records gives the model of the remaining ones',
    (steps) => runSequence(subject, steps),
  );
});
