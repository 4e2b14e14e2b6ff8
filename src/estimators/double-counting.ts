import type { CellBlock } from '../core/insight.ts';
import { type GivenOptions, integer, readOptions, weightOption } from '../core/options.ts';
import { type Rows, toDense, toSparse } from '../data/batch.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { requireLengths } from '../data/soft-labels.ts';
import { readWeights } from '../data/weights.ts';
import {
  type Column,
  classInformation,
  type Labelled,
  pairInformation,
  tableInformation,
} from '../features/pair-information.ts';
import { insightOf } from '../models/insights.ts';
import { type Fitted, type Inside, insideOf, names, placeOfClass, type RowsOf, requirePart } from './inside.ts';
import { placeIn, rowsOfBlock } from './row-cells.ts';

/** Two features that say the same thing twice. */
export interface DoubleCounting {
  readonly features: readonly [string | number, string | number];
  /** I(Xᵢ; Xⱼ | C) in nats: zero where they are as independent as the model takes them to be. */
  readonly information: number;
  /**
   * The decrease of the log-odds of the predicted class against its strongest rival, in nats, if the pair counts as one feature; the mean
   * over the rows in which both are present. Below zero, the pair is more informative than its parts.
   */
  readonly overcount: number;
  /** The weight of the rows in which both are present. */
  readonly rows: number;
}

const spec = {
  /** The number of most informative features; all pairs of them are measured. Default: 20. */
  k: integer({ default: 20, min: 2 }),
  ...weightOption,
  /** The names of the features. Default: those of the model, else their indices. */
  names,
} as const;

/** Options of `doubleCounting`. */
export type DoubleCountingOptions = GivenOptions<typeof spec>;

/** A feature over all rows: whether it is known in a row, and whether it contributes there. */
interface Feature {
  readonly place: number;
  readonly column: Column;
  known(i: number): boolean;
  speaks(i: number): boolean;
}

/**
 * The pairs of dependent features, the most dependent first. Naive Bayes adds the evidence of two features as if they were independent in
 * each class; shared evidence is counted twice and makes the classifier overconfident.
 */
export function doubleCounting<F extends Fitted>(
  fitted: F,
  X: RowsOf<F>,
  y: ArrayLike<Label>,
  options: DoubleCountingOptions = {},
): DoubleCounting[] {
  const given = readOptions('doubleCounting', spec, options);
  const inside = insideOf(fitted, given.names);
  const { kind, model, params, classes, name } = inside;
  const insight = insightOf(model);
  const reason = 'it does not take its features to be independent';
  requirePart(kind, insight.contribution, 'doubleCounting', reason);
  const blocks = requirePart(kind, insight.cells, 'doubleCounting', reason)(params);
  const rows = inside.rows(X);
  requireLengths(rows.rows, requireLabels(y).length);
  const codes = Int32Array.from(y, (label) => placeOfClass(classes, label));
  const labelled = { y: codes, w: readWeights(given.sampleWeight ?? undefined, y.length), classes: classes.length };
  const [best, rival] = topTwo(inside, rows);
  const features = mostTelling(blocks, rows, labelled, given.k);
  const found: DoubleCounting[] = [];
  features.forEach((a, at) => {
    for (const b of features.slice(at + 1)) {
      const { information, pointwise } = pairInformation(a.column, b.column, labelled, (i) => a.known(i) && b.known(i));
      let [sum, weight] = [0, 0];
      for (let i = 0; i < rows.rows; i++) {
        if (!a.speaks(i) || !b.speaks(i)) continue;
        weight += labelled.w[i];
        if (rival) sum += labelled.w[i] * (pointwise(i, rival[i]) - pointwise(i, best[i]));
      }
      const pair = [a.place, b.place].sort((p, q) => p - q).map(name) as [string | number, string | number];
      found.push({ features: pair, information, overcount: weight > 0 ? sum / weight : 0, rows: weight });
    }
  });
  return found.sort((a, b) => (a.information === b.information ? 0 : b.information - a.information));
}

/** The predicted class of every row and the next one, where there are two. */
function topTwo({ model, params, classes }: Inside, rows: Rows) {
  const scores = new Float64Array(rows.rows * classes.length);
  model.score(params, rows, scores);
  const order = Array.from({ length: rows.rows }, (_, i) => {
    const own = scores.subarray(i * classes.length, (i + 1) * classes.length);
    return [...own.keys()].sort((a, b) => (own[a] === own[b] ? a - b : own[b] - own[a]));
  });
  const place = (at: number) => Int32Array.from(order, (ranked) => ranked[at]);
  return [place(0), classes.length > 1 ? place(1) : undefined] as const;
}

/** The k most informative features, in order. */
function mostTelling(blocks: readonly CellBlock[], rows: Rows, labelled: Labelled, k: number): Feature[] {
  const ranked = blocks.flatMap((block) => {
    const own = rowsOfBlock(rows, block);
    const { read, tells } = block.kind === 'counts' ? wordsOf(own, labelled) : cellsOf(own, block.kind, labelled);
    return Array.from({ length: own.features }, (_, j) => ({ j, place: placeIn(block, j), tells: tells(j), read }));
  });
  ranked.sort((a, b) => (a.tells === b.tells ? a.place - b.place : b.tells - a.tells));
  return ranked.slice(0, k).map(({ j, place, read }) => ({ place, ...read(j) }));
}

/** Reads the features of a block and their information about the class. */
interface Reader {
  read(j: number): Omit<Feature, 'place'>;
  tells(j: number): number;
}

/** Words as present or absent; a missing count means absent. The cost is proportional to the rows that have the word. */
function wordsOf(rows: Rows, { y, w, classes }: Labelled): Reader {
  const { indptr, indices, values } = toSparse(rows);
  const where: number[][] = Array.from({ length: rows.features }, () => []);
  for (let i = 0; i < rows.rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) if (values[k] > 0 || values[k] < 0) where[indices[k]].push(i);
  }
  const n = new Float64Array(classes);
  for (let i = 0; i < y.length; i++) n[y[i]] += w[i];
  return {
    read(j) {
      const codes = new Int32Array(rows.rows);
      for (const i of where[j]) codes[i] = 1;
      return { column: { codes, levels: 2 }, known: () => true, speaks: (i) => codes[i] === 1 };
    },
    tells(j) {
      const present = new Float64Array(classes);
      for (const i of where[j]) present[y[i]] += w[i];
      return tableInformation([present, n.map((all, c) => Math.max(0, all - present[c]))]);
    },
  };
}

/** Levels and measurements. */
function cellsOf(rows: Rows, kind: CellBlock['kind'], labelled: Labelled): Reader {
  const { x } = toDense(rows);
  const read = (j: number): Omit<Feature, 'place'> => {
    const values = Float64Array.from({ length: rows.rows }, (_, i) => x[i * rows.features + j]);
    const known = (i: number) => !Number.isNaN(values[i]);
    if (kind === 'reals') return { column: { values }, known, speaks: known };
    const codes = Int32Array.from(values, (value) => (Number.isNaN(value) ? -1 : value));
    const levels = 1 + codes.reduce((most, code) => Math.max(most, code), 0);
    return { column: { codes, levels }, known, speaks: known };
  };
  const tells = (j: number) => {
    const { column, known } = read(j);
    return classInformation(column, labelled, known);
  };
  return { read, tells };
}
