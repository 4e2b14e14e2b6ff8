import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { batches, reorder } from '../../test/batches.ts';
import { expectClose, refusalOf } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { batch, sliceBatch } from '../data/batch.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { parameterPosterior } from '../estimators/parameter-posterior.ts';
import { PoissonNB } from '../estimators/poisson-nb.ts';
import { lgamma } from '../math/gamma.ts';
import { sums } from '../stats/sums.ts';
import { poisson, type RatePrior, ratesLeaveOneOut } from './poisson.ts';

const priors: RatePrior[] = [
  { rule: 'mle' },
  { rule: 'map', shape: 1.5, rate: 0.5 },
  { rule: 'bayes', shape: 0.5, rate: 0.25 },
  { rule: 'bayes', shape: 0.5, rate: 0.25, predictive: true },
];

law.prop([
  batches('counts', { weights: fc.double({ min: 0.1, max: 3, noNaN: true }), missing: true }),
  fc.constantFrom(...priors),
])('leaving one row out scores it as the model of all other rows does', (whole, prior) => {
  const out = new Float64Array(whole.rows * whole.classes);
  ratesLeaveOneOut(count(sums, whole), { prior }, whole, out);
  for (let i = 0; i < whole.rows; i++) {
    const others = reorder(
      whole,
      [...whole.y.keys()].filter((k) => k !== i),
    );
    const expected = score(poisson, poisson.estimate(count(sums, others), { prior }), sliceBatch(whole, i, i + 1));
    expectClose(out.subarray(i * whole.classes, (i + 1) * whole.classes), expected, 1e-9, 1);
  }
});

law.prop([fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }), fc.constantFrom(...priors.slice(2))])(
  'the probabilities of all counts sum to one',
  (column, prior) => {
    const rates = poisson.estimate(count(sums, batch(column.map((x) => [x]))), { prior });
    const masses = score(poisson, rates, batch(Array.from({ length: 400 }, (_, x) => [x]))).map(Math.exp);
    expectClose([masses.reduce((sum, mass) => sum + mass)], [1], 1e-9);
  },
);

describe('by hand', () => {
  const X = [
    [2, 0],
    [4, 1],
    [0, 3],
  ]; // prettier-ignore
  const y = ['a', 'a', 'b'];

  test('the three rules for the rates', () => {
    const rates = (options: object) => new PoissonNB(options).fit(X, y).rates.toArray();
    expectClose(rates({ rule: 'mle' }).flat(), [3, 0.5, 0, 3], 1e-15);
    expectClose(rates({ rule: 'map', shape: 2, rate: 1 }).flat(), [7 / 3, 2 / 3, 1 / 2, 2], 1e-15);
    expectClose(rates({ shape: 2, rate: 1 }).flat(), [8 / 3, 1, 1, 5 / 2], 1e-15);
    expectClose(rates({ shape: 2, rate: 1, predictive: true }).flat(), [8 / 3, 1, 1, 5 / 2], 1e-15);
  });

  test('the score is ln p(c) + Σ x ln λ − λ − ln x!', () => {
    const model = new PoissonNB().fit(X, y);
    const term = (x: number, rate: number) => x * Math.log(rate) - rate - lgamma(x + 1);
    const expected = [Math.log(2 / 3) + term(3, 7 / 3) + term(0, 2 / 3), Math.log(1 / 3) + term(3, 1 / 2) + term(0, 2)];
    expectClose(model.predictJointLogProba([[3, 0]]).data, expected, 1e-14);
    expect([...model.classCount]).toEqual([2, 1]);
    expect(model.featureCount.toArray()).toEqual([
      [6, 1],
      [0, 3],
    ]); // prettier-ignore
    expectClose(model.classLogPrior.map(Math.exp), [2 / 3, 1 / 3], 1e-15);
  });

  test('integrated over the rate a count is negative binomial', () => {
    const model = new PoissonNB({ predictive: true, shape: 2, rate: 1 }).fit([[3], [5]], [0, 0]);
    // scipy.stats.nbinom(10, 3 / 4).logpmf([0, 1, 7])
    const expected = [-2.876820724517809, -1.9605299926436526, -3.236009987423251];
    expectClose(model.predictJointLogProba([[0], [1], [7]]).data, expected, 1e-12); // prettier-ignore
  });

  test('under likelihood alone events that never came are impossible, not undefined', () => {
    const model = new PoissonNB({ rule: 'mle' }).fit(X, y);
    expect([...model.predictProba([[1, 0]]).data]).toEqual([1, 0]);
    const closed = new PoissonNB({ rule: 'mle', fitPrior: false }).partialFit(X, y, { classes: ['a', 'b', 'c'] });
    for (const p of closed.predictProba([
      [1, 2],
      [0, 0],
    ]).data)
      expect(p >= 0 && p <= 1).toBe(true); // prettier-ignore
    const loose = new PoissonNB({ rate: 0, predictive: true }).partialFit(X, y, { classes: ['a', 'b', 'c'] });
    for (const p of loose.predictProba([
      [1, 2],
      [0, 0],
    ]).data)
      expect(p >= 0 && p <= 1).toBe(true); // prettier-ignore
  });

  test('a missing count drops out: its score is the sum over all counts', () => {
    for (const predictive of [false, true]) {
      const model = new PoissonNB({ missing: 'ignore', predictive }).fit([...X, [Number.NaN, 2]], [...y, 'b']);
      const missing = model.predictJointLogProba([[Number.NaN, 2]]).data;
      const all = Array.from({ length: 300 }, (_, x) => model.predictJointLogProba([[x, 2]]).data);
      expectClose(
        missing.map(Math.exp),
        [0, 1].map((c) => all.reduce((sum, row) => sum + Math.exp(row[c]), 0)),
        1e-12,
      );
    }
  });
});

test('explanations of wide rows list the events and sum up the zeros', () => {
  const X = Array.from({ length: 6 }, (_, i) =>
    Array.from({ length: 1200 }, (_, j) => (((i + 1) * (j + 3)) % 61 === 0 ? 2 : 0)),
  );
  for (const predictive of [false, true]) {
    const model = new PoissonNB({ predictive }).fit(X, [0, 1, 0, 1, 0, 1]);
    const joint = model.predictJointLogProba(X);
    model.explain(X).forEach(({ contributions, score }, i) => {
      expect(contributions.length).toBe(X[i].filter((x) => x > 0).length);
      expectClose(score, joint.row(i), 1e-12);
    });
  }
});

test('the rates of a class measure how much happens in it, which MultinomialNB ignores', () => {
  const X = [
    [1, 1],
    [2, 2],
    [20, 20],
    [19, 19],
  ]; // prettier-ignore
  const y = ['quiet', 'quiet', 'busy', 'busy'];
  expect(
    new PoissonNB().fit(X, y).predict([
      [2, 1],
      [18, 18],
    ]),
  ).toEqual(['quiet', 'busy']); // prettier-ignore
  expectClose(new MultinomialNB({ alpha: 0 }).fit(X, y).predictProba([[2, 2]]).data, [0.5, 0.5], 1e-12);
});

test('what is known of a rate is a Gamma distribution', () => {
  const model = new PoissonNB().fit([[2], [1]], ['a', 'a']);
  const posterior = parameterPosterior(model, { class: 'a', feature: 0 });
  expect(posterior).toMatchObject({ distribution: 'gamma', parameters: { shape: 4, rate: 3 } });
  expect(posterior.mean).toBeCloseTo(4 / 3, 15);
  // scipy.stats.gamma(4, scale=1/3).ppf([.025, .975])
  expectClose(posterior.interval(), [0.3632884578754416, 2.922424356580774], 1e-12);
  const bare = new PoissonNB({ rule: 'mle' }).fit([[0], [0]], ['a', 'a']);
  expect(parameterPosterior(bare, { class: 'a', feature: 0 }).interval()).toEqual([0, 0]);
  const closed = new PoissonNB({ rule: 'mle' }).partialFit([[1]], ['a'], { classes: ['a', 'b'] });
  expect(refusalOf(() => parameterPosterior(closed, { class: 'b', feature: 0 })).code).toBe('E_PARAM');
});

test('parameters that contradict each other are refused at construction', () => {
  expect(refusalOf(() => new PoissonNB({ rule: 'map', shape: 0.5 })).code).toBe('E_PARAM');
  expect(refusalOf(() => new PoissonNB({ rule: 'mle', predictive: true })).code).toBe('E_PARAM');
  const bad = { prior: { rule: 'map', shape: 0.5, rate: 1 } } as const;
  expect(refusalOf(() => poisson.estimate(count(sums, batch([[1]])), bad)).code).toBe('E_PARAM');
  expect(refusalOf(() => new PoissonNB({ classPrior: [1] }).fit([[1], [2]], ['a', 'b'])).code).toBe('E_PARAM'); // prettier-ignore
});

test('fractions are welcome, and any magnitude has probabilities', () => {
  const model = new PoissonNB().fit(
    [
      [0.5, 1.25],
      [3.5, 0],
    ],
    ['a', 'b'],
  ); // prettier-ignore
  for (const size of [1e-300, 0.5, 1e10, 1e150]) {
    for (const p of model.predictProba([
      [size, 0],
      [size, size],
    ]).data)
      expect(p >= 0 && p <= 1).toBe(true); // prettier-ignore
  }
  expect(refusalOf(() => model.predict([[1e151, 0]])).code).toBe('E_VALUE_RANGE');
});

test('drawn counts have mean and variance of the model', () => {
  for (const predictive of [false, true]) {
    const model = new PoissonNB({ predictive }).fit(
      [
        [3, 0],
        [5, 0],
      ],
      ['a', 'a'],
    ); // prettier-ignore
    const values = model
      .sample(4000, { class: 'a', seed: 9 })
      .X.toArray()
      .map(([x]) => x);
    const mean = values.reduce((sum, x) => sum + x, 0) / 4000;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 4000;
    expect(Math.abs(mean - 3)).toBeLessThan(0.12);
    expect(Math.abs(variance - (predictive ? 4 : 3))).toBeLessThan(0.4);
  }
});
