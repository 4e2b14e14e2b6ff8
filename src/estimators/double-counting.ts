import type { CellBlock } from '../core/insight.ts';
import { type GivenOptions, integer, readOptions, weightOption } from '../core/options.ts';
import { type Rows, toDense, toSparse } from '../data/batch.ts';
import { type Label, requireLabels } from '../data/labels.ts';
import { requireLengths } from '../data/soft-labels.ts';
import { readWeights } from '../data/weights.ts';
import { levelSurprise, shareOf } from '../features/information.ts';
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

/** One feature over all rows: levels by their number, −1 where missing, or measurements, NaN where missing. */
type Column =
  | { readonly codes: Int32Array; readonly levels: number }
  | { readonly values: Float64Array; readonly levels?: never };

/** Labels and weights of the rows. */
interface Labelled {
  readonly y: Int32Array;
  readonly w: Float64Array;
  readonly classes: number;
}

/** The dependence of two features within the classes. */
interface PairInformation {
  /** I(Xᵢ; Xⱼ | C) in nats. */
  readonly information: number;
  /** ln p(xᵢ, xⱼ | c) − ln p(xᵢ | c) − ln p(xⱼ | c) for a row, up to what is the same for all classes. */
  pointwise(row: number, c: number): number;
}

/** Whether both features say something in a row. */
type Both = (row: number) => boolean;

/** I(Xᵢ; Xⱼ | C) over the rows where both are known. */
function pairInformation(a: Column, b: Column, labelled: Labelled, known: Both): PairInformation {
  if (a.levels !== undefined && b.levels !== undefined) return ofLevels(a, b, labelled, known);
  if (a.levels !== undefined) return ofLevelAndReal(a, b as Reals, labelled, known);
  if (b.levels !== undefined) return ofLevelAndReal(b, a, labelled, known);
  return ofReals(a, b, labelled, known);
}

type Levels = Extract<Column, { codes: Int32Array }>;
type Reals = Extract<Column, { values: Float64Array }>;

/** o ln(o e⁻¹), with 0 ln 0 = 0. */
const gain = (o: number, e: number) => (o > 0 ? o * Math.log(o / e) : 0);

/**
 * Two tables of levels: Σ n[c,u,v] ln (n[c,u,v] n[c] / n[c,u] n[c,v]) / N. Pointwise, one row of independent features is
 * added to each class, so that a pair that was never seen is not impossible.
 */
function ofLevels(a: Levels, b: Levels, { y, w, classes }: Labelled, known: Both): PairInformation {
  const n = new Float64Array(classes);
  const left = new Float64Array(classes * a.levels);
  const right = new Float64Array(classes * b.levels);
  const both = new Float64Array(classes * a.levels * b.levels);
  const cell = (c: number, u: number, v: number) => (c * a.levels + u) * b.levels + v;
  for (let i = 0; i < y.length; i++) {
    if (!known(i)) continue;
    n[y[i]] += w[i];
    left[y[i] * a.levels + a.codes[i]] += w[i];
    right[y[i] * b.levels + b.codes[i]] += w[i];
    both[cell(y[i], a.codes[i], b.codes[i])] += w[i];
  }
  const expected = (c: number, u: number, v: number) => (left[c * a.levels + u] * right[c * b.levels + v]) / n[c];
  let [sum, total] = [0, 0];
  for (let c = 0; c < classes; c++) {
    total += n[c];
    for (let u = 0; u < a.levels; u++) {
      for (let v = 0; v < b.levels; v++) sum += gain(both[cell(c, u, v)], expected(c, u, v));
    }
  }
  return {
    information: total > 0 ? Math.max(0, sum / total) : 0,
    pointwise(i, c) {
      const share = expected(c, a.codes[i], b.codes[i]) / n[c];
      if (!(share > 0)) return 0;
      return Math.log((both[cell(c, a.codes[i], b.codes[i])] + share) / ((n[c] + 1) * share));
    },
  };
}

/** Weight, mean and sum of squares about it, by group. */
function spreads(column: Reals, groups: number, group: (i: number) => number, { y, w }: Labelled, known: Both) {
  const [weight, mean, squares] = [0, 1, 2].map(() => new Float64Array(groups));
  for (let i = 0; i < y.length; i++) {
    if (!known(i)) continue;
    const g = group(i);
    weight[g] += w[i];
    const distance = column.values[i] - mean[g];
    mean[g] += (w[i] / weight[g]) * distance;
    squares[g] += w[i] * distance * (column.values[i] - mean[g]);
  }
  const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  return { weight, mean, squares, n: total(weight), within: total(squares) };
}

/** Unexplained variance below this is rounding: one feature is a function of the other. */
const NOTHING = 1e-12;

/** −½ ln(1 − ρ²): the information of two normal variables with this share of explained variance. */
const gaussianInformation = (explained: number) =>
  1 - explained < NOTHING ? Infinity : Math.max(0, -0.5 * Math.log1p(-explained));

/**
 * Two measurements: −½ ln(1 − ρ²) with ρ their correlation within the classes. Pointwise, ρ is drawn towards zero by one
 * row: with z the distances from the class means in deviations of the class,
 *
 *   −ρ² (zᵢ − zⱼ)² / 2(1 − ρ²) + ρ zᵢzⱼ / (1 + ρ)                  (1)
 */
function ofReals(a: Reals, b: Reals, labelled: Labelled, known: Both): PairInformation {
  const { y, w, classes } = labelled;
  const [left, right] = [a, b].map((column) => spreads(column, classes, (i) => y[i], labelled, known));
  let cross = 0;
  for (let i = 0; i < y.length; i++) {
    if (known(i)) cross += w[i] * (a.values[i] - left.mean[y[i]]) * (b.values[i] - right.mean[y[i]]);
  }
  const scale = Math.sqrt(left.within) * Math.sqrt(right.within);
  const correlation = scale > 0 ? Math.max(-1, Math.min(1, cross / scale)) : 0;
  const cautious = Math.abs(correlation) * (left.n / (left.n + 1));
  const z = ({ mean, squares, weight }: typeof left, value: number, c: number) =>
    squares[c] > 0 ? (value - mean[c]) / Math.sqrt(squares[c] / weight[c]) : 0;
  return {
    information: gaussianInformation(correlation * correlation),
    pointwise(i, c) {
      const [p, q] = [z(left, a.values[i], c), Math.sign(correlation) * z(right, b.values[i], c)];
      const apart = (cautious * (p - q)) ** 2 / (2 * (1 - cautious * cautious));
      return (cautious * p * q) / (1 + cautious) - apart;
    },
  };
}

/** A level and a measurement: −½ ln(1 − η²) with η² the share of variance within the classes that the level explains. */
function ofLevelAndReal(a: Levels, b: Reals, labelled: Labelled, known: Both): PairInformation {
  const { y, classes } = labelled;
  const whole = spreads(b, classes, (i) => y[i], labelled, known);
  const byLevel = spreads(b, classes * a.levels, (i) => y[i] * a.levels + a.codes[i], labelled, known);
  const explained = whole.within > 0 ? Math.max(0, 1 - byLevel.within / whole.within) : 0;
  const variance = whole.within / whole.n;
  const rest = (byLevel.within + variance) / (whole.n + 1);
  return {
    information: gaussianInformation(explained),
    pointwise(i, c) {
      if (!(variance > 0) || whole.weight[c] === 0) return 0;
      const group = c * a.levels + a.codes[i];
      const weight = byLevel.weight[group];
      const mean = (weight * byLevel.mean[group] + whole.mean[c]) / (weight + 1);
      return 0.5 * ((b.values[i] - whole.mean[c]) ** 2 / variance - (b.values[i] - mean) ** 2 / rest);
    },
  };
}

/** I(X; C), the information of a feature about the class, over the rows where it is known. */
function classInformation(column: Column, labelled: Labelled, known: Both): number {
  const { y, w, classes } = labelled;
  if (column.levels === undefined) {
    const whole = spreads(column, 1, () => 0, labelled, known);
    const { within } = spreads(column, classes, (i) => y[i], labelled, known);
    return whole.within > 0 ? gaussianInformation(1 - within / whole.within) : 0;
  }
  const rows = Array.from({ length: column.levels }, () => new Float64Array(classes));
  for (let i = 0; i < y.length; i++) if (known(i)) rows[column.codes[i]][y[i]] += w[i];
  return tableInformation(rows);
}

/** I(X; C) of a table with one row per level and one column per class. */
function tableInformation(rows: readonly Float64Array[]): number {
  const columns = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0));
  const total = columns.reduce((sum, value) => sum + value, 0);
  const surprise = rows.reduce((sum, row) => sum + levelSurprise(row, columns, total), 0);
  return shareOf(surprise, total);
}
