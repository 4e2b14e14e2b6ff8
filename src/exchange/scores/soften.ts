import { constant, flags, number, orNull, record, type Shape } from '../shape.ts';
import type { PlanScore } from './index.ts';
import { between, type ScoreContext, type ScoreOf, type ScoreOperation, shareOf, shareShape } from './score.ts';

const shape = <S>(inner: Shape<S>) =>
  record(
    {
      op: constant('soften'),
      of: inner,
      least: number,
      tail: orNull(number),
      share: shareShape,
      unmet: flags,
      unmetScore: number,
    },
    'max(least, S), bent to −tail ln(1 − S / tail) where there is a tail, r times that and 1 − r times what was not bent where there is a ' +
      'share r < 1; classes that are unmet get unmetScore.',
  );

/**
 * S[c] = max(least, S[c]), bent to −tail ln(1 − S[c] / tail) where `tail` is a number, as much as `share` says; classes with
 * unmet[c] = 1 get `unmetScore`.
 */
export interface Softened extends ScoreOf<typeof shape<PlanScore>> {}

function run({ of, least, tail, share, unmet, unmetScore }: Softened, context: ScoreContext): Float64Array {
  const r = shareOf(share, context.vectors);
  return context.run(of).map((value, c) => {
    if (unmet[c]) return unmetScore;
    const bounded = Math.max(least, value);
    return tail === null ? bounded : between(r, -tail * Math.log1p(-bounded / tail), bounded);
  });
}

export const softened: ScoreOperation<Softened> = { shape, run };
