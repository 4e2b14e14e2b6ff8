import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { Random } from '../math/random.ts';
import { type GaussianParameters, gaussian, logPeak } from './gaussian.ts';
import { logFall } from './log-densities.ts';

const cases = fc
  .record({
    classes: fc.integer({ min: 1, max: 5 }),
    features: fc.integer({ min: 1, max: 9 }),
    rows: fc.constantFrom(16, 17, 19, 3000),
    seed: fc.nat(),
  })
  .map(({ classes, features, rows, seed }) => {
    const random = new Random(seed);
    const draw = (length: number, from: number) => Float64Array.from({ length }, () => from + random.uniform());
    const variance = draw(classes * features, 0.1);
    const bells: GaussianParameters = {
      classes,
      features,
      logPrior: draw(classes, -2),
      mean: draw(classes * features, -0.5),
      variance,
      df: new Float64Array(classes * features).fill(Infinity),
      logPeak: variance.map((square) => logPeak({ mean: 0, variance: square, df: Infinity })),
      epsilon: 0,
    };
    return { bells, rows, x: draw(rows * features, -0.5) };
  });

test.prop([cases, fc.nat()])(
  'scores are the sum of the curves, and missing cells drop out',
  ({ bells, rows, x }, gap) => {
    x[gap % x.length] = Number.NaN;
    const { classes, features, logPrior, mean, variance, df, logPeak: peak } = bells;
    const out = new Float64Array(rows * classes);
    gaussian.score(bells, { rows, features: bells.features, x }, out);
    const wanted = out.map((_, at) => {
      const [i, c] = [Math.floor(at / classes), at % classes];
      let sum = logPrior[c];
      for (let j = 0; j < features; j++) {
        const [value, cell] = [x[i * features + j], c * features + j];
        if (!Number.isNaN(value)) sum += peak[cell] + logFall(value, mean[cell], variance[cell], df[cell]);
      }
      return sum;
    });
    expectClose(out, wanted, 1e-12, 1);
  },
);

test.prop([cases])('a row alone has the score that it has among others', ({ bells, rows, x }) => {
  const { classes, features } = bells;
  const out = new Float64Array(rows * classes);
  gaussian.score(bells, { rows, features: bells.features, x }, out);
  const last = new Float64Array(classes);
  gaussian.score(bells, { rows: 1, features, x: x.subarray((rows - 1) * features) }, last);
  expect(last).toEqual(out.slice(-classes));
});
