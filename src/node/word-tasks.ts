import type { NotedRows } from '../text/corpus-rows.ts';
import type { WordCounts } from '../text/word-counts.ts';
import { FileHash } from './file-hash.ts';
import { RangeCounter, type WordPlan } from './word-ranges.ts';

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

/** What a thread is asked: to count what is left of a file, or for the SHA-256 of one. */
export type WordQuestion = WordTasks | { readonly sha256: string };

/** What a thread has counted; where single rows were asked for, the words alone that it had not met before. */
export interface WordAnswer {
  readonly counts: WordCounts | Pick<WordCounts, 'bytes' | 'ends'>;
  readonly rows: readonly RangeRows[];
}

/** Answers questions in one go: first one about all rows, and then perhaps one about some of them with their words. */
export class WordReader {
  private ranges: RangeCounter | undefined;
  private hash: FileHash | undefined;

  /** A file whose SHA-256 will be wanted: it is worked at when nothing else is to be done. */
  constructor(path?: string) {
    this.hash = path === undefined ? undefined : new FileHash(path);
  }

  /** Does a little of what will be wanted, and tells whether anything is left. */
  idle(): boolean {
    try {
      return this.hash?.step() ?? false;
    } catch {
      this.hash = undefined; // who asks for it is told why
      return false;
    }
  }

  sha256(path: string): string {
    if (this.hash?.path !== path) this.hash = new FileHash(path);
    return this.hash.finish();
  }

  count(tasks: WordTasks, note: (bytes: number) => void): WordAnswer {
    this.ranges ??= new RangeCounter(tasks.plan, tasks.borders.at(-1)! / 2); // the one who asks counts, too
    const { counter } = this.ranges;
    const known = counter.size;
    const counting = countTasks(this.ranges, tasks);
    for (let step = counting.next(); ; step = counting.next()) {
      if (step.done) return { counts: tasks.rows ? counter.words(known) : counter.counts(), rows: step.value };
      note(step.value);
    }
  }
}
