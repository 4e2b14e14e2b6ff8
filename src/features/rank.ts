import { Matrix } from '../data/matrix.ts';
import { sum } from '../math/arrays.ts';
import { normalQuantile } from '../math/erf.ts';
import { chi2OfTable, informationOfTable, type TwoByTwo } from './events.ts';
import { chi2FromHistogram, gainRatioFromHistogram } from './gain.ts';
import { levelSurprise, shareOf } from './information.ts';

/** A word, or a column with the level by which it speaks, and what it tells of the class. */
export interface Ranked {
  readonly feature: string;
  /** The level that speaks most, where the feature is a column. */
  readonly level?: string;
  /** The class it speaks for most. */
  readonly class: string;
  /** How many rows (or words of a model) have it. */
  readonly rows: number;
  /** Mutual information with the class, in bits. */
  readonly mi: number;
  readonly chi2: number;
  readonly gainRatio: number;
  /** ln of the odds ratio of having it in the class and outside, half a row added to each cell, with its 95 % interval. */
  readonly logOdds: number;
  readonly low: number;
  readonly high: number;
  /** Bi-normal separation. Forman, J. Mach. Learn. Res. 3 (2003). */
  readonly bns: number;
}

/** How often a feature takes each of its levels in each class. */
export interface Counted {
  readonly feature: string;
  readonly levels: readonly string[];
  /** Classes × levels. */
  readonly table: Matrix;
}

const Z = 1.959963984540054;
/** Rates of 0 and 1 have no normal quantile. */
const LEAST_RATE = 0.0005;

/** The log odds ratio with half a row added to each cell (Haldane, Anscombe), and Woolf's interval. */
export function logOddsOf({ n11, n10, n01, n00 }: TwoByTwo): { logOdds: number; low: number; high: number } {
  const [a, b, c, d] = [n11, n10, n01, n00].map((cell) => cell + 0.5);
  const logOdds = Math.log(a) + Math.log(d) - Math.log(b) - Math.log(c);
  const error = Math.sqrt(1 / a + 1 / b + 1 / c + 1 / d);
  return { logOdds, low: logOdds - Z * error, high: logOdds + Z * error };
}

/** |Φ⁻¹(share inside the class) − Φ⁻¹(share outside)|. */
export function separationOf({ n11, n10, n01, n00 }: TwoByTwo): number {
  const rate = (hits: number, all: number) => Math.min(1 - LEAST_RATE, Math.max(LEAST_RATE, all > 0 ? hits / all : 0));
  return Math.abs(normalQuantile(rate(n11, n11 + n01)) - normalQuantile(rate(n10, n10 + n00)));
}

/** The scores by which features are ranked. */
export type RankedBy = 'mi' | 'chi2' | 'gainRatio' | 'logOdds' | 'bns';

/** How strong a feature is by one score; log-odds count as far as their interval is from zero. */
export function strengthOf(
  own: Counted,
  classes: readonly string[],
  totals: Float64Array,
  by: RankedBy,
  only?: number,
): number {
  const counted = { classCount: totals, categoryCount: [own.table] };
  if (by === 'gainRatio') return gainRatioFromHistogram(counted)[0];
  if (only === undefined && by === 'mi') return tableInformation(own.table);
  if (only === undefined && by === 'chi2') return chi2FromHistogram(counted)[0][0];
  const ranked = rank(own, classes, totals, only);
  if (by !== 'logOdds') return ranked[by];
  return ranked.low * ranked.high > 0 ? Math.min(Math.abs(ranked.low), Math.abs(ranked.high)) : 0;
}

/** Mutual information in bits of a table of classes × levels; without the checks of a public function, as there may be 100,000 tables. */
export function tableInformation({ rows, cols, data }: Matrix): number {
  const [n, counts] = [new Float64Array(rows), new Float64Array(rows)];
  for (let c = 0, k = 0; c < rows; c++) for (let v = 0; v < cols; v++, k++) n[c] += data[k];
  const total = sum(n);
  let nats = 0;
  for (let v = 0; v < cols; v++) {
    for (let c = 0; c < rows; c++) counts[c] = data[c * cols + v];
    nats += levelSurprise(counts, n, total);
  }
  return shareOf(nats, total) / Math.LN2;
}

/** Ranks a feature by all scores; those of two-by-two tables are of its most telling level and class, or of one class. */
export function rank(
  { feature, levels, table }: Counted,
  classes: readonly string[],
  totals: Float64Array,
  only?: number,
): Ranked {
  const counted = { classCount: totals, categoryCount: [table] };
  const all = totals.reduce((sum, n) => sum + n, 0);
  const shown = levels.length === 2 && levels[1] === '' ? [0] : [...levels.keys()]; // a word is there or not
  const cells = shown.flatMap((v) => {
    const rows = classes.reduce((sum, _, c) => sum + table.at(c, v), 0);
    return (only === undefined ? [...classes.keys()] : [only]).map((c) => {
      const n11 = table.at(c, v);
      const two = { n11, n10: rows - n11, n01: totals[c] - n11, n00: all - totals[c] - (rows - n11) };
      return { v, c, rows, two, mi: informationOfTable(two, { unit: 'bits' }), ...logOddsOf(two) };
    });
  });
  const best = cells.reduce((a, b) => (isMoreTelling(b, a) ? b : a));
  return {
    feature,
    ...(shown.length > 1 && { level: levels[best.v] }),
    class: classes[best.c],
    rows: shown.length > 1 ? all : best.rows,
    mi: only === undefined ? tableInformation(table) : best.mi,
    chi2: only === undefined ? chi2FromHistogram(counted)[0][0] : chi2OfTable(best.two),
    gainRatio: gainRatioFromHistogram(counted)[0],
    logOdds: best.logOdds,
    low: best.low,
    high: best.high,
    bns: separationOf(best.two),
  };
}

/**
 * Whether a pair of level and class is to be shown rather than another: one where the level speaks for the class comes before one where
 * it speaks against it, and among these the one with more mutual information.
 */
function isMoreTelling(a: { mi: number; logOdds: number }, b: { mi: number; logOdds: number }): boolean {
  if (a.logOdds > 0 !== b.logOdds > 0) return a.logOdds > 0;
  const tied = Math.abs(a.mi - b.mi) <= 1e-9 * Math.max(a.mi, b.mi); // as of two classes
  return tied ? a.logOdds > b.logOdds : a.mi > b.mi;
}

/** A word's table: how many rows of each class have it, and how many do not. */
export function wordTable(feature: string, present: Float64Array, totals: Float64Array): Counted {
  const data = new Float64Array(2 * totals.length);
  for (let c = 0; c < totals.length; c++) {
    data[2 * c] = present[c];
    data[2 * c + 1] = totals[c] - present[c];
  }
  return { feature, levels: ['yes', ''], table: new Matrix(totals.length, 2, data) };
}
