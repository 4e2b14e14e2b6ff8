import { describe, expect, test } from 'vitest';
import { expectClose } from '../../test/close.ts';
import { recorded } from '../../test/reference/evaluate/recorded.ts';
import { applyCalibration, fitCalibration } from './calibrate.ts';
import { fitIsotonic, predictIsotonic } from './isotonic.ts';
import { fitSigmoid, predictSigmoid } from './sigmoid.ts';
import { fitTemperature, predictTemperature } from './temperature.ts';

const fits = recorded('calibration.json');
const of = (fn: string) => fits.filter((each) => each.fn === fn);

describe('against scikit-learn 1.9.1', () => {
  test('sigmoid: the curve is the one its optimiser stops near', () => {
    for (const { scores, y, weights, a, b, at, expected } of of('sigmoid')) {
      const fit = fitSigmoid(scores, y, { sampleWeight: weights });
      expectClose(predictSigmoid(fit, at), expected, 1e-6, 1); // L-BFGS-B stops at a gradient of 1e-6
      expectClose([fit.a, fit.b], [a, b], 1e-4, 1e-2);
    }
  });

  test('isotonic: points and heights', () => {
    for (const { scores, y, weights, x, levels, at, expected } of of('isotonic')) {
      const fit = fitIsotonic(scores, y, { sampleWeight: weights });
      expectClose(fit.x, x);
      expectClose(fit.y, levels);
      expectClose(predictIsotonic(fit, at), expected, 1e-12, 1);
    }
  });

  test('temperature: beta and probabilities', () => {
    for (const { scores, y, weights, beta, at, expected } of of('temperature')) {
      const found = fitTemperature(scores, y, { sampleWeight: weights });
      expectClose([found], [beta], 1e-6); // a minimum by values is known to half the digits
      expectClose(predictTemperature(found, at).data, expected.flat(), 1e-6, 1);
    }
  });

  test('the calibrated classifier of three and of two classes', () => {
    for (const { method, scores, y, at, expected } of of('calibration')) {
      const calibration = fitCalibration(scores, y, { method });
      expectClose(applyCalibration(calibration, at).data, expected.flat(), 1e-6, 1);
    }
  });

  test('row 70 of iris, calibrated on the odd rows, as printed', () => {
    const row = (method: 'sigmoid' | 'isotonic' | 'temperature') => {
      const { scores, y, at } = of('calibration').find((each) => each.method === method && each.at[0].length === 3)!;
      return applyCalibration(fitCalibration(scores, y, { method }), at).row(70);
    };
    expectClose(row('sigmoid'), [0.02035477676661618, 0.11323058286700881, 0.866414640366375], 1e-6);
    expectClose(row('isotonic'), [1.4302025871033778e-148, 0.5, 0.5]);
    expectClose(row('temperature'), [4.69e-8, 0.31871248187557016, 0.68128747125478495], 1e-3);
    const { scores, y } = of('calibration').find((each) => each.method === 'temperature')!;
    expect(fitTemperature(scores, y)).toBeCloseTo(0.6023068405413579, 7);
  });
});
