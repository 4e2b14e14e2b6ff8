import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { Classifier } from '../auto/classifier.ts';
import { decide } from '../evaluate/decide.ts';
import { abstentionThreshold, bestThreshold } from '../evaluate/decision-threshold.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CalibratedClassifierCV } from './calibrated-classifier-cv.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { makePipeline } from './pipeline.ts';

const X = [
  [1, 0, 1],
  [1, 1, 1],
  [0, 1, 0],
  [0, 0, 1],
];
const nb = new BernoulliNB().fit(X, ['a', 'a', 'b', 'b']);
const row = [[1, 0, 0]]; // p = 3/5 and 2/5

test('by hand: the class with its probability, all probabilities and the evidence', () => {
  const [decision] = decide(nb, row, { top: 5 });
  expect(decision.label).toBe('a');
  expectClose([decision.probability, ...decision.probabilities], [0.6, 0.6, 0.4]);
  expectClose([decision.logEvidence ?? Number.NaN], [Math.log(5 / 64)]);
  expect(decision.abstained).toBe(false);
  expect(decision.top.map(({ label }) => label)).toEqual(['a', 'b']);
  expect(decide(nb, row)[0].top).toHaveLength(1);
  expect(decide(nb, [])).toEqual([]);
});

test('a class that is dear to miss is decided for though it is less probable', () => {
  const costs = [
    [0, 1],
    [2, 0],
  ];
  const [decision] = decide(nb, row, { costs });
  expect(decision.label).toBe('b');
  expectClose([decision.probability], [0.4]);
  expect(decision.top[0].label).toBe('a');
  expect(refusalOf(() => decide(nb, row, { costs: [[0, 1]] })).code).toBe('E_SHAPE');
});

test('one more column of costs is that of deciding nothing', () => {
  const decideAt = (nothing: number) =>
    decide(nb, row, {
      costs: [
        [0, 1, nothing],
        [1, 0, nothing],
      ],
    })[0];
  expect(decideAt(0.5).label).toBe('a'); // 0.4 is cheaper than 0.5
  expect(decideAt(0.3)).toMatchObject({ label: null, abstained: true });
  expectClose([decideAt(0.3).probability], [0.6]);
});

test('costs by name are those of the table; other mistakes cost 1', () => {
  const table = decide(nb, row, {
    costs: [
      [0, 1],
      [2, 0],
    ],
  });
  expect(decide(nb, row, { costs: { b: { a: 2 } } })).toEqual(table);
  expectClose([table[0].expectedCost ?? Number.NaN], [0.6]);
  expect(refusalOf(() => decide(nb, row, { costs: { c: { a: 2 } } })).code).toBe('E_CLASS_UNKNOWN');
});

test('nothing is decided below a probability, without a margin, and for a row unheard of', () => {
  expect(decide(nb, row, { reject: 0.55 })[0].label).toBe('a');
  expect(decide(nb, row, { reject: 0.65 })[0].label).toBeNull();
  expect(decide(nb, row, { margin: 0.25 })[0].abstained).toBe(true);
  expect(decide(nb, row, { novelty: -2 })[0].label).toBeNull(); // ln 5/64 is below −2
  expect(decide(nb, row, { novelty: -3 })[0].label).toBe('a');
  for (const bad of [{ reject: 2 }, { top: 0 }, { best: 1 }, { margin: 2 }, { threshold: { a: 2 } }]) {
    expect(refusalOf(() => decide(nb, row, bad as never)).code).toBe('E_PARAM');
  }
});

test('a class with a threshold is decided for where its probability reaches it, and only there', () => {
  const labelAt = (threshold: Record<string, number>) => decide(nb, row, { threshold })[0].label; // p = 3/5 and 2/5
  expect(labelAt({ a: 0.7 })).toBe('b');
  expect(labelAt({ b: 0.3 })).toBe('b');
  expect(labelAt({ b: 0.5 })).toBe('a');
  expect(labelAt({ a: 0.5, b: 0.3 })).toBe('b'); // by the larger factor
  expect(labelAt({ a: 0.9, b: 0.9 })).toBe('a');
  expect(labelAt({ b: 0 })).toBe('b');
  expect(refusalOf(() => labelAt({ c: 0.5 })).code).toBe('E_CLASS_UNKNOWN');
  expect(refusalOf(() => decide(nb, row, { threshold: { a: 1 }, costs: { a: { b: 1 } } })).code).toBe('E_PARAM');
});

test('goals are reached on held-out rows', () => {
  const random = new Random(3);
  const draw = (n: number) => {
    const y = Array.from({ length: n }, () => (random.uniform() < 0.1 ? 'rare' : 'common'));
    return { y, X: y.map((label) => [random.normal() + (label === 'rare' ? 1.5 : 0)]) };
  };
  const [train, heldOut, test] = [draw(400), draw(400), draw(50)];
  const model = new GaussianNB().fit(train.X, train.y);
  const held = model.predictProba(heldOut.X);
  const own = Float64Array.from({ length: 400 }, (_, i) => held.at(i, 1));
  const costs = { falsePositive: 1, falseNegative: 9 };
  for (const goal of [{ precision: 0.6 }, { recall: 0.9 }, { costs }, { maximize: 'youden' as const }]) {
    const { threshold } = bestThreshold(heldOut.y, own, { ...goal, posLabel: 'rare' });
    expect(decide(model, test.X, { threshold: { rare: goal }, heldOut })).toEqual(
      decide(model, test.X, { threshold: { rare: threshold } }),
    );
  }
  const { threshold } = abstentionThreshold(heldOut.y, held, { errorRate: 0.02 });
  expect(decide(model, test.X, { reject: { errorRate: 0.02 }, heldOut })).toEqual(
    decide(model, test.X, { reject: threshold }),
  );
  expect(decide(model, [[40]], { novelty: { falseAlarmRate: 0.05 }, heldOut })[0].label).toBeNull();
  expect(refusalOf(() => decide(model, test.X, { threshold: { rare: { recall: 0.9 } } })).code).toBe('E_PARAM');
});

test('calibrated models, pipelines and classifiers of records decide like any other', () => {
  const texts = Array.from({ length: 60 }, (_, i) => (i % 3 ? `lunch home report ${i % 7}` : `win prize now ${i % 5}`));
  const y = texts.map((text) => (text.startsWith('win') ? 'spam' : 'ham'));
  const pipeline = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, y);
  const calibrated = new CalibratedClassifierCV(makePipeline(new CountVectorizer(), new MultinomialNB()), { cv: 3 });
  const last = makePipeline(new CountVectorizer(), new CalibratedClassifierCV(new MultinomialNB(), { cv: 3 }));
  const rows = texts.map((text, i) => ({ text, label: y[i] }));
  const records = Classifier.fit(rows, { target: 'label', model: 'multinomial', kinds: { text: 'text' } });
  const pool = Classifier.fit(rows, { target: 'label', kinds: { text: 'text' } });
  const options = { threshold: { spam: 0.9 }, top: 2 };
  const answers = [
    decide(pipeline, texts, options),
    decide(calibrated.fit(texts, y), texts, options),
    decide(last.fit(texts, y), texts, options),
    decide(records, rows, options),
    decide(pool, rows, options),
  ];
  for (const decisions of answers) {
    decisions.forEach(({ label, probabilities }) => {
      expect(label).toBe(probabilities[1] >= 0.9 ? 'spam' : 'ham');
    });
  }
  expectClose(
    answers[0].map(({ logEvidence }) => logEvidence ?? Number.NaN),
    pipeline.logEvidence(texts),
  );
  expect(answers[1][0].logEvidence).toBeNull();
  expect(answers[2][0].logEvidence).toBeNull();
  expect(refusalOf(() => decide(calibrated, texts, { novelty: -9 })).code).toBe('E_CONFLICT');
});

test('truths and numbers are labels too, false among them', () => {
  const truths = new BernoulliNB().fit(X, [true, true, false, false]);
  expect(decide(truths, [[0, 1, 0]])[0]).toMatchObject({ label: false, abstained: false });
  const numbers = new BernoulliNB().fit(X, [7, 7, 0, 0]);
  expect(
    decide(numbers, [[0, 1, 0]], {
      costs: [
        [0, 1],
        [1, 0],
      ],
    })[0].label,
  ).toBe(0);
});

test('a single class is decided for, unless nothing is cheaper', () => {
  const single = new BernoulliNB().fit(X, ['a', 'a', 'a', 'a']);
  expect(decide(single, row)[0]).toMatchObject({ label: 'a', probability: 1 });
  expect(decide(single, row, { costs: [[1]] })[0].label).toBe('a');
  expect(decide(single, row, { costs: [[1, 0]] })[0].label).toBeNull();
});

test('a row that no class can give gets the prior, or is refused where that was asked for', () => {
  const rows = [
    [1, 0],
    [0, 1],
  ];
  const learn = (zeroEvidence: 'prior' | 'error') =>
    new MultinomialNB({ alpha: 0, zeroEvidence }).fit(rows, ['a', 'b']);
  const [decision] = decide(learn('prior'), [[1, 1]]);
  expect(decision).toMatchObject({ label: 'a', probability: 0.5, logEvidence: -Infinity });
  expect(refusalOf(() => decide(learn('error'), [[1, 1]])).code).toBe('E_ZERO_EVIDENCE');
});
