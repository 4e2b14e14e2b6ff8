import { refuse } from '../../errors.ts';
import { dense } from '../cells.ts';
import { choices, place, places } from '../shape.ts';
import { type VectorContext, type VectorOf, type VectorOperation, vector } from './vector.ts';

/**
 * Numbers of levels below levels[j]: a greater one is unknown and becomes levels[j] (the last face), missing, or a refusal.
 * Whatever is no whole number from 0 is refused, and so is what is missing unless it may be.
 */
export interface LimitVector extends VectorOf<'limit'> {
  readonly from: number;
  readonly levels: Int32Array;
  readonly unknown: 'last' | 'missing' | 'refuse';
  readonly missing: 'missing' | 'refuse';
}

const shape = vector<LimitVector>(
  'limit',
  {
    from: place,
    levels: places,
    unknown: choices('last', 'missing', 'refuse'),
    missing: choices('missing', 'refuse'),
  },
  'Numbers of levels; from levels[j] on they are unknown: levels[j], missing, or refused.',
);

const run = ({ from, levels, unknown, missing }: LimitVector, { done }: VectorContext) =>
  dense(done[from]).map((x, j) => {
    if (Number.isNaN(x) && missing === 'missing') return x;
    if (!(Number.isInteger(x) && x >= 0)) {
      return refuse('E_VALUE_RANGE', `feature ${j}: ${x} is no level`, { column: j });
    }
    if (x < levels[j] || unknown === 'last') return Math.min(x, levels[j]);
    if (unknown === 'missing') return Number.NaN;
    return refuse('E_CATEGORY_UNKNOWN', `feature ${j}: level ${x} was never learned`, { column: j });
  });

export const limitVector: VectorOperation<LimitVector> = { shape, run };
