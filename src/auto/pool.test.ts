import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { fitTemperature } from '../evaluate/temperature.ts';
import { Random } from '../math/random.ts';
import { applyPool, fitPool } from './pool.ts';
import { choosePool, logLossOf } from './pool-choose.ts';

/** Scores that know the class up to noise, and labels. */
function opinions(seed: number, rows: number, classes: number, noises: readonly number[]) {
  const random = new Random(seed);
  const codes = Int32Array.from({ length: rows }, (_, i) => i % classes);
  const scores = noises.map(
    (noise) =>
      new Matrix(
        rows,
        classes,
        Float64Array.from({ length: rows * classes }, (_, k) => {
          const hit = k % classes === codes[Math.floor(k / classes)] ? 1 : 0;
          return (Number.isFinite(noise) ? hit : 0) + (Number.isFinite(noise) ? noise : 1) * random.normal();
        }),
      ),
  );
  return { codes, scores };
}

test('no weight is negative, rows are distributions, and no point near the optimum is better', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.integer({ min: 2, max: 4 }), (seed, classes) => {
      const { codes, scores } = opinions(seed, 80, classes, [0.7, 1.2, Infinity]);
      const pool = fitPool(scores, codes);
      expect(Math.min(...pool.weights)).toBeGreaterThanOrEqual(0);
      const answer = applyPool(pool, scores);
      for (let i = 0; i < answer.rows; i++) {
        expect(answer.row(i).reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
      }
      const penalised = (weights: Float64Array) =>
        logLossOf(applyPool({ weights, bias: pool.bias }, scores), codes) +
        weights.reduce((sum, w) => sum + (0.1 / 80) * w * w, 0);
      const best = penalised(pool.weights);
      for (let m = 0; m < 3; m++) {
        for (const step of [-0.05, 0.05]) {
          const near = pool.weights.map((w, k) => Math.max(0, w + (k === m ? step : 0)));
          expect(penalised(near)).toBeGreaterThan(best - 1e-8); // the solver stops at gains below 1e-9
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('one member without bias is temperature scaling', () => {
  const { codes, scores } = opinions(3, 4000, 3, [0.9]);
  const { weights } = fitPool(scores, codes);
  // the penalty 0.1/N moves the optimum by about that much
  expect(weights[0]).toBeCloseTo(fitTemperature(scores[0], Array.from(codes)), 3);
});

test('classes in another order give the same weights', () => {
  const { codes, scores } = opinions(5, 200, 3, [0.8, 1]);
  const turn = ({ rows, cols, data }: Matrix) =>
    new Matrix(
      rows,
      cols,
      data.map((_, k) => data[k - (k % cols) + (((k % cols) + 1) % cols)]),
    );
  const again = fitPool(
    scores.map(turn),
    codes.map((c) => (c + 2) % 3),
  );
  fitPool(scores, codes).weights.forEach((w, m) => {
    expect(again.weights[m]).toBeCloseTo(w, 6); // stopped at gains below 1e-9
  });
});

test('scores without error end in finite weights', () => {
  const codes = Int32Array.from({ length: 50 }, (_, i) => i % 2);
  const sure = new Matrix(
    50,
    2,
    Float64Array.from({ length: 100 }, (_, k) => (k % 2 === (k >> 1) % 2 ? 0 : -10)),
  );
  const { weights, logLoss } = fitPool([sure, sure], codes, { bias: true });
  expect(weights.every(Number.isFinite)).toBe(true);
  expect(logLoss).toBeLessThan(1e-3);
});

test('a member that knows nothing is not chosen, one that knows something else is', () => {
  const { codes, scores } = opinions(7, 500, 3, [0.8, 0.9, Infinity]);
  expect([...choosePool(scores, codes).members].sort()).toEqual([0, 1]);
});
