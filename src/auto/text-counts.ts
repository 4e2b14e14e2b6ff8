import { Matrix } from '../data/matrix.ts';
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

/** Rows of numbered terms: row i has the terms indices[k] with data[k] for indptr[i] ≤ k < indptr[i + 1], in any order. */
export interface TermRows {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly data: ArrayLike<number>;
}

/** Rows whose data are √(share of the row), rounded so that sums are exact. */
type RootRows = TermRows & { readonly data: Float64Array };

/** Counts as cells. */
export function rootRows({ data, ...others }: TermRows): RootRows {
  const { rows, indptr } = others;
  const values = new Float64Array(indptr[rows]);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) total += data[k];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) values[k] = rootShare(data[k], total);
  }
  return { ...others, data: values };
}

/** The weight of a cell with a count: what the score gains beyond that of a term that never occurred in the class. */
export const cellWeight = (model: EventModel, count: number, total: number, alpha: number): number =>
  model === 'multinomial' ? Math.log1p(count / alpha) : -Math.log1p(-count / (total + alpha));

/** What every term adds to the score of a class with this sum of counts; `smoothing` is the pseudo-count of all terms. */
export const baseWeight = (model: EventModel, own: number, all: number, smoothing: number): number =>
  model === 'multinomial' ? -Math.log(own + smoothing) : Math.log(all + smoothing - own);

/**
 * The pairs of terms and classes that occur together, and counts of rows in them. A view is counted once; what is learned without a fold
 * is the whole minus the counts of the fold.
 */
export class ClassCells {
  readonly X: RootRows;
  readonly y: Int32Array;
  readonly classes: number;
  /** The cells of term j are those from indptr[j] to indptr[j + 1], by ascending class. */
  readonly indptr: Uint32Array;
  readonly classOf: Int32Array;
  /** The cell that an entry of X is counted in. */
  readonly cellOf: Uint32Array;

  constructor(X: RootRows, y: Int32Array, classes: number) {
    this.X = X;
    this.y = y;
    this.classes = classes;
    this.indptr = new Uint32Array(X.cols + 1);
    this.cellOf = new Uint32Array(X.data.length);
    const last = new Int32Array(X.cols).fill(-1);
    const rows = byClass(y, classes);
    for (const i of rows) {
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
        const j = X.indices[k];
        if (last[j] !== y[i]) this.indptr[j + 1]++;
        last[j] = y[i];
      }
    }
    for (let j = 0; j < X.cols; j++) this.indptr[j + 1] += this.indptr[j];
    this.classOf = new Int32Array(this.indptr[X.cols]).fill(-1);
    const next = this.indptr.slice(0, X.cols);
    for (const i of rows) {
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
        const j = X.indices[k];
        if (this.classOf[next[j]] !== y[i] && this.classOf[next[j]] >= 0) next[j]++;
        this.classOf[next[j]] = y[i];
        this.cellOf[k] = next[j];
      }
    }
  }

  /** Counts some rows, by their cells or, with `presence`, by how many rows have a term. */
  count(rows: ArrayLike<number>, presence = false): TermCounts {
    const { X, y, cellOf } = this;
    const [n, s] = [new Float64Array(this.classes), new Float64Array(this.classOf.length)];
    for (let at = 0; at < rows.length; at++) {
      const i = rows[at];
      n[y[i]]++;
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) s[cellOf[k]] += presence ? 1 : X.data[k];
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
      let total = 0;
      for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) total += s[cell];
      all += total;
      for (let cell = indptr[j]; cell < indptr[j + 1]; cell++) {
        if (s[cell] === 0) continue;
        own[classOf[cell]] += s[cell];
        cells[cell] = cellWeight(model, s[cell], total, alpha);
      }
    }
    const base = own.map((mine) => baseWeight(model, mine, all, alpha * (indptr.length - 1)));
    // a class all of whose rows are held out keeps half a row, so that its score stays finite
    return { start: logShares(n.map((rows) => (rows > 0 ? rows : 0.5))), base, cells };
  }
}

/** The rows of the first class, then those of the second, and so on. */
function byClass(y: Int32Array, classes: number): Uint32Array {
  const next = new Uint32Array(classes + 1);
  for (const c of y) next[c + 1]++;
  for (let c = 0; c < classes; c++) next[c + 1] += next[c];
  const rows = new Uint32Array(y.length);
  y.forEach((c, i) => {
    rows[next[c]++] = i;
  });
  return rows;
}

/** The whole minus a part, which is exact. */
export function without(whole: TermCounts, part: TermCounts): TermCounts {
  return { n: whole.n.map((rows, c) => rows - part.n[c]), s: whole.s.map((sum, cell) => sum - part.s[cell]) };
}
