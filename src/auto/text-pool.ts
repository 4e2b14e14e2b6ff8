import { encodeModel, type SaveOptions, type State, type StateOptions } from '../core/artifact.ts';
import { decide } from '../core/posterior.ts';
import { requireItems } from '../data/arguments.ts';
import { type Label, sortClasses } from '../data/labels.ts';
import { Matrix } from '../data/matrix.ts';
import type { Tensor } from '../data/safetensors.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import type { JsonValue } from '../data/strict-json.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../estimators/count-vectorizer.ts';
import type { Contribution, Explanation } from '../estimators/explanation.ts';
import type { FittedModel } from '../estimators/fitted-model.ts';
import { restore } from '../estimators/restore.ts';
import { damaged, SavedArrays, tensor } from '../estimators/saved.ts';
import { toFloat32 } from '../estimators/slim.ts';
import { accuracyScore, type WeightOptions } from '../evaluate/metrics.ts';
import { applyPosterior } from '../evaluate/posterior-calibration.ts';
import type { Sigmoid } from '../evaluate/sigmoid.ts';
import { addInto, addScaledInto } from '../math/arrays.ts';
import { logSoftmaxInto } from '../math/logs.ts';
import { RowIndex } from '../math/row-index.ts';
import { type Document, requireDocument } from '../text/documents.ts';

/** The array that tells which row of a table is whose. */
const rowsName = (name: string) => `${name}Rows`;

/** Places as the narrowest numbers that hold them. */
const narrow = (rows: Uint32Array, most: number) => (most <= 2 ** 16 ? Uint16Array.from(rows) : rows);

/** A pool as plain data: its vectorizers are steps, its weights arrays. It learns no more, and keeps no counts of terms. */
export function savePool(kind: string, parts: PoolParts, options: StateOptions = {}): State {
  const { classes, bias, views, curves, tried, logPrior } = parts;
  const float32 = options.float32 || parts.largestError !== undefined;
  let largestError = parts.largestError ?? 0;
  const arrays: Record<string, Tensor> = {
    bias: tensor(bias),
    curves: tensor(curves.flatMap(({ a, b }) => [a, b])),
    ...(logPrior && { logPrior: tensor(logPrior) }),
  };
  views.forEach(({ parts }, v) => {
    for (const { weighting, weights, rows } of parts) {
      const { data, error } = float32 ? toFloat32(weights) : { data: weights, error: 0 };
      const kept = weights.length / classes.length;
      arrays[`${weighting}${v}`] = { shape: [kept, classes.length], data };
      arrays[rowsName(`${weighting}${v}`)] = { shape: [rows.length], data: narrow(rows, kept) };
      largestError = Math.max(largestError, error);
    }
  });
  const learned = {
    classes: [...classes],
    views: views.map(({ name }) => name),
    tried: tried.map((entry) => ({ ...entry })),
    ...(float32 && { largestError }),
  };
  const steps = views.map(({ vectorizer }) => vectorizer.toState({ ...options, slim: true }));
  return { kind, params: {}, learned, arrays, steps };
}

const isObject = (value: JsonValue): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readTried(value: JsonValue | undefined): TriedText[] {
  const fits = (entry: JsonValue) =>
    isObject(entry) &&
    typeof entry.name === 'string' &&
    Number.isFinite(entry.logLoss) &&
    Number.isFinite(entry.accuracy) &&
    typeof entry.chosen === 'boolean' &&
    (entry.weight === undefined || Number.isFinite(entry.weight));
  if (!Array.isArray(value) || !value.every(fits)) return damaged('its table of what was tried is wrong');
  return value as unknown as TriedText[];
}

function readClasses(value: JsonValue | undefined): Label[] {
  if (!Array.isArray(value) || value.length === 0) return damaged('its classes are wrong');
  const sorted = sortClasses(value);
  return sorted.every((label, c) => label === value[c]) ? sorted : damaged('its classes are not in order');
}

/** The weights of so many terms, from a table of different rows, or of all of them as older files have it. */
function readTable(name: string, terms: number, classes: number, arrays: SavedArrays): TermTable {
  if (!arrays.has(rowsName(name))) {
    const all = finite(arrays.take(name, terms * classes));
    return tableOf(terms, classes, (j, row) => row.set(all.subarray(j * classes, (j + 1) * classes)));
  }
  const weights = finite(arrays.take(name));
  const places = arrays.take(rowsName(name), terms);
  const kept = weights.length / classes;
  const fits = Number.isInteger(kept) && places.every((row) => Number.isInteger(row) && row >= 0 && row < kept);
  return fits ? { rows: Uint32Array.from(places), weights } : damaged('a term has weights that are not there');
}

function readView(name: JsonValue, v: number, vectorizer: unknown, arrays: SavedArrays, classes: number): PoolView {
  if (typeof name !== 'string' || !(vectorizer instanceof CountVectorizer)) return damaged('it has a wrong view');
  const terms = vectorizer.getFeatureNamesOut().length;
  const weightings: readonly Weighting[] = ['root', 'presence'];
  const present = weightings.filter((weighting) => arrays.has(`${weighting}${v}`));
  return {
    name,
    vectorizer,
    parts: present.map((weighting) => ({ weighting, ...readTable(`${weighting}${v}`, terms, classes, arrays) })),
  };
}

const finite = (values: Float64Array) =>
  values.every(Number.isFinite) ? values : damaged('a weight is no finite number');

/** A vectorizer from plain data; nothing else is a step of a pool. */
export function restoreVectorizer(state: State): CountVectorizer {
  if (state.kind !== 'CountVectorizer') damaged('a view of it is no vectorizer');
  return restore(new CountVectorizer(state.params as CountVectorizerOptions), state);
}

/** The inverse of `savePool`; believes nothing. */
export function readPool(state: State, restore: (state: State) => unknown): PoolParts {
  const { steps = [] } = state;
  const { largestError, ...learned } = state.learned;
  if (Object.keys(learned).sort().join() !== 'classes,tried,views') damaged('it has other entries than it should');
  if (largestError !== undefined && !((largestError as number) >= 0)) damaged('its largest error is none');
  const arrays = new SavedArrays(state);
  const classes = readClasses(learned.classes);
  const { views: names } = learned;
  if (!Array.isArray(names) || names.length !== steps.length) return damaged('its views are wrong');
  const views = names.map((name, v) => readView(name, v, restore(steps[v]), arrays, classes.length));
  const bias = finite(arrays.take('bias', classes.length));
  const pairs = finite(arrays.take('curves'));
  if (pairs.length !== 0 && pairs.length !== 2 * classes.length) damaged('its curves are wrong');
  const curves = Array.from({ length: pairs.length / 2 }, (_, c) => ({ a: pairs[2 * c], b: pairs[2 * c + 1] }));
  const logPrior = arrays.has('logPrior') ? finite(arrays.take('logPrior', classes.length)) : undefined;
  arrays.close();
  const rounded = largestError === undefined ? {} : { largestError: largestError as number };
  return { classes, bias, views, curves, tried: readTried(learned.tried), ...(logPrior && { logPrior }), ...rounded };
}

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

/** How counts become the cells that a scorer sees: √tf on rows of length 1, or 1 for every term that is there. */
export type Weighting = 'root' | 'presence';

/** Rows of √count, each divided by its Euclidean length, which is √(Σ counts). */
function rootRows({ rows, cols, indptr, indices, data }: SparseMatrix): SparseMatrix {
  const values = new Float64Array(data.length);
  for (let i = 0; i < rows; i++) {
    let total = 0;
    for (let k = indptr[i]; k < indptr[i + 1]; k++) total += data[k];
    for (let k = indptr[i]; k < indptr[i + 1]; k++) values[k] = Math.sqrt(data[k] / total);
  }
  return new TidyMatrix(rows, cols, indptr, indices, values);
}

/** Counts as cells. */
export function weigh(counts: SparseMatrix, weighting: Weighting): SparseMatrix {
  if (weighting === 'root') return rootRows(counts);
  const { rows, cols, indptr, indices, data } = counts;
  return new TidyMatrix(rows, cols, indptr, indices, new Float64Array(data.length).fill(1));
}

/** A score that is linear in the cells: score[c] = start[c] + Σⱼ xⱼ weights[j · classes + c]. */
export interface Scorer {
  readonly start: Float64Array;
  readonly weights: Float64Array;
}

/** The scores of the listed rows, one after the other. */
export function scoreRows(
  { start, weights }: Scorer,
  { indptr, indices, data }: Pick<SparseMatrix, 'indptr' | 'indices' | 'data'>,
  rows: Iterable<number>,
  out: Float64Array,
): void {
  const classes = start.length;
  const sum = new Float64Array(classes);
  let at = 0;
  for (const i of rows) {
    sum.set(start);
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const [from, value] = [indices[k] * classes, data[k]];
      for (let c = 0; c < classes; c++) sum[c] += value * weights[from + c];
    }
    out.set(sum, at);
    at += classes;
  }
}

/** What was tried, and how it did on rows it had not learned from. */
export interface TriedText {
  readonly name: string;
  readonly logLoss: number;
  readonly accuracy: number;
  readonly chosen: boolean;
  readonly weight?: number;
}

/** One view of the text: its vectorizer, and the weights of its terms in every class, by how cells are weighed. */
export interface PoolView {
  readonly name: string;
  readonly vectorizer: CountVectorizer;
  readonly parts: readonly (TermTable & { readonly weighting: Weighting })[];
}

/** All that a pool knows. */
export interface PoolParts {
  readonly classes: readonly Label[];
  readonly bias: Float64Array;
  readonly views: readonly PoolView[];
  /** A sigmoid for each class over its log-odds; empty if the softmax of the pool stands as it is. */
  readonly curves: readonly Sigmoid[];
  readonly tried: readonly TriedText[];
  /** ln p(c) of the training rows: what is said of a text without a known term. Files of version 0.1 do not tell. */
  readonly logPrior?: Float64Array;
  /** The most by which rounding to float32 has changed a weight, where weights were rounded. */
  readonly largestError?: number;
}

/**
 * A log-linear pool of generative scorers of text. Each scorer is linear in the cells of one view of the text, and so is
 * their pool, which is kept as one table of weights per view and weighting:
 *
 *   L[c] = b[c] + Σ_views Σⱼ xⱼ w[j,c],   ln p(c | x) = L[c] − ln Σ e^L, or Platt's curves of L where they were better  (1)
 *
 * It is made by `chooseText`.
 */
export class TextPool implements FittedModel<readonly Document[]> {
  readonly kind = 'TextPool';
  private readonly known: PoolParts;

  constructor(parts: PoolParts) {
    this.known = parts;
  }

  /** Rebuilds a pool from plain data; `restore` rebuilds a vectorizer, and need not be given. */
  static fromState(state: State, restore: (state: State) => unknown = restoreVectorizer): TextPool {
    return new TextPool(readPool(state, restore));
  }

  /** The sorted class labels. */
  get classes(): Label[] {
    return [...this.known.classes];
  }

  /** What was tried when this pool was chosen. */
  get tried(): readonly TriedText[] {
    return this.known.tried;
  }

  /** The views that the pool reads, in order. */
  get views(): string[] {
    return this.known.views.map(({ name }) => name);
  }

  /** The pooled scores L of (1), before they are made probabilities. */
  pooledScores(documents: readonly Document[]): Matrix {
    const { classes, bias, views } = this.known;
    requireItems(documents, 'a list of documents').forEach(requireDocument);
    const pooled = new Matrix(documents.length, classes.length);
    for (let i = 0; i < pooled.rows; i++) pooled.row(i).set(bias);
    const start = new Float64Array(classes.length);
    const part = new Float64Array(pooled.data.length);
    for (const { vectorizer, parts } of views) {
      const counts = vectorizer.transform(documents);
      for (const { weighting, weights, rows } of parts) {
        const { indptr, indices, data } = weigh(counts, weighting);
        const places = indices.map((j) => rows[j]);
        scoreRows({ start, weights }, { indptr, indices: places, data }, documents.keys(), part);
        addInto(pooled.data, part);
      }
    }
    return pooled;
  }

  /** ln p(c | x) for every document and class; of a document without a known term, the class prior. */
  predictLogProba(documents: readonly Document[]): Matrix {
    const { bias, logPrior, curves: parts } = this.known;
    const scores = this.pooledScores(documents);
    const silent = Array.from({ length: scores.rows }, (_, i) => {
      return scores.row(i).every((score, c) => score === bias[c]) && this.presentIn([documents[i]])[0] === 0;
    });
    for (let i = 0; i < scores.rows; i++) logSoftmaxInto(scores.data, i * scores.cols, scores.cols, scores.data);
    const told =
      parts.length > 0 ? applyPosterior({ method: 'sigmoid', classes: scores.cols, parts }, scores, 0) : scores;
    for (let i = 0; logPrior && i < told.rows; i++) if (silent[i]) told.row(i).set(logPrior);
    return told;
  }

  /** Whether each document has a known term, as 1 or 0. */
  presentIn(documents: readonly Document[]): Float64Array {
    const present = new Float64Array(documents.length);
    for (const { vectorizer } of this.known.views) {
      const { indptr } = vectorizer.transform(documents);
      for (let i = 0; i < present.length; i++) if (indptr[i + 1] > indptr[i]) present[i] = 1;
    }
    return present;
  }

  /** ln p(c) of the training rows, where it is known. */
  get logPrior(): Float64Array | undefined {
    return this.known.logPrior;
  }

  /** p(c | x) for every document and class. */
  predictProba(documents: readonly Document[]): Matrix {
    const { rows, cols, data } = this.predictLogProba(documents);
    return new Matrix(rows, cols, data.map(Math.exp));
  }

  /** The most probable class of every document. */
  predict(documents: readonly Document[]): Label[] {
    const { classes } = this.known;
    return Array.from(decide(this.predictLogProba(documents).data, classes.length), (c) => classes[c]);
  }

  /** The weighted share of documents whose class is predicted. */
  score(documents: readonly Document[], y: ArrayLike<Label>, options: WeightOptions = {}): number {
    return accuracyScore(y, this.predict(documents), options);
  }

  /**
   * Why each document got its label: bias + contributions = pooled score, class by class. A term of words is called by its
   * words, one of characters between two dots, and stands once for each view in which it was read.
   */
  explain(documents: readonly Document[]): Explanation[] {
    const { classes, bias, logPrior } = this.known;
    const labels = this.predict(documents);
    const contributions = this.contributionsOf(documents);
    return contributions.map((terms, i) => {
      const prior = terms.length === 0 && logPrior ? logPrior : bias;
      const score = prior.slice();
      for (const { byClass } of terms) addInto(score, byClass);
      const rest = new Float64Array(classes.length);
      return { label: labels[i], classes, prior: prior.slice(), contributions: terms, rest, score };
    });
  }

  /** The pool as the bytes of a model file. */
  toBytes(options?: SaveOptions): Uint8Array<ArrayBuffer> {
    return encodeModel(this, options);
  }

  /** The pool as plain data. */
  toState(options?: StateOptions): State {
    return savePool(this.kind, this.known, options);
  }

  private contributionsOf(documents: readonly Document[]): Contribution[][] {
    const size = this.known.classes.length;
    const found: Contribution[][] = documents.map(() => []);
    for (const { vectorizer, parts } of this.known.views) {
      const { terms } = vectorizer.known();
      const characters = vectorizer.getParams().analyzer !== 'word';
      const counts = vectorizer.transform(documents);
      const weighed = parts.map(({ weighting, ...table }) => ({ values: weigh(counts, weighting).data, ...table }));
      for (let i = 0; i < counts.rows; i++) {
        for (let k = counts.indptr[i]; k < counts.indptr[i + 1]; k++) {
          const [j, byClass] = [counts.indices[k], new Float64Array(size)];
          for (const { values, weights, rows } of weighed) {
            addScaledInto(byClass, values[k], weights.subarray(rows[j] * size, (rows[j] + 1) * size));
          }
          found[i].push({ feature: characters ? `·${terms[j]}·` : terms[j], byClass });
        }
      }
    }
    return found;
  }
}
