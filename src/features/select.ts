import { quantile } from './quantile.ts';

/** NaN is the least of all scores. */
function clean(scores: Float64Array): Float64Array {
  return scores.map((score) => (Number.isNaN(score) ? -Number.MAX_VALUE : score));
}

/** Marks the k highest scores; of equals the later feature wins, and NaN loses to every number. */
export function markBest(scores: Float64Array, k: number | 'all'): boolean[] {
  if (k === 'all' || k >= scores.length) return new Array(scores.length).fill(true);
  const values = clean(scores);
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a] || b - a);
  const kept = new Set(order.slice(0, k));
  return Array.from(values, (_, j) => kept.has(j));
}

/**
 * Marks the given percentage of features with the highest scores: those above the percentile, and of those on it as many
 * as fit, the earlier first.
 */
export function markPercentile(scores: Float64Array, percentile: number): boolean[] {
  if (percentile === 100) return new Array(scores.length).fill(true);
  if (percentile === 0) return new Array(scores.length).fill(false);
  const values = clean(scores);
  const threshold = quantile(values.slice().sort(), (100 - percentile) / 100, 'linear');
  const mask = Array.from(values, (value) => value > threshold);
  let room = Math.trunc((scores.length * percentile) / 100) - mask.filter(Boolean).length;
  for (let j = 0; j < values.length && room > 0; j++) {
    if (values[j] !== threshold) continue;
    mask[j] = true;
    room--;
  }
  return mask;
}
