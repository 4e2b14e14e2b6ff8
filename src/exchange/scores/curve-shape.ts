import { argmax } from '../../math/arrays.ts';
import { log1mexp, logSumExp } from '../../math/logs.ts';
import { constant, list, number, numbers, record, type Shape, union, type ValueOf } from '../shape.ts';

const line = record({ x: numbers, y: numbers }, 'A rising line: constant outside its points, straight between them.');

/** A rising line: constant outside its points, straight between them. */
export type Line = ValueOf<typeof line>;

const curves = {
  sigmoid: record({ method: constant('sigmoid'), a: numbers, b: numbers }, '1 / (1 + exp(a s + b)).'),
  isotonic: record({ method: constant('isotonic'), lines: list(line) }),
  temperature: record({ method: constant('temperature'), beta: number }, 'softmax(beta L), L = ln(p + 1e-12) or s.'),
};

/**
 * In a calibrated member: one curve for each class, normalised to sum 1 (all zeros become uniform), or one for the second of two classes, whose other
 * has the rest: p = 1 / (1 + exp(a s + b)), or a rising line. A temperature: softmax(beta · L) with L = ln(p + 1e-12) or S.
 */
export type PlanCurve = ValueOf<(typeof curves)[keyof typeof curves]>;

/** A curve, by its definition in the schema. */
export const curveShape: Shape<PlanCurve> = union<PlanCurve>('method', curves, 'curve');

/** The definition of a curve in the schema. */
export const curveDefinition: Shape<PlanCurve> = union<PlanCurve>('method', curves);

/** The height of a line. */
export function heightAt({ x, y }: Line, score: number): number {
  const last = x.length - 1;
  if (score <= x[0]) return y[0];
  if (score >= x[last]) return y[last];
  let [low, high] = [0, x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < score) low = middle + 1;
    else high = middle;
  }
  const height = y[low - 1] + ((y[low] - y[low - 1]) / (x[low] - x[low - 1])) * (score - x[low - 1]);
  return Math.min(height, y[low]);
}

/** ln p / (1 − p) of every class; that of the most probable one comes from the others, which have all their digits. */
export function logOdds(log: Float64Array, rest: (log: number) => number = log1mexp): Float64Array {
  const first = argmax(log);
  const others = log.filter((_, c) => c !== first);
  return log.map((value, c) => value - (c === first ? logSumExp(others) : rest(value)));
}
