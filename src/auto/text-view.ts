import type { State, StateOptions } from '../core/artifact.ts';
import { grown } from '../data/grown.ts';
import type { Tensor } from '../data/safetensors.ts';
import { refuse } from '../errors.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Contribution } from '../estimators/explanation.ts';
import { damaged, type SavedArrays } from '../estimators/learned.ts';
import { toFloat32 } from '../estimators/persist.ts';
import { addInto, addScaledInto, sum } from '../math/arrays.ts';
import { RowIndex } from '../math/row-index.ts';
import { requireEnough } from '../stats/additive.ts';
import { Bags } from '../text/bag.ts';
import { Columns } from '../text/columns.ts';
import { type Document, requireDocument, textOf } from '../text/documents.ts';
import {
  baseWeight,
  cellWeight,
  type EventMember,
  eventWeights,
  fromUnits,
  rootShare,
  unitsOf,
} from '../text/event-weights.ts';
import type { Bag, Reader } from '../text/reader.ts';
import { Vocabulary } from '../text/vocabulary.ts';
import { TermCells } from './text-counts.ts';

/** Called with what a term of a document adds to the score of each class, and how often it occurs. */
type EachTerm = (id: number, byClass: Float64Array, count: number) => void;

/** A way to read texts as terms, and what each term adds to the score of each class. */
export interface TextView {
  readonly name: string;
  /** How texts are read. */
  readonly vectorizer: CountVectorizer;
  /** Adds the scores of a document; returns whether it has a known term. `each` is called with what every term adds. */
  addScores(document: Document, row: number, scores: Float64Array, each?: EachTerm): boolean;
  /** The term with this number. */
  termOf(id: number): string;
  /** The terms of a word. */
  termsIn(word: string): Pick<Bag, 'ids' | 'counts'>;
}

/** A model of the counts of a view, as a member of an ensemble. */
export interface ViewMember extends EventMember {
  /** Weights of terms by their ids; NaN for a term without one. Undefined if all terms have the initial weight. */
  readonly weights: Float32Array | undefined;
}

/** Documents with the numbers of their classes, and how much each counts. */
export interface CodedDocuments {
  readonly documents: readonly Document[];
  readonly codes: Int32Array;
  readonly weights?: Float64Array | undefined;
}

/**
 * One view of the text that keeps its counts, and the members of an ensemble that score by them:
 *
 *   S[c] = Σ_m f_m Σⱼ xⱼ g_m[j] w_m[j,c],   xⱼ = √(count of j / count of all known terms)              (1)
 *
 * with the weights w of `ClassCells.scorer`. The weights of cells are estimated when they are first needed after a change.
 */
export class LearningView implements TextView {
  readonly name: string;
  /** How texts are read. */
  readonly vectorizer: CountVectorizer;
  readonly members: readonly ViewMember[];
  readonly cells: TermCells;
  private readonly reader: Reader;
  private bases: readonly Float64Array[] | undefined;
  private estimated = new Float64Array(0);

  constructor(name: string, vectorizer: CountVectorizer, members: readonly ViewMember[], cells = new TermCells()) {
    this.name = name;
    this.vectorizer = vectorizer;
    this.reader = vectorizer.known().reader;
    this.members = members;
    this.cells = cells;
  }

  /** The same view and members, without counts. */
  blank(): LearningView {
    return new LearningView(this.name, this.vectorizer, this.members);
  }

  /** Reads documents and returns a function that counts them. */
  learn(training: CodedDocuments): () => void {
    const bags = this.read(training, true);
    return () => {
      eachCell(bags, training, (id, c, amount) => {
        this.cells.add(id, c, amount);
        this.changed(id);
      });
    };
  }

  /** Checks that documents were counted and returns a function that subtracts them. */
  unlearn(training: CodedDocuments, classes: number): () => void {
    const { cells } = this;
    const sums = new Map<number, number>();
    eachCell(this.read(training, false), training, (id, c, amount) => {
      const key = id * classes + c;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    });
    const each = (act: (id: number, c: number, amount: number) => void) => {
      for (const [key, amount] of sums) act(Math.floor(key / classes), key % classes, amount);
    };
    each((id, c, amount) => requireEnough([cells.at(id, c)], [amount], 's'));
    return () => {
      each((id, c, amount) => {
        cells.subtract(id, c, amount);
        this.changed(id);
      });
    };
  }

  /** The terms of documents. Unless they are learned, all of them must be known. */
  private read({ documents }: CodedDocuments, learns: boolean): Bags {
    const bags = new Bags();
    if (
      this.reader.readMany(
        documents,
        documents.map((_, i) => i),
        learns,
        bags,
      ) > 0 &&
      !learns
    ) {
      refuse('E_UNLEARN_UNDERFLOW', 'a document holds a term that was never learned');
    }
    return bags;
  }

  /** Adds what another view has counted; its class c is place[c] here. */
  merge(other: LearningView, place: Int32Array): void {
    const ids = Uint32Array.from(other.cells.known());
    const own = this.reader.idsOf(other.reader.encode(ids));
    const { ends, classes, sums } = other.cells.listed(ids);
    for (let k = 0, cell = 0; k < ids.length; k++) {
      for (; cell < ends[k]; cell++) this.cells.add(own[k], place[classes[cell]], sums[cell]);
      this.changed(own[k]);
    }
  }

  /** Multiplies all counts by a factor. */
  decay(factor: number): void {
    this.cells.scale(factor);
    this.bases = undefined;
    this.estimated.fill(Number.NaN);
  }

  /** Invalidates what was estimated from the counts of a term. */
  private changed(id: number): void {
    const { first, count } = this.cells;
    this.bases = undefined;
    this.estimated.fill(Number.NaN, first[id], first[id] + count[id]);
  }

  addScores(document: Document, row: number, scores: Float64Array, each?: EachTerm): boolean {
    const { ids, counts } = this.reader.read(requireDocument(document, row), row, false);
    const shares = this.cells.rootShares(ids, counts);
    if (!shares) return false;
    const bases = this.basesOf(scores.length);
    this.addCells(ids, shares, scores);
    for (let m = 0; m < bases.length; m++) addScaledInto(scores, this.lengthOf(m, ids, shares), bases[m]);
    for (let k = 0; each && k < ids.length; k++) {
      if (shares[k] === 0) continue;
      const byClass = new Float64Array(scores.length);
      this.addTerm(ids[k], shares[k], byClass);
      each(ids[k], byClass, counts[k]);
    }
    return true;
  }

  termOf(id: number): string {
    return this.reader.term(id);
  }

  termsIn(word: string): Pick<Bag, 'ids' | 'counts'> {
    return this.reader.read(word, 0, false);
  }

  /** Adds what x of a term adds to the score of every class. */
  addTerm(id: number, x: number, byClass: Float64Array): void {
    this.basesOf(byClass.length).forEach((base, m) => {
      addScaledInto(byClass, x * this.weightOf(m, id), base);
    });
    this.addCells([id], [x], byClass);
  }

  /** Adds what the cells of terms add to the scores. Loops take arrays: a number per call would be an object each time. */
  private addCells(ids: ArrayLike<number>, shares: ArrayLike<number>, scores: Float64Array): void {
    const { cells } = this;
    if (this.estimated.length < cells.size) this.estimated = grown(this.estimated, cells.size, Number.NaN);
    const { estimated } = this;
    const { first, count, classes } = cells;
    for (let k = 0; k < ids.length; k++) {
      if (shares[k] === 0) continue;
      const begin = first[ids[k]];
      const end = begin + count[ids[k]];
      for (let cell = begin; cell < end; cell++) {
        if (Number.isNaN(estimated[cell])) estimated[cell] = this.estimate(ids[k], cell);
        scores[classes[cell]] += shares[k] * estimated[cell];
      }
    }
  }

  /** Σⱼ xⱼ g_m[j] of the terms of a document. */
  private lengthOf(m: number, ids: ArrayLike<number>, shares: ArrayLike<number>): number {
    const { weights, initial } = this.members[m];
    let length = 0;
    for (let k = 0; k < ids.length; k++) {
      if (shares[k] === 0) continue;
      const own = weights && ids[k] < weights.length ? weights[ids[k]] : Number.NaN;
      length += shares[k] * (Number.isNaN(own) ? initial : own);
    }
    return length;
  }

  private estimate(id: number, cell: number): number {
    const { cells, members } = this;
    const own = cells.sums[cell];
    let weight = 0;
    for (let m = 0; m < members.length; m++) {
      const { model, alpha, factor } = members[m];
      weight += factor * this.weightOf(m, id) * cellWeight(model, own, cells.total(id), alpha);
    }
    return weight;
  }

  private weightOf(m: number, id: number): number {
    const { weights, initial } = this.members[m];
    const own = weights && id < weights.length ? weights[id] : Number.NaN;
    return Number.isNaN(own) ? initial : own;
  }

  /** What every term adds to the score of each class, by member. */
  private basesOf(classes: number): readonly Float64Array[] {
    if (this.bases?.[0].length === classes) return this.bases;
    const { cells, members } = this;
    const all = sum(cells.byClass);
    const baseOf = ({ model, alpha, factor }: ViewMember, c: number) =>
      factor * baseWeight(model, cells.byClass[c] ?? 0, all, alpha * cells.terms);
    this.bases = members.map((member) => Float64Array.from({ length: classes }, (_, c) => baseOf(member, c)));
    return this.bases;
  }

  /** A vectorizer with a column for every term that has counts. */
  current(): CountVectorizer {
    const { reader, cells } = this;
    const columns = Columns.sorted(reader, (id) => cells.total(id) > 0);
    const counts = { documents: 0, df: new Float64Array(0), tf: new Float64Array(0), left: 'none' as const };
    return this.vectorizer.clone().adopt(() => new Vocabulary(reader, columns, false, counts));
  }

  /** Adds the view to the arrays of a state, by its number; returns the state of its vectorizer. */
  save(v: number, arrays: Record<string, Tensor>): State {
    const vectorizer = this.current();
    const { ids } = vectorizer.known().columns;
    const { ends, classes, sums } = this.cells.listed(ids);
    const units = unitsOf(sums);
    arrays[`ends${v}`] = { shape: [ends.length], data: ends };
    arrays[`classes${v}`] = { shape: [classes.length], data: classes };
    arrays[`${units ? 'units' : 'sums'}${v}`] = { shape: [sums.length], data: units ?? sums };
    this.membersOf(ids).forEach(({ weights }, m) => {
      if (weights) arrays[`weights${v}.${m}`] = { shape: [weights.length], data: weights };
    });
    return vectorizer.toState({ slim: true });
  }

  /** The members with the weights of these terms. */
  membersOf(ids: ArrayLike<number>): ViewMember[] {
    return this.members.map((member) => {
      const { weights } = member;
      const own = weights && Float32Array.from(ids, (id) => (id < weights.length ? weights[id] : Number.NaN));
      return { ...member, weights: own };
    });
  }

  /** The inverse of `save`; takes nothing on trust. */
  static load(
    name: string,
    v: number,
    vectorizer: CountVectorizer,
    members: readonly Omit<ViewMember, 'weights'>[],
    arrays: SavedArrays,
    classes: number,
  ): LearningView {
    const { columns } = vectorizer.known();
    const terms = columns.ids.length;
    const ends = arrays.take(`ends${v}`, terms);
    const size = ends[terms - 1] ?? 0;
    const codes = Uint32Array.from(arrays.take(`classes${v}`, size));
    const sums = arrays.has(`units${v}`) ? fromUnits(arrays.take(`units${v}`, size)) : arrays.take(`sums${v}`, size);
    // Loops without callbacks: a process that answers one question runs them once, uncompiled.
    let fits = true;
    for (let k = 0; k < terms; k++) fits &&= Number.isInteger(ends[k]) && ends[k] >= (k > 0 ? ends[k - 1] : 0);
    for (let cell = 0; cell < size; cell++) fits &&= codes[cell] < classes && sums[cell] > 0 && sums[cell] < Infinity;
    if (!fits) damaged('the counts of its terms are wrong');
    const cells = TermCells.of({ ends: Uint32Array.from(ends), classes: codes, sums }, columns.ids);
    const own = members.map((member, m): ViewMember => {
      if (!arrays.has(`weights${v}.${m}`)) return { ...member, weights: undefined };
      const saved = arrays.take(`weights${v}.${m}`, terms);
      const weights = new Float32Array(vectorizer.known().reader.size).fill(Number.NaN);
      for (let k = 0; k < terms; k++) {
        if (saved[k] < 0 || saved[k] === Infinity) damaged('the weight of a term is wrong');
        weights[columns.ids[k]] = saved[k];
      }
      return { ...member, weights };
    });
    return new LearningView(name, vectorizer, own, cells);
  }
}

/** Calls `act` with the cell of every term of every document, as much as the document counts. */
function eachCell(
  bags: Bags,
  { codes, weights }: CodedDocuments,
  act: (id: number, c: number, amount: number) => void,
): void {
  for (let i = 0; i < bags.rows; i++) {
    const { ids, counts } = bags.row(i);
    const weight = weights?.[i] ?? 1;
    let total = 0;
    for (let k = 0; k < ids.length; k++) total += counts[k];
    for (let k = 0; k < ids.length; k++) act(ids[k], codes[i], weight * rootShare(counts[k], total));
  }
}

/** How counts become cells: √tf on rows of length 1; or, in older files alone, 1 for every term that occurs, or its count. */
const cellOf = {
  root: (count: number, total: number) => Math.sqrt(count / total),
  presence: () => 1,
  count: (count: number) => count,
};
type Weighting = keyof typeof cellOf;
const weightings = Object.keys(cellOf) as readonly Weighting[];

/** Weights of terms in every class. Equal rows are kept once: those of term j begin at weights[rows[j] · classes]. */
export interface TermTable {
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/**
 * A table of weights with equal rows kept once, bit for bit; `fill` adds the weights of a term to a row of zeros. Most terms of a text
 * are rare, and rare terms that occurred in the same classes weigh the same.
 */
export function tableOf(terms: number, classes: number, fill: (j: number, row: Float64Array) => void): TermTable {
  const row = new Float64Array(classes);
  const words = new Uint32Array(row.buffer);
  const index = new RowIndex(2 * classes);
  const rows = new Uint32Array(terms);
  let table = new Float64Array(64 * classes);
  let next = 0;
  for (let j = 0; j < terms; j++) {
    row.fill(0);
    fill(j, row);
    table = grown(table, (next + 1) * classes);
    rows[j] = index.place(words, 0, new Uint32Array(table.buffer), next);
    if (rows[j] === next) table.set(row, next++ * classes);
  }
  return { rows, weights: table.slice(0, next * classes) };
}

/** One view of the text without counts: the weights of its terms in every class, by how cells are weighed. */
export class TableView implements TextView {
  readonly name: string;
  readonly vectorizer: CountVectorizer;
  private readonly parts: readonly (TermTable & { readonly weighting: Weighting })[];
  private readonly vocabulary: Vocabulary;

  constructor(name: string, vectorizer: CountVectorizer, parts: TableView['parts']) {
    this.name = name;
    this.vectorizer = vectorizer;
    this.vocabulary = vectorizer.known();
    this.parts = parts;
  }

  /** The weights of a view with counts as they are now; `shown` are the numbers of the classes. */
  static of(view: LearningView, labels: number, shown: readonly number[]): TableView {
    const vectorizer = view.current();
    const { ids } = vectorizer.known().columns;
    const byCode = new Float64Array(labels);
    const add = eventWeights(view.cells.listed(ids), view.membersOf(ids), labels);
    const table = tableOf(ids.length, shown.length, (j, row) => {
      byCode.fill(0);
      add(j, byCode);
      for (let k = 0; k < row.length; k++) row[k] = byCode[shown[k]];
    });
    return new TableView(view.name, vectorizer, [{ weighting: 'root', ...table }]);
  }

  /** Terms are added in the order of their columns, as exported models add them. */
  addScores(document: Document, row: number, scores: Float64Array, each?: EachTerm): boolean {
    const { ids, counts } = this.read(requireDocument(document, row), row);
    const [order, total, size] = [
      Uint32Array.from(ids.keys()).sort((a, b) => ids[a] - ids[b]),
      sum(counts),
      scores.length,
    ];
    const byTerm = each && Array.from(ids, () => new Float64Array(size));
    for (const { weighting, weights, rows } of this.parts) {
      const own = new Float64Array(size);
      for (const k of order) {
        const x = cellOf[weighting](counts[k], total);
        const from = rows[ids[k]] * size;
        for (let c = 0; c < size; c++) own[c] += x * weights[from + c];
        if (byTerm) addScaledInto(byTerm[k], x, weights.subarray(from, from + size));
      }
      addInto(scores, own);
    }
    byTerm?.forEach((byClass, k) => void each?.(ids[k], byClass, counts[k]));
    return ids.length > 0;
  }

  termOf(column: number): string {
    return this.vocabulary.terms[column];
  }

  termsIn(word: string): Pick<Bag, 'ids' | 'counts'> {
    return this.read(word, 0);
  }

  private read(document: Document, row: number): Pick<Bag, 'ids' | 'counts'> {
    const { ids, counts } = this.vocabulary.reader.readColumns(document, row, this.vocabulary.columns);
    return { ids: ids.slice(), counts: counts.slice() }; // the views last until the next text is read
  }

  /** Adds the view to the arrays of a state, by its number; returns its vectorizer, and the most that rounding changed a weight. */
  save(v: number, classes: number, float32: boolean, arrays: Record<string, Tensor>, options: StateOptions) {
    let largestError = 0;
    for (const { weighting, weights, rows } of this.parts) {
      const { data, error } = float32 ? toFloat32(weights) : { data: weights, error: 0 };
      const kept = weights.length / classes;
      arrays[`${weighting}${v}`] = { shape: [kept, classes], data };
      const places = kept <= 2 ** 16 ? Uint16Array.from(rows) : rows;
      arrays[`${weighting}${v}Rows`] = { shape: [rows.length], data: places };
      largestError = Math.max(largestError, error);
    }
    return { step: this.vectorizer.toState({ ...options, slim: true }), largestError };
  }

  /** The inverse of `save`; takes nothing on trust. */
  static load(name: string, v: number, vectorizer: CountVectorizer, arrays: SavedArrays, classes: number): TableView {
    const terms = vectorizer.known().columns.ids.length;
    const present = weightings.filter((weighting) => arrays.has(`${weighting}${v}`));
    const parts = present.map((weighting) => ({
      weighting,
      ...readTable(`${weighting}${v}`, terms, classes, arrays),
    }));
    return new TableView(name, vectorizer, parts);
  }
}

/** The weights of terms, from a table of different rows, or of all of them as older files have it. */
function readTable(name: string, terms: number, classes: number, arrays: SavedArrays): TermTable {
  if (!arrays.has(`${name}Rows`)) {
    const all = finite(arrays.take(name, terms * classes));
    return tableOf(terms, classes, (j, row) => row.set(all.subarray(j * classes, (j + 1) * classes)));
  }
  const weights = finite(arrays.take(name));
  const places = arrays.take(`${name}Rows`, terms);
  const kept = weights.length / classes;
  const fits = Number.isInteger(kept) && places.every((row) => Number.isInteger(row) && row >= 0 && row < kept);
  return fits ? { rows: Uint32Array.from(places), weights } : damaged('a term refers to weights that do not exist');
}

/** Refuses an array with a number that is not finite. */
export const finite = (values: Float64Array): Float64Array =>
  values.every(Number.isFinite) ? values : damaged('a weight is not a finite number');

/** A word in lower case without the punctuation around it, as views of words have it. */
const bare = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}]+(?=.)|(?<=.)[^\p{L}\p{N}]+$/gu, '') || word;

/**
 * What every word of a document adds to the score of the shown ones of all classes. N-grams of characters that do not go beyond a word
 * (`char_wb`) are added up by word, each word with its share of their occurrences; other n-grams of characters stand between two dots.
 */
export function explainByWord(
  views: readonly TextView[],
  document: Document,
  row: number,
  classes: number,
  shown: readonly number[],
): Contribution[] {
  const found = new Map<string, Float64Array>();
  const add = (feature: string, share: number, byClass: Float64Array) => {
    const total = found.get(feature) ?? new Float64Array(shown.length);
    addScaledInto(
      total,
      share,
      Float64Array.from(shown, (c) => byClass[c]),
    );
    found.set(feature, total);
  };
  for (const view of views) {
    const { analyzer } = view.vectorizer.getParams();
    const terms = new Map<number, { byClass: Float64Array; count: number }>();
    view.addScores(document, row, new Float64Array(classes), (id, byClass, count) => {
      terms.set(id, { byClass, count });
    });
    if (analyzer !== 'char_wb') {
      for (const [id, { byClass }] of terms) {
        const term = view.termOf(id);
        add(analyzer === 'word' ? term : `·${term}·`, 1, byClass);
      }
      continue;
    }
    for (const word of textOf(document, row).split(/\s+/)) {
      const { ids, counts } = view.termsIn(word);
      for (let k = 0; k < ids.length; k++) {
        const term = terms.get(ids[k]);
        if (term) add(bare(word), counts[k] / term.count, term.byClass);
      }
    }
  }
  return Array.from(found, ([feature, byClass]) => ({ feature, byClass }));
}
