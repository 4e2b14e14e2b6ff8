import { describe, expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { CategoricalNB } from './categorical-nb.ts';
import { ComplementNB } from './complement-nb.ts';
import { GaussianNB } from './gaussian-nb.ts';
import { MultinomialNB } from './multinomial-nb.ts';
import { parameterPosterior } from './parameter-posterior.ts';
import { PoissonNB } from './poisson-nb.ts';

const X = [
  [1, 0],
  [1, 3],
  [0, 2],
  [2, 1],
  [2, 2],
  [0, 5],
  [3, 0],
  [1, 1],
]; // prettier-ignore
const records = X.map(([a, b]) => ({ a, b }));
const y = ['p', 'q', 'p', 'q', 'p', 'q', 'p', 'q'];

describe('posterior() lists what posterior(query) returns for each parameter', () => {
  const families = [BernoulliNB, MultinomialNB, ComplementNB, PoissonNB, GaussianNB];
  test.each(families.map((Family) => [Family.name, Family] as const))('%s', (_, Family) => {
    const model = new Family().fit(records, y) as BernoulliNB;
    const all = parameterPosterior(model);
    expect(all.map(({ class: label, feature }) => `${label} ${feature}`)).toEqual(['p a', 'p b', 'q a', 'q b']);
    for (const { class: label, feature, mean, interval } of all) {
      expect(mean).toBe(parameterPosterior(model, { class: label, feature }).mean);
      const [low, high] = interval(0.9);
      expect(low <= mean && mean <= high).toBe(true);
    }
  });

  test('CategoricalNB, level by level, and the levels of a feature share one die', () => {
    const all = parameterPosterior(
      new CategoricalNB().fit(
        [
          ['x', 'u'],
          ['y', 'u'],
          ['x', 'v'],
        ],
        ['p', 'p', 'q'],
      ),
    ); // prettier-ignore
    expect(all).toHaveLength(8);
    const die = all.filter(({ class: label, feature }) => label === 'p' && feature === 0);
    expect(die.map(({ level }) => level)).toEqual(['x', 'y']);
    expectClose([die.reduce((sum, { mean }) => sum + mean, 0)], [1], 1e-12);
  });
});

test('three heads in four tosses under Beta(1, 1): mean 4/6, and the interval of Beta(4, 2)', () => {
  const [coin] = parameterPosterior(new BernoulliNB().fit([[1], [1], [1], [0]], ['c', 'c', 'c', 'c']));
  expectClose([coin.mean], [4 / 6], 1e-15);
  // P(θ < x) = 5x⁴ − 4x⁵ for Beta(4, 2)
  for (const [bound, tail] of coin.interval(0.9).map((x, side) => [x, side === 0 ? 0.05 : 0.95])) {
    expectClose([5 * bound ** 4 - 4 * bound ** 5], [tail], 1e-10);
  }
});
