import { expect, test } from 'vitest';
import { relativeError } from '../../test/reference/math/golden.ts';
import { lgamma } from './gamma.ts';
import { upperGamma } from './incomplete-gamma.ts';
import { drawPoisson, logPoisson } from './poisson.ts';
import { Random } from './random.ts';

const DRAWS = 20_000;

test('log-probabilities are right and sum to one', () => {
  expect(relativeError(logPoisson(2, 3), Math.log(4.5) - 3)).toBeLessThan(1e-15);
  expect(relativeError(logPoisson(12, 9), 12 * Math.log(9) - 9 - lgamma(13))).toBeLessThan(1e-14);
  for (const mean of [0.3, 7, 500]) {
    let total = 0;
    for (let k = 0; k < 1000; k++) total += Math.exp(logPoisson(k, mean));
    expect(Math.abs(total - 1)).toBeLessThan(1e-13);
  }
  // At its mean of 1e15 the probability is 1 / √2πλ up to 1/12λ.
  expect(relativeError(logPoisson(1e15, 1e15), -0.5 * Math.log(2 * Math.PI * 1e15))).toBeLessThan(1e-15);
});

test('draws follow the distribution function for small and large means', () => {
  for (const mean of [0.2, 3, 9.99, 10, 30, 1000]) {
    const random = new Random(13);
    const draws = Float64Array.from({ length: DRAWS }, () => drawPoisson(random, mean)).sort();
    let worst = 0;
    for (let i = 0; i < DRAWS; i++) {
      if (i + 1 < DRAWS && draws[i + 1] === draws[i]) continue;
      worst = Math.max(worst, Math.abs((i + 1) / DRAWS - upperGamma(draws[i] + 1, mean)));
    }
    expect(worst * Math.sqrt(DRAWS)).toBeLessThan(2.2);
  }
});

test('means of zero, of 1e15 and outside the domain', () => {
  const random = new Random(14);
  expect(drawPoisson(random, 0)).toBe(0);
  expect(drawPoisson(random, -1)).toBeNaN();
  const large = drawPoisson(random, 1e15);
  expect(Number.isInteger(large)).toBe(true);
  expect(Math.abs(large - 1e15)).toBeLessThan(6 * Math.sqrt(1e15));
});
