import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { noveltyThreshold } from '../evaluate/decide.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { decide } from './decisions.ts';
import { MultinomialNB } from './multinomial-nb.ts';

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
  expectClose([decision.logEvidence], [Math.log(5 / 64)]);
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

test('nothing is decided below a probability, without a margin, and for a row unheard of', () => {
  expect(decide(nb, row, { reject: { leastProbability: 0.55 } })[0].label).toBe('a');
  expect(decide(nb, row, { reject: { leastProbability: 0.65 } })[0].label).toBeNull();
  expect(decide(nb, row, { reject: { leastMargin: 0.25 } })[0].abstained).toBe(true);
  const novelty = noveltyThreshold([-1, -2, -3], 0.5);
  expect(decide(nb, row, { reject: { novelty } })[0].label).toBeNull(); // ln 5/64 is below −2
  expect(decide(nb, row, { reject: { novelty: { ...novelty, threshold: -3 } } })[0].label).toBe('a');
  expect(refusalOf(() => decide(nb, row, { reject: { leastProbability: 2 } })).code).toBe('E_PARAM');
  expect(refusalOf(() => decide(nb, row, { top: 0 })).code).toBe('E_PARAM');
  expect(refusalOf(() => decide(nb, row, { best: 1 } as never)).code).toBe('E_PARAM');
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
