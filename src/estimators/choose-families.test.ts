import { expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import { drawExponential, drawGamma, drawNormal } from '../math/draws.ts';
import { Generator } from '../math/generator.ts';
import { drawPoisson } from '../math/poisson.ts';
import { chooseFamilies } from './choose-families.ts';
import { CountVectorizer } from './count-vectorizer.ts';
import { crossValScore } from './cross-validation.ts';
import { MixedNB } from './mixed-nb.ts';

const random = new Generator(25);
const y = Array.from({ length: 600 }, (_, i) => (i % 2 ? 'a' : 'b'));
const rows = y.map((label) => {
  const k = label === 'a' ? 1 : 2;
  const x = drawGamma(random, 2 * k);
  const claims = drawPoisson(random, 3 * k * drawGamma(random, 1));
  return {
    income: Math.exp(k + drawNormal(random)),
    height: 170 + 5 * k + 7 * drawNormal(random),
    noise: k + drawNormal(random) / Math.sqrt(drawGamma(random, 0.7)),
    share: x / (x + drawGamma(random, 3)),
    claims,
    rain: random.uniform() < 0.4 ? 0 : drawGamma(random, 2 * k),
    color: k === 1 ? 'red' : 'blue',
    wait: k * drawExponential(random),
  };
});

test('columns get the family that they were drawn from', () => {
  const { wait, ...chosen } = chooseFamilies(rows, y) as Record<string, string>;
  expect(chosen).toEqual({
    income: 'lognormal',
    height: 'gaussian',
    noise: 'studentt',
    share: 'beta',
    claims: 'negativebinomial',
    rain: 'zeroinflatedgamma',
    color: 'categorical',
  });
  expect(['exponential', 'gamma']).toContain(wait); // an exponential distribution is a gamma distribution
});

test('lists of cells give a list, and the choice predicts at least as well as bells', () => {
  const X = rows.map(({ income, noise, claims, rain, wait }) => [income, noise, claims, rain, wait]);
  const columns = chooseFamilies(X, y, { cv: 3, maxRows: 300 });
  expect(columns).toHaveLength(5);
  const score = (model: MixedNB) =>
    crossValScore(model, X, y, { scoring: 'neg_log_loss' }).reduce((sum, own) => sum + own, 0);
  expect(score(new MixedNB({ columns }))).toBeGreaterThan(score(new MixedNB()));
});

test('a column that is a matrix keeps its family', () => {
  const words = new CountVectorizer().fitTransform(y.map((label) => `${label}${label} word`));
  const X = { words, income: rows.map(({ income }) => income) };
  expect(chooseFamilies(X, y)).toEqual({ words: 'multinomial', income: 'lognormal' });
});

test('options and rows are checked', () => {
  expect(refusalOf(() => chooseFamilies(rows, y, { folds: 5 } as never)).code).toBe('E_PARAM');
  expect(refusalOf(() => chooseFamilies(rows, y, { maxRows: 0 })).code).toBe('E_PARAM');
  expect(refusalOf(() => chooseFamilies(rows, y.slice(1))).code).toBe('E_SHAPE');
});
