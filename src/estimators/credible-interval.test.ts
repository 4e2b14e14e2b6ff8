import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { credibleInterval } from './credible-interval.ts';
import { GaussianNB } from './gaussian-nb.ts';
import type { Estimator } from './load.ts';
import { MixedNB } from './mixed-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { PoissonNB } from './poisson-nb.ts';

const X = [
  [3, 0, 1],
  [2, 1, 0],
  [1, 0, 0],
  [0, 2, 1],
  [1, 0, 3],
];
const y = ['a', 'a', 'a', 'b', 'b'];
const row = [1, 0, 1];
const bits = X.map((cells) => cells.map((cell) => Math.min(1, cell)));
const ofClass = <T>(rows: readonly T[], label: string) => rows.filter((_, i) => y[i] === label);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Draws the score of the row under one class, parameters and all, straight from the textbook. */
type Draw = (random: Random, label: string) => number;

const coins: Draw = (random, label) =>
  sum(
    row.map((value, j) => {
      const heads = sum(ofClass(bits, label).map((cells) => cells[j]));
      const theta = random.beta(heads + 1, ofClass(bits, label).length - heads + 1);
      return Math.log(value === 1 ? theta : 1 - theta);
    }),
  );

const dice: Draw = (random, label) => {
  const counts = row.map((_, j) => sum(ofClass(X, label).map((cells) => cells[j])));
  const theta = random.dirichlet(Float64Array.from(counts, (count) => count + 1));
  return sum(row.map((value, j) => value * Math.log(theta[j])));
};

const rates: Draw = (random, label) =>
  sum(
    row.map((value, j) => {
      const rate = random.gamma(sum(ofClass(X, label).map((cells) => cells[j])) + 1) / (ofClass(X, label).length + 1);
      return value * Math.log(rate) - rate; // 0! = 1! = 1
    }),
  );

const levels: Draw = (random, label) =>
  sum(
    row.map((value, j) => {
      const most = Math.max(...X.map((cells) => cells[j])) + 1;
      const counts = Array.from({ length: most }, (_, v) => ofClass(X, label).filter((cells) => cells[j] === v).length);
      return Math.log(random.dirichlet(Float64Array.from(counts, (count) => count + 1))[value]);
    }),
  );

const bells: Draw = (random, label) =>
  sum(
    row.map((value, j) => {
      const values = ofClass(X, label).map((cells) => cells[j]);
      const n = values.length;
      const mean = sum(values) / n;
      const squares = sum(values.map((x) => (x - mean) ** 2));
      const [kappa, a, b] = [0.5 + n, 2 + n / 2, 1 + squares / 2 + (0.5 * n * mean * mean) / (2 * (0.5 + n))];
      const variance = b / random.gamma(a);
      const middle = (n * mean) / kappa + Math.sqrt(variance / kappa) * random.normal();
      return -0.5 * Math.log(variance) - (value - middle) ** 2 / (2 * variance);
    }),
  );

const prior = { mean: 0, kappa: 0.5, a: 2, b: 1 };
const families: [string, Estimator, Draw][] = [
  ['coins', new BernoulliNB().fit(bits, y), coins],
  ['dice', new MultinomialNB().fit(X, y), dice],
  ['rates', new PoissonNB().fit(X, y), rates],
  ['levels', new CategoricalNB().fit(X, y), levels],
  ['bells', new GaussianNB({ rule: 'map', prior }).fit(X, y), bells],
  ['missing rates', new PoissonNB({ missing: 'ignore' }).fit(X, y), rates],
  ['a table of dice', new MixedNB({ columns: Array(3).fill('multinomial') }).fit(X, y), dice],
  ['a table of coins', new MixedNB({ columns: Array(3).fill('bernoulli') }).fit(bits, y), coins],
];

describe.each(families)('%s', (_, estimator, draw) => {
  const DRAWS = 20_000;

  test('the interval is that of parameters drawn one and all', () => {
    const random = new Random(99);
    const drawn = Float64Array.from({ length: DRAWS }, () => {
      const [a, b] = random.dirichlet(Float64Array.of(3, 2)).map(Math.log);
      return 1 / (1 + Math.exp(b + draw(random, 'b') - a - draw(random, 'a')));
    }).sort();
    const { low, high, mean } = credibleInterval(estimator, [row], { draws: DRAWS, seed: 1 });
    expectClose([low.at(0, 0), high.at(0, 0)], [drawn[0.025 * DRAWS], drawn[0.975 * DRAWS]], 0.02, 1); // chance: a quantile of 20 000 draws has σ = 0.004 here
    expectClose([mean.at(0, 0)], [sum([...drawn]) / DRAWS], 0.008, 1);
  });

  test('it holds what is predicted, and two classes share the bounds', () => {
    const { low, high } = credibleInterval(estimator, [row]);
    const [p] = estimator.predictProba([row]).row(0);
    expect(low.at(0, 0)).toBeLessThan(p);
    expect(high.at(0, 0)).toBeGreaterThan(p);
    expectClose([low.at(0, 1), high.at(0, 1)], [1 - high.at(0, 0), 1 - low.at(0, 0)], 1e-9);
  });

  test('a hundred times the rows make it a tenth as wide', () => {
    const width = (times: number) => {
      const many = estimator.clone().fit(estimator instanceof BernoulliNB ? bits : X, y, { sampleWeight: times });
      const { low, high } = credibleInterval(many, [row], { draws: 4000 });
      const logit = (p: number) => Math.log(p / (1 - p));
      return logit(high.at(0, 0)) - logit(low.at(0, 0));
    };
    if (estimator instanceof MixedNB && estimator.columns[0].family === 'bernoulli') return; // the same coins as above
    expectClose([width(100) / width(10_000)], [10], 0.1); // chance: 4000 draws know a width to a few per cent
  });
});

test('by likelihood alone, bells have the reference prior and need two values', () => {
  const nb = new GaussianNB().fit([[0], [1], [2], [5], [6]], ['a', 'a', 'a', 'b', 'b']);
  const { low, high } = credibleInterval(nb, [[3]]);
  expect(low.at(0, 0)).toBeLessThan(nb.predictProba([[3]]).at(0, 0));
  expect(high.at(0, 0)).toBeGreaterThan(nb.predictProba([[3]]).at(0, 0));
  const few = new GaussianNB().fit([[0], [1], [5]], ['a', 'a', 'b']);
  const refusal = refusalOf(() => credibleInterval(few, [[3]]));
  expect(refusal.code).toBe('E_CLASS_TOO_SMALL');
  expect(refusal.details).toMatchObject({ class: 'b', feature: 0 });
  const flat = new GaussianNB().fit(
    [
      [1, 0],
      [1, 1],
      [2, 0],
      [2, 1],
    ],
    ['a', 'a', 'b', 'b'],
  );
  expect(credibleInterval(flat, [[1, 0]]).low.at(0, 0)).toBeGreaterThan(0.99); // no spread, no doubt
});

test('given class priors are certain, counted ones are not', () => {
  const empty = [[0, 0, 0]];
  const given = credibleInterval(new MultinomialNB({ classPrior: [0.6, 0.4] }).fit(X, y), empty);
  expectClose([given.low.at(0, 0), given.high.at(0, 0)], [0.6, 0.6]);
  const counted = credibleInterval(new MultinomialNB().fit(X, y), empty, { draws: 20_000 });
  expectClose([counted.low.at(0, 0), counted.high.at(0, 0)], [0.19412, 0.93241], 0.015, 1); // quantiles of Beta(3, 2), σ = 0.003
  const smoothed = credibleInterval(new MultinomialNB({ priorAlpha: 100 }).fit(X, y), empty);
  expect(smoothed.high.at(0, 0) - smoothed.low.at(0, 0)).toBeLessThan(0.2);
  const single = credibleInterval(new MultinomialNB().fit(X, ['a', 'a', 'a', 'a', 'a']), [row]);
  expect([single.low.at(0, 0), single.high.at(0, 0)]).toEqual([1, 1]);
});

test('a wide vocabulary of coins is drawn by sums: the same interval as coin by coin', () => {
  const random = new Random(5);
  const wide = Array.from({ length: 40 }, (_, i) =>
    Array.from({ length: 1000 }, (_, j) => (random.uniform() < (j < 8 && i % 2 === 0 ? 0.5 : 0.03) ? 1 : 0)),
  );
  const labels = wide.map((_, i) => (i % 2 === 0 ? 'a' : 'b'));
  const asked = wide[0].map((_, j) => (j === 0 || j === 500 ? 1 : 0));
  const each = credibleInterval(new BernoulliNB().fit(wide, labels), [asked], { draws: 1500 });
  const more = (cells: number[]) => [...cells, 0]; // an additional word that never occurs
  const bySums = credibleInterval(new BernoulliNB().fit(wide.map(more), labels), [more(asked)], { draws: 1500 });
  const logit = (p: number) => Math.log(p / (1 - p));
  const bounds = ({ low, high }: typeof each) => [logit(low.at(0, 0)), logit(high.at(0, 0))];
  expectClose(bounds(bySums), bounds(each), 0.15, 3); // chance: a bound of 1500 draws of a width of about 5 has σ = 0.1
});

test('without smoothing an impossible class stays impossible', () => {
  for (const nb of [new MultinomialNB({ alpha: 0 }), new BernoulliNB({ alpha: 0 }), new PoissonNB({ rule: 'mle' })]) {
    const { low, high } = credibleInterval(
      nb.fit(
        [
          [1, 0],
          [2, 0],
          [1, 1],
          [0, 1],
        ],
        ['a', 'a', 'b', 'b'],
      ),
      [[1, 1]],
    );
    expect([low.at(0, 0), high.at(0, 0)]).toEqual([0, 0]);
    expect([low.at(0, 1), high.at(0, 1)]).toEqual([1, 1]);
  }
});

test('smoothing by a background is a prior only where it is one', () => {
  const lean = new MultinomialNB({ smoothing: 'dirichlet', mu: 5 });
  const mixed = new MultinomialNB({ smoothing: 'jelinek-mercer' });
  expect(refusalOf(() => credibleInterval(mixed.fit(X, y), [row])).code).toBe('E_CONFLICT');
  const { low, high } = credibleInterval(lean.fit(X, y), [row]);
  expect(low.at(0, 0)).toBeLessThan(high.at(0, 0));
});

test('what is out of range or has no posterior distribution is refused', () => {
  const nb = new BernoulliNB().fit(bits, y);
  for (const options of [{ level: 0 }, { level: 1 }, { draws: 0 }, { seed: 0.5 }, { times: 3 }]) {
    expect(refusalOf(() => credibleInterval(nb, [row], options as never)).code).toBe('E_PARAM');
  }
  const complement = new ComplementNB().fit(X, y);
  expect(refusalOf(() => credibleInterval(complement, [row])).code).toBe('E_CONFLICT');
});
