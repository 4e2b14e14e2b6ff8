import { test as check, fc } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { expectClose, refusalOf } from '../../test/close.ts';
import { copies, forecasts, rankings } from '../../test/reference/evaluate/samples.ts';
import { applyCalibration, type CalibrationMethod, fitCalibration } from './calibrate.ts';
import { fitIsotonic, isotonicRegression, predictIsotonic } from './isotonic.ts';
import { brierScoreLoss, logLoss } from './probability-metrics.ts';
import {
  adaptiveCalibrationError,
  brierDecomposition,
  expectedCalibrationError,
  reliabilityBins,
} from './reliability.ts';
import { fitSigmoid, predictSigmoid } from './sigmoid.ts';
import { fitTemperature, predictTemperature } from './temperature.ts';

const code = (attempt: () => unknown) => refusalOf(attempt).code;

describe('sigmoid', () => {
  check.prop([rankings, fc.constantFrom(1, 1000)])('at the optimum the gradient is zero', ({ y, score, w }, scale) => {
    const scores = score.map((s) => scale * s + 3);
    const { a, b } = fitSigmoid(scores, y, { sampleWeight: w });
    const positives = w.filter((_, i) => y[i] === 1).reduce((x, z) => x + z, 0);
    const negatives = w.filter((_, i) => y[i] === 0).reduce((x, z) => x + z, 0);
    const p = predictSigmoid({ a, b }, scores);
    const pull = y.map((mark, i) => w[i] * ((mark ? (positives + 1) / (positives + 2) : 1 / (negatives + 2)) - p[i]));
    expect(Math.abs(pull.reduce((x, z) => x + z, 0))).toBeLessThan(1e-9);
    expect(Math.abs(pull.reduce((x, z, i) => x + z * scores[i], 0)) / scale).toBeLessThan(1e-9);
  });

  check.prop([rankings])('weight k equals k copies', ({ y, score, w }) => {
    const once = fitSigmoid(score, y, { sampleWeight: w });
    const many = fitSigmoid(copies(score, w), copies(y, w));
    expectClose(predictSigmoid(once, score), predictSigmoid(many, score), 1e-9);
  });

  test('scores without bounds do not stall it', () => {
    const { a, b } = fitSigmoid([-5000, -4000, -100, 3000, 9000, 1e6], [0, 0, 1, 0, 1, 1]);
    expect(Number.isFinite(a) && Number.isFinite(b) && a < 0).toBe(true);
    expect(code(() => fitSigmoid([1, 2], ['a', 'b']))).toBe('E_PARAM');
    expect(code(() => fitSigmoid([1, Infinity], [0, 1]))).toBe('E_NOT_FINITE');
  });
});

describe('isotonic', () => {
  const lists = fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    maxLength: 20,
  });

  check.prop([lists, lists])('is monotone, keeps what rises, and is the projection', (rows, others) => {
    const [y, w] = [rows.map(([v]) => v), rows.map(([, v]) => v)];
    const fit = isotonicRegression(y, { sampleWeight: w });
    for (let i = 1; i < fit.length; i++) expect(fit[i]).toBeGreaterThanOrEqual(fit[i - 1]);
    expectClose(isotonicRegression(fit, { sampleWeight: w }), fit);
    // ⟨y − ŷ, z − ŷ⟩ ≤ 0 for every rising z is what makes ŷ the nearest one.
    const rising = others.map(([v]) => v).sort((a, b) => a - b);
    const inner = fit.reduce((all, value, i) => all + w[i] * (y[i] - value) * ((rising[i] ?? 99) - value), 0);
    expect(inner).toBeLessThan(1e-9);
    const falling = isotonicRegression(
      y.map((v) => -v),
      { sampleWeight: w, increasing: false },
    );
    expectClose(
      falling.map((v) => -v),
      fit,
      1e-12,
      1,
    );
  });

  check.prop([rankings])('weight k equals k copies, and predictions rise within [0, 1]', ({ y, score, w }) => {
    const fit = fitIsotonic(score, y, { sampleWeight: w });
    const many = fitIsotonic(copies(score, w), copies(y, w));
    const grid = Array.from({ length: 41 }, (_, i) => (i - 20) / 8);
    const heights = predictIsotonic(fit, grid);
    expectClose(predictIsotonic(many, grid), heights, 1e-12, 1);
    for (let i = 0; i < grid.length; i++) {
      expect(heights[i]).toBeGreaterThanOrEqual(i === 0 ? 0 : heights[i - 1]);
      expect(heights[i]).toBeLessThanOrEqual(1);
    }
  });

  test('takes numbers, booleans and named classes', () => {
    expect(Array.from(fitIsotonic([1, 2, 3], [5, 1, 6]).y)).toEqual([3, 3, 6]);
    expect(fitIsotonic([1, 2, 3], [false, true, true])).toEqual(fitIsotonic([1, 2, 3], [0, 1, 1]));
    expect(fitIsotonic([1, 2, 3], ['n', 'y', 'y'], { posLabel: 'y' })).toEqual(fitIsotonic([1, 2, 3], [0, 1, 1]));
    expect(code(() => fitIsotonic([1, 2], [1]))).toBe('E_SHAPE');
  });
});

describe('temperature', () => {
  check.prop([forecasts])(
    'at the optimum the slope of the log-loss is zero, or the bound is reached',
    ({ y, P, w }) => {
      const beta = fitTemperature(P, y, { sampleWeight: w });
      const at = (t: number) =>
        logLoss(y, predictTemperature(beta * Math.exp(t), P), { sampleWeight: w, labels: [0, 1, 2] });
      if (beta < 1e-4 || beta > 1e4) return;
      expect(at(0)).toBeLessThanOrEqual(Math.min(at(1e-3), at(-1e-3)) + 1e-14);
      expectClose([(at(1e-4) - at(-1e-4)) / 2e-4], [0], 1e-6, 1); // the error of a central difference is of order 1e-8
    },
  );

  test('rows that say nothing leave it at 1, and one column is refused', () => {
    expect(
      fitTemperature(
        [
          [0.5, 0.5],
          [0.5, 0.5],
        ],
        [0, 1],
      ),
    ).toBe(1);
    expect(code(() => fitTemperature([0.5, 0.2], [0, 1]))).toBe('E_SHAPE');
  });
});

describe('calibration of all classes', () => {
  const methods: CalibrationMethod[] = ['sigmoid', 'isotonic', 'temperature'];

  check.prop([forecasts, fc.constantFrom(...methods)])('rows are probabilities', ({ y, P }, method) => {
    const calibration = fitCalibration(P, y, { method });
    const result = applyCalibration(calibration, P);
    for (let i = 0; i < result.rows; i++) {
      expectClose([result.row(i).reduce((a, b) => a + b, 0)], [1]);
      for (const p of result.row(i)) expect(p >= 0 && p <= 1).toBe(true);
    }
    const plain = JSON.parse(
      JSON.stringify(calibration, (_, v) => (ArrayBuffer.isView(v) ? Array.from(v as Float64Array) : v)),
    );
    expectClose(applyCalibration(plain, P).data, applyCalibration(calibration, P).data);
  });

  check.prop([rankings, fc.constantFrom(...methods), fc.constantFrom(0, 1, 100)])(
    'with `increasing` no method lets a higher score mean a lower probability, whatever the labels',
    ({ y, score }, method, prior) => {
      const against = score.map((s, i) => s - 10 * y[i]); // anti-correlated with the labels
      for (const column of [score, against]) {
        const scores = column.map((s) => [-s, s]);
        const calibration = fitCalibration(scores, y, { method, prior, increasing: true });
        const { data } = applyCalibration(calibration, scores);
        const order = [...column.keys()].sort((i, k) => column[i] - column[k]);
        for (let k = 1; k < order.length; k++) {
          expect(data[2 * order[k] + 1]).toBeGreaterThanOrEqual(data[2 * order[k - 1] + 1] - 1e-12);
        }
      }
    },
  );

  test('without `increasing` a sigmoid follows scores that are the wrong way round, as in scikit-learn', () => {
    const [scores, y] = [
      [3, 2, 1, -1, -2, -3],
      [0, 0, 0, 1, 1, 1],
    ];
    expect(fitSigmoid(scores, y).a).toBeGreaterThan(0);
    expect(fitSigmoid(scores, y, { increasing: true })).toEqual({ a: 0, b: expect.closeTo(0, 12) });
    expect(code(() => fitSigmoid(scores, y, { prior: -1 }))).toBe('E_PARAM');
  });

  check.prop([rankings, fc.constantFrom(0.5, 5)])(
    'a prior moves the optimum: its gradient balances that of the loss',
    ({ y, score, w }, prior) => {
      const { a, b } = fitSigmoid(score, y, { sampleWeight: w, prior });
      const p = predictSigmoid({ a, b }, score);
      const [positives, negatives] = [1, 0].map((kind) => w.reduce((x, z, i) => x + (y[i] === kind ? z : 0), 0));
      const pull = y.map((mark, i) => w[i] * ((mark ? (positives + 1) / (positives + 2) : 1 / (negatives + 2)) - p[i]));
      expect(pull.reduce((x, z) => x + z, 2 * prior * b)).toBeCloseTo(0, 8);
      expect(pull.reduce((x, z, i) => x + z * score[i], 2 * prior * (a + 1))).toBeCloseTo(0, 8);
    },
  );

  test('a strong prior leaves log-odds and temperatures as they are', () => {
    const { a, b } = fitSigmoid([1, 2, 3, -1], [0, 0, 1, 1], { prior: 1e9 });
    expectClose([a, b], [-1, 0], 1e-6, 1);
    const same = fitSigmoid([2, 2, 2], [0, 1, 1], { prior: 1e9 }); // scores that are all equal
    expectClose([same.a, same.b], [-1, 0], 1e-6, 1);
    const P = [
      [0.2, 0.8],
      [0.7, 0.3],
    ];
    expect(fitTemperature(P, [0, 1], { prior: 1e9 })).toBeCloseTo(1, 6);
  });

  test('a row of zeros becomes uniform; wrong widths and single classes are refused', () => {
    const steps = { x: Float64Array.of(0, 1), y: Float64Array.of(0, 1) };
    const curves = { method: 'isotonic', classes: 4, parts: [steps, steps, steps, steps] } as const;
    expect(
      applyCalibration(curves, [
        [0, 0, 0, 0],
        [0.25, 0.75, 0, 0],
      ]).toArray(),
    ).toEqual([
      [0.25, 0.25, 0.25, 0.25],
      [0.25, 0.75, 0, 0],
    ]);
    const calibration = fitCalibration(
      [
        [0.2, 0.8],
        [0.7, 0.3],
        [0.4, 0.6],
      ],
      ['b', 'a', 'a'],
    );
    expect(code(() => applyCalibration(calibration, [[1, 0, 0]]))).toBe('E_SHAPE');
    expect(code(() => fitCalibration([[1], [1]], ['a', 'a']))).toBe('E_CLASSES_TOO_FEW');
  });
});

describe('calibration error', () => {
  check.prop([forecasts])('weight k equals k copies, and the bins hold all rows', ({ y, P, w }) => {
    for (const error of [expectedCalibrationError, adaptiveCalibrationError]) {
      expectClose([error(y, P, { sampleWeight: w })], [error(copies(y, w), copies(P, w))], 1e-12, 1);
    }
    const total = reliabilityBins(y, P).reduce((all, { weight }) => all + weight, 0);
    expect(total).toBe(y.length);
  });

  test('four forecasts by hand: bins 0.25 and 0.75 that come true never and always', () => {
    const [y, p] = [
      [0, 0, 1, 1],
      [0.25, 0.25, 0.75, 0.75],
    ];
    expect(expectedCalibrationError(y, p, { nBins: 2 })).toBe(0.25);
    expect(adaptiveCalibrationError(y, p, { nBins: 2 })).toBe(0.25);
    expect(brierDecomposition(y, p)).toEqual({
      brier: 0.0625,
      reliability: 0.0625,
      resolution: 0.25,
      uncertainty: 0.25,
      withinBins: 0,
    });
  });

  check.prop([forecasts])('the Brier score is the sum of its parts', ({ y, P, w }) => {
    for (const strategy of ['uniform', 'quantile', 'distinct'] as const) {
      const parts = brierDecomposition(y, P, { sampleWeight: w, strategy });
      expectClose([parts.brier], [brierScoreLoss(y, P, { sampleWeight: w })]);
      const { reliability, resolution, uncertainty, withinBins } = parts;
      expectClose([reliability - resolution + uncertainty + withinBins], [parts.brier], 1e-12, 1);
      if (strategy === 'distinct') expect(Math.abs(withinBins)).toBeLessThan(1e-12);
    }
  });
});
