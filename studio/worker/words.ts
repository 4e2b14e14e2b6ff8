import { cellOf, type WordStatistics, wordOf, wordStatistics } from '../../src/workbench.ts';
import { placesOf, sampleOf } from './sample.ts';
import type { Trained } from './training.ts';

/** The words of one text column. */
export interface WordsResult extends WordStatistics {
  readonly column: string;
  /** The number of rows counted, out of `all`. */
  readonly rows: number;
  readonly all: number;
}

const MOST_ROWS = 20_000;

/** The statistics of the words of a text column, from a sample of at most 20,000 rows. */
export function wordsOf({ rows, labels, run }: Trained, column: string): WordsResult {
  const places = sampleOf(placesOf(rows), labels, MOST_ROWS);
  const documents = places.map((i) => wordOf(cellOf(rows[i], column) ?? ''));
  const own = places.map((i) => labels[i]);
  const stopWords = run.settings.without.length > 0 ? run.settings.without : null;
  return { column, rows: places.length, all: rows.length, ...wordStatistics(documents, own, run.classes, stopWords) };
}
