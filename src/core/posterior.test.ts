import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { decide, decideByScores, posterior } from './posterior.ts';

/** Scores that differ only by rounding, are far apart, impossible or certain. */
const score = fc.oneof(
  fc.constantFrom(-Infinity, Infinity, 0, -0, -5, -5 - 1e-15, -5 - 1e-12, -5 + 1e-10, 1e300, -1e300),
  fc.double({ min: -1e4, max: 0, noNaN: true }),
);

const table = fc.integer({ min: 1, max: 5 }).chain((classes) =>
  fc.record({
    logPrior: fc.array(fc.double({ min: -5, max: 0, noNaN: true }), { minLength: classes, maxLength: classes }),
    rows: fc.array(fc.array(score, { minLength: classes, maxLength: classes }), { maxLength: 6 }),
  }),
);

test.prop([table])('the class read from scores is the class read from posteriors', ({ logPrior, rows }) => {
  const [scores, prior] = [Float64Array.from(rows.flat()), Float64Array.from(logPrior)];
  expect(decideByScores(scores, prior)).toEqual(decide(posterior(scores, prior).logProba, prior.length));
});
