import { lgamma } from '../math/gamma.ts';
import { logGammaRatio } from '../math/gamma-ratio.ts';

/** The class-independent part of the score of a document: ln n!/Πⱼ xⱼ!, or ln n!/Πⱼ xⱼ for (2). */
export function documentOf(values: Float64Array, from = 0, to: number = values.length) {
  let [n, logRepeats, logCounts] = [0, 0, 0];
  for (let k = from; k < to; k++) {
    n += values[k];
    if (values[k] === 1) continue;
    logRepeats += lgamma(values[k] + 1);
    logCounts += Math.log(values[k]);
  }
  const logFactorial = lgamma(n + 1);
  return { n, logOrders: logFactorial - logRepeats, logEdcm: logFactorial - logCounts };
}

/** ln Γ(x + α)/Γ(α), or ln β; zero probability if the urn lacks the word. */
export function logDraws(alpha: number, count: number, edcm: boolean): number {
  if (edcm || count === 1 || alpha === 0) return Math.log(alpha);
  return logGammaRatio(alpha, count);
}
