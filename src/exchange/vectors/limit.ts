import { refuse } from '../../errors.ts';
import { dense } from '../cells.ts';
import { choices, place, places, type ValueOf } from '../shape.ts';
import { type VectorContext, type VectorOperation, vector } from './vector.ts';

const shape = vector(
  'limit',
  {
    from: place,
    levels: places,
    unknown: choices('last', 'missing', 'refuse'),
    missing: choices('missing', 'refuse'),
  },
  'Numbers of levels; from levels[j] on they are unknown: levels[j], missing, or refused.',
);

/** Numbers of levels. Refuses what is not a whole number from 0, and missing numbers unless they are allowed. */
export type LimitVector = ValueOf<typeof shape>;

const run = ({ from, levels, unknown, missing }: LimitVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => {
    if (Number.isNaN(x) && missing === 'missing') return x;
    if (!(Number.isInteger(x) && x >= 0)) {
      return refuse('E_VALUE_RANGE', `feature ${j}: ${x} is not a level`, { column: j });
    }
    if (x < levels[j] || unknown === 'last') return Math.min(x, levels[j]);
    if (unknown === 'missing') return Number.NaN;
    return refuse('E_CATEGORY_UNKNOWN', `feature ${j}: level ${x} was never learned`, { column: j });
  });

export const limitVector: VectorOperation<LimitVector> = { shape, run };
