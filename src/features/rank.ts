import { Matrix } from '../data/matrix.ts';
import { sum } from '../math/arrays.ts';
import { normalQuantile } from '../math/erf.ts';
import { countWhile } from '../math/search.ts';
import { chi2OfTable, informationOf, type TwoByTwo } from './events.ts';
import { chi2FromHistogram, gainRatioFromHistogram } from './gain.ts';
import { shareOf, surprise } from './information.ts';

/** A word, or a column with its most informative level, and its information about the class. */
export interface Ranked {
  readonly feature: string;
  /** The most informative level, if the feature is a column. */
  readonly level?: string;
  /** The class it is the strongest evidence for. */
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

/** The strength of a feature by one score; for log-odds, the distance of their interval from zero. */
function strengthOf(own: Counted, totals: Float64Array, by: RankedBy, only?: number): number {
  const counted = { classCount: totals, categoryCount: [own.table] };
  if (by === 'gainRatio') return gainRatioFromHistogram(counted)[0];
  if (only === undefined && by === 'mi') return tableInformation(own.table);
  if (only === undefined && by === 'chi2') return chi2FromHistogram(counted)[0][0];
  const { two, mi } = mostTelling(own, totals, only);
  if (by === 'mi') return mi;
  if (by === 'chi2') return chi2OfTable(two);
  if (by === 'bns') return separationOf(two);
  const { low, high } = logOddsOf(two);
  return low * high > 0 ? Math.min(Math.abs(low), Math.abs(high)) : 0;
}

/** Mutual information in bits of a table of classes × levels; without the checks of a public function, as there may be 100,000 tables. */
export function tableInformation({ rows, cols, data }: Matrix): number {
  const [n, m] = [new Float64Array(rows), new Float64Array(cols)];
  for (let c = 0, k = 0; c < rows; c++) {
    for (let v = 0; v < cols; v++, k++) {
      n[c] += data[k];
      m[v] += data[k];
    }
  }
  const total = sum(n);
  let nats = 0;
  for (let v = 0; v < cols; v++) {
    for (let c = 0; m[v] > 0 && c < rows; c++) nats += surprise(data[c * cols + v], (n[c] * m[v]) / total);
  }
  return shareOf(nats, total) / Math.LN2;
}

/** Computes all scores of a feature; those of two-by-two tables are for its most informative level and class, or for a given class. */
function rank(own: Counted, classes: readonly string[], totals: Float64Array, only?: number): Ranked {
  const { feature, levels, table } = own;
  const counted = { classCount: totals, categoryCount: [table] };
  const { v, c, two, mi } = mostTelling(own, totals, only);
  const isWord = isPresence(levels);
  return {
    feature,
    ...(!isWord && { level: levels[v] }),
    class: classes[c],
    rows: isWord ? two.n11 + two.n10 : sum(totals),
    mi: only === undefined ? tableInformation(table) : mi,
    chi2: only === undefined ? chi2FromHistogram(counted)[0][0] : chi2OfTable(two),
    gainRatio: gainRatioFromHistogram(counted)[0],
    ...logOddsOf(two),
    bns: separationOf(two),
  };
}

/** Whether the levels are those of a word, which is there or not. */
const isPresence = (levels: readonly string[]): boolean => levels.length === 2 && levels[1] === '';

/** A level and a class with their two-by-two table, and its mutual information in bits. */
interface Telling {
  readonly v: number;
  readonly c: number;
  readonly two: TwoByTwo;
  readonly mi: number;
}

/**
 * The level and the class to show: evidence for a class comes before evidence against one, and then the pair with the most mutual
 * information.
 */
function mostTelling({ levels, table }: Counted, totals: Float64Array, only?: number): Telling {
  const all = sum(totals);
  const [first, end] = only === undefined ? [0, table.rows] : [only, only + 1];
  let [best, speaksFor]: [Telling | undefined, boolean] = [undefined, false];
  for (let v = 0; v < (isPresence(levels) ? 1 : levels.length); v++) {
    let rows = 0;
    for (let c = 0; c < table.rows; c++) rows += table.at(c, v);
    for (let c = first; c < end; c++) {
      const n11 = table.at(c, v);
      const two = { n11, n10: rows - n11, n01: totals[c] - n11, n00: all - totals[c] - (rows - n11) };
      const own = (two.n11 + 0.5) * (two.n00 + 0.5) > (two.n10 + 0.5) * (two.n01 + 0.5);
      if (best && speaksFor && !own) continue;
      const mi = informationOf(two) / Math.LN2;
      if (best && own === speaksFor && !isMore(mi, two, best)) continue;
      [best, speaksFor] = [{ v, c, two, mi }, own];
    }
  }
  return best!; // there is a class, and a level
}

function isMore(mi: number, two: TwoByTwo, best: Telling): boolean {
  const tied = Math.abs(mi - best.mi) <= 1e-9 * Math.max(mi, best.mi); // as of two classes
  return tied ? logOddsOf(two).logOdds > logOddsOf(best.two).logOdds : mi > best.mi;
}

/** Counts by class and word. */
export interface WordCounts {
  /** Classes × words. */
  readonly counts: Matrix;
  /** How many rows each class has, or how many words if those are counted. */
  readonly totals: Float64Array;
  name(word: number): string;
}

/** The interface of estimators that count words, and of pipelines that end in one. */
export interface WordCounter {
  readonly kind: string;
  readonly featureCount?: Matrix;
  readonly classCount?: Float64Array;
  readonly steps?: readonly WordCounter[];
}

/** The word counts of a model; undefined if it has none. They are of words, or of documents if it counts presence. */
export function wordCountsOf(model: WordCounter, name: WordCounts['name']): WordCounts | undefined {
  const { featureCount: counts, classCount, kind } = model.steps?.at(-1) ?? model;
  if (!counts || !classCount) return undefined;
  const words = Float64Array.from(classCount, (_, c) => sum(counts.row(c)));
  return { counts, totals: kind === 'BernoulliNB' ? classCount.slice() : words, name };
}

/**
 * The table of every word that is counted `least` times or more: how many rows of each class have it, and how many do not. There may be
 * 100,000 words, so all tables share one matrix: each is valid until the next one is asked for.
 */
export function* wordTables({ counts, totals, name }: WordCounts, least = 0): Generator<Counted> {
  const { rows, cols, data } = counts;
  const table = new Matrix(rows, 2);
  const levels = ['yes', ''];
  for (let j = 0; j < cols; j++) {
    let all = 0;
    for (let c = 0; c < rows; c++) {
      const present = data[c * cols + j];
      table.data[2 * c] = present;
      table.data[2 * c + 1] = totals[c] - present;
      all += present;
    }
    if (all >= least) yield { feature: name(j), levels, table };
  }
}

/** How features are ranked. */
export interface RankOptions {
  readonly by: RankedBy;
  /** The index of the class that features must be evidence for. Default: any class. */
  readonly only?: number | undefined;
  /** How many features are returned. */
  readonly k: number;
}

/** The strongest features, the strongest first and equals by name, and how many there are in all. */
export function rankFeatures(
  features: Iterable<Counted>,
  classes: readonly string[],
  totals: Float64Array,
  { by, only, k }: RankOptions,
): { best: Ranked[]; all: number } {
  const best: { readonly strength: number; readonly ranked: Ranked }[] = [];
  let all = 0;
  for (const own of features) {
    all++;
    const strength = strengthOf(own, totals, by, only);
    const place = countWhile(best.length, (at) => {
      const other = best[at];
      return strength === other.strength ? own.feature >= other.ranked.feature : strength <= other.strength;
    });
    if (place === k) continue;
    best.splice(place, 0, { strength, ranked: rank(own, classes, totals, only) });
    if (best.length > k) best.pop();
  }
  return { best: best.map(({ ranked }) => ranked), all };
}
