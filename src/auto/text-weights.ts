import { Random } from '../math/random.ts';
import type { CellScorer, ClassCells, TermCounts } from './text-counts.ts';

/** Counts of training rows and the multinomial scorer made of them. */
export interface CountedScorer {
  readonly cells: ClassCells;
  readonly counts: TermCounts;
  readonly scorer: CellScorer;
  readonly alpha: number;
}

/** How weights of terms are learned. */
export interface WeightOptions {
  /** Where every weight starts: the temperature at which the unweighted scores are log-posteriors. */
  readonly start: number;
  /** The weights are returned after each of these passes over the rows, in ascending order. */
  readonly passes: readonly number[];
  readonly seed: number;
}

/** The size of the first steps, as a share of where weights start. */
const RATE = 0.2;
/** A row whose class is at least this probable changes nothing; most rows are, after a pass. */
const SURE = 0.99;

/**
 * Learns a weight for every term that minimises the leave-one-out log-loss of weighted multinomial naive Bayes,
 *
 *   S[i,c] = b[c] + Σⱼ xᵢⱼ g[j] w⁽ⁱ⁾[j,c],   loss = −Σᵢ ln softmax(S[i])[yᵢ]                       (1)
 *
 * where w⁽ⁱ⁾ are the weights of (1) in `ClassCells.scorer` from the counts without row i: only the cells of the row's own class
 * differ, ln(1 + (s − x)/α) instead of ln(1 + s/α). Without that, rare terms would seem to know the class of the rows they come from. Terms
 * that repeat what others say get less weight, which naive Bayes cannot do. Solved by stochastic gradient descent with a step size per
 * coordinate (Duchi, Hazan & Singer, Adaptive Subgradient Methods, JMLR 12, 2011). Zaidi, Cerquides, Carman & Webb, Alleviating Naive
 * Bayes Attribute Independence Assumption by Attribute Weighting, JMLR 14 (2013), weigh attributes by conditional likelihood.
 */
export function* learnTermWeights(
  { cells: { X, y, classes, indptr, classOf }, counts: { s }, scorer, alpha }: CountedScorer,
  rows: Int32Array,
  { start, passes, seed }: WeightOptions,
): Generator<Float64Array, void> {
  const { base, cells: w } = scorer;
  const weights = new Float64Array(X.cols).fill(start);
  const squares = new Float64Array(X.cols).fill(Number.MIN_VALUE);
  const bias = scorer.start.map((log) => start * log);
  const biasSquares = new Float64Array(classes).fill(Number.MIN_VALUE);
  const less = leaveOneOut({ X, y, indptr, classOf }, s, w, alpha, rows);
  const p = new Float64Array(classes);
  const random = new Random(seed);
  for (let pass = 1; pass <= passes[passes.length - 1]; pass++) {
    for (const at of random.permutation(rows.length)) {
      const i = rows[at];
      const [from, to, own] = [X.indptr[i], X.indptr[i + 1], y[i]];
      p.set(bias);
      let length = 0;
      for (let k = from; k < to; k++) {
        const j = X.indices[k];
        const x = X.data[k] * weights[j];
        length += x;
        for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) p[classOf[cell]] += x * w[cell];
        p[own] += x * less[k];
      }
      let top = -Infinity;
      for (let c = 0; c < classes; c++) {
        p[c] += length * base[c];
        if (p[c] > top) top = p[c];
      }
      let total = 0;
      for (let c = 0; c < classes; c++) total += p[c] = Math.exp(p[c] - top);
      if (p[own] >= SURE * total) continue;
      let common = 0; // what all terms of the row have in common of their slope
      for (let c = 0; c < classes; c++) {
        const slope = p[c] / total - (c === own ? 1 : 0);
        p[c] = slope;
        common += slope * base[c];
        biasSquares[c] += slope * slope;
        bias[c] -= (RATE * start * slope) / Math.sqrt(biasSquares[c]);
      }
      for (let k = from; k < to; k++) {
        const j = X.indices[k];
        let slope = common + p[own] * less[k];
        for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) slope += p[classOf[cell]] * w[cell];
        slope *= X.data[k];
        squares[j] += slope * slope;
        weights[j] = Math.max(0, weights[j] - (RATE * start * slope) / Math.sqrt(squares[j]));
      }
    }
    if (passes.includes(pass)) yield weights.slice();
  }
}

/** By how much the cell of a row's own class is less without the row, for every entry of the rows. */
function leaveOneOut(
  { X, y, indptr, classOf }: Pick<ClassCells, 'X' | 'y' | 'indptr' | 'classOf'>,
  s: Float64Array,
  w: Float64Array,
  alpha: number,
  rows: Int32Array,
): Float64Array {
  const less = new Float64Array(X.data.length);
  for (const i of rows) {
    for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
      let cell = indptr[X.indices[k]];
      while (classOf[cell] < y[i]) cell++;
      less[k] = Math.log1p((s[cell] - X.data[k]) / alpha) - w[cell];
    }
  }
  return less;
}
