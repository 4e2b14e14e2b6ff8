import { grown } from '../data/grown.ts';
import { Matrix } from '../data/matrix.ts';
import { countCodes, remainder, scaleInto } from '../math/arrays.ts';
import { logShares } from '../math/logs.ts';
import { baseWeight, cellWeight, type EventModel, type ListedCells, rootShare } from '../text/event-weights.ts';

/** Cells that become those of a `TermCells`. */
type OwnCells = ListedCells & Readonly<Record<'ends' | 'classes', Uint32Array>>;

/**
 * Sums of cells by term and class: terms and classes are numbers in order of arrival, and only pairs that occur together have a cell.
 * The cells of term j are those from first[j] to first[j] + count[j]. A term that needs more of them than it has room for is moved to the
 * end, with twice the room: learning a document costs as much as it has terms.
 */
export class TermCells {
  first: Uint32Array = new Uint32Array(64);
  count: Uint32Array = new Uint32Array(64);
  private room = new Uint32Array(64);
  /** By cell. */
  classes: Uint32Array = new Uint32Array(64);
  sums: Float64Array = new Float64Array(64);
  private totals = new Float64Array(64);
  /** How many cells there are, with those that terms have room for. */
  size = 0;
  /** How many terms have a sum above zero. */
  terms = 0;
  /** By class: the sum of its cells. */
  byClass: Float64Array = new Float64Array(8);

  /** Cells as `listed` has them, which become its own; without ids, terms have the numbers 0, 1, … */
  static of({ ends, classes, sums }: OwnCells, ids?: ArrayLike<number>): TermCells {
    const own = new TermCells();
    let [terms, labels] = [ends.length, 0];
    if (ids) for (let k = 0; k < ids.length; k++) terms = Math.max(terms, ids[k] + 1);
    for (let cell = 0; cell < classes.length; cell++) if (classes[cell] >= labels) labels = classes[cell] + 1;
    own.reserve(terms, labels);
    own.classes = classes;
    own.sums = sums;
    own.size = sums.length;
    for (let k = 0, cell = 0; k < ends.length; k++) {
      const term = ids ? ids[k] : k;
      own.first[term] = cell;
      own.count[term] = own.room[term] = ends[k] - cell;
      let total = 0;
      for (; cell < ends[k]; cell++) {
        total += sums[cell];
        own.byClass[classes[cell]] += sums[cell];
      }
      own.totals[term] = total;
      if (total > 0) own.terms++;
    }
    return own;
  }

  /** The sum of a term over all classes; zero for a term that is not known. */
  total(term: number): number {
    return this.totals[term] ?? 0;
  }

  /** √(count / count of all known terms) of the terms of a document, 0 for unknown ones; undefined if none is known. */
  rootShares(ids: ArrayLike<number>, counts: ArrayLike<number>): Float64Array | undefined {
    const { totals } = this;
    let known = 0;
    for (let k = 0; k < ids.length; k++) if (totals[ids[k]] > 0) known += counts[k];
    if (known === 0) return undefined;
    const shares = new Float64Array(ids.length);
    for (let k = 0; k < ids.length; k++) if (totals[ids[k]] > 0) shares[k] = Math.sqrt(counts[k] / known);
    return shares;
  }

  /** Adds to the cell of a term and a class. */
  add(term: number, c: number, amount: number): void {
    if (amount === 0) return;
    const known = this.find(term, c);
    const cell = known < 0 ? this.append(term, c) : known; // which may replace the arrays
    this.sums[cell] += amount;
    if (this.totals[term] === 0) this.terms++;
    this.totals[term] += amount;
    this.byClass[c] += amount;
  }

  /** The sum of the cell of a term and a class. */
  at(term: number, c: number): number {
    const cell = this.find(term, c);
    return cell < 0 ? 0 : this.sums[cell];
  }

  /** Subtracts from the cell of a term and a class, which must be at least as large. */
  subtract(term: number, c: number, amount: number): void {
    const cell = this.find(term, c);
    this.sums[cell] = remainder(this.sums[cell], amount);
    this.byClass[c] = remainder(this.byClass[c], amount);
    this.totals[term] = remainder(this.totals[term], amount);
    if (this.totals[term] === 0) this.terms--;
  }

  /** Multiplies all sums. */
  scale(factor: number): void {
    for (const sums of [this.sums, this.totals, this.byClass]) scaleInto(sums, factor);
  }

  /** The terms whose sum is above zero, ascending. */
  *known(): Generator<number> {
    for (let term = 0; term < this.totals.length; term++) if (this.totals[term] > 0) yield term;
  }

  /** The cells of some terms, term by term and by ascending class. */
  listed(terms: ArrayLike<number>): OwnCells {
    const ends = new Uint32Array(terms.length);
    const [classes, sums] = [new Uint32Array(this.size), new Float64Array(this.size)];
    let size = 0;
    for (let k = 0; k < terms.length; k++) {
      const begin = size;
      const end = this.first[terms[k]] + this.count[terms[k]];
      for (let cell = this.first[terms[k]]; cell < end; cell++) {
        if (this.sums[cell] === 0) continue;
        let to = size++;
        for (; to > begin && classes[to - 1] > this.classes[cell]; to--) {
          classes[to] = classes[to - 1];
          sums[to] = sums[to - 1];
        }
        classes[to] = this.classes[cell];
        sums[to] = this.sums[cell];
      }
      ends[k] = size;
    }
    return { ends, classes: classes.slice(0, size), sums: sums.slice(0, size) };
  }

  private find(term: number, c: number): number {
    const end = this.first[term] + this.count[term];
    for (let cell = this.first[term]; cell < end; cell++) if (this.classes[cell] === c) return cell;
    return -1;
  }

  private reserve(terms: number, classes: number): void {
    this.byClass = grown(this.byClass, classes);
    this.first = grown(this.first, terms);
    this.count = grown(this.count, terms);
    this.room = grown(this.room, terms);
    this.totals = grown(this.totals, terms);
  }

  /** A new cell of zero for a term. */
  private append(term: number, c: number): number {
    this.reserve(term + 1, c + 1);
    const count = this.count[term]++;
    if (count === this.room[term]) {
      const [from, room] = [this.first[term], Math.max(1, 2 * count)];
      this.classes = grown(this.classes, this.size + room);
      this.sums = grown(this.sums, this.size + room);
      this.classes.copyWithin(this.size, from, from + count);
      this.sums.copyWithin(this.size, from, from + count);
      this.sums.fill(0, from, from + count);
      this.first[term] = this.size;
      this.room[term] = room;
      this.size += room;
    }
    this.classes[this.first[term] + count] = c;
    return this.first[term] + count;
  }
}

/** Counts of some rows: how many rows each class has, and the weight of each cell of a `ClassCells`. */
export interface TermCounts {
  readonly n: Float64Array;
  readonly s: Float64Array;
}

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

/**
 * Rows of terms and their sums by term and class. A view is counted once; what is learned without a fold
 * is the whole minus the counts of the fold.
 */
export class ClassCells {
  readonly X: RootRows;
  readonly y: Int32Array;
  readonly classes: number;
  /** The sums of all rows. */
  readonly cells: TermCells;
  /** The cell that an entry of X is counted in. */
  readonly cellOf: Uint32Array;

  constructor(X: RootRows, y: Int32Array, classes: number) {
    this.X = X;
    this.y = y;
    this.classes = classes;
    this.cellOf = new Uint32Array(X.data.length);
    const [begins, last] = [new Uint32Array(X.cols + 1), new Int32Array(X.cols).fill(-1)];
    const rows = byClass(y, classes);
    for (const i of rows) {
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
        const j = X.indices[k];
        if (last[j] !== y[i]) begins[j + 1]++;
        last[j] = y[i];
      }
    }
    for (let j = 0; j < X.cols; j++) begins[j + 1] += begins[j];
    const size = begins[X.cols];
    const [classOf, sums] = [new Uint32Array(size), new Float64Array(size)];
    const next = begins.slice(0, X.cols);
    for (const i of rows) {
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
        const j = X.indices[k];
        if (sums[next[j]] > 0 && classOf[next[j]] !== y[i]) next[j]++;
        classOf[next[j]] = y[i];
        sums[next[j]] += X.data[k];
        this.cellOf[k] = next[j];
      }
    }
    this.cells = TermCells.of({ ends: begins.slice(1), classes: classOf, sums });
  }

  /** The counts of all rows. */
  get whole(): TermCounts {
    return { n: countCodes(this.y, this.classes), s: this.cells.sums };
  }

  /** Counts some rows, by their cells or, with `presence`, by how many rows have a term. */
  count(rows: ArrayLike<number>, presence = false): TermCounts {
    const { X, y, cellOf } = this;
    const [n, s] = [new Float64Array(this.classes), new Float64Array(this.cells.size)];
    for (let at = 0; at < rows.length; at++) {
      const i = rows[at];
      n[y[i]]++;
      for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) s[cellOf[k]] += presence ? 1 : X.data[k];
    }
    return { n, s };
  }

  /** The scores of some rows, one matrix row for each; terms may have weights. */
  score({ start, base, cells }: CellScorer, rows: Int32Array, weights?: Float64Array): Matrix {
    const { X, classes } = this;
    const { first, count, classes: classOf } = this.cells;
    const out = new Matrix(rows.length, classes);
    const { data } = out;
    for (let k = 0; k < rows.length; k++) {
      const [i, to] = [rows[k], k * classes];
      let length = 0;
      for (let at = X.indptr[i]; at < X.indptr[i + 1]; at++) {
        const j = X.indices[at];
        const x = weights ? weights[j] * X.data[at] : X.data[at];
        length += x;
        const end = first[j] + count[j];
        for (let cell = first[j]; cell < end; cell++) data[to + classOf[cell]] += x * cells[cell];
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
    const { classes, X } = this;
    const { first, count, classes: classOf } = this.cells;
    const cells = new Float64Array(s.length);
    const own = new Float64Array(classes);
    let all = 0;
    for (let j = 0; j < X.cols; j++) {
      const end = first[j] + count[j];
      let total = 0;
      for (let cell = first[j]; cell < end; cell++) total += s[cell];
      all += total;
      for (let cell = first[j]; cell < end; cell++) {
        if (s[cell] === 0) continue;
        own[classOf[cell]] += s[cell];
        cells[cell] = cellWeight(model, s[cell], total, alpha);
      }
    }
    const base = own.map((mine) => baseWeight(model, mine, all, alpha * X.cols));
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
