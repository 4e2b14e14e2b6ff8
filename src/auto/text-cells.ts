import { grown } from '../data/grown.ts';
import { remainder } from '../math/arrays.ts';

/** Cells are multiples of 1 / GRID, so that sums of up to 2³³ of them are exact, in any order. */
const GRID = 2 ** 20;

/** √share of a document's known terms, rounded to the grid: rows of these have a length of about 1. */
export const rootShare = (count: number, total: number): number => Math.round(Math.sqrt(count / total) * GRID) / GRID;

/** Sums as whole numbers of grid units; undefined if decay or weights took them off the grid, or they need more than 32 bits. */
export function unitsOf(sums: Float64Array): Uint32Array | undefined {
  const fits = sums.every((sum) => (sum * GRID) % 1 === 0 && sum * GRID < 2 ** 32);
  return fits ? Uint32Array.from(sums, (sum) => sum * GRID) : undefined;
}

/** The inverse of `unitsOf`. */
export const fromUnits = (units: Float64Array): Float64Array => units.map((value) => value / GRID);

/** Cells of terms, one after another: those of term k end before ends[k]. */
interface ListedCells {
  readonly ends: ArrayLike<number>;
  readonly classes: ArrayLike<number>;
  readonly sums: ArrayLike<number>;
}

/**
 * Sums of cells by term and class that grow in place: terms and classes are numbers in order of arrival, and only pairs that occur
 * together have a cell. Learning a document costs as much as it has terms.
 */
export class TermCells {
  /** By term: its first cell, plus one. */
  private first = new Uint32Array(64);
  /** By cell: the next one of the same term, plus one. */
  private further = new Uint32Array(64);
  private classes = new Uint32Array(64);
  private sums = new Float64Array(64);
  private totals = new Float64Array(64);
  /** How many cells there are. */
  size = 0;
  /** How many terms have a sum above zero. */
  terms = 0;
  /** By class: the sum of its cells. */
  byClass: Float64Array = new Float64Array(8);

  /** Cells as `listed` has them; without ids, terms have the numbers 0, 1, … */
  static of({ ends, classes, sums }: ListedCells, ids?: ArrayLike<number>): TermCells {
    const own = new TermCells();
    let [terms, labels] = [ends.length, 0];
    if (ids) for (let k = 0; k < ids.length; k++) terms = Math.max(terms, ids[k] + 1);
    for (let cell = 0; cell < classes.length; cell++) labels = Math.max(labels, classes[cell] + 1);
    own.reserve(terms, sums.length, labels);
    for (let k = 0, cell = 0; k < ends.length; k++) {
      for (; cell < ends[k]; cell++) own.put(ids ? ids[k] : k, classes[cell], sums[cell]);
    }
    return own;
  }

  /** The sum of a term over all classes; zero for a term that is not known. */
  total(term: number): number {
    return this.totals[term] ?? 0;
  }

  /** The first cell of a term, or −1. */
  begin(term: number): number {
    return (this.first[term] ?? 0) - 1;
  }

  /** The next cell of the same term, or −1. */
  next(cell: number): number {
    return this.further[cell] - 1;
  }

  classOf(cell: number): number {
    return this.classes[cell];
  }

  sum(cell: number): number {
    return this.sums[cell];
  }

  /** Adds to the cell of a term and a class. */
  add(term: number, c: number, amount: number): void {
    const cell = amount === 0 ? -1 : this.find(term, c);
    if (cell < 0) {
      this.append(term, c, amount);
      return;
    }
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
    for (const sums of [this.sums, this.totals, this.byClass]) for (let k = 0; k < sums.length; k++) sums[k] *= factor;
  }

  /** The terms whose sum is above zero, ascending. */
  *known(): Generator<number> {
    for (let term = 0; term < this.totals.length; term++) if (this.totals[term] > 0) yield term;
  }

  /** The cells of some terms, term by term and by ascending class. */
  listed(terms: ArrayLike<number>): ListedCells & { ends: Uint32Array; classes: Uint32Array; sums: Float64Array } {
    const ends = new Uint32Array(terms.length);
    const [classes, sums] = [new Uint32Array(this.size), new Float64Array(this.size)];
    let size = 0;
    for (let k = 0; k < terms.length; k++) {
      const cells: number[] = [];
      for (let cell = this.begin(terms[k]); cell >= 0; cell = this.next(cell))
        if (this.sums[cell] > 0) cells.push(cell);
      for (const cell of cells.sort((a, b) => this.classes[a] - this.classes[b])) {
        classes[size] = this.classes[cell];
        sums[size++] = this.sums[cell];
      }
      ends[k] = size;
    }
    return { ends, classes: classes.slice(0, size), sums: sums.slice(0, size) };
  }

  private find(term: number, c: number): number {
    let cell = this.begin(term);
    while (cell >= 0 && this.classes[cell] !== c) cell = this.next(cell);
    return cell;
  }

  /** Makes room for terms, cells and classes. */
  private reserve(terms: number, cells: number, classes: number): void {
    this.byClass = grown(this.byClass, classes);
    this.first = grown(this.first, terms);
    this.totals = grown(this.totals, terms);
    this.further = grown(this.further, cells);
    this.classes = grown(this.classes, cells);
    this.sums = grown(this.sums, cells);
  }

  /** Adds a cell that is not there yet; none for a sum of zero. */
  private append(term: number, c: number, sum: number): void {
    if (sum === 0) return;
    this.reserve(term + 1, this.size + 1, c + 1);
    this.put(term, c, sum);
  }

  /** The same, where there is room. */
  private put(term: number, c: number, sum: number): void {
    if (sum === 0) return;
    const cell = this.size++;
    this.classes[cell] = c;
    this.sums[cell] = sum;
    this.further[cell] = this.first[term];
    this.first[term] = cell + 1;
    if (this.totals[term] === 0) this.terms++;
    this.totals[term] += sum;
    this.byClass[c] += sum;
  }
}
