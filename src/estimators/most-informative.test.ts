import { expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { DirichletMultinomialNB } from './dirichlet-multinomial-nb.ts';
import { doubleCounting } from './double-counting.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { MixedNB } from './mixed-nb.ts';
import type { Informative } from './most-informative.ts';
import { mostInformative } from './most-informative.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { nomogram } from './nomogram.ts';
import { PoissonNB } from './poisson-nb.ts';
import { QuadraticDiscriminantAnalysis } from './quadratic-discriminant-analysis.ts';
import { whatIf } from './what-if.ts';

const natsOf = (list: readonly Informative[]) => list.map(({ nats }) => nats);
const featuresOf = (list: readonly Informative[]) => list.map(({ feature }) => feature);
const ln = Math.log;

test('coins by hand: 3/4 against 1/4 is ½ ln 3, and what is rarer than elsewhere speaks against', () => {
  const nb = new BernoulliNB().fit(
    [
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 0],
      [0, 0, 1],
    ],
    ['a', 'a', 'b', 'b'],
  );
  const a = mostInformative(nb, { class: 'a' });
  expect(featuresOf(a)).toEqual([0, 2, 1]);
  expectClose(natsOf(a), [0.5 * ln(3), 0.75 * ln(1.5) + 0.25 * ln(0.5), 0], 1e-12, 1);
  const b = mostInformative(nb, { class: 'b' });
  expect(featuresOf(b)).toEqual([1, 2, 0]);
  expectClose(natsOf(b), [0, -0.5 * ln(4 / 3), -0.5 * ln(3)], 1e-12, 1);
});

test('dice by hand: θ ln(θ / θ of the others), the others by their prior', () => {
  const X = [
    [2, 1, 0],
    [0, 1, 2],
    [0, 1, 2],
    [0, 4, 2],
  ];
  const two = mostInformative(new MultinomialNB().fit(X.slice(0, 2), ['a', 'b']), { class: 'a', k: 3 });
  expect(featuresOf(two)).toEqual([0, 1, 2]);
  expectClose(natsOf(two), [0.5 * ln(3), 0, ln(1 / 3) / 6], 1e-12, 1);
  // b: (1, 3, 5) / 9 with prior 1/2, c: (1, 5, 3) / 9 with prior 1/4
  const three = mostInformative(new MultinomialNB().fit(X, ['a', 'b', 'b', 'c']), { class: 'a', k: 3 });
  const rest = (b: number, c: number) => (0.5 * (b / 9) + 0.25 * (c / 9)) / 0.75;
  expectClose(
    natsOf(three).sort(),
    [0.5 * ln(0.5 / rest(1, 1)), (1 / 3) * ln(1 / 3 / rest(3, 5)), (1 / 6) * ln(1 / 6 / rest(5, 3))].sort(),
    1e-12,
    1,
  );
});

test('complements by hand: the die of the class against the die of all others', () => {
  for (const norm of [false, true]) {
    const nb = new ComplementNB({ norm }).fit(
      [
        [2, 1, 0],
        [0, 1, 2],
        [0, 0, 1],
      ],
      ['a', 'b', 'c'],
    );
    const a = mostInformative(nb, { class: 'a', k: 3 });
    expect(featuresOf(a)).toEqual([0, 1, 2]);
    expectClose(natsOf(a), [0.5 * ln(0.5 / (1 / 7)), (1 / 3) * ln(1 / 3 / (2 / 7)), (1 / 6) * ln(1 / 6 / (4 / 7))]);
  }
});

test('levels by hand, and the level by which a column speaks has its name', () => {
  const rows = [
    { sky: 'red', sea: 'calm' },
    { sky: 'red', sea: 'wild' },
    { sky: 'blue', sea: 'calm' },
    { sky: 'blue', sea: 'wild' },
  ];
  const nb = new CategoricalNB({ alpha: 1 }).fit(rows, ['storm', 'storm', 'fair', 'fair']);
  const [first, second] = mostInformative(nb, { class: 'fair' });
  expect(first).toMatchObject({ class: 'fair', feature: 'sky', level: 'blue' });
  expectClose([first.nats, second.nats], [0.75 * ln(3) + 0.25 * ln(1 / 3), 0], 1e-12, 1);
  expect(mostInformative(nb, { class: 'storm', k: 1 })[0].level).toBe('red');
});

test('rates by hand: λ ln(λ / r) − λ + r, against where they are lower', () => {
  const nb = new PoissonNB({ rule: 'mle' }).fit(
    [
      [3, 1],
      [1, 1],
      [1, 2],
      [0, 4],
    ],
    ['a', 'a', 'b', 'b'],
  );
  const a = mostInformative(nb, { class: 'a' });
  expect(featuresOf(a)).toEqual([0, 1]);
  expectClose(natsOf(a), [2 * ln(4) - 1.5, -(1 * ln(1 / 3) + 2)], 1e-12, 1);
  const exact = new PoissonNB({ predictive: true }).fit(
    [
      [3, 1],
      [1, 1],
      [1, 2],
      [0, 4],
    ],
    ['a', 'a', 'b', 'b'],
  );
  expectClose(
    natsOf(mostInformative(exact, { class: 'a' })),
    natsOf(
      mostInformative(
        new PoissonNB().fit(
          [
            [3, 1],
            [1, 1],
            [1, 2],
            [0, 4],
          ],
          ['a', 'a', 'b', 'b'],
        ),
        { class: 'a' },
      ),
    ),
  );
});

test('bells by hand: unit bells two apart diverge by 2, and the rest is matched by its moments', () => {
  const X = [[-1], [1], [1], [3], [-3], [-1]];
  const two = new GaussianNB({ varSmoothing: 0 }).fit(X.slice(0, 4), ['a', 'a', 'b', 'b']);
  expectClose(natsOf(mostInformative(two)), [2, 2]);
  // the others of a are bells at 2 and −2 of variance 1: mean 0, variance 5
  const three = new GaussianNB({ varSmoothing: 0 }).fit(X, ['a', 'a', 'b', 'b', 'c', 'c']);
  expectClose(natsOf(mostInformative(three, { class: 'a' })), [0.5 * (1 / 5 - 1 + ln(5))]);
});

test('columns of all kinds at once, by their names', () => {
  const rows = [
    { age: 30, sky: 'red', member: true, words: [2, 0] },
    { age: 34, sky: 'red', member: true, words: [1, 0] },
    { age: 31, sky: 'blue', member: false, words: [0, 3] },
    { age: 33, sky: 'red', member: false, words: [1, 1] },
  ];
  const told = mostInformative(new MixedNB().fit(rows, ['in', 'in', 'out', 'out']), { class: 'in' });
  expect(new Set(featuresOf(told))).toEqual(new Set(['age', 'sky', 'member', 'words[0]', 'words[1]']));
  expect(told.find(({ feature }) => feature === 'sky')?.level).toBe('red');
  const member = told.find(({ feature }) => feature === 'member');
  expectClose([member?.nats ?? 0], [0.5 * ln(3)]);
});

test('urns are told apart by the dice that they are on average', () => {
  const X = [
    [4, 0, 1],
    [3, 0, 0],
    [0, 4, 1],
    [0, 3, 0],
  ];
  const told = mostInformative(new DirichletMultinomialNB().fit(X, ['a', 'a', 'b', 'b']), { k: 1 });
  expect(told.map(({ class: label, feature }) => [label, feature])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});

test('features have the names that are given, as words have from their vectoriser', () => {
  const nb = new MultinomialNB().fit(
    [
      [2, 0],
      [0, 2],
    ],
    ['spam', 'ham'],
  );
  expect(mostInformative(nb, { class: 'spam', k: 1, names: ['free', 'work'] })[0].feature).toBe('free');
  expect(whatIf(nb, [[2, 1]], { names: ['free', 'work'] })[0]?.without).toEqual(['free']);
  expect(nomogram(nb, { features: ['work'], names: ['free', 'work'] }).axes[0].feature).toBe('work');
  expect(doubleCounting(nb, [[1, 1]], ['ham'], { names: ['free', 'work'] })[0].features).toEqual(['free', 'work']);
});

test('what cannot be told is refused', () => {
  const nb = new BernoulliNB().fit([[1], [0]], ['a', 'b']);
  expect(refusalOf(() => mostInformative(nb, { class: 'c' })).code).toBe('E_CLASS_UNKNOWN');
  expect(refusalOf(() => mostInformative(nb, { k: 0 })).code).toBe('E_PARAM');
  expect(refusalOf(() => mostInformative(nb, { n: 3 } as never)).code).toBe('E_PARAM');
  expect(refusalOf(() => mostInformative(new BernoulliNB())).code).toBe('E_NOT_FITTED');
  const qda = new QuadraticDiscriminantAnalysis().fit([[0], [1], [4], [6]], ['a', 'a', 'b', 'b']);
  expect(refusalOf(() => mostInformative(qda)).code).toBe('E_CONFLICT');
});
