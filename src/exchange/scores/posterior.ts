import { refuse } from '../../errors.ts';
import { argmax } from '../../math/arrays.ts';
import { choices, constant, numbers, orNull, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import { type ScoreContext, type ScoreOf, type ScoreOperation, softmax } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    {
      op: constant('posterior'),
      of: inner,
      prior: orNull(numbers),
      impossible: choices('prior', 'refuse'),
      sum: choices('together', 'apart'),
    },
    'S[c] − ln Σ exp S. Where all are −Infinity the prior stands for S, or the row is refused. `sum` says how exponentials are added.',
  );

/**
 * ln p(c | x) = S[c] − ln Σ exp S. Scores of Infinity share all alike. Where every score is −Infinity, `prior` replaces
 * them, or the row is refused. `sum` is the order in which exponentials are added, which affects only the last digit: all together, or the
 * greatest apart by ln(1 + rest).
 */
export interface Posterior extends ScoreOf<typeof shape<PlanScore>> {}

function run({ of, prior, impossible, sum }: Posterior, context: ScoreContext): Float64Array {
  const score = context.run(of);
  const normalised = sum === 'together' ? together : softmax;
  if (score.some((value) => value > -Infinity)) return normalised(score);
  if (impossible === 'refuse') return refuse('E_ZERO_EVIDENCE', 'the row is impossible under every class');
  return normalised(prior ?? score);
}

/** S − ln Σ exp S with all exponentials in one sum. */
function together(score: Float64Array): Float64Array {
  const top = score[argmax(score)];
  if (!Number.isFinite(top)) return softmax(score);
  let sum = 0;
  for (const value of score) sum += Math.exp(value - top);
  const logSum = Math.log(sum);
  return score.map((value) => value - top - logSum);
}

export const posterior: ScoreOperation<Posterior> = { shape, run };
