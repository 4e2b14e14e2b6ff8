import { fc, test as law } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { DirichletMultinomialNB } from './dirichlet-multinomial-nb.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { LinearDiscriminantAnalysis } from './linear-discriminant-analysis.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { whatIf } from './what-if.ts';

const mail = [
  { free: 2, money: 1, meeting: 0, agenda: 0 },
  { free: 1, money: 1, meeting: 0, agenda: 0 },
  { free: 0, money: 0, meeting: 2, agenda: 1 },
  { free: 0, money: 0, meeting: 1, agenda: 1 },
];
const y = ['spam', 'spam', 'ham', 'ham'];

test('one word keeps a mail among the spam', () => {
  const nb = new MultinomialNB().fit(mail, y);
  expect(whatIf(nb, [{ free: 3, money: 0, meeting: 1, agenda: 0 }])).toEqual([
    { label: 'spam', instead: 'ham', without: ['free'] },
  ]);
});

test('both words have to go, and without any word the prior decides', () => {
  const nb = new MultinomialNB().fit(mail, y);
  const [both, none, empty] = whatIf(nb, [
    [2, 2, 1, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 0],
  ]);
  expect(both).toEqual({ label: 'spam', instead: 'ham', without: ['free', 'money'] });
  expect(none).toBeUndefined(); // without any word both are alike, and the first class stays
  expect(empty).toBeUndefined();
});

test('a word that is impossible elsewhere goes first', () => {
  const nb = new MultinomialNB({ alpha: 0 }).fit(
    [
      [3, 1, 0, 0],
      [1, 0, 0, 3],
      [1, 0, 3, 0],
    ],
    ['a', 'b', 'c'],
  );
  expect(whatIf(nb, [[3, 2, 0, 0]])).toEqual([undefined]); // with free left alone, a still has more of it
  const bits = new BernoulliNB({ alpha: 0 }).fit(
    [
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
      [1, 0, 1],
    ],
    ['a', 'a', 'b', 'b'],
  );
  expect(whatIf(bits, [[1, 1, 0]])).toEqual([undefined]); // b always has the third word, a always the second
  const soft = new ComplementNB({ alpha: 0 }).fit(
    [
      [2, 0, 1],
      [0, 2, 1],
    ],
    ['a', 'b'],
  );
  expect(whatIf(soft, [[1, 1, 0]])[0]).toEqual({ label: 'a', instead: 'b', without: [0] });
});

const bits = fc.array(fc.constantFrom(0, 1), { minLength: 4, maxLength: 4 });

law.prop([fc.array(bits, { minLength: 6, maxLength: 8 }), bits])(
  'with impossible words too, the fewest are found',
  (X, row) => {
    const labels = X.map((_, i) => 'abc'[i % 3]);
    for (const nb of [new BernoulliNB({ alpha: 0 }), new MultinomialNB({ alpha: 0 })].map((it) => it.fit(X, labels))) {
      const [label] = nb.predict([row]);
      const present = [0, 1, 2, 3].filter((j) => row[j] === 1);
      const sets = present.reduce<number[][]>((all, j) => all.concat(all.map((set) => set.concat(j))), [[]]);
      const flips = (set: readonly unknown[]) =>
        nb.predict([row.map((x, j) => (set.includes(j) ? 0 : x))])[0] !== label;
      const margin = (set: readonly number[]) => {
        const scores = nb.predictLogProba([row.map((x, j) => (set.includes(j) ? 0 : x))]).row(0);
        const own = scores[nb.classes.indexOf(label)];
        return Math.min(...Array.from(scores, (score) => (score === own ? Infinity : Math.abs(score - own))));
      };
      const fewest = Math.min(
        Infinity,
        ...sets.filter((set) => flips(set) && margin(set) > 1e-9).map((set) => set.length),
      );
      const [found] = whatIf(nb, [row]);
      expect(found?.without.length ?? Infinity).toBeLessThanOrEqual(fewest);
      if (found) expect(flips(found.without)).toBe(true);
    }
  },
);

test('a measurement and a level become missing', () => {
  const bells = new GaussianNB().fit(
    [
      [0, 0],
      [1, 1],
      [10, 0],
      [11, 1],
    ],
    ['a', 'a', 'b', 'b'],
  );
  expect(whatIf(bells, [[10.5, 0.5]])).toEqual([{ label: 'b', instead: 'a', without: [0] }]);
  const rows = [
    { sky: 'red', sea: 'wild' },
    { sky: 'red', sea: 'calm' },
    { sky: 'blue', sea: 'calm' },
  ];
  const dice = new CategoricalNB().fit(rows, ['storm', 'storm', 'fair']);
  expect(whatIf(dice, [{ sky: 'blue', sea: 'calm' }])).toEqual([{ label: 'fair', instead: 'storm', without: ['sky'] }]);
  const mixed = new MixedNB().fit(
    rows.map((row, i) => ({ ...row, wind: 9 - i })),
    ['storm', 'storm', 'fair'],
  );
  const [found] = whatIf(mixed, [{ sky: 'blue', wind: 7 }]);
  expect(found).toMatchObject({ label: 'fair', instead: 'storm' });
  expect(['wind', 'sky']).toContain(found?.without[0]);
});

test('a score that is no sum is searched, also for a long document', () => {
  const X = Array.from({ length: 12 }, (_, i) =>
    Array.from({ length: 150 }, (_, j) => (j % 2 === i % 2 ? (i + j) % 4 : 0)),
  );
  const urns = new DirichletMultinomialNB().fit(
    X,
    X.map((_, i) => (i % 2 === 0 ? 'even' : 'odd')),
  );
  const row = Array.from({ length: 150 }, (_, j) => (j % 2 === 0 ? 1 : j % 3 === 0 ? 1 : 0));
  const [found] = whatIf(urns, [row]);
  expect(found).toMatchObject({ label: 'even', instead: 'odd' });
  const without = (set: readonly unknown[]) => urns.predict([row.map((x, j) => (set.includes(j) ? 0 : x))])[0];
  expect(without(found?.without ?? [])).toBe('odd');
  for (const j of found?.without ?? []) expect(without((found?.without ?? []).filter((k) => k !== j))).toBe('even');
});

test('a discriminant weighs all values together and refuses', () => {
  const lda = new LinearDiscriminantAnalysis().fit([[0], [1], [4], [6]], ['a', 'a', 'b', 'b']);
  expect(refusalOf(() => whatIf(lda, [[1]])).code).toBe('E_CONFLICT');
});
