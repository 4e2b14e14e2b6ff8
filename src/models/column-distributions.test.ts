import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { count, score } from '../core/model.ts';
import { batch } from '../data/batch.ts';
import { besselRatio, logBesselI0Scaled } from '../math/bessel.ts';
import { Generator } from '../math/generator.ts';
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
import type { ColumnModel } from './column-model.ts';
import { negativebinomial, studentt, zeroinflatednegativebinomial } from './value-distributions.ts';

// biome-ignore lint/suspicious/noExplicitAny: models of sums and of values
type AnyColumnModel = ColumnModel<any>;

const distributions: Readonly<Record<string, AnyColumnModel>> = {
  beta,
  exponential,
  gamma,
  lognormal,
  negativebinomial,
  studentt,
  vonmises,
  zeroinflatedgamma,
  zeroinflatedlognormal,
  zeroinflatednegativebinomial,
  zeroinflatedpoisson,
};

interface Recorded {
  readonly cases: readonly { family: string; x: number[]; at: number[]; logDensity: number[] }[];
  readonly bessel: readonly [number, number, number][];
}

const file = new URL('../../test/reference/columns/columns.json', import.meta.url);
const { cases, bessel } = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
const flat = { poolWeight: 0, classPrior: 'uniform' } as const;

test.each(cases.map((own, k) => [own.family, k, own] as const))('%s agrees with scipy (case %i)', (_, _k, own) => {
  const model = distributions[own.family];
  const stats = count(
    model.statistic,
    batch(
      own.x.map((x) => [x]),
      own.x.map(() => 0),
    ),
  );
  const scores = score(model, model.estimate(stats, flat), batch(own.at.map((x) => [x])));
  // the reference of zero-inflated negative binomial counts is found by a search without derivatives
  expectClose(scores, own.logDensity, own.family === 'zeroinflatednegativebinomial' ? 1e-7 : 1e-9, 1);
});

test('Bessel functions agree with scipy', () => {
  for (const [x, logI0, ratio] of bessel) {
    expectClose([logBesselI0Scaled(x), besselRatio(x)], [logI0, ratio], 1e-13, 1e-3);
  }
});

describe('values that can be checked by hand', () => {
  const estimated = (model: AnyColumnModel, x: number[], poolWeight = 0) => {
    const rows = batch(
      x.map((own) => [own]),
      x.map(() => 0),
    );
    return model.estimate(count(model.statistic, rows), { poolWeight }).values;
  };

  test('exponential cells 1, 2 and 3 have the rate one half', () => {
    expectClose(estimated(exponential, [1, 2, 3]), [Math.log(1 / 2)]);
  });

  test('log-normal cells 1 and e² have logarithms of mean 1 and variance 1', () => {
    expectClose(estimated(lognormal, [1, Math.exp(2)]), [1, 1]);
  });

  test('angles 0 and π/2 have the direction π/4 and the length √½', () => {
    const [mu, kappa] = estimated(vonmises, [0, Math.PI / 2]);
    expectClose([mu, besselRatio(kappa)], [Math.PI / 4, Math.SQRT1_2]);
  });

  test('a class without cells has the distribution of all cells', () => {
    const model = exponential;
    const rows = { ...batch([[2], [4], [Number.NaN]], [0, 0, 1]), missing: true };
    const { values } = model.estimate(count(model.statistic, rows), {});
    expectClose(values, [-Math.log(3), -Math.log(3)]);
  });

  test('the prior counts as rows with the mean of all classes', () => {
    const model = exponential;
    const rows = batch([[1], [1], [1], [5]], [0, 0, 0, 1]);
    const { values } = model.estimate(count(model.statistic, rows), { poolWeight: 1 });
    expectClose(values, [-Math.log((3 + 2) / 4), -Math.log((5 + 2) / 2)]);
  });
});

test.each(Object.entries(distributions))('%s draws what it estimates', (family, model) => {
  const amounts = [0.5, 1.5, 2, 1.1];
  const own: Readonly<Record<string, number[]>> = {
    beta: [0.2, 0.5, 0.6, 0.8],
    negativebinomial: [0, 2, 3, 9, 12],
    zeroinflatedgamma: [0, ...amounts],
    zeroinflatedlognormal: [0, ...amounts],
    zeroinflatednegativebinomial: [0, 0, 0, 0, 2, 3, 9, 12],
    zeroinflatedpoisson: [0, 0, 0, 2, 3],
  };
  const source = [own[family] ?? amounts, [0.2, 0.1, 0.9, 0.4]];
  const rows = batch(
    source.flat().map((x) => [x]),
    source.flatMap((own, c) => own.map(() => c)),
  );
  const params = model.estimate(count(model.statistic, rows), { poolWeight: 0 });
  const random = new Generator(7);
  const drawn = Array.from({ length: 20_000 }, () => {
    const row = new Float64Array(1);
    model.sample(params, 0, random, row);
    return [...row];
  });
  const again = model.estimate(
    count(
      model.statistic,
      batch(
        drawn,
        drawn.map(() => 0),
      ),
    ),
    { poolWeight: 0 },
  );
  const width = model.distribution.parameters.length;
  // 20,000 draws give parameters to about one percent
  expectClose(again.values, params.values.subarray(0, width), 0.05, 1);
});
