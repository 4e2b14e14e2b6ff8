import type { Insight } from '../core/insight.ts';
import type { Linear } from '../core/linear.ts';
import { linearInsight } from '../core/linear-insight.ts';
import { pseudoAt, pseudoCount, pseudoSum } from '../core/prior.ts';
import { divergenceAt } from '../core/telling.ts';
import { remainder, sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import type { ComplementOptions } from './complement.ts';
import { complementLeaveOneOut } from './complement-held-out.ts';

/** What complements tell of themselves. Their score is no probability, so there is nothing to draw. */
export const complementInsight: Insight<Sums, Linear, ComplementOptions> = {
  ...linearInsight,

  /** θ ln(θ / θ̃) with the die of the class and the die of all the others, both smoothed alike. */
  telling(_, { classes, features, s }, { prior }) {
    const k = pseudoCount(prior);
    const words = Float64Array.from({ length: features }, (_, j) => {
      let all = 0;
      for (let c = 0; c < classes; c++) all += s[c * features + j];
      return all;
    });
    const all = sum(words);
    const out = new Float64Array(classes * features);
    for (let c = 0; c < classes; c++) {
      const [own, pseudo] = [sum(s, c * features, features), pseudoSum(k, features, c)];
      for (let j = 0; j < features; j++) {
        const [count, a] = [s[c * features + j], pseudoAt(k, features, c, j)];
        const share = own + pseudo > 0 ? (count + a) / (own + pseudo) : 0;
        const others = remainder(all, own) + pseudo;
        const rest = others > 0 ? (remainder(words[j], count) + a) / others : 1 / features;
        out[c * features + j] = classes > 1 ? divergenceAt(share, rest) : 0;
      }
    }
    return out;
  },

  leaveOneOut: complementLeaveOneOut,
};
