import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logSoftmaxInto } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { fitPool, type PoolProblem, type PoolWeights, poolRow, ridgeOf } from './text-weights.ts';

/** Scores that know the class a little, each member in a unit of its own. */
function problemOf(seed: number, rows: number, classes: number, units: readonly number[]): PoolProblem {
  const random = new Random(seed);
  const y = Int32Array.from({ length: rows }, (_, i) => i % classes);
  const scores = units.map((unit) =>
    Float64Array.from({ length: rows * classes }, (_, cell) => {
      const own = cell % classes === y[Math.floor(cell / classes)];
      return unit * (random.normal() + (own ? 1 : 0));
    }),
  );
  return { scores, y, classes, rows: Uint32Array.from(y.keys()) };
}

/** The spread of a member's scores within rows: the unit in which its weight is weighed by the ridge. */
function spreadOf(score: Float64Array, classes: number): number {
  const rows = Array.from({ length: score.length / classes }, (_, i) => score.subarray(i * classes, (i + 1) * classes));
  const squares = rows.flatMap((row) => {
    const mean = row.reduce((a, b) => a + b, 0) / classes;
    return Array.from(row, (value) => (value - mean) ** 2);
  });
  return Math.sqrt(squares.reduce((a, b) => a + b, 0) / squares.length);
}

/** The slope of the loss by the textbook: Σ (p − y) S / n and Σ (p − y) / n, plus the ridge; weights in their units. */
function slopeAt({ scores, y, classes }: PoolProblem, at: PoolWeights): { weights: number[]; bias: number[] } {
  const spreads = scores.map((score) => spreadOf(score, classes));
  const weights = spreads.map((spread, m) => 2 * ridgeOf(y.length).weight * at.weights[m] * spread);
  const bias = Array.from(at.bias, (b) => 2 * ridgeOf(y.length).bias * b);
  const row = new Float64Array(classes);
  for (let i = 0; i < y.length; i++) {
    poolRow(scores, at, i, row);
    logSoftmaxInto(row, 0, classes, row);
    for (let c = 0; c < classes; c++) {
      const off = (Math.exp(row[c]) - (y[i] === c ? 1 : 0)) / y.length;
      bias[c] += off;
      scores.forEach((score, m) => {
        weights[m] += (off * score[i * classes + c]) / spreads[m];
      });
    }
  }
  return { weights, bias };
}

function expectOptimum(problem: PoolProblem, fit: PoolWeights, tolerance: number): void {
  const slope = slopeAt(problem, fit);
  for (const value of slope.bias) expect(Math.abs(value)).toBeLessThan(tolerance);
  slope.weights.forEach((value, m) => {
    expect(fit.weights[m]).toBeGreaterThanOrEqual(0);
    if (fit.weights[m] > 0) expect(Math.abs(value)).toBeLessThan(tolerance);
    else expect(value).toBeGreaterThan(-tolerance);
  });
}

test('at the optimum the slope is zero where a weight is positive, and points outward where it is zero', () => {
  fc.assert(
    fc.property(
      fc.nat(1e6),
      fc.integer({ min: 2, max: 5 }),
      fc.array(fc.constantFrom(0.01, 1, 300, -1), { minLength: 1, maxLength: 4 }),
      (seed, classes, units) => {
        const problem = problemOf(seed, 40, classes, units);
        expectOptimum(problem, fitPool(problem), 1e-7);
      },
    ),
    { numRuns: 40 },
  );
});

test('a member that speaks against the class gets weight zero', () => {
  const { weights } = fitPool(problemOf(1, 200, 3, [1, -1]));
  expect(weights[0]).toBeGreaterThan(0);
  expect(weights[1]).toBe(0);
});

test('two members that say the same share the weight of one', () => {
  const { scores, ...rest } = problemOf(2, 100, 2, [1]);
  const { weights } = fitPool({ ...rest, scores: [scores[0], scores[0]] });
  expect(weights[0]).toBeCloseTo(weights[1], 8);
});

test('the answer does not depend on where the search starts', () => {
  const problem = problemOf(3, 150, 4, [1, 5, 0.2]);
  const start = { weights: Float64Array.of(3, 0, 9), bias: Float64Array.of(1, -2, 0, 4) };
  const [one, other] = [fitPool(problem), fitPool(problem, { start })];
  one.weights.forEach((weight, m) => {
    expect(weight).toBeCloseTo(other.weights[m], 6);
  });
});

test('with many classes, of whose biases only the diagonal of the curvature is kept, the optimum is found as well', () => {
  const problem = problemOf(4, 300, 70, [1, 2]);
  expectOptimum(problem, fitPool(problem), 1e-4); // steps by a part of the curvature come near more slowly
});
