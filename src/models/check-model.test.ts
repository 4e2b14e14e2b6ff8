import { describe, expect, test } from 'vitest';
import { refusalOf } from '../../test/close.ts';
import type { Model } from '../core/model.ts';
import { bernoulli } from './bernoulli.ts';
import { categorical } from './categorical.ts';
import { checkModel } from './check-model.ts';
import {
  beta,
  exponential,
  gamma,
  lognormal,
  vonmises,
  zeroinflatedgamma,
  zeroinflatedlognormal,
  zeroinflatedpoisson,
} from './column-distributions.ts';
import { type ColumnModel, columnModel } from './column-model.ts';
import { gaussian } from './gaussian.ts';
import { kernel } from './kernel.ts';
import { multinomial } from './multinomial.ts';
import { poisson } from './poisson.ts';
import { negativebinomial, studentt, zeroinflatednegativebinomial } from './value-distributions.ts';

const y = [0, 1, 0, 1, 1, 2, 2, 0];
const amounts = y.map((c, i) => [1 + c + (i % 3), 0.5 + i / 4]);
const numbers = y.map((c, i) => [c + (i % 3), i % 2]);
const bits = y.map((c, i) => [(c + i) % 2, i % 2]);
const prior = { rule: 'bayes', a: 1 } as const;

describe('models of the library keep the laws', () => {
  test.each(Object.entries({ exponential, gamma, lognormal, vonmises }))('%s', (_, model) => {
    checkModel(model, amounts, y, { options: {} });
    const X = [...amounts, [Number.NaN, 2]];
    checkModel(model, X, [...y, 1], { options: { poolWeight: 0 }, shape: { missing: true } });
  });

  test.each(Object.entries({ negativebinomial, studentt, zeroinflatednegativebinomial }))('%s', (_, model) => {
    checkModel(model, numbers, y, { options: {} });
    checkModel(model, [...numbers, [Number.NaN, 2]], [...y, 1], { options: {}, shape: { missing: true } });
  });

  test.each(Object.entries({ zeroinflatedgamma, zeroinflatedlognormal, zeroinflatedpoisson }))('%s', (_, model) => {
    checkModel(model, numbers, y, { options: {} });
    checkModel(model, [...numbers, [Number.NaN, 2]], [...y, 1], { options: {}, shape: { missing: true } });
  });

  test('beta and kernel', () => {
    const shares = amounts.map((row) => row.map((cell) => cell / 8));
    checkModel(beta, shares, y, { options: {} });
    checkModel(kernel, amounts, y, { options: { bandwidth: 'silverman', leastBandwidth: 1e-3 } });
  });

  test('bernoulli, categorical, gaussian, multinomial and poisson', () => {
    checkModel(bernoulli, bits, y, { options: { prior } });
    checkModel(categorical, bits, y, { options: { alpha: 1 }, shape: { levels: Int32Array.of(2, 2) } });
    checkModel(gaussian, amounts, y, { options: { rule: { rule: 'mle', varSmoothing: 1e-9 } } });
    checkModel(multinomial, numbers, y, { options: { prior } });
    checkModel(poisson, numbers, y, { options: { prior: { rule: 'bayes', shape: 1, rate: 1 } } });
  });
});

describe('a broken law is named', () => {
  const { statistic } = exponential;
  const lawOf = (change: Partial<ColumnModel>) =>
    refusalOf(() => checkModel({ ...exponential, ...change }, amounts, y, { options: {} })).details.law;

  test.each([
    ['counts of parts merge into those of the whole', { statistic: { ...statistic, merge: () => undefined } }],
    ['what is taken away is gone', { statistic: { ...statistic, subtract: () => undefined } }],
    ['half of twice the counts is the counts', { statistic: { ...statistic, scale: () => undefined } }],
    [
      'counts keep their values in another order of classes',
      { statistic: { ...statistic, reshape: (stats) => statistic.reshape(stats, stats, {}) } },
    ],
    [
      'prior and terms add up to the score',
      { terms: () => ({ features: new Uint32Array(0), terms: new Float64Array(0), rest: new Float64Array(3) }) },
    ],
    ['what a class draws is possible in it', { sample: (_p, _c, _r, row) => row.fill(-1) }],
    ['class priors add up to one', { logPrior: () => new Float64Array(3) }],
  ] satisfies [string, Partial<ColumnModel>][])('%s', (law, change) => {
    expect(lawOf(change)).toBe(law);
  });

  test('a statistic that ignores weights', () => {
    const add: typeof statistic.add = (stats, rows) => statistic.add(stats, { ...rows, w: rows.w.map(() => 1) });
    expect(lawOf({ statistic: { ...statistic, add } })).toBe('a row of weight two is the row twice');
  });

  test('a class that is preferred by its number', () => {
    const estimate: ColumnModel['estimate'] = (stats, options) => {
      const { values, ...params } = exponential.estimate(stats, options);
      return { ...params, values: values.map((value, at) => (at % 3 === 0 ? value + 1 : value)) };
    };
    expect(lawOf({ estimate })).toBe('renamed classes rename the scores');
  });
});

test('one class is not enough, and a model is a model', () => {
  const one = [[[1], [2]], [0, 0], { options: {} }] as const;
  expect(refusalOf(() => checkModel(exponential, ...one)).code).toBe('E_CLASSES_TOO_FEW');
  expect(refusalOf(() => checkModel({} as Model<never, never, object>, ...one)).code).toBe('E_TYPE');
});

test("a family of one's own keeps the laws", () => {
  const rayleigh = columnModel({
    name: 'rayleigh',
    statistics: { square: (x) => x * x },
    parameters: ['variance'],
    estimate: ([square]) => [Math.max(square / 2, 1e-300)],
    logDensity: ({ 0: variance }, x) => (x <= 0 ? -Infinity : Math.log(x / variance) - (x * x) / (2 * variance)),
    sample: ({ 0: variance }, random) => Math.sqrt(-2 * variance * Math.log(1 - random.uniform())),
  });
  checkModel(rayleigh, amounts, y, { options: {} });
});
