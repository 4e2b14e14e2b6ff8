import type { NotedRows } from '../text/corpus-rows.ts';
import type { WordCounts } from '../text/word-counts.ts';
import type { RangeCounter, WordPlan } from './word-ranges.ts';

/** A file in ranges of whole lines, which threads take one by one. */
export interface WordTasks {
  readonly path: string;
  /** Where the first range begins, and where each ends. */
  readonly borders: Float64Array;
  /** The number of the next range, which all threads share. */
  readonly next: Int32Array<SharedArrayBuffer>;
  readonly plan: WordPlan;
  /** By range the rows that are counted alone; without it, all are. */
  readonly rows?: readonly Uint32Array[] | undefined;
  /** Whether somebody has begun before anybody asked. */
  readonly begun?: boolean;
  /** Whether the one who is asked keeps what it counts, and will be asked to add to it. */
  readonly keeps?: boolean;
}

/** The rows of a range. */
export interface RangeRows {
  readonly range: number;
  readonly noted: NotedRows;
}

/** Makes the list of ranges that threads share. */
export const taskList = (): WordTasks['next'] => new Int32Array(new SharedArrayBuffer(4));

/** Counts ranges as long as there are any that nobody has taken; tells after each how many bytes it had. */
export function* countTasks(counter: RangeCounter, tasks: WordTasks): Generator<number, RangeRows[]> {
  const { path, borders, next, rows } = tasks;
  const all: RangeRows[] = [];
  if (rows) counter.counter.keepWords();
  for (let range = Atomics.add(next, 0, 1); range < borders.length - 1; range = Atomics.add(next, 0, 1)) {
    const bytes = { path, from: borders[range], to: borders[range + 1] };
    if (rows) counter.addRows(bytes, rows[range]);
    else counter.add(bytes);
    const noted = counter.takeRows();
    if (noted) all.push({ range, noted });
    yield bytes.to - bytes.from;
  }
  return all;
}

/** Words one after another. */
export type Words = Pick<WordCounts, 'bytes' | 'ends'>;

/**
 * What a thread is asked: to count what is left of a file; to add what others have counted to what it has kept, and then for the numbers that
 * words have there; or for the SHA-256 of a file.
 */
export type WordQuestion =
  | WordTasks
  | { readonly add: readonly WordCounts[] }
  | { readonly numbersOf: Words }
  | { readonly sha256: string };

/** What a thread has counted. */
export interface WordAnswer {
  /** Nothing where it is to keep its counts, or single rows were asked for. */
  readonly counts?: WordCounts | undefined;
  /** Where single rows were asked for, the words that it had not met before. */
  readonly later: Words;
  readonly rows: readonly RangeRows[];
  /** By column the different cells that it has noted, as JSON. */
  readonly cells: WordCounts['cells'];
}
