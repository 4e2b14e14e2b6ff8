import { argmax, sum } from '../math/arrays.ts';
import { log1mexp, logistic, logSoftmaxInto, logSumExp, softplus } from '../math/logs.ts';
import { heightAt } from '../math/search.ts';
import { constant, list, number, numbers, record, type Shape, union, type ValueOf } from './shape.ts';

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

/** S − ln Σ exp S. */
export function softmax(score: Float64Array): Float64Array {
  const out = new Float64Array(score.length);
  logSoftmaxInto(score, 0, score.length, out);
  return out;
}

/** ln p / (1 − p) of every class; that of the most probable one comes from the others, which have all their digits. */
export function logOdds(log: Float64Array, rest: (log: number) => number = log1mexp): Float64Array {
  const first = argmax(log);
  const others = log.filter((_, c) => c !== first);
  return log.map((value, c) => value - (c === first ? logSumExp(others) : rest(value)));
}

/** A curve for each class, normalised; or one for the second of two classes. */
function normalised(scores: Float64Array, single: number, height: (k: number, score: number) => number): Float64Array {
  if (single === 1 && scores.length === 2) {
    const p = height(0, scores[1]);
    return Float64Array.of(1 - p, p);
  }
  const heights = scores.map((score, c) => height(c, score));
  const total = sum(heights);
  return heights.map((value) => (total === 0 ? 1 / scores.length : value / total));
}

/** The calibrated probabilities of scores, or of log-probabilities; of two scores the difference counts. */
export function calibrate(curve: PlanCurve, over: 'probabilities' | 'scores', score: Float64Array): Float64Array {
  const own = over === 'probabilities';
  const opposed = () => Float64Array.of(-1 * (score[1] - score[0]), score[1] - score[0]);
  const values = own ? score.map(Math.exp) : score.length === 2 ? opposed() : score;
  if (curve.method === 'temperature') {
    const logits = own ? values.map((p) => Math.log(p + 1e-12)) : values;
    return softmax(logits.map((value) => curve.beta * value)).map(Math.exp);
  }
  if (curve.method === 'isotonic') {
    return normalised(values, curve.lines.length, (k, value) => heightAt(curve.lines[k], value));
  }
  return normalised(values, curve.a.length, (k, value) => logistic(-(curve.a[k] * value + curve.b[k])));
}

/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;
const bounded = (value: number) => Math.max(-CERTAIN, Math.min(CERTAIN, value));

/** Log-probabilities on a curve, normalised; heights of lines are kept within floor and 1 − floor. */
export function onCurve(curve: PlanCurve, floor: number, log: Float64Array): Float64Array {
  if (curve.method === 'temperature') return softmax(log.map((value) => curve.beta * bounded(value)));
  const sides = (k: number, value: number): [yes: number, no: number] => {
    if (curve.method === 'sigmoid') {
      const at = curve.a[k] * value + curve.b[k];
      return [-softplus(at), -softplus(-at)];
    }
    const p = Math.min(1 - floor, Math.max(floor, heightAt(curve.lines[k], value)));
    return [Math.log(p), Math.log1p(-p)];
  };
  const odds = logOdds(log, (value) => Math.log1p(-Math.exp(value))).map(bounded);
  if (log.length !== 2) return softmax(odds.map((value, c) => sides(c, value)[0]));
  return softmax(Float64Array.from(sides(0, odds[1]).reverse()));
}
