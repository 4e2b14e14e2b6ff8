import { emptyTelling, rateDivergence, type Telling } from '../core/telling.ts';
import { sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';

/**
 * How words set a class apart from all others taken together. The shares of a word are smoothed towards its share of all words, as under
 * an informative Dirichlet prior that weighs one word per feature (Monroe, Colaresi & Quinn, Fightin' Words, 2008, §3.3),
 *
 *   θ[c,j] = (s[c,j] + p[j] D) / (Σⱼ s[c,j] + D),   p[j] = Σ_c s[c,j] / Σ s,   D features                      (1)
 *
 * and alike for the sums of the other classes. A uniform prior would make frequent words look typical of the larger classes.
 */
export function wordTelling({ classes, features, s }: Pick<Sums, 'classes' | 'features' | 's'>): Telling {
  const telling = emptyTelling({ classes, features });
  const words = new Float64Array(features);
  for (let c = 0; c < classes; c++) for (let j = 0; j < features; j++) words[j] += s[c * features + j];
  const all = sum(words);
  for (let c = 0; c < classes; c++) {
    const own = sum(s, c * features, features);
    const others = Math.max(0, all - own);
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      const prior = all > 0 ? (words[j] / all) * features : 1;
      const share = (s[cell] + prior) / (own + features);
      const rest = classes > 1 ? (Math.max(0, words[j] - s[cell]) + prior) / (others + features) : share;
      telling.nats[cell] = rateDivergence(share, rest);
      telling.logOdds[cell] = share === rest ? 0 : Math.log(share / rest);
    }
  }
  return telling;
}
