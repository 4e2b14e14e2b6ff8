import { type Insight, wordCells } from './insight.ts';
import type { Linear } from './linear.ts';

/** What every score that is linear in the cells tells of itself: a word adds as often as it is there. */
export const linearInsight: Required<Pick<Insight<never, Linear, never>, 'cells' | 'points' | 'contribution'>> = {
  cells: () => wordCells,
  points: () => Float64Array.of(0, 1),
  contribution({ classes, weights }, j, value, out) {
    for (let c = 0; c < classes; c++) out[c] = value > 0 || value < 0 ? value * weights[j * classes + c] : 0;
  },
};
