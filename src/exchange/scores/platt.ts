import { softplus } from '../../math/logs.ts';
import { constant, numbers, record, type Shape } from '../shape.ts';
import { logOdds } from './curve-shape.ts';
import type { PlanScore } from './index.ts';
import { type ScoreContext, type ScoreOf, type ScoreOperation, softmax } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('platt'), of: inner, a: numbers, b: numbers },
    '−ln(1 + exp(a o + b)), normalised, with the log-odds o[c] = S[c] − ln Σ{d ≠ c} exp S[d].',
  );

/** −ln(1 + exp(a[c] o[c] + b[c])), normalised, where o[c] = S[c] − ln Σ{d ≠ c} exp S[d] are the log-odds. */
export interface Platt extends ScoreOf<typeof shape<PlanScore>> {}

const run = ({ of, a, b }: Platt, context: ScoreContext) =>
  softmax(logOdds(softmax(context.run(of))).map((value, c) => -softplus(a[c] * value + b[c])));

export const platt: ScoreOperation<Platt> = { shape, run };
