import { cellOf, wordOf } from '../../src/data/cells.ts';
import { type WordStatistics, wordStatistics } from '../../src/report/word-statistics.ts';
import type { Trained } from './training.ts';

/** The words of one text column. */
export interface WordsTold extends WordStatistics {
  readonly column: string;
  readonly rows: number;
}

const MOST_ROWS = 20_000;

/** What the words of a text column say about the classes, in at most 20,000 of the rows. */
export function wordsOf({ rows, labels, run }: Trained, column: string): WordsTold {
  const step = Math.ceil(rows.length / MOST_ROWS);
  const places = [...rows.keys()].filter((i) => i % step === 0);
  const documents = places.map((i) => wordOf(cellOf(rows[i], column) ?? ''));
  const own = places.map((i) => labels[i]);
  const stopWords = run.settings.without.length > 0 ? run.settings.without : null;
  return { column, rows: places.length, ...wordStatistics(documents, own, run.classes, stopWords) };
}
