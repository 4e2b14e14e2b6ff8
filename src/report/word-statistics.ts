import { Matrix } from '../data/matrix.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { rankFeatures, wordTables } from '../features/rank.ts';
import { topPlaces } from '../math/arrays.ts';
import type { WordTables } from './words.ts';

/** How informative a word is, by several measures. */
export interface WordScore {
  readonly word: string;
  readonly rows: number;
  /** The class that it indicates most. */
  readonly label: string;
  /** The information of the word's presence about the class in bits. */
  readonly information: number;
  readonly chi2: number;
  /** ln of the ratio of the odds of the word in the class and in the others, with its 95 % interval; as `polya features` has them. */
  readonly logOdds: number;
  readonly low: number;
  readonly high: number;
  /** p(word is present | c), class by class. */
  readonly probabilities: readonly number[];
}

/** What the words of texts say about classes. */
export interface WordStatistics {
  readonly classes: readonly string[];
  /** The most frequent words in alphabetical order: Murphy's figure 3.8. */
  readonly stems: readonly { readonly word: string; readonly probabilities: readonly number[] }[];
  /** The most probable words of each class: the left of Murphy's table 3.1. */
  readonly probable: readonly (readonly { readonly word: string; readonly probability: number }[])[];
  /** The most informative ones, best first: its right. */
  readonly ranking: readonly WordScore[];
}

const MOST_STEMS = 300;
const MOST_RANKED = 500;
const MOST_PROBABLE = 25;
/** Words are ranked among the most frequent ones. */
const MOST_COMMON = 5000;

/** Counts in how many texts of each class each word occurs, and ranks words by what that says. */
export function wordStatistics(
  documents: readonly string[],
  labels: readonly string[],
  classes: readonly string[],
  stopWords: readonly string[] | null = null,
): WordStatistics {
  const vectorizer = new CountVectorizer({ binary: true, tokenizer: 'auto', stopWords });
  const X = vectorizer.fitTransform(documents);
  const names = vectorizer.getFeatureNamesOut();
  const code = new Map(classes.map((label, c) => [label, c]));
  const rows = new Float64Array(classes.length);
  const counts = classes.map(() => new Float64Array(names.length));
  const totals = new Float64Array(names.length);
  for (const [i, label] of labels.entries()) {
    const c = code.get(label)!;
    rows[c]++;
    for (let k = X.indptr[i]; k < X.indptr[i + 1]; k++) {
      counts[c][X.indices[k]]++;
      totals[X.indices[k]]++;
    }
  }
  const probability = (c: number, j: number) => (counts[c][j] + 1) / (rows[c] + 2);
  const probabilities = (j: number) => classes.map((_, c) => probability(c, j));
  const common = topPlaces(totals, MOST_COMMON);
  const table = new Matrix(classes.length, common.length);
  for (const [c, own] of counts.entries()) table.row(c).set(common.map((j) => own[j]));
  const tables = wordTables({ counts: table, totals: rows, name: (k) => names[common[k]] });
  const place = new Map(common.map((j) => [names[j], j]));
  return {
    classes,
    stems: topPlaces(totals, MOST_STEMS)
      .sort((a, b) => a - b)
      .map((j) => ({ word: names[j], probabilities: probabilities(j) })),
    probable: classes.map((_, c) =>
      topPlaces(counts[c], MOST_PROBABLE).map((j) => ({ word: names[j], probability: probability(c, j) })),
    ),
    ranking: rankFeatures(tables, classes, rows, { by: 'mi', k: MOST_RANKED }).best.map(
      ({ feature: word, rows: all, class: label, mi: information, chi2, logOdds, low, high }) => ({
        ...{ word, rows: all, label, information, chi2, logOdds, low, high },
        probabilities: probabilities(place.get(word)!),
      }),
    ),
  };
}

/** The tables of a report. */
export function wordTablesOf({ classes, stems, probable, ranking }: WordStatistics, k: number): WordTables {
  return {
    classes,
    curve: stems,
    probable: probable.map((words) => words.slice(0, k)),
    informative: ranking.slice(0, k).map(({ word, information }) => ({ word, information })),
  };
}
