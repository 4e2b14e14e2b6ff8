import stdDigamma from '@stdlib/math-base-special-digamma';
import stdGammaln from '@stdlib/math-base-special-gammaln';
import stdTrigamma from '@stdlib/math-base-special-trigamma';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { relativeError } from '../../test/reference/math/golden.ts';
import { digamma, lgamma, trigamma } from './gamma.ts';

const positive = fc.double({ min: -100, max: 100, noNaN: true }).map((power) => 10 ** power);
const everyday = fc.double({ min: 1e-3, max: 200, noNaN: true });

test('lgamma, digamma and trigamma agree with stdlib 0.3.1', () => {
  fc.assert(
    fc.property(fc.oneof(positive, everyday), (x) => {
      expect(relativeError(lgamma(x), stdGammaln(x))).toBeLessThan(1e-13);
      expect(relativeError(trigamma(x), stdTrigamma(x))).toBeLessThan(1e-13);
      // Near its zero the two differ in absolute, not in relative terms.
      expect(Math.abs(digamma(x) - stdDigamma(x))).toBeLessThan(1e-13 * Math.abs(digamma(x)) + 1e-15);
    }),
    { numRuns: 2000 },
  );
  expect(relativeError(lgamma(0.5), Math.log(Math.sqrt(Math.PI)))).toBeLessThan(1e-15);
});
