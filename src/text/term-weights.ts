import { grown } from '../data/grown.ts';
import { compareCodePoints } from '../data/order.ts';
import type { Columns } from './columns.ts';
import { type Document, requireDocument } from './documents.ts';
import { KernelReader } from './kernel-reader.ts';
import type { Bag, Reader } from './reader.ts';

/** How documents are scored by the weights of their terms. */
export interface TermScoring {
  /** The initial value of every score, by class. */
  readonly start: Float64Array;
  /** Whether a term counts once per document. */
  readonly presence: boolean;
  /**
   * The terms that have weights, in the order in which these are added; `read` then takes column numbers. Undefined for
   * the order of the terms by code point; `read` then takes ids.
   */
  readonly columns: Columns | undefined;
  /** Whether the term with an id has weights. */
  has(id: number): boolean;
  /**
   * Writes the inputs of the weights, one number per class and term: that of terms[k] in class c to out[c ·
   * terms.length + k].
   */
  read(terms: Int32Array, out: Float64Array): void;
  /**
   * Computes the weights of some terms from the output of `read`: that of term k in class c is written to weights[k ·
   * classes + c].
   */
  weigh(numbers: Float64Array, weights: Float64Array): void;
}

/**
 * The memory limit of rows in bytes, exceeded only if one document needs more; beyond it rows are recomputed as needed.
 */
const MOST_BYTES = 1 << 26;

/** The initial capacity in rows. */
const FEW_ROWS = 256;

/**
 * Place 0 marks terms that have not been requested; row 1, all −0, belongs to terms without weights. See
 * kernels/scores.ts.
 */
const NO_WEIGHTS = 1;

/**
 * The share of all terms after which the others are computed too, if there is memory for them: counts that are read in
 * order take a tenth of the time, and documents that need this many terms are followed by ones that need most of them.
 */
const MANY_TERMS = 1 / 8;

/** The number of weights computed, and of scores summed, at a time. */
const CELLS = 1 << 16;

/** Terms with counts below this may share rows. */
const SMALL = 256;

/**
 * Scores documents by term weights per class. Weights are computed when a document first needs them: documents share
 * most of their terms, and a logarithm takes ten times as long as a lookup. Weights are added in the order of the
 * columns, like a row of counts is scored, so both give identical bits. With a `KernelReader` the scores are summed in
 * WebAssembly. Call `restart` when weights change or the reader learns further terms.
 */
export class TermWeights {
  private readonly reader: Reader;
  private readonly kernel: KernelReader | undefined;
  private scoring: TermScoring;
  private readonly classes: number;
  /** The length of a row; see `scoreBags` of the kernels. */
  private readonly width: number;
  /** By column or id: its row number. */
  private places: Region<Uint32Array>;
  /** The terms whose places were set. */
  private asked: Int32Array = new Int32Array(0);
  private askedCount = 0;
  private rows: Region<Float64Array>;
  /** The initial scores. */
  private readonly start: Region<Float64Array>;
  /** The scores of some documents. */
  private readonly sums: Region<Float64Array>;
  /** The kernels' order in which weights are added. */
  private order: number;
  private used = NO_WEIGHTS + 1;
  /** The rows of terms that only one class has, by class and count: most terms are rare and share a row. */
  private readonly shared: Uint32Array;

  constructor(reader: Reader, scoring: TermScoring) {
    this.reader = reader;
    this.kernel = reader instanceof KernelReader ? reader : undefined;
    this.scoring = scoring;
    this.classes = scoring.start.length;
    const step = this.classes < 8 ? 2 : 8;
    this.width = step * Math.ceil(this.classes / step);
    this.shared = new Uint32Array(SMALL * this.classes);
    this.places = this.newPlaces();
    this.rows = this.newRows(FEW_ROWS);
    this.start = this.region(Float64Array, this.width);
    this.sums = this.region(Float64Array, Math.max(this.width, CELLS));
    this.order = this.makeOrder();
    this.view(this.start).set(scoring.start);
  }

  /**
   * Discards all weights and continues with another scoring in the memory allocated before. Returns false, without
   * changes, if it has other columns or another number of classes.
   */
  restart(scoring: TermScoring): boolean {
    if (scoring.start.length !== this.classes || scoring.columns !== this.scoring.columns) return false;
    this.scoring = scoring;
    this.clear();
    if (this.reader.size > this.places.length) {
      this.give(this.places);
      this.places = this.newPlaces();
    }
    if (!scoring.columns) this.order = this.makeOrder();
    this.view(this.start).set(scoring.start);
    return true;
  }

  /** Writes the scores of all documents to `out`, one after another. */
  score(documents: readonly Document[], out: Float64Array): void {
    const { classes, kernel, reader, order } = this;
    if (!kernel) {
      for (const [i, document] of documents.entries()) {
        this.sum(reader.read(requireDocument(document, i), i, false), out, i * classes);
      }
      return;
    }
    const rows = new Uint32Array(documents.length);
    for (let i = 0; i < rows.length; i++) rows[i] = i;
    for (let from = 0; from < rows.length; ) {
      const { to, ends } = kernel.keepMany(documents, rows, from, order);
      this.sumKept(kernel, ends, to - from, out.subarray(from * classes, to * classes));
      from = to;
    }
  }

  /** Frees the memory of the kernels. */
  drop(): void {
    for (const region of [this.places, this.rows, this.start, this.sums]) this.give(region);
    if (this.scoring.columns) this.kernel?.kernels.dropOrder(this.order);
  }

  /** Sums the scores of the bags that the kernels store. */
  private sumKept(kernel: KernelReader, ends: number, count: number, out: Float64Array): void {
    const { classes, width, places, sums, start, scoring } = this;
    const most = Math.max(1, Math.floor(CELLS / width));
    for (let from = 0; from < count; ) {
      const to = this.prepareKept(kernel, ends, from, Math.min(count, from + most));
      const { at } = this.rows; // may have moved
      kernel.kernels.scoreBags(places.at, at, width, scoring.presence, start.at, ends, from, to, sums.at);
      const found = this.view(sums);
      for (let k = 0; from < to; k += width, from++) {
        for (let c = 0; c < classes; c++) out[from * classes + c] = found[k + c];
      }
    }
  }

  /**
   * Computes the rows that bags from … to − 1 need, as far as they fit into memory; returns the index of the first bag
   * that did not fit.
   */
  private prepareKept({ kernels }: KernelReader, ends: number, from: number, to: number): number {
    const { places } = this;
    if (this.isComplete) return to;
    let next = kernels.findUnasked(places.at, ends, from, to, this.left);
    if (next === from) {
      this.clear();
      next = kernels.findUnasked(places.at, ends, from, to, this.left);
    }
    if (next === from) next = kernels.findUnasked(places.at, ends, from, from + 1, 2 ** 32 - 1);
    const count = kernels.unaskedCount();
    if (count > 0) this.compute(new Int32Array(kernels.memory.buffer, kernels.unaskedTerms(), count).slice());
    return next;
  }

  /** The sums without WebAssembly, in the same order. */
  private sum({ ids, counts }: Bag, out: Float64Array, at: number): void {
    const { classes, width, scoring, reader } = this;
    const { columns } = scoring;
    const entries = Array.from(ids, (id, k) => ({ term: columns ? columns.place(id) : id, k })).filter(
      ({ term }) => term >= 0,
    );
    if (columns) entries.sort((a, b) => a.term - b.term);
    else entries.sort((a, b) => compareCodePoints(reader.term(a.term), reader.term(b.term)));
    this.prepare(Int32Array.from(entries, ({ term }) => term));
    const [places, rows] = [this.view(this.places), this.view(this.rows)];
    out.set(scoring.start, at);
    for (const { term, k } of entries) {
      const row = places[term] * width;
      const n = scoring.presence ? 1 : counts[k];
      for (let c = 0; c < classes; c++) out[at + c] += n * rows[row + c];
    }
  }

  /** Computes the rows that a bag needs. */
  private prepare(terms: Int32Array): void {
    const places = this.view(this.places);
    let unasked: Int32Array = terms.filter((term) => places[term] === 0);
    if (unasked.length > this.left) {
      this.clear();
      unasked = terms;
    }
    for (const term of unasked) places[term] = NO_WEIGHTS;
    if (unasked.length > 0) this.compute(unasked);
  }

  /** The number of terms, or of columns. */
  private get terms(): number {
    return this.scoring.columns?.ids.length ?? this.reader.size;
  }

  /** Whether all terms have a row. */
  private get isComplete(): boolean {
    return this.askedCount === this.terms;
  }

  /** These terms, or all without a row. */
  private withOthers(terms: Int32Array): Int32Array {
    const { terms: all, askedCount } = this;
    if (askedCount + terms.length < MANY_TERMS * all || all - askedCount > this.left) return terms;
    const places = this.view(this.places);
    for (const term of terms) places[term] = 0;
    const others = new Int32Array(all - askedCount);
    for (let term = 0, k = 0; term < all; term++) {
      if (places[term] !== 0) continue;
      places[term] = NO_WEIGHTS;
      others[k++] = term;
    }
    return others;
  }

  /** The number of rows that may still be added. */
  private get left(): number {
    return Math.max(0, Math.floor(MOST_BYTES / (8 * this.width)) - this.used);
  }

  /** Discards all rows. */
  private clear(): void {
    const places = this.view(this.places);
    for (let k = 0; k < this.askedCount; k++) places[this.asked[k]] = 0;
    this.askedCount = 0;
    this.shared.fill(0);
    this.used = NO_WEIGHTS + 1;
  }

  /** Computes the rows of terms that still have row 1. Allocating memory of the kernels invalidates all views. */
  private compute(wanted: Int32Array): void {
    const { classes, scoring } = this;
    const terms = this.withOthers(wanted);
    this.asked = grown(this.asked, this.askedCount + terms.length);
    this.asked.set(terms, this.askedCount);
    this.askedCount += terms.length;
    this.reserve(this.used + terms.length);
    const weighed = scoring.columns ? terms : terms.filter((id) => scoring.has(id));
    weighed.sort(); // so that counts are read in memory order
    const most = Math.max(1, Math.floor(CELLS / classes));
    const numbers = new Float64Array(Math.min(most, weighed.length) * classes);
    const weights = new Float64Array(numbers.length);
    for (let from = 0; from < weighed.length; from += most) {
      const some = weighed.subarray(from, from + most);
      const own = numbers.subarray(0, some.length * classes);
      scoring.read(some, own);
      const first = this.used;
      const fresh = this.place(some, own);
      if (fresh.length === 0) continue;
      const of = weights.subarray(0, fresh.length * classes);
      scoring.weigh(fresh.length === some.length ? own : picked(own, fresh, some.length), of);
      this.write(first, of);
    }
  }

  /** Writes the weights of rows from `first` on. */
  private write(first: number, weights: Float64Array): void {
    const { classes, width } = this;
    const rows = this.view(this.rows);
    for (let k = 0, row = first * width; k < weights.length; k += classes, row += width) {
      for (let c = 0; c < classes; c++) rows[row + c] = weights[k + c];
    }
  }

  /**
   * Assigns rows to terms: a shared row for terms with equal numbers, otherwise new ones. Returns the terms with new
   * rows, in order.
   */
  private place(terms: Int32Array, numbers: Float64Array): Uint32Array {
    const { shared } = this;
    const places = this.view(this.places);
    const keys = keysOf(numbers, terms.length);
    const fresh = new Uint32Array(terms.length);
    let many = 0;
    for (let k = 0; k < terms.length; k++) {
      const key = keys[k];
      if (key >= 0 && shared[key] > 0) places[terms[k]] = shared[key];
      else {
        if (key >= 0) shared[key] = this.used;
        places[terms[k]] = this.used++;
        fresh[many++] = k;
      }
    }
    return fresh.subarray(0, many);
  }

  private makeOrder(): number {
    const { kernel, scoring } = this;
    if (!kernel) return 0;
    return scoring.columns ? kernel.createOrder(scoring.columns) : kernel.kernels.textOrder();
  }

  /** Places of all terms, with a quarter spare capacity. */
  private newPlaces(): Region<Uint32Array> {
    const places = this.region(Uint32Array, Math.ceil(1.25 * this.reader.size));
    this.view(places).fill(0);
    return places;
  }

  /** Reserves capacity for this many rows; growing at least doubles it. */
  private reserve(count: number): void {
    const { width, rows } = this;
    if (count * width <= rows.length) return;
    this.rows = this.newRows(Math.max(count, (2 * rows.length) / width));
    this.view(this.rows).set(this.view(rows).subarray(0, this.used * width));
    this.give(rows);
  }

  /** Capacity for this many rows. */
  private newRows(count: number): Region<Float64Array> {
    const { width } = this;
    const rows = this.region(Float64Array, count * width);
    this.view(rows).fill(-0, NO_WEIGHTS * width, (NO_WEIGHTS + 1) * width); // −0 + −0 is −0, as without the term
    return rows;
  }

  /** An uninitialized region, in the kernels' memory if there are kernels. */
  private region<T extends Numbers>(type: NumbersType<T>, length: number): Region<T> {
    const { kernel } = this;
    if (!kernel) return { type, length, at: 0, array: new type(length) };
    const at = kernel.kernels.take(length * type.BYTES_PER_ELEMENT);
    return { type, length, at, array: new type(kernel.kernels.memory.buffer, at, length) };
  }

  private give({ type, at, length }: Region<Numbers>): void {
    this.kernel?.kernels.give(at, length * type.BYTES_PER_ELEMENT);
  }

  /** The numbers of a region; a new view is created if the kernels' memory has grown. */
  private view<T extends Numbers>(region: Region<T>): T {
    const buffer = this.kernel?.kernels.memory.buffer;
    if (buffer && region.array.buffer !== buffer) region.array = new region.type(buffer, region.at, region.length);
    return region.array;
  }
}

/** By term: SMALL · c + n if its numbers are zero except for a small integer n in class c, otherwise −1. */
function keysOf(numbers: Float64Array, terms: number): Int32Array {
  const keys = new Int32Array(terms); // 0 while all numbers were zero
  for (let at = 0, first = 0; at < numbers.length; first += SMALL) {
    for (let k = 0; k < terms; k++, at++) {
      const n = numbers[at];
      if (n === 0) continue;
      const isSmall = keys[k] === 0 && n > 0 && n < SMALL && n === Math.floor(n);
      keys[k] = isSmall ? first + n : -1;
    }
  }
  return keys;
}

/** The numbers of some of the terms, by class. */
function picked(numbers: Float64Array, terms: Uint32Array, all: number): Float64Array {
  const own = new Float64Array((numbers.length / all) * terms.length);
  for (let from = 0, to = 0; from < numbers.length; from += all) {
    for (let k = 0; k < terms.length; k++) own[to++] = numbers[from + terms[k]];
  }
  return own;
}

type Numbers = Uint32Array | Float64Array;

interface NumbersType<T extends Numbers> {
  new (length: number): T;
  new (buffer: ArrayBufferLike, at: number, length: number): T;
  readonly BYTES_PER_ELEMENT: number;
}

/** An array, or a part of the memory of the kernels. */
interface Region<T extends Numbers> {
  readonly type: NumbersType<T>;
  readonly length: number;
  readonly at: number;
  array: T;
}
