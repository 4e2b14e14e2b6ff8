import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { Matrix } from '../data/matrix.ts';
import { logSoftmaxInto, logSumExp } from '../math/logs.ts';
import { Random } from '../math/random.ts';
import { fitIsotonic, predictIsotonic } from './isotonic.ts';
import { meanLogLoss } from './log-proba.ts';
import {
  applyPosterior,
  choosePosterior,
  crossFitPosterior,
  curveMethods,
  fitPosterior,
  logOdds,
  methodsFor,
  PRIOR,
} from './posterior-calibration.ts';
import { fitSigmoid, predictSigmoid } from './sigmoid.ts';

/** Scores that are three times too sure, with their labels. */
function overconfident(rows: number, classes: number, seed: number) {
  const random = new Random(seed);
  const logProba = new Matrix(rows, classes);
  const codes = Int32Array.from({ length: rows }, (_, i) => {
    const row = Float64Array.from({ length: classes }, () => 2 * random.normal());
    const truth = row.slice();
    logSoftmaxInto(truth, 0, classes, truth);
    logProba.row(i).set(row.map((value) => 3 * value));
    logSoftmaxInto(logProba.data, i * classes, classes, logProba.data);
    return random.categorical(truth.map(Math.exp));
  });
  return { logProba, codes };
}

const folds = (rows: number) => Int32Array.from({ length: rows }, (_, i) => i % 5);

test.each(['temperature', 'sigmoid', 'isotonic'] as const)('%s corrects over-confident posteriors', (method) => {
  for (const classes of [2, 4]) {
    const { logProba, codes } = overconfident(1500, classes, classes);
    const calibrated = crossFitPosterior(method, { logProba, codes }, folds(1500));
    expect(meanLogLoss(calibrated, { codes })).toBeLessThan(0.8 * meanLogLoss(logProba, { codes }));
    for (let i = 0; i < calibrated.rows; i++) expectClose([logSumExp(calibrated.row(i))], [0], 1e-12, 1);
  }
  const { logProba, codes } = overconfident(2000, 3, 7);
  const temperature = fitPosterior('temperature', { logProba, codes });
  expect(temperature).toMatchObject({ method: 'temperature' });
  expect((temperature as { beta: number }).beta).toBeCloseTo(1 / 3, 1);
});

test('where classes part without error, a temperature stays as sure as the model is', () => {
  const logProba = new Matrix(40, 2);
  const codes = Int32Array.from({ length: 40 }, (_, i) => {
    logProba.row(i).set(i % 2 ? [-5, Math.log1p(-Math.exp(-5))] : [Math.log1p(-Math.exp(-5)), -5]);
    return i % 2;
  });
  const { beta } = fitPosterior('temperature', { logProba, codes }) as { beta: number };
  expect(beta).toBeGreaterThan(1);
  expect(beta).toBeLessThan(1.5); // likelihood alone would have no end
  const weights = new Float64Array(40).fill(3);
  const thrice = {
    logProba: new Matrix(
      120,
      2,
      Float64Array.from({ length: 240 }, (_, k) => logProba.data[k % 80]),
    ),
    codes: Int32Array.from({ length: 120 }, (_, i) => codes[i % 40]),
  };
  const one = fitPosterior('temperature', { logProba, codes, weights }) as { beta: number };
  expect(one.beta).toBeCloseTo((fitPosterior('temperature', thrice) as { beta: number }).beta, 4);
});

test('two classes share one curve over the log-odds of the second', () => {
  const { logProba, codes } = overconfident(300, 2, 3);
  const odds = Float64Array.from({ length: 300 }, (_, i) => logProba.at(i, 1) - logProba.at(i, 0));
  const labels = Array.from(codes);
  const sigmoid = applyPosterior(fitPosterior('sigmoid', { logProba, codes }), logProba, 300);
  const expected = predictSigmoid(fitSigmoid(odds, labels, { increasing: true, prior: PRIOR }), odds);
  expectClose(
    Float64Array.from({ length: 300 }, (_, i) => Math.exp(sigmoid.at(i, 1))),
    expected,
    1e-9,
  );
  const steps = applyPosterior(fitPosterior('isotonic', { logProba, codes }), logProba, 300);
  const floor = 1 / 302; // no row of 300 was seen
  const bare = predictIsotonic(fitIsotonic(odds, labels), odds);
  expectClose(
    Float64Array.from({ length: 300 }, (_, i) => Math.exp(steps.at(i, 1))),
    bare.map((p) => Math.min(1 - floor, Math.max(floor, p))),
    1e-9,
  );
});

test('log-odds keep their digits where a probability is 1 to the last bit', () => {
  const rows = [[0, -800, -900] as const, [-1e-300, -690, -700] as const];
  const odds = logOdds(Matrix.from(rows.map((row) => [...row])));
  expectClose(odds.row(0), [800, -800, -900], 1e-12);
  expect(odds.at(1, 0)).toBeCloseTo(690 - Math.log1p(Math.exp(-10)), 9);
});

/** Log-posteriors whose labels agree with them (1), contradict them (−1) or have nothing to do with them (0). */
const heldOutRows = fc
  .record({
    seed: fc.nat(1e6),
    rows: fc.integer({ min: 4, max: 80 }),
    classes: fc.integer({ min: 2, max: 4 }),
    agreement: fc.constantFrom(-1, 0, 1),
    scale: fc.constantFrom(0.1, 3, 300),
  })
  .map(({ seed, rows, classes, agreement, scale }) => {
    const random = new Random(seed);
    const logProba = new Matrix(rows, classes);
    const codes = Int32Array.from({ length: rows }, (_, i) => (i < classes ? i : random.integer(classes)));
    codes.forEach((code, i) => {
      const row = Float64Array.from({ length: classes }, (_, c) => {
        return scale * (random.normal() + (c === code ? 2 * agreement : 0));
      });
      logSoftmaxInto(row, 0, classes, logProba.row(i));
    });
    return { logProba, codes };
  });

test('no calibrator reverses scores, not even those that contradict every label', () => {
  fc.assert(
    fc.property(heldOutRows, fc.constantFrom(...curveMethods), (heldOut, method) => {
      const fit = fitPosterior(method, heldOut);
      if (fit.method === 'temperature') expect(fit.beta).toBeGreaterThan(0);
      if (fit.method === 'sigmoid') for (const { a, b } of fit.parts) expect(a <= 0 && Number.isFinite(b)).toBe(true);
      if (fit.method === 'isotonic') {
        for (const { y } of fit.parts) expect(Array.from(y)).toEqual(Array.from(y).sort((p, q) => p - q));
      }
      if (heldOut.logProba.cols > 2) return;
      // Of two classes, the one with the higher log-odds also has the higher calibrated probability.
      const calibrated = applyPosterior(fit, heldOut.logProba, heldOut.codes.length);
      const odds = [...heldOut.codes.keys()].map((i) => heldOut.logProba.at(i, 1) - heldOut.logProba.at(i, 0));
      const order = [...odds.keys()].sort((i, k) => odds[i] - odds[k]);
      for (let k = 1; k < order.length; k++) {
        expect(calibrated.at(order[k], 1)).toBeGreaterThanOrEqual(calibrated.at(order[k - 1], 1) - 1e-12);
      }
    }),
    { numRuns: 300 },
  );
});

test('a temperature never changes which class is most probable', () => {
  fc.assert(
    fc.property(heldOutRows, (heldOut) => {
      const { logProba, codes } = heldOut;
      const calibrated = applyPosterior(fitPosterior('temperature', heldOut), logProba, codes.length);
      for (let i = 0; i < codes.length; i++) {
        const own = logProba.row(i);
        const best = own.indexOf(Math.max(...own));
        expect(calibrated.at(i, best)).toBeGreaterThanOrEqual(Math.max(...calibrated.row(i)) - 1e-12);
      }
    }),
  );
});

test('the less the rows weigh, the nearer a calibrator is to the identity', () => {
  const heldOut = overconfident(400, 2, 11);
  const distances = [1e-6, 1e-3, 1e-2, 1e-1, 1].map((weight) => {
    const weighted = { ...heldOut, weights: new Float64Array(400).fill(weight) };
    const { beta } = fitPosterior('temperature', weighted) as { beta: number };
    const { parts } = fitPosterior('sigmoid', weighted) as { parts: readonly { a: number; b: number }[] };
    return [Math.abs(1 - beta), Math.hypot(parts[0].a + 1, parts[0].b)];
  });
  const temperatures = distances.map(([own]) => own);
  expect(temperatures).toEqual([...temperatures].sort((x, y) => x - y));
  for (const k of [0, 1]) {
    expect(distances[0][k]).toBeLessThan(0.01);
    expect(distances[4][k]).toBeGreaterThan(0.5); // the true slope is 1/3
  }
});

test('a curve takes 30 rows of every class, a temperature 30 per class on average', () => {
  const of = (...counts: number[]) =>
    methodsFor(
      { codes: Int32Array.from(counts.flatMap((count, c) => new Array<number>(count).fill(c))) },
      counts.length,
    );
  expect(of(30, 30)).toEqual(['temperature', 'sigmoid', 'isotonic']);
  expect(of(29, 31)).toEqual(['temperature']);
  expect(of(29, 30)).toEqual([]);
  expect(of(300, 2)).toEqual(['temperature']);
  expect(of(40, 39, 10)).toEqual([]);
  const codes = Int32Array.from({ length: 60 }, (_, i) => i % 2);
  const weights = Float64Array.from(codes, (_, i) => (i === 0 ? 0 : 5)); // a row of weight 0 does not count, one of 5 counts once
  expect(methodsFor({ codes, weights }, 2)).toEqual([]);
  expect(methodsFor({ codes }, 2, 'sigmoid')).toEqual(['sigmoid']);
  expect(methodsFor({ codes }, 2, true, 100)).toEqual([]);
  expect(choosePosterior([], overconfident(20, 2, 1), folds(20)).next()).toEqual({ done: true, value: undefined });
});

test('the log-posterior of a row does not depend on its own label when calibrators are cross-fitted', () => {
  const { logProba, codes } = overconfident(300, 3, 13);
  for (const method of curveMethods) {
    const before = crossFitPosterior(method, { logProba, codes }, folds(300));
    const changed = codes.map((code, i) => (i % 5 === 2 ? (code + 1) % 3 : code));
    const after = crossFitPosterior(method, { logProba, codes: changed }, folds(300));
    for (let i = 2; i < 300; i += 5) expect(after.row(i)).toEqual(before.row(i));
  }
});
