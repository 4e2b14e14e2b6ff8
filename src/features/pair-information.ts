import { levelSurprise, shareOf } from './information.ts';

/** One feature over all rows: levels by their number, −1 where missing, or measurements, NaN where missing. */
export type Column =
  | { readonly codes: Int32Array; readonly levels: number }
  | { readonly values: Float64Array; readonly levels?: never };

/** Labels and weights of the rows. */
export interface Labelled {
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
export function pairInformation(a: Column, b: Column, labelled: Labelled, known: Both): PairInformation {
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
export function classInformation(column: Column, labelled: Labelled, known: Both): number {
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
export function tableInformation(rows: readonly Float64Array[]): number {
  const columns = rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0));
  const total = columns.reduce((sum, value) => sum + value, 0);
  const surprise = rows.reduce((sum, row) => sum + levelSurprise(row, columns, total), 0);
  return shareOf(surprise, total);
}
