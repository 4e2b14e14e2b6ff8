import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import type { DoubleCounting } from './double-counting.ts';
import { doubleCounting } from './double-counting.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';

const ln = Math.log;
const entropy = (p: number) => -p * ln(p) - (1 - p) * ln(1 - p);
const pairOf = (pairs: readonly DoubleCounting[], a: unknown, b: unknown) =>
  pairs.find(({ features }) => features[0] === a && features[1] === b) as DoubleCounting;

/** Rows by how often they come. */
const repeat = <T>(times: readonly (readonly [number, T])[]): T[] => times.flatMap(([n, row]) => Array<T>(n).fill(row));

test('a word and its copy by hand: the information is the entropy of the word, the over-count its own log-odds', () => {
  // the word is in 300 of 400 rows of spam and in 100 of 400 rows of ham
  const X = repeat([
    [300, [1, 1]],
    [100, [0, 0]],
    [100, [1, 1]],
    [300, [0, 0]],
  ]);
  const y = repeat([
    [400, 'spam'],
    [400, 'ham'],
  ]);
  const [pair] = doubleCounting(new BernoulliNB().fit(X, y), X, y);
  expect(pair.features).toEqual([0, 1]);
  expectClose([pair.information], [entropy(0.25)]);
  expect(pair.rows).toBe(400);
  // one row of independent words is added to each class: (n p + p²) / (n + 1) instead of p
  const pointwise = (p: number) => ln((400 * p + p * p) / (401 * p * p));
  expectClose([pair.overcount], [pointwise(0.25) - pointwise(0.75)]);
  expectClose([pair.overcount], [ln(3)], 0.01); // all but ln(3/4 : 1/4), what one of the two words says
});

test('words that are independent in each class do not count double', () => {
  const X = repeat([
    [9, [1, 1]],
    [3, [1, 0]],
    [3, [0, 1]],
    [1, [0, 0]],
    [1, [1, 1]],
    [3, [1, 0]],
    [3, [0, 1]],
    [9, [0, 0]],
  ]);
  const y = repeat([
    [16, 'spam'],
    [16, 'ham'],
  ]);
  const [pair] = doubleCounting(new MultinomialNB().fit(X, y), X, y);
  expectClose([pair.information, pair.overcount], [0, 0], 1e-12, 1);
  expect(pair.rows).toBe(10);
});

test('levels by hand, missing ones left out', () => {
  const rows = [
    ['u', 'x'],
    ['u', 'x'],
    ['v', 'y'],
    ['v', 'z'],
    ['u', null],
    ['u', 'x'],
    ['v', 'x'],
  ];
  const y = ['a', 'a', 'a', 'a', 'a', 'b', 'b'];
  const [pair] = doubleCounting(new CategoricalNB({ missing: 'ignore' }).fit(rows, y), rows, y);
  // in a: 2 (u, x), 1 (v, y), 1 (v, z) of 4; in b the second column says nothing
  expectClose([pair.information], [(2 * ln(2) + ln(2) + ln(2)) / 6]);
  expect(pair.rows).toBe(6);
});

test('measurements: −½ ln(1 − ρ²) with the correlation within the classes', () => {
  const X = [
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 1],
    [10, 20],
    [11, 21],
    [12, 22],
    [13, 21],
  ];
  const y = ['a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'];
  const nb = new GaussianNB().fit(X, y);
  const [pair] = doubleCounting(nb, X, y);
  const rho = 2 / Math.sqrt(5 * 2); // Σ xy = 2, Σ x² = 5, Σ y² = 2 about the means of a class
  expectClose([pair.information], [-0.5 * ln(1 - rho * rho)]);
  expect(pair.overcount).toBeGreaterThan(0);
  const copies = X.map(([x]) => [x, x]);
  const [copy] = doubleCounting(new GaussianNB().fit(copies, y), copies, y);
  expect(copy.information).toBe(Infinity);
  const z = (x: number, mean: number) => ((x - mean) ** 2 * 4) / 5;
  const apart = copies.map(([x]) => Math.abs(z(x, 1.5) - z(x, 11.5)) / 2);
  const cautious = (8 / 9) * (2 / (1 + 8 / 9)); // ρ drawn towards zero by one row: ρ z² / (1 + ρ) instead of z² / 2
  expectClose([copy.overcount], [(cautious * apart.reduce((sum, value) => sum + value, 0)) / 8], 1e-9);
});

test('columns of different kinds: independent ones say nothing, a level that follows a number does', () => {
  const random = new Random(7);
  const y = Array.from({ length: 600 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
  const rows = y.map((label) => {
    const heat = random.normal() + (label === 'a' ? 2 : 0);
    return { heat, season: heat > 1 ? 'warm' : 'cold', coin: random.uniform() < 0.5, words: [random.integer(3), 1] };
  });
  const pairs = doubleCounting(new MixedNB().fit(rows, y), rows, y);
  expect(pairs[0].features).toEqual(['heat', 'season']);
  expect(pairs[0].information).toBeGreaterThan(0.25);
  expect(pairs[0].overcount).toBeGreaterThan(0.3);
  expect(pairOf(pairs, 'heat', 'coin').information).toBeLessThan(0.01);
  expect(Math.abs(pairOf(pairs, 'season', 'coin').overcount)).toBeLessThan(0.1);
});

test('what a pair counts too much is what a joint feature takes away from the log-odds', () => {
  const X = repeat([
    [60, [1, 1]],
    [10, [1, 0]],
    [20, [0, 1]],
    [10, [0, 0]],
    [10, [1, 1]],
    [20, [1, 0]],
    [10, [0, 1]],
    [60, [0, 0]],
  ]);
  const y = repeat([
    [100, 'a'],
    [100, 'b'],
  ]);
  const [{ overcount, rows }] = doubleCounting(new BernoulliNB().fit(X, y), X, y);
  const joined = X.map(([u, v]) => [2 * u + v]);
  const [one, two] = [new CategoricalNB().fit(joined, y), new CategoricalNB().fit(X, y)];
  const odds = (nb: CategoricalNB, row: number[]) => {
    const [a, b] = nb.predictLogProba([row]).row(0);
    return a - b;
  };
  expect(rows).toBe(70);
  expectClose([overcount], [odds(two, [1, 1]) - odds(one, [3])], 0.05, 1); // the two are smoothed in different ways
});

test('weights stand for copies, only the most telling features are compared, and the rest is refused', () => {
  const X = [
    [1, 1, 0],
    [1, 0, 1],
    [0, 0, 1],
    [0, 1, 0],
  ];
  const y = ['a', 'a', 'b', 'b'];
  const nb = new BernoulliNB().fit(X, y);
  const weighted = doubleCounting(nb, X, y, { sampleWeight: [2, 1, 1, 3] });
  const order = [0, 0, 1, 2, 3, 3, 3];
  expect(
    doubleCounting(
      nb,
      order.map((i) => X[i]),
      order.map((i) => y[i]),
    ),
  ).toEqual(weighted);
  expect(doubleCounting(nb, X, y, { k: 2 })).toHaveLength(1);
  expect(refusalOf(() => doubleCounting(nb, X, y, { k: 1 })).code).toBe('E_PARAM');
  expect(refusalOf(() => doubleCounting(nb, X, ['a'])).code).toBe('E_SHAPE');
  expect(refusalOf(() => doubleCounting(nb, X, ['a', 'a', 'b', 'c'])).code).toBe('E_CLASS_UNKNOWN');
  const single = new BernoulliNB().fit(X, ['a', 'a', 'a', 'a']);
  expect(doubleCounting(single, X, ['a', 'a', 'a', 'a']).every(({ overcount }) => overcount === 0)).toBe(true);
  const lda = new LinearDiscriminantAnalysis().fit([[0], [1], [4], [6]], ['a', 'a', 'b', 'b']);
  expect(refusalOf(() => doubleCounting(lda, [[0]], ['a'])).code).toBe('E_CONFLICT');
});
