import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitSigmoid } from '../evaluate/sigmoid.ts';
import { logSumExp } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { calibrateRow, fitCurves } from './text-calibrate.ts';

/** Pooled scores that know the class, twice as sure as they should be. */
function pooledOf(seed: number, rows: number, classes: number) {
  const random = new Random(seed);
  const y = Int32Array.from({ length: rows }, () => random.integer(classes));
  const pooled = Float64Array.from({ length: rows * classes }, (_, cell) => {
    return 2 * (random.normal() + (cell % classes === y[Math.floor(cell / classes)] ? 1.5 : 0));
  });
  return { pooled, y, rows: Uint32Array.from(y.keys()) };
}

test("the curves are Platt's, of the log-odds of each class against the others", () => {
  const { pooled, y, rows } = pooledOf(1, 300, 3);
  const curves = fitCurves(pooled, y, 3, rows);
  for (let c = 0; c < 3; c++) {
    const odds = Array.from(rows, (i) => {
      const row = pooled.slice(i * 3, i * 3 + 3);
      return row[c] - logSumExp(row.filter((_, d) => d !== c));
    });
    const { a, b } = fitSigmoid(
      odds,
      Array.from(y, (label) => label === c),
    );
    expect(curves[c].a).toBeCloseTo(a, 4);
    expect(curves[c].b).toBeCloseTo(b, 4);
  }
});

test('calibrated rows are log-probabilities that sum to one, however far apart the scores are', () => {
  const { pooled, y, rows } = pooledOf(2, 100, 3);
  const curves = fitCurves(pooled, y, 3, rows);
  const score = fc.double({ min: -1e4, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(fc.array(score, { minLength: 3, maxLength: 3 }), fc.boolean(), (scores, curved) => {
      const row = Float64Array.from(scores);
      calibrateRow(row, curved ? curves : []);
      expect(row.every((value) => value <= 0)).toBe(true);
      expect(row.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 12);
    }),
  );
});

test('scores that tell all rows apart by thousands give curves of numbers', () => {
  const y = Int32Array.of(0, 1, 0, 1);
  const pooled = Float64Array.of(0, -4000, -3000, 0, 0, -2000, -5000, 0);
  for (const { a, b } of fitCurves(pooled, y, 2, Uint32Array.from(y.keys()))) {
    expect(Number.isFinite(a) && Number.isFinite(b)).toBe(true);
  }
});
