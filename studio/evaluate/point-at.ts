import type { Operating } from '../protocol.ts';

/** What a threshold does. */
export function pointAt({ above: [own, others], positives, negatives }: Operating, threshold: number) {
  const k = Math.min(own.length - 1, Math.ceil(threshold * (own.length - 1)));
  const [tp, fp] = [own[k], others[k]];
  return {
    flagged: (tp + fp) / (positives + negatives),
    precision: tp + fp > 0 ? tp / (tp + fp) : 1,
    recall: tp / positives,
    fpr: fp / negatives,
  };
}

/** The threshold with the least cost, if a miss costs `cost` false alarms. */
export function cheapest({ above: [own, others], positives }: Operating, cost: number): number {
  let [best, least] = [0, Infinity];
  for (let k = 0; k < own.length; k++) {
    const paid = cost * (positives - own[k]) + others[k];
    if (paid < least) [best, least] = [k, paid];
  }
  return best / (own.length - 1);
}
