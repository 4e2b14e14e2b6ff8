import type { Matrix } from '../data/matrix.ts';
import { minimise } from '../math/lbfgs.ts';

/** Rows of levels as numbers, and the class of each. */
export interface LevelRows {
  readonly X: Matrix;
  readonly codes: Int32Array;
  readonly classes: number;
}

/** The most scores that weights are learned from; of more, those of evenly chosen rows. */
const MOST_SCORES = 2e6;
/** How strongly weights are drawn to zero, in rows. */
const STRENGTH = 1;
const MOST_STEPS = 25;
/** Where no slope of the mean loss is steeper than this, further steps hardly change what is predicted. */
const TOLERANCE = 1e-4;

/** The number of levels of each column. */
function levelsOf({ rows, cols, data }: Matrix): Int32Array {
  const levels = new Int32Array(cols);
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) if (data[at] >= levels[j]) levels[j] = data[at] + 1;
  return levels;
}

/**
 * Weights of columns of levels that minimise the leave-one-out log-loss of weighted naive Bayes,
 *
 *   S[i,c] = b[c] + Σⱼ w[j] ln p⁽ⁱ⁾(xᵢⱼ | c),   loss = −Σᵢ ln softmax(S[i])[yᵢ] + Σⱼ w[j]² / 2                        (1)
 *
 * with p⁽ⁱ⁾ by the counts without row i: only those of the row's own class differ. Otherwise rare levels would seem to know the class
 * of their rows. Weights below zero take away what several columns say together. Zaidi, Cerquides, Carman & Webb, Alleviating Naive
 * Bayes Attribute Independence Assumption by Attribute Weighting, JMLR 14 (2013). The weights come first, then b of all classes but one.
 */
export function learnColumnWeights(rows: LevelRows, alpha: number): Float64Array {
  const { X, codes, classes } = rows;
  const [{ cols }, others] = [X, classes - 1];
  const step = Math.max(1, (X.rows * cols * others) / MOST_SCORES);
  const chosen = Int32Array.from({ length: Math.floor(X.rows / step) }, (_, k) => Math.floor(k * step));
  const scores = leaveOneOut(rows, chosen, alpha);
  const p = new Float64Array(others);
  const loss = (point: Float64Array, slope: Float64Array): number => {
    let total = 0;
    for (let j = 0; j < cols; j++) {
      total += (STRENGTH / 2) * point[j] ** 2;
      slope[j] = STRENGTH * point[j];
    }
    slope.fill(0, cols);
    for (let k = 0; k < chosen.length; k++) {
      const from = k * cols * others;
      pooled(scores, from, point, p);
      total += toResiduals(p, codes[chosen[k]]);
      for (let j = 0, at = from; j < cols; j++) {
        let sum = 0;
        for (let c = 0; c < others; c++) sum += p[c] * scores[at++];
        slope[j] += sum;
      }
      for (let c = 0; c < others; c++) slope[cols + c] += p[c];
    }
    for (let k = 0; k < slope.length; k++) slope[k] /= chosen.length;
    return total / chosen.length;
  };
  return minimise(loss, new Float64Array(cols + others).fill(1 / cols, 0, cols), TOLERANCE, MOST_STEPS).x;
}

/** S of (1) of one row for all classes but the first, relative to it. */
function pooled(scores: Float32Array, from: number, point: Float64Array, out: Float64Array): void {
  const others = out.length;
  const cols = point.length - others;
  for (let c = 0; c < others; c++) out[c] = point[cols + c];
  for (let j = 0, at = from; j < cols; j++) {
    const weight = point[j];
    for (let c = 0; c < others; c++) out[c] += weight * scores[at++];
  }
}

/** Scores relative to the first class become p(c) − [c is the row's own]; returns −ln p(own). */
function toResiduals(p: Float64Array, own: number): number {
  let top = 0;
  for (let c = 0; c < p.length; c++) if (p[c] > top) top = p[c];
  const score = own === 0 ? 0 : p[own - 1];
  let sum = Math.exp(-top);
  for (let c = 0; c < p.length; c++) {
    p[c] = Math.exp(p[c] - top);
    sum += p[c];
  }
  for (let c = 0; c < p.length; c++) p[c] /= sum;
  if (own > 0) p[own - 1] -= 1;
  return top - score + Math.log(sum);
}

/** ln p⁽ⁱ⁾(xᵢⱼ | c) of some rows for all classes but the first, relative to it; 0 where a cell is missing. */
function leaveOneOut({ X, codes, classes }: LevelRows, chosen: Int32Array, alpha: number): Float32Array {
  const { cols, data } = X;
  const scores = new Float32Array(chosen.length * cols * (classes - 1));
  const logs = new Float64Array(classes);
  levelsOf(X).forEach((levels, j) => {
    const [counts, totals] = [new Float64Array(levels * classes), new Float64Array(classes)];
    for (let i = 0, at = j; at < data.length; i++, at += cols) {
      if (Number.isNaN(data[at])) continue;
      counts[data[at] * classes + codes[i]]++;
      totals[codes[i]]++;
    }
    const logShare = (cell: number, c: number, less: number) =>
      Math.log((counts[cell] - less + alpha) / (totals[c] - less + alpha * levels));
    const whole = counts.map((_, cell) => logShare(cell, cell % classes, 0));
    for (let k = 0; k < chosen.length; k++) {
      const from = data[chosen[k] * cols + j] * classes;
      if (Number.isNaN(from)) continue;
      const own = codes[chosen[k]];
      for (let c = 0; c < classes; c++) logs[c] = c === own ? logShare(from + c, c, 1) : whole[from + c];
      const at = (k * cols + j) * (classes - 1) - 1;
      for (let c = 1; c < classes; c++) scores[at + c] = logs[c] - logs[0];
    }
  });
  return scores;
}

/**
 * The pairs of columns that weighted naive Bayes of single columns describes worst, the worst first: with the residuals r = p(c | x) −
 * [y = c] of (1), and z the rows with the levels u and v of two columns,
 *
 *   gain = Σ_c Σ_uv ((Σ_z r)² − Σ_z p (1 − p)) / (1 + Σ_z p (1 − p)),                                                 (2)
 *
 * which is about zero where residuals are chance.
 */
export function choosePairs(rows: LevelRows, most: number, alpha: number): [first: number, second: number][] {
  const { X, codes, classes } = rows;
  const { cols, data } = X;
  const others = classes - 1;
  const point = learnColumnWeights(rows, alpha);
  const scores = leaveOneOut(
    rows,
    codes.map((_, i) => i),
    alpha,
  );
  const residuals = new Float64Array(X.rows * others);
  for (let i = 0; i < X.rows; i++) {
    const own = residuals.subarray(i * others, (i + 1) * others);
    pooled(scores, i * cols * others, point, own);
    toResiduals(own, codes[i]);
  }
  const levels = levelsOf(X);
  const gainOf = (j: number, k: number): number => {
    const sums = new Float64Array(levels[j] * levels[k] * others);
    const spreads = new Float64Array(sums.length);
    for (let i = 0; i < X.rows; i++) {
      const pair = data[i * cols + j] * levels[k] + data[i * cols + k];
      if (Number.isNaN(pair)) continue;
      for (let c = 0; c < others; c++) {
        const r = residuals[i * others + c];
        const p = codes[i] === c + 1 ? r + 1 : r;
        sums[pair * others + c] += r;
        spreads[pair * others + c] += p * (1 - p);
      }
    }
    return sums.reduce((gain, sum, cell) => gain + (sum * sum - spreads[cell]) / (1 + spreads[cell]), 0);
  };
  const pairs = Array.from({ length: cols }, (_, j) => j).flatMap((j) =>
    Array.from({ length: j }, (_, k) => ({ pair: [j, k] as [number, number], gain: gainOf(j, k) })),
  );
  const useful = pairs.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
  return useful.slice(0, most).map(({ pair }) => pair);
}
