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
const oddsOf = (list: readonly Informative[]) => list.map(({ logOdds }) => logOdds ?? Number.NaN);
const featuresOf = (list: readonly Informative[]) => list.map(({ feature }) => feature);
const ln = Math.log;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

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

/** What a face adds to the divergence of two dice, below zero where it is rarer. */
const face = (own: number, rest: number) => Math.sign(own - rest) * (own * ln(own / rest) - own + rest);

test('dice by hand: ±(θ ln(θ / r) − θ + r), both smoothed towards the words of all classes', () => {
  const X = [
    [2, 1, 0],
    [0, 1, 2],
    [0, 1, 2],
    [0, 4, 2],
  ];
  const two = mostInformative(new MultinomialNB().fit(X.slice(0, 2), ['a', 'b']), { class: 'a', k: 3 });
  expect(featuresOf(two)).toEqual([0, 1, 2]);
  expectClose(natsOf(two), [face(1 / 2, 1 / 6), 0, face(1 / 6, 1 / 2)], 1e-12, 1);
  expectClose(oddsOf(two), [ln(3), 0, -ln(3)], 1e-12, 1);
  // all: (2, 7, 6) / 15, which weigh 3 words beside the 3 of a and the 12 of the others
  const three = mostInformative(new MultinomialNB().fit(X, ['a', 'b', 'b', 'c']), { class: 'a', k: 3 });
  const shares = (words: number[]) => words.map((count, j) => (count + [0.4, 1.4, 1.2][j]) / (sum(words) + 3));
  const [own, rest] = [shares([2, 1, 0]), shares([0, 6, 6])];
  expect(featuresOf(three)).toEqual([0, 1, 2]);
  expectClose(
    natsOf(three),
    own.map((share, j) => face(share, rest[j])),
    1e-12,
    1,
  );
  expectClose(
    oddsOf(three),
    own.map((share, j) => ln(share / rest[j])),
    1e-12,
    1,
  );
});

test('complements by hand: as dice, whatever their weights are', () => {
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
    // all: (2, 2, 3) / 7, which weigh 3 words beside the 3 of a and the 4 of the others
    const [own, rest] = [
      [20 / 42, 13 / 42, 9 / 42],
      [6 / 49, 13 / 49, 30 / 49],
    ];
    expectClose(
      natsOf(a),
      own.map((share, j) => face(share, rest[j])),
    );
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
  expectClose(oddsOf([first, second]), [2 * ln(3), 0], 1e-12, 1);
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
  expect(mostInformative(two).map(({ mean, logOdds }) => [mean, logOdds])).toEqual([
    [0, undefined],
    [2, undefined],
  ]);
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
  const features = mostInformative(new MixedNB().fit(rows, ['in', 'in', 'out', 'out']), { class: 'in' });
  expect(new Set(featuresOf(features))).toEqual(new Set(['age', 'sky', 'member', 'words[0]', 'words[1]']));
  expect(features.find(({ feature }) => feature === 'sky')?.level).toBe('red');
  const member = features.find(({ feature }) => feature === 'member');
  expectClose([member?.nats ?? 0], [0.5 * ln(3)]);
});

test('words of one class come before frequent words of all classes and before rare ones', () => {
  // Of 100,000 words: "the" and "is" a little more frequent in one class by chance, "goal" of sport alone, "zyzzy" once.
  const names = ['the', 'is', 'goal', 'zyzzy', 'stock', 'other'];
  const X = [
    [6400, 3300, 600, 1, 20, 89679],
    [6000, 3000, 20, 0, 550, 90430],
  ];
  for (const family of [MultinomialNB, ComplementNB, PoissonNB]) {
    const model = new family().fit(X, ['sport', 'trade']);
    const words = (label: string) => featuresOf(mostInformative(model, { class: label, k: 6, names }));
    expect(words('sport').slice(0, 4)).toEqual(['goal', 'is', 'the', 'zyzzy']);
    expect(words('trade')[0]).toBe('stock');
  }
});

test('the parts of all words sum to the divergence of two dice', () => {
  const model = new MultinomialNB().fit(
    [
      [5, 0, 1, 2],
      [1, 7, 1, 0],
    ],
    ['a', 'b'],
  );
  const parts = natsOf(mostInformative(model, { class: 'a', k: 4 })).map(Math.abs);
  const all = [6, 7, 2, 2].map((count) => (4 * count) / 17);
  const own = [5, 0, 1, 2].map((count, j) => (count + all[j]) / 12);
  const rest = [1, 7, 1, 0].map((count, j) => (count + all[j]) / 13);
  const divergence = own.reduce((total, share, j) => total + share * ln(share / rest[j]), 0);
  expectClose([parts.reduce((total, part) => total + part, 0)], [divergence]);
});

test('urns are compared by their mean distributions', () => {
  const X = [
    [4, 0, 1],
    [3, 0, 0],
    [0, 4, 1],
    [0, 3, 0],
  ];
  const features = mostInformative(new DirichletMultinomialNB().fit(X, ['a', 'a', 'b', 'b']), { k: 1 });
  expect(features.map(({ class: label, feature }) => [label, feature])).toEqual([
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

test('invalid requests throw', () => {
  const nb = new BernoulliNB().fit([[1], [0]], ['a', 'b']);
  expect(refusalOf(() => mostInformative(nb, { class: 'c' })).code).toBe('E_CLASS_UNKNOWN');
  expect(refusalOf(() => mostInformative(nb, { k: 0 })).code).toBe('E_PARAM');
  expect(refusalOf(() => mostInformative(nb, { n: 3 } as never)).code).toBe('E_PARAM');
  expect(refusalOf(() => mostInformative(new BernoulliNB())).code).toBe('E_NOT_FITTED');
  const qda = new QuadraticDiscriminantAnalysis().fit([[0], [1], [4], [6]], ['a', 'a', 'b', 'b']);
  expect(refusalOf(() => mostInformative(qda)).code).toBe('E_CONFLICT');
});
