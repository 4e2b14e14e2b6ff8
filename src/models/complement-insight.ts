import type { Insight } from '../core/insight.ts';
import type { Linear } from '../core/linear.ts';
import { linearInsight } from '../core/linear-insight.ts';
import type { Sums } from '../stats/sums.ts';
import type { ComplementOptions } from './complement.ts';
import { complementLeaveOneOut } from './complement-held-out.ts';
import { wordTelling } from './word-telling.ts';

/** What complements tell of themselves. Their score is no probability, so there is nothing to draw. */
export const complementInsight: Insight<Sums, Linear, ComplementOptions> = {
  ...linearInsight,

  telling: (_, stats) => wordTelling(stats),

  leaveOneOut: complementLeaveOneOut,
};
