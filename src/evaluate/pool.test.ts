import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Matrix } from '../data/matrix.ts';
import { Random } from '../math/random.ts';
import {
  applyPool,
  biasRidge,
  fitPool,
  type Pool,
  type PoolOptions,
  type PoolProblem,
  spreadOf,
  type WeightPrior,
} from './pool.ts';
import { fitTemperature } from './temperature.ts';

/** Scores that know the class a little, each member in a unit of its own; a negative unit speaks against the class. */
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

const matricesOf = ({ scores, classes }: PoolProblem) =>
  scores.map((data) => new Matrix(data.length / classes, classes, data));

/** The slope of the loss by the textbook: Σ (p − y) S / N and Σ (p − y) / N, plus what the prior adds. */
function slopeAt(problem: PoolProblem, at: Pool, { strength, centre, unit }: WeightPrior) {
  const { scores, y, classes, rows } = problem;
  const units = scores.map((score) => (unit === 'one' ? 1 : spreadOf(score, problem)));
  const believed = units.map((u, m) => ((2 * strength) / rows.length) * u * (u * at.weights[m] - centre));
  const bias = Array.from(at.bias, (b) => 2 * biasRidge(rows.length) * b);
  const logProba = applyPool(at, matricesOf(problem));
  for (const i of Array.from(rows)) {
    for (let c = 0; c < classes; c++) {
      const off = (Math.exp(logProba.at(i, c)) - (y[i] === c ? 1 : 0)) / rows.length;
      bias[c] += off;
      scores.forEach((score, m) => {
        believed[m] += off * score[i * classes + c];
      });
    }
  }
  return { weights: believed.map((slope, m) => slope / spreadOf(scores[m], problem)), bias };
}

function expectOptimum(problem: PoolProblem, options: PoolOptions, tolerance: number): void {
  const fit = fitPool(problem, options);
  const slope = slopeAt(problem, fit, options.prior);
  if (options.bias) for (const value of slope.bias) expect(Math.abs(value)).toBeLessThan(tolerance);
  slope.weights.forEach((value, m) => {
    expect(fit.weights[m]).toBeGreaterThanOrEqual(0);
    if (fit.weights[m] > 0) expect(Math.abs(value)).toBeLessThan(tolerance);
    else expect(value).toBeGreaterThan(-tolerance);
  });
}

const inSpreads: WeightPrior = { strength: 1, centre: 0, unit: 'spread' };
const inShares: WeightPrior = { strength: 10, centre: 0.5, unit: 'one' };
const priors = fc.constantFrom(inSpreads, inShares);

test('at the optimum the slope is zero where a weight is positive, and points outward where it is zero', () => {
  const units = fc.array(fc.constantFrom(0.01, 1, 300, -1), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.nat(1e6),
      fc.integer({ min: 2, max: 5 }),
      units,
      priors,
      fc.boolean(),
      (seed, classes, own, prior, bias) => {
        expectOptimum(problemOf(seed, 40, classes, own), { prior, bias }, 1e-7);
      },
    ),
    { numRuns: 60 },
  );
});

test('rows that are not listed have no say', () => {
  const problem = problemOf(9, 60, 3, [1, 2]);
  const rows = Uint32Array.from({ length: 40 }, (_, k) => k);
  const lied = { ...problem, rows, y: problem.y.map((c, i) => (i < 40 ? c : (c + 1) % 3)) };
  const options = { prior: inShares, bias: true };
  expect(fitPool(lied, options)).toEqual(fitPool({ ...problem, rows }, options));
  expectOptimum(lied, options, 1e-7);
});

test('pooled rows are distributions', () => {
  const problem = problemOf(5, 50, 4, [1, 30]);
  const answer = applyPool(fitPool(problem, { prior: inShares, bias: true }), matricesOf(problem));
  for (let i = 0; i < answer.rows; i++) {
    expect(answer.row(i).reduce((sum, log) => sum + Math.exp(log), 0)).toBeCloseTo(1, 12);
  }
});

test('a member that speaks against the class gets weight zero', () => {
  const { weights } = fitPool(problemOf(1, 200, 3, [1, -1]), { prior: inSpreads, bias: true });
  expect(weights[0]).toBeGreaterThan(0);
  expect(weights[1]).toBe(0);
});

test('two members that say the same share the weight of one', () => {
  const { scores, ...rest } = problemOf(2, 100, 2, [1]);
  for (const prior of [inSpreads, inShares]) {
    const { weights } = fitPool({ ...rest, scores: [scores[0], scores[0]] }, { prior });
    expect(weights[0]).toBeCloseTo(weights[1], 8);
  }
});

test('the answer does not depend on where the search starts', () => {
  const problem = problemOf(3, 150, 4, [1, 5, 0.2]);
  const start = { weights: Float64Array.of(3, 0, 9), bias: Float64Array.of(1, -2, 0, 4) };
  const [one, other] = [undefined, start].map((from) =>
    fitPool(problem, { prior: inSpreads, bias: true, start: from }),
  );
  one.weights.forEach((weight, m) => {
    expect(weight).toBeCloseTo(other.weights[m], 6);
  });
});

test('with many classes, of whose biases only the diagonal of the curvature is kept, the optimum is found as well', () => {
  // steps by a part of the curvature come near more slowly
  expectOptimum(problemOf(4, 300, 70, [1, 2]), { prior: inSpreads, bias: true }, 1e-4);
});

test('one member without bias and with hardly a prior is temperature scaling', () => {
  const problem = problemOf(3, 4000, 3, [2]);
  const { weights } = fitPool(problem, { prior: { strength: 1e-6, centre: 0, unit: 'one' } });
  expect(weights[0]).toBeCloseTo(fitTemperature(matricesOf(problem)[0], Array.from(problem.y)), 4);
});

test('the fewer the rows, the nearer weights stay to what is believed', () => {
  const away = [20, 200, 2000].map((rows) => {
    const { weights } = fitPool(problemOf(8, rows, 2, [3]), { prior: { strength: 10, centre: 1, unit: 'one' } });
    return Math.abs(weights[0] - 1);
  });
  expect(away[0]).toBeLessThan(away[1]);
  expect(away[1]).toBeLessThan(away[2]);
});

test('classes in another order give the same weights', () => {
  const { scores, y, ...rest } = problemOf(5, 200, 3, [0.8, 1]);
  const turned = scores.map((data) => data.map((_, k) => data[k - (k % 3) + (((k % 3) + 1) % 3)]));
  const again = fitPool({ ...rest, scores: turned, y: y.map((c) => (c + 2) % 3) }, { prior: inShares });
  fitPool({ ...rest, scores, y }, { prior: inShares }).weights.forEach((weight, m) => {
    expect(again.weights[m]).toBeCloseTo(weight, 8);
  });
});

test('scores without error end in finite weights', () => {
  const y = Int32Array.from({ length: 50 }, (_, i) => i % 2);
  const sure = Float64Array.from({ length: 100 }, (_, k) => (k % 2 === (k >> 1) % 2 ? 0 : -10));
  const problem = { scores: [sure, sure], y, classes: 2, rows: Uint32Array.from(y.keys()) };
  const { weights, logLoss } = fitPool(problem, { prior: inShares, bias: true });
  expect(weights.every(Number.isFinite)).toBe(true);
  expect(logLoss).toBeLessThan(1e-3);
});
