import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { fitSemiSupervised, type SemiSupervisedOptions } from './semi-supervised.ts';

const random = new Random(5);
const labels = (n: number) => Array.from({ length: n }, (_, i) => i % 2);
const [few, many, fresh] = [labels(4), labels(300), labels(400)];

/** Rows of two classes, drawn cell by cell. */
function rows(draw: (c: number, j: number) => number, features: number): number[][][] {
  return [few, many, fresh].map((y) => y.map((c) => Array.from({ length: features }, (_, j) => draw(c, j))));
}

const heads = [0, 1].map(() => Array.from({ length: 60 }, () => 0.1 + 0.8 * random.uniform()));
const rates = [0, 1].map(() => random.dirichlet(new Float64Array(60).fill(1)).map((p) => 80 * p));
const means = [0, 1].map(() => Array.from({ length: 6 }, () => random.normal()));
const shares = [0, 1].map(() => Array.from({ length: 20 }, () => random.dirichlet(Float64Array.of(1, 1, 1))));

const families = {
  coins: { make: () => new BernoulliNB(), data: rows((c, j) => (random.uniform() < heads[c][j] ? 1 : 0), 60) },
  dice: { make: () => new MultinomialNB({ alpha: 0.1 }), data: rows((c, j) => random.poisson(rates[c][j]), 60) },
  levels: { make: () => new CategoricalNB(), data: rows((c, j) => random.categorical(shares[c][j]), 20) },
  bells: { make: () => new GaussianNB(), data: rows((c, j) => means[c][j] + random.normal(), 6) },
};

describe.each(Object.entries(families))('EM on %s', (_, { make, data: [X, U, T] }) => {
  const settings: SemiSupervisedOptions[] = [{}, { weight: 0.3 }];
  test.each(settings)('with %j the objective rises at every step and comes to rest', (options) => {
    const estimator = make();
    const { objective, converged } = fitSemiSupervised(estimator as never, X, few, U, options);
    for (let step = 1; step < objective.length; step++) {
      expect(objective[step]).toBeGreaterThanOrEqual(objective[step - 1] - 1e-9 * Math.abs(objective[step]));
    }
    expect(converged).toBe(true);
    expect(estimator.score(T, fresh)).toBeGreaterThanOrEqual(make().fit(X, few).score(T, fresh));
  });
});

test('documents can be scaled to one length, which keeps the posteriors soft', () => {
  const [X, U, T] = families.dice.data;
  const estimator = new MultinomialNB({ alpha: 0.1 });
  const { objective } = fitSemiSupervised(estimator, X, few, U, { documentLength: 30 });
  expect(objective).toEqual([...objective].sort((a, b) => a - b));
  expect(estimator.score(T, fresh)).toBeGreaterThan(0.95);
  expect(estimator.featureCount.data.reduce((sum, count) => sum + count, 0)).toBeCloseTo(30 * 304, 6);
});

test('a weight of zero, and a caller who aborts, are refused', () => {
  const [X, U] = families.coins.data;
  expect(refusalOf(() => fitSemiSupervised(new BernoulliNB(), X, few, U, { weight: 0 })).code).toBe('E_PARAM');
  const aborted = { signal: AbortSignal.abort() };
  expect(refusalOf(() => fitSemiSupervised(new BernoulliNB(), X, few, U, aborted)).code).toBe('E_CANCELLED');
});
