import { fc, test as law } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { load } from '../auto/load.ts';
import { leastLoss, meanChoice } from './auto-alpha.ts';
import { BernoulliNB } from './bernoulli-nb.ts';
import { leaveOneOut } from './leave-one-out.ts';
import { parameterPosterior } from './parameter-posterior.ts';

describe('the alpha of least loss', () => {
  law.prop([fc.double({ min: -4.9, max: 1.9, noNaN: true })])('is found anywhere on the grid', (decade) => {
    const found = leastLoss((alpha) => (Math.log10(alpha) - decade) ** 2);
    expect(Math.abs(Math.log10(found) - decade)).toBeLessThan(0.02);
  });

  test('is on the grid unless something beyond it is requested, and is 1 if all losses are equal', () => {
    expect(leastLoss((alpha) => alpha)).toBe(1e-5);
    expect(leastLoss((alpha) => -alpha)).toBe(100);
    expect(leastLoss(() => 3)).toBe(1);
    expect(leastLoss(() => Infinity)).toBe(1);
  });

  test('of two parts is the geometric mean by weight', () => {
    expect(meanChoice([0.1, 3], [0.1, 5])).toBe(0.1);
    expectClose([meanChoice([0.01, 1], [1, 1])], [0.1], 1e-15);
    expect(meanChoice([0.02, 3], [5, 7])).toBe(meanChoice([5, 7], [0.02, 3]));
  });
});

describe('BernoulliNB', () => {
  const X = Array.from({ length: 50 }, (_, i) => Array.from({ length: 9 }, (_, j) => ((i * (j + 3)) % 7 < 2 ? 1 : 0)));
  const y = X.map((row, i) => (row[0] + row[1] > 0 !== (i % 8 === 0) ? 'p' : 'q'));

  test("with alpha: 'auto' has the least leave-one-out log-loss, and keeps it", () => {
    const model = new BernoulliNB({ alpha: 'auto' }).fit(X, y);
    const chosen = model.alpha as number;
    const loss = (alpha: number) => leaveOneOut(new BernoulliNB({ alpha }), X, y).logLoss;
    for (const factor of [0.5, 0.9, 1.1, 2]) {
      const other = Math.min(100, Math.max(1e-5, chosen * factor));
      expect(loss(chosen)).toBeLessThanOrEqual(loss(other) + 1e-9);
    }
    expect(load(model.toBytes()).predictProba(X)).toEqual(new BernoulliNB({ alpha: chosen }).fit(X, y).predictProba(X));
    expect(model.partialFit(X, y).alpha).toBe(chosen);
  });

  test('knows its coins as Beta distributions', () => {
    const model = new BernoulliNB({ missing: 'ignore' }).fit([[1], [0], [Number.NaN], [1]], ['a', 'a', 'a', 'a']);
    const posterior = parameterPosterior(model, { class: 'a', feature: 0 });
    expect(posterior).toMatchObject({ distribution: 'beta', parameters: { a: 3, b: 2 }, mean: 0.6 });
    // scipy.stats.beta(3, 2).ppf([.05, .95])
    expectClose(posterior.interval(0.9), [0.2486046257301818, 0.9023885371135856], 1e-12);
    const certain = parameterPosterior(new BernoulliNB({ alpha: 0 }).fit([[1], [1]], ['a', 'a']), {
      class: 'a',
      feature: 0,
    });
    expect(certain.interval()).toEqual([1, 1]);
  });
});
