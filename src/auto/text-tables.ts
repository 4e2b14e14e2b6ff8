import type { State, StateOptions } from '../core/artifact.ts';
import type { Label } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import type { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Contribution } from '../estimators/explanation.ts';
import { damaged, type SavedArrays, tensor, toFloat32 } from '../estimators/persist.ts';
import { addInto, addScaledInto } from '../math/arrays.ts';
import { RowIndex } from '../math/row-index.ts';
import type { Document } from '../text/documents.ts';
import { type ExplainedTerm, explainByWord } from './text-explain.ts';

/** How counts become cells: √tf on rows of length 1; or, in files of version 0.1 alone, 1 for every term that is there. */
type Weighting = 'root' | 'presence';
const weightings: readonly Weighting[] = ['root', 'presence'];

/** Weights of terms in every class. Equal rows are kept once: those of term j begin at weights[rows[j] · classes]. */
export interface TermTable {
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/** One view of the text: its vectorizer, and the weights of its terms in every class, by how cells are weighed. */
export interface TableView {
  readonly name: string;
  readonly vectorizer: CountVectorizer;
  readonly parts: readonly (TermTable & { readonly weighting: Weighting })[];
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
    if ((next + 1) * classes > table.length) {
      const larger = new Float64Array(2 * table.length);
      larger.set(table);
      table = larger;
    }
    rows[j] = index.place(words, 0, new Uint32Array(table.buffer), next);
    if (rows[j] === next) table.set(row, next++ * classes);
  }
  return { rows, weights: table.slice(0, next * classes) };
}

/** Counts as cells. */
function weigh({ rows, cols, indptr, indices, data }: SparseMatrix, weighting: Weighting): SparseMatrix {
  const values = new Float64Array(data.length).fill(1);
  for (let i = 0; weighting === 'root' && i < rows; i++) {
    let total = 0;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) total += data[k];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) values[k] = Math.sqrt(data[k] / total);
  }
  return new TidyMatrix(rows, cols, indptr, indices, values);
}

/** An ensemble of text without its counts: a linear score with one table of weights for each view. */
export class TextTables {
  readonly classes: Label[];
  readonly start: Float64Array;
  readonly views: readonly TableView[];
  /** ln p(c) of the training rows; files of version 0.1 do not have it. */
  readonly logPrior: Float64Array | undefined;
  /** The most by which rounding to float32 has changed a weight, where weights were rounded. */
  private readonly largestError: number | undefined;

  constructor(
    { classes, start, views, logPrior }: Pick<TextTables, 'classes' | 'start' | 'views' | 'logPrior'>,
    largestError?: number,
  ) {
    this.classes = classes;
    this.start = start;
    this.views = views;
    this.logPrior = logPrior;
    this.largestError = largestError;
  }

  /** Scores of documents by class, and whether each has a known term. */
  scores(documents: readonly Document[]): { scores: Matrix; known: Uint8Array } {
    const scores = new Matrix(documents.length, this.classes.length);
    const known = new Uint8Array(documents.length);
    for (let i = 0; i < scores.rows; i++) scores.row(i).set(this.start);
    for (const { vectorizer, parts } of this.views) {
      const counts = vectorizer.transform(documents);
      for (let i = 0; i < counts.rows; i++) if (counts.indptr[i + 1] > counts.indptr[i]) known[i] = 1;
      for (const part of parts) addInto(scores.data, this.partScores(counts, part).data);
    }
    return { scores, known };
  }

  /** What every word of a document adds to the score of each class. */
  contributions(document: Document, row: number): Contribution[] {
    const size = this.classes.length;
    const views = this.views.map(({ vectorizer, parts }) => {
      const counts = vectorizer.transform([document]);
      const weighed = parts.map(({ weighting, ...table }) => ({ values: weigh(counts, weighting).data, ...table }));
      const terms = Array.from(counts.indices, (j, k): [number, ExplainedTerm] => {
        const byClass = new Float64Array(size);
        for (const { values, weights, rows } of weighed) {
          addScaledInto(byClass, values[k], weights.subarray(rows[j] * size, (rows[j] + 1) * size));
        }
        return [j, { byClass, count: counts.data[k] }];
      });
      const read = (word: string) => {
        const { indices, data } = vectorizer.transform([word]);
        return { ids: Int32Array.from(indices), counts: Uint32Array.from(data) };
      };
      const names = vectorizer.known().terms;
      return { vectorizer, terms: new Map(terms), nameOf: (j: number) => names[j], read };
    });
    return explainByWord(document, row, size, views);
  }

  private partScores(counts: SparseMatrix, { weighting, weights, rows }: TableView['parts'][number]): Matrix {
    const size = this.classes.length;
    const { indptr, indices, data } = weigh(counts, weighting);
    const scores = new Matrix(counts.rows, size);
    for (let i = 0; i < counts.rows; i++) {
      const row = scores.row(i);
      for (let k = indptr[i]; k < indptr[i + 1]; k++) {
        const from = rows[indices[k]] * size;
        for (let c = 0; c < size; c++) row[c] += data[k] * weights[from + c];
      }
    }
    return scores;
  }

  /** The tables as plain data. */
  save(arrays: Record<string, Tensor>, options: StateOptions): { learned: State['learned']; steps: State[] } {
    const { classes, views, logPrior } = this;
    const float32 = options.float32 || this.largestError !== undefined;
    let largestError = this.largestError ?? 0;
    arrays.bias = tensor(this.start);
    if (logPrior) arrays.logPrior = tensor(logPrior);
    views.forEach(({ parts }, v) => {
      for (const { weighting, weights, rows } of parts) {
        const { data, error } = float32 ? toFloat32(weights) : { data: weights, error: 0 };
        const kept = weights.length / classes.length;
        arrays[`${weighting}${v}`] = { shape: [kept, classes.length], data };
        const places = kept <= 2 ** 16 ? Uint16Array.from(rows) : rows;
        arrays[`${weighting}${v}Rows`] = { shape: [rows.length], data: places };
        largestError = Math.max(largestError, error);
      }
    });
    const steps = views.map(({ vectorizer }) => vectorizer.toState({ ...options, slim: true }));
    return { learned: { classes: [...classes], ...(float32 && { largestError }) }, steps };
  }

  /** The inverse of `save`; takes nothing on trust. */
  static load(
    classes: Label[],
    views: readonly Omit<TableView, 'parts'>[],
    arrays: SavedArrays,
    largestError: number | undefined,
  ): TextTables {
    if (largestError !== undefined && !(largestError >= 0)) damaged('its largest error is none');
    const tables = views.map(({ name, vectorizer }, v): TableView => {
      const terms = vectorizer.known().columns.ids.length;
      const present = weightings.filter((weighting) => arrays.has(`${weighting}${v}`));
      const parts = present.map((weighting) => ({
        weighting,
        ...readTable(`${weighting}${v}`, terms, classes.length, arrays),
      }));
      return { name, vectorizer, parts };
    });
    const start = finite(arrays.take('bias', classes.length));
    const logPrior = arrays.has('logPrior') ? finite(arrays.take('logPrior', classes.length)) : undefined;
    return new TextTables({ classes, start, views: tables, logPrior }, largestError);
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
  return fits ? { rows: Uint32Array.from(places), weights } : damaged('a term has weights that are not there');
}

/** Refuses an array with a number that is not finite. */
export const finite = (values: Float64Array): Float64Array =>
  values.every(Number.isFinite) ? values : damaged('a weight is no finite number');
