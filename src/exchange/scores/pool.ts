import { constant, list, numbers, orNull, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import {
  between,
  type ScoreContext,
  type ScoreOperation,
  type Share,
  shareEntries,
  shareOf,
  softmax,
} from './score.ts';

/**
 * ln p(c | x) of the pool Σₘ weights[m] Sₘ[c] + bias[c]; members of weight 0 are not here. With a share r, weights and biases are
 * r times these and 1 − r times those of the share.
 */
export interface Pooled {
  readonly op: 'pool';
  readonly members: readonly PlanScore[];
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly share: PoolShare | null;
}

interface PoolShare extends Share {
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

const shape = (inner: Shape<PlanScore>): Shape<Pooled> =>
  record(
    {
      op: constant('pool'),
      members: list(inner),
      weights: numbers,
      bias: numbers,
      share: orNull(record({ ...shareEntries, weights: numbers, bias: numbers })),
    },
    'Σ weights[m] Sₘ[c] + bias[c], less ln Σ exp of it; with a share r < 1, weights and biases are r times these and 1 − r times those of ' +
      'the share.',
  );

function run({ members, weights, bias, share }: Pooled, context: ScoreContext): Float64Array {
  const r = shareOf(share, context.vectors);
  const sum = bias.map((value, c) => between(r, value, share?.bias[c] ?? 0));
  members.forEach((member, m) => {
    const weight = between(r, weights[m], share?.weights[m] ?? 0);
    const own = context.run(member);
    for (let c = 0; c < sum.length; c++) sum[c] += weight * own[c];
  });
  return softmax(sum);
}

export const pooled: ScoreOperation<Pooled> = { shape, run };
