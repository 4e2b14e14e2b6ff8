import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { logShares } from '../math/logs.ts';
import { rootShare } from './text-cells.ts';

/** Counts of some rows: how many rows each class has, and the weight of each cell of a `ClassCells`. */
export interface TermCounts {
  readonly n: Float64Array;
  readonly s: Float64Array;
}

/** An event model: a class is scored by its own terms, or by those of all other classes. */
export type EventModel = 'multinomial' | 'complement';

/**
 * A scorer of counts: score[c] = start[c] + Σⱼ xⱼ (base[c] + cells[j,c]), up to a term that is the same for all classes. A cell is
 * zero where a term never occurred in a class, so scoring costs as much as there are classes in which the terms of a row occur.
 */
export interface CellScorer {
  readonly start: Float64Array;
  readonly base: Float64Array;
  readonly cells: Float64Array;
}

/** Counts as cells: √(share of the row), rounded so that sums are exact. */
export function rootRows({ rows, cols, indptr, indices, data }: SparseMatrix): SparseMatrix {
  const values = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) total += data[k];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) values[k] = rootShare(data[k], total);
  }
  return new TidyMatrix(rows, cols, indptr, indices, values);
}

/**
 * The pairs of terms and classes that occur together, and counts of rows in them. A view is counted once; what is learned without a fold
 * is the whole minus the counts of the fold.
 */
export class ClassCells {
  readonly X: SparseMatrix;
  readonly y: Int32Array;
  readonly classes: number;
  /** The cells of term j are those from indptr[j] to indptr[j + 1], by ascending class. */
  readonly indptr: Uint32Array;
  readonly classOf: Int32Array;

  constructor(X: SparseMatrix, y: Int32Array, classes: number) {
    this.X = X;
    this.y = y;
    this.classes = classes;
    this.indptr = new Uint32Array(X.cols + 1);
    const last = new Int32Array(X.cols);
    const rows = this.byClass(Int32Array.from(y.keys()));
    const eachPair = (act: (j: number, c: number) => void) => {
      last.fill(-1);
      for (const i of rows) {
        for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
          const j = X.indices[k];
          if (last[j] === y[i]) continue;
          last[j] = y[i];
          act(j, y[i]);
        }
      }
    };
    eachPair((j) => this.indptr[j + 1]++);
    for (let j = 0; j < X.cols; j++) this.indptr[j + 1] += this.indptr[j];
    this.classOf = new Int32Array(this.indptr[X.cols]);
    const next = this.indptr.slice();
    eachPair((j, c) => {
      this.classOf[next[j]++] = c;
    });
  }

  /** Counts some rows, of the matrix itself or of another one with the same terms in the same rows. */
  count(rows: Int32Array, X: SparseMatrix = this.X): TermCounts {
    const { y, classOf } = this;
    const [n, s] = [new Float64Array(this.classes), new Float64Array(classOf.length)];
    const at = this.indptr.slice(0, X.cols);
    for (const i of rows) n[y[i]]++;
    for (const i of this.byClass(rows)) {
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
        const j = X.indices[k];
        while (classOf[at[j]] < y[i]) at[j]++;
        s[at[j]] += X.data[k];
      }
    }
    return { n, s };
  }

  /** The scores of some rows, one matrix row for each; terms may have weights. */
  score({ start, base, cells }: CellScorer, rows: Int32Array, weights?: Float64Array): Matrix {
    const { X, classes, indptr, classOf } = this;
    const out = new Matrix(rows.length, classes);
    const { data } = out;
    for (let k = 0; k < rows.length; k++) {
      const [i, to] = [rows[k], k * classes];
      let length = 0;
      for (let at = X.indptr[i]; at < X.indptr[i + 1]; at++) {
        const j = X.indices[at];
        const x = weights ? weights[j] * X.data[at] : X.data[at];
        length += x;
        for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) data[to + classOf[cell]] += x * cells[cell];
      }
      for (let c = 0; c < classes; c++) data[to + c] += start[c] + length * base[c];
    }
    return out;
  }

  /**
   * The scorer of an event model. With s[j,c] the counts and α the pseudo-count, multinomial naive Bayes has the weights
   *
   *   ln (s[j,c] + α) − ln Σⱼ (s[j,c] + α),                                                     (1)
   *
   * of which ln α is left out, and complement naive Bayes, with s[j] = Σ_c s[j,c],
   *
   *   ln Σⱼ (s[j] − s[j,c] + α) − ln (s[j] − s[j,c] + α),                                       (2)
   *
   * of which −ln (s[j] + α) is. Rennie, Shih, Teevan & Karger, Tackling the Poor Assumptions of Naive Bayes (2003), §4.4.
   */
  scorer(model: EventModel, { n, s }: TermCounts, alpha: number): CellScorer {
    const { classes, indptr, classOf } = this;
    const cells = new Float64Array(s.length);
    const own = new Float64Array(classes);
    let all = 0;
    for (let j = 0; j + 1 < indptr.length; j++) {
      let total = alpha;
      for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) total += s[cell];
      all += total;
      for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) {
        const count = s[cell];
        if (count === 0) continue;
        own[classOf[cell]] += count;
        cells[cell] = model === 'multinomial' ? Math.log1p(count / alpha) : -Math.log1p(-count / total);
      }
    }
    const smoothing = alpha * (indptr.length - 1);
    const base = own.map((mine) => (model === 'multinomial' ? -Math.log(mine + smoothing) : Math.log(all - mine)));
    // a class all of whose rows are held out keeps half a row, so that its score stays finite
    return { start: logShares(n.map((rows) => (rows > 0 ? rows : 0.5))), base, cells };
  }

  private byClass(rows: Int32Array): Int32Array {
    return rows.slice().sort((a, b) => this.y[a] - this.y[b] || a - b);
  }
}

/** The whole minus a part, which is exact. */
export function without(whole: TermCounts, part: TermCounts): TermCounts {
  return { n: whole.n.map((rows, c) => rows - part.n[c]), s: whole.s.map((sum, cell) => sum - part.s[cell]) };
}
