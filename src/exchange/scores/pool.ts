import { constant, list, numbers, orNull, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import {
  between,
  type ScoreContext,
  type ScoreOf,
  type ScoreOperation,
  shareEntries,
  shareOf,
  softmax,
} from './score.ts';

const share = orNull(record({ ...shareEntries, weights: numbers, bias: numbers }));

const shape = <S>(inner: Shape<S>) =>
  record(
    { op: constant('pool'), members: list(inner), weights: numbers, bias: numbers, share },
    'Σ weights[m] Sₘ[c] + bias[c], less ln Σ exp of it; with a share r < 1, weights and biases are r times these and 1 − r times those of ' +
      'the share.',
  );

/**
 * ln p(c | x) of the pool Σₘ weights[m] Sₘ[c] + bias[c]; members of weight 0 are not here. With a share r, weights and biases are
 * r times these and 1 − r times those of the share.
 */
export interface Pooled extends ScoreOf<typeof shape<PlanScore>> {}

function run({ members, weights, bias, share: own }: Pooled, context: ScoreContext): Float64Array {
  const r = shareOf(own, context.vectors);
  const sum = bias.map((value, c) => between(r, value, own?.bias[c] ?? 0));
  members.forEach((member, m) => {
    const weight = between(r, weights[m], own?.weights[m] ?? 0);
    const scores = context.run(member);
    for (let c = 0; c < sum.length; c++) sum[c] += weight * scores[c];
  });
  return softmax(sum);
}

export const pooled: ScoreOperation<Pooled> = { shape, run };
