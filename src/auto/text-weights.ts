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
const RATE = 0.3;
/** A row whose class is at least this probable changes nothing and is left out of the next pass. */
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
  counted: CountedScorer,
  rows: Int32Array,
  { start, passes, seed }: WeightOptions,
): Generator<Float64Array, void> {
  const descent = new Descent(counted, rows, start);
  const random = new Random(seed);
  for (let pass = 1; pass <= passes[passes.length - 1]; pass++) {
    descent.pass(random.permutation(rows.length));
    if (passes.includes(pass)) yield descent.weights.slice();
  }
}

class Descent {
  readonly weights: Float64Array;
  private readonly rows: Int32Array;
  private readonly cells: ClassCells;
  private readonly scorer: CellScorer;
  private readonly less: Float32Array;
  private readonly rate: number;
  private readonly bias: Float64Array;
  private readonly squares: Float64Array;
  private readonly biasSquares: Float64Array;
  private readonly sure: Uint8Array;

  constructor({ cells, counts, scorer, alpha }: CountedScorer, rows: Int32Array, start: number) {
    this.rows = rows;
    this.cells = cells;
    this.scorer = scorer;
    this.less = leaveOneOut(cells, counts.s, scorer.cells, alpha, rows);
    this.rate = RATE * start;
    this.weights = new Float64Array(cells.X.cols).fill(start);
    this.squares = new Float64Array(cells.X.cols).fill(Number.MIN_VALUE);
    this.bias = scorer.start.map((log) => start * log);
    this.biasSquares = new Float64Array(cells.classes).fill(Number.MIN_VALUE);
    this.sure = new Uint8Array(rows.length);
  }

  /** Goes over the rows in this order. */
  pass(order: ArrayLike<number>): void {
    const { rows, sure, cells } = this;
    const p = new Float64Array(cells.classes);
    for (let k = 0; k < order.length; k++) {
      const at = order[k];
      if (sure[at] === 1) {
        sure[at] = 0;
        continue;
      }
      const i = rows[at];
      const total = this.score(i, p);
      if (p[cells.y[i]] >= SURE * total) sure[at] = 1;
      else this.step(i, p, total);
    }
  }

  /** The probabilities of a row's classes without the row itself, up to a factor, and their sum. */
  private score(i: number, p: Float64Array): number {
    const { weights, less, bias } = this;
    const { X, y } = this.cells;
    const { first, count, classes: classOf } = this.cells.cells;
    const { base, cells: w } = this.scorer;
    const { indices, data } = X;
    const [to, own] = [X.indptr[i + 1], y[i]];
    p.set(bias);
    let [length, mine] = [0, 0];
    for (let k = X.indptr[i]; k < to; k++) {
      const j = indices[k];
      const x = data[k] * weights[j];
      const end = first[j] + count[j];
      length += x;
      mine += x * less[k];
      for (let cell = first[j]; cell < end; cell++) p[classOf[cell]] += x * w[cell];
    }
    p[own] += mine;
    let top = -Infinity;
    for (let c = 0; c < p.length; c++) {
      p[c] += length * base[c];
      if (p[c] > top) top = p[c];
    }
    let total = 0;
    for (let c = 0; c < p.length; c++) {
      p[c] = Math.exp(p[c] - top);
      total += p[c];
    }
    return total;
  }

  /** One step against the slope of a row's loss. */
  private step(i: number, p: Float64Array, total: number): void {
    const { weights, squares, less, bias, biasSquares, rate } = this;
    const { X, y } = this.cells;
    const { first, count, classes: classOf } = this.cells.cells;
    const { base, cells: w } = this.scorer;
    const { indices, data } = X;
    const [to, own] = [X.indptr[i + 1], y[i]];
    let common = 0; // what the slopes of all terms of the row have in common
    for (let c = 0; c < p.length; c++) {
      const slope = p[c] / total - (c === own ? 1 : 0);
      p[c] = slope;
      common += slope * base[c];
      biasSquares[c] += slope * slope;
      bias[c] -= (rate * slope) / Math.sqrt(biasSquares[c]);
    }
    for (let k = X.indptr[i]; k < to; k++) {
      const j = indices[k];
      const end = first[j] + count[j];
      let slope = common + p[own] * less[k];
      for (let cell = first[j]; cell < end; cell++) slope += p[classOf[cell]] * w[cell];
      slope *= data[k];
      squares[j] += slope * slope;
      const next = weights[j] - (rate * slope) / Math.sqrt(squares[j]);
      weights[j] = next > 0 ? next : 0;
    }
  }
}

/** By how much the cell of a row's own class is less without the row, for every entry of the rows. */
function leaveOneOut(
  { X, cellOf }: Pick<ClassCells, 'X' | 'cellOf'>,
  s: Float64Array,
  w: Float64Array,
  alpha: number,
  rows: Int32Array,
): Float32Array {
  const less = new Float32Array(X.data.length);
  for (const i of rows) {
    for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
      const cell = cellOf[k];
      const rest = s[cell] - X.data[k];
      less[k] = (rest === 0 ? 0 : Math.log(1 + rest / alpha)) - w[cell]; // far more digits than a float32 has
    }
  }
  return less;
}
