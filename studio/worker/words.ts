import { cellOf, wordOf } from '../../src/auto/cells.ts';
import { CountVectorizer } from '../../src/estimators/count-vectorizer.ts';
import { chi2OfTable, informationOfTable } from '../../src/features/events.ts';
import type { Trained } from './training.ts';

/** How much a word tells, by several measures. */
export interface WordScore {
  readonly word: string;
  readonly rows: number;
  /** Of the class in which it is most typical. */
  readonly label: string;
  /** I(word is there; class) in bits. */
  readonly information: number;
  readonly chi2: number;
  /** ln odds of the word in the class against the others, with its 95 % interval. */
  readonly logOdds: number;
  readonly low: number;
  readonly high: number;
  /** p(word is there | c), class by class. */
  readonly probabilities: readonly number[];
}

/** The words of one text column. */
export interface WordsTold {
  readonly column: string;
  readonly classes: readonly string[];
  readonly rows: number;
  /** The most frequent words in alphabetical order: Murphy's figure 3.8. */
  readonly stems: readonly { readonly word: string; readonly probabilities: readonly number[] }[];
  /** The most probable words of each class: the left of Murphy's table 3.1. */
  readonly probable: readonly (readonly { readonly word: string; readonly probability: number }[])[];
  /** The most informative ones, best first: its right. */
  readonly ranking: readonly WordScore[];
}

const MOST_ROWS = 20_000;
const MOST_STEMS = 300;
const MOST_RANKED = 500;
const MOST_PROBABLE = 25;
const NORMAL_95 = 1.959963984540054;

/** Counts in how many rows of each class each word is, and ranks words by what that tells. */
export function wordsOf({ rows, labels, run }: Trained, column: string): WordsTold {
  const step = Math.ceil(rows.length / MOST_ROWS);
  const places = [...rows.keys()].filter((i) => i % step === 0);
  const stopWords = run.settings.without.length > 0 ? run.settings.without : null;
  const vectorizer = new CountVectorizer({ binary: true, tokenizer: 'auto', stopWords });
  const X = vectorizer.fitTransform(places.map((i) => wordOf(cellOf(rows[i], column) ?? '')));
  const names = vectorizer.getFeatureNamesOut();
  const { classes } = run;
  const code = new Map(classes.map((label, c) => [label, c]));
  const n = new Float64Array(classes.length);
  const s = new Float64Array(classes.length * names.length);
  for (const [i, place] of places.entries()) {
    const c = code.get(labels[place])!;
    n[c]++;
    for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) s[c * names.length + X.indices[k]]++;
  }
  const table: Counted = { names, classes, n, s };
  return { column, classes, rows: places.length, ...lists(table) };
}

interface Counted {
  readonly names: readonly string[];
  readonly classes: readonly string[];
  readonly n: Float64Array;
  readonly s: Float64Array;
}

function lists(table: Counted): Pick<WordsTold, 'stems' | 'probable' | 'ranking'> {
  const { names, classes, n, s } = table;
  const totals = Float64Array.from(names, (_, j) => classes.reduce((sum, _c, c) => sum + s[c * names.length + j], 0));
  const best = (value: (j: number) => number, most: number) =>
    Array.from(names.keys())
      .sort((a, b) => value(b) - value(a) || a - b)
      .slice(0, most);
  const coin = (c: number, j: number) => (s[c * names.length + j] + 1) / (n[c] + 2);
  const coins = (j: number) => classes.map((_, c) => coin(c, j));
  const common = best((j) => totals[j], 5_000);
  return {
    stems: best((j) => totals[j], MOST_STEMS)
      .sort((a, b) => a - b)
      .map((j) => ({ word: names[j], probabilities: coins(j) })),
    probable: classes.map((_, c) =>
      best((j) => coin(c, j), MOST_PROBABLE).map((j) => ({ word: names[j], probability: coin(c, j) })),
    ),
    ranking: common
      .map((j) => scoreOf(table, j, coins(j)))
      .sort((a, b) => b.information - a.information)
      .slice(0, MOST_RANKED),
  };
}

/** A word against the class in which it is most typical; halves are added so that odds are finite. */
function scoreOf({ names, classes, n, s }: Counted, j: number, probabilities: readonly number[]): WordScore {
  const all = n.reduce((sum, rows) => sum + rows, 0);
  const total = classes.reduce((sum, _, c) => sum + s[c * names.length + j], 0);
  let [information, chi2] = [0, 0];
  let top = { c: 0, logOdds: Number.NEGATIVE_INFINITY, error: 0 };
  for (const c of classes.keys()) {
    const [n11, n10] = [s[c * names.length + j], n[c] - s[c * names.length + j]];
    const [n01, n00] = [total - n11, all - total - n10];
    const cells = { n11, n10: n01, n01: n10, n00 };
    information = Math.max(information, informationOfTable(cells, { unit: 'bits' }));
    chi2 = Math.max(chi2, chi2OfTable(cells));
    const halves = [n11, n10, n01, n00].map((count) => count + 0.5);
    const logOdds = Math.log((halves[0] * halves[3]) / (halves[1] * halves[2]));
    const error = Math.sqrt(halves.reduce((sum, count) => sum + 1 / count, 0));
    if (logOdds > top.logOdds) top = { c, logOdds, error };
  }
  const { c, logOdds, error } = top;
  return {
    ...{ word: names[j], rows: total, label: classes[c], information, chi2, logOdds, probabilities },
    low: logOdds - NORMAL_95 * error,
    high: logOdds + NORMAL_95 * error,
  };
}
