import type { Tensor } from '../data/safetensors.ts';
import type { Calibration } from '../evaluate/calibrate.ts';
import type { CurveMethod } from '../evaluate/posterior-calibration.ts';
import { damaged, type SavedArrays } from './learned.ts';
import { tensor } from './persist.ts';

/** A calibrator as arrays of a model file. */
export function saveCalibration(calibration: Calibration, prefix: string): Record<string, Tensor> {
  if (calibration.method === 'temperature') return { [`${prefix}beta`]: tensor([calibration.beta]) };
  const arrays = calibration.parts.map((part, c) =>
    'a' in part
      ? { [`${prefix}${c}.sigmoid`]: tensor([part.a, part.b]) }
      : {
          [`${prefix}${c}.x`]: tensor((part as { x: Float64Array }).x),
          [`${prefix}${c}.y`]: tensor((part as { y: Float64Array }).y),
        },
  );
  return Object.assign({}, ...arrays);
}

/** The inverse of `saveCalibration`; validates everything. */
export function readCalibration(
  method: CurveMethod,
  classes: number,
  arrays: SavedArrays,
  prefix: string,
): Calibration {
  const take = (name: string, length?: number) => {
    const values = arrays.take(prefix + name, length);
    return values.length > 0 && values.every(Number.isFinite) ? values : damaged('its calibration is not a curve');
  };
  if (method === 'temperature') {
    const [beta] = take('beta', 1);
    return beta > 0 ? { method, classes, beta } : damaged('its temperature is none');
  }
  const columns = Array.from({ length: classes === 2 ? 1 : classes }, (_, c) => c);
  if (method === 'sigmoid') {
    const parts = columns.map((c) => take(`${c}.sigmoid`, 2)).map(([a, b]) => ({ a, b }));
    return { method, classes, parts };
  }
  const parts = columns.map((c) => {
    const x = take(`${c}.x`);
    const y = take(`${c}.y`, x.length);
    const rises = y.every(
      (height, k) => height >= 0 && height <= 1 && (k === 0 || (x[k] > x[k - 1] && height >= y[k - 1])),
    );
    return rises ? { x, y } : damaged('its calibration is not increasing');
  });
  return { method, classes, parts };
}
