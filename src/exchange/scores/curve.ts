import { softplus } from '../../math/logs.ts';
import { constant, number, record, type Shape } from '../shape.ts';
import { curveShape, heightAt, logOdds, type PlanCurve } from './curve-shape.ts';
import type { PlanScore } from './index.ts';
import {
  between,
  type ScoreContext,
  type ScoreOf,
  type ScoreOperation,
  shareOf,
  shareShape,
  softmax,
} from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('curve'), of: inner, curve: curveShape, floor: number, share: shareShape },
    'Log-probabilities S on a curve. A temperature: softmax(beta max(S, −1e4)). Others over the log-odds o[c] = S[c] − ln Σ{d ≠ c} exp ' +
      'S[d] within ±1e4: ln p of every class, or by one curve ln p of the second of two and ln(1 − p) of the first, normalised; heights ' +
      'of lines are kept within floor and 1 − floor. With a share r < 1, r times that plus 1 − r times S, normalised.',
  );

/**
 * Log-probabilities S on a curve. A temperature: softmax(beta · max(S, −1e4)). Others are over the log-odds
 * o[c] = S[c] − ln Σ{d ≠ c} exp S[d], bounded to ±1e4: ln p of every class by its curve, or by one curve ln p of the second of two
 * classes and ln(1 − p) of the first; heights of lines are kept within floor and 1 − floor. Then they are normalised; with a share, the
 * mixture is normalised again.
 */
export interface Curved extends ScoreOf<typeof shape<PlanScore>> {}

/** Log-odds beyond this, either way, are certain. */
const CERTAIN = 1e4;
const bounded = (value: number) => Math.max(-CERTAIN, Math.min(CERTAIN, value));

/** ln p and ln(1 − p) at log-odds on the curve k. */
type Sides = (k: number, odds: number) => readonly [yes: number, no: number];

function sidesOf(curve: Exclude<PlanCurve, { method: 'temperature' }>, floor: number): Sides {
  if (curve.method === 'sigmoid') {
    return (k, odds) => {
      const line = curve.a[k] * odds + curve.b[k];
      return [-softplus(line), -softplus(-line)];
    };
  }
  return (k, odds) => {
    const p = Math.min(1 - floor, Math.max(floor, heightAt(curve.lines[k], odds)));
    return [Math.log(p), Math.log1p(-p)];
  };
}

function onCurve(curve: PlanCurve, floor: number, log: Float64Array): Float64Array {
  if (curve.method === 'temperature') return softmax(log.map((value) => curve.beta * bounded(value)));
  const sides = sidesOf(curve, floor);
  const odds = logOdds(log, (value) => Math.log1p(-Math.exp(value))).map(bounded);
  if (log.length !== 2) return softmax(odds.map((value, c) => sides(c, value)[0]));
  const [yes, no] = sides(0, odds[1]);
  return softmax(Float64Array.of(no, yes));
}

function run({ of, curve, floor, share }: Curved, context: ScoreContext): Float64Array {
  const log = context.run(of);
  const fitted = onCurve(curve, floor, log);
  const r = shareOf(share, context.vectors);
  if (r >= 1) return fitted;
  return softmax(r === 0 ? log : fitted.map((value, c) => between(r, value, log[c])));
}

export const curved: ScoreOperation<Curved> = { shape, run };
