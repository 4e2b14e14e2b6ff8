import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { argmax } from '../math/arrays.ts';
import { log1mexp, logSoftmaxInto, logSumExp, softplus } from '../math/logs.ts';

/** One curve per class over its log-odds against the others; none where the pool is trusted as it is. */
export type Curves = readonly Sigmoid[];

/** ln of the odds of each class: L[c] − ln Σ_{d ≠ c} e^L[d]. */
function oddsInto(row: Float64Array, out: Float64Array): void {
  logSoftmaxInto(row, 0, row.length, out);
  const first = argmax(out);
  // ln p − ln(1 − p) loses its digits where p is near 1, which only the greatest can be: its others are added up.
  const others = out.filter((_, c) => c !== first);
  for (let c = 0; c < row.length; c++) out[c] -= c === first ? logSumExp(others) : log1mexp(out[c]);
}

/** Loss, slope and curvature of a curve: Σ softplus(z) − t z with z = −(a s + b), as (loss, ∂a, ∂b, ∂aa, ∂ab, ∂bb). */
function bendOf({ a, b }: Sigmoid, score: Float64Array, target: Float64Array): Float64Array {
  const sums = new Float64Array(6);
  for (let i = 0; i < score.length; i++) {
    const s = score[i];
    const z = -(a * s + b);
    const small = Math.exp(-Math.abs(z));
    const p = z >= 0 ? 1 / (1 + small) : small / (1 + small);
    const [pull, bend] = [target[i] - p, p * (1 - p)];
    sums[0] += Math.max(z, 0) + Math.log1p(small) - target[i] * z;
    sums[1] += pull * s;
    sums[2] += pull;
    sums[3] += bend * s * s;
    sums[4] += bend * s;
    sums[5] += bend;
  }
  return sums;
}

/**
 * Platt's curve as in evaluate/sigmoid.ts, sought from where pooled scores nearly are, p = 1 / (1 + e^−s): a few of Newton's
 * steps suffice, each halved until it helps.
 */
function fitCurve(score: Float64Array, positive: Uint8Array): Sigmoid {
  const positives = positive.reduce((sum, mark) => sum + mark, 0);
  const [high, low] = [(positives + 1) / (positives + 2), 1 / (positive.length - positives + 2)];
  const target = Float64Array.from(positive, (mark) => (mark ? high : low));
  let best: Sigmoid = { a: -1, b: 0 };
  let bend = bendOf(best, score, target);
  for (let round = 0; round < 50; round++) {
    const [loss, ga, gb, haa, hab, hbb] = bend;
    const ridge = 1e-12 * (haa + hbb) + Number.MIN_VALUE;
    const determinant = (haa + ridge) * (hbb + ridge) - hab * hab;
    const step = { a: (hab * gb - (hbb + ridge) * ga) / determinant, b: (hab * ga - (haa + ridge) * gb) / determinant };
    let [size, next, there] = [2, best, bend];
    do {
      size /= 2;
      next = { a: best.a + size * step.a, b: best.b + size * step.b };
      there = bendOf(next, score, target);
    } while (!(there[0] <= loss) && size > 1e-8);
    if (!(there[0] <= loss)) return best;
    [best, bend] = [next, there];
    if (loss - there[0] <= 1e-10 * loss) return best;
  }
  return best;
}

/** Platt's curves, one against the rest, of the listed rows of pooled scores (row-major). */
export function fitCurves(pooled: Float64Array, y: Int32Array, classes: number, rows: Uint32Array): Curves {
  const columns = Array.from({ length: classes }, () => new Float64Array(rows.length));
  const odds = new Float64Array(classes);
  rows.forEach((i, at) => {
    oddsInto(pooled.subarray(i * classes, (i + 1) * classes), odds);
    for (let c = 0; c < classes; c++) columns[c][at] = odds[c];
  });
  return columns.map((score, c) =>
    fitCurve(
      score,
      Uint8Array.from(rows, (i) => (y[i] === c ? 1 : 0)),
    ),
  );
}

/** ln p(c | x) of one row of pooled scores, in place: the softmax, or the curves normalised to one. */
export function calibrateRow(row: Float64Array, curves: Curves): void {
  if (curves.length > 0) {
    const odds = new Float64Array(row.length);
    oddsInto(row, odds);
    for (let c = 0; c < row.length; c++) row[c] = -softplus(curves[c].a * odds[c] + curves[c].b);
  }
  logSoftmaxInto(row, 0, row.length, row);
}
