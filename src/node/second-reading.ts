import type { Crew } from '../engines/workers.ts';
import { refuse } from '../errors.ts';
import { HASH_WORDS, type NotedRows } from '../text/corpus-rows.ts';
import type { KeptPart } from '../text/kept-rows.ts';
import { type CountedRanges, shareTasks } from './count-words.ts';
import { type RangeRows, taskList, type WordTasks } from './word-tasks.ts';

/** Reads the lines of some rows again, who read them the first time; answers how to wait for their words. */
export function secondReading(
  { tasks, counter, sum }: CountedRanges,
  parts: readonly { readonly noted: NotedRows }[],
  own: readonly number[],
  crew: Crew,
): () => Promise<KeptPart[]> {
  const again: WordTasks = { ...tasks, next: taskList(), rows: rowsByRange(parts, own) };
  const stride = HASH_WORDS + tasks.plan.rows!.columns.length;
  const known = counter.counter.size;
  const reading = shareTasks(again, { crew, counter });
  reading.catch(() => undefined); // told to who waits for it
  return async () => {
    const { rows, others } = await reading;
    const found = new Array<KeptPart>(parts.length);
    const take = (ranges: readonly RangeRows[], places: Int32Array) => {
      for (const { range, noted } of ranges) {
        requireSame(parts[range].noted, noted, again.rows![range], stride);
        found[range] = { noted, places };
      }
    };
    take(rows, await sum.placesOn(0, counter.counter.words(known)));
    for (const [p, other] of others.entries()) take(other.rows, await sum.placesOn(p + 1, other.later));
    counter.end();
    return found;
  };
}

/** Refuses a file in which rows have other texts than they had. */
function requireSame(before: NotedRows, now: NotedRows, rows: Uint32Array, stride: number): void {
  const same = (i: number, row: number) => {
    for (let k = 0; k < HASH_WORDS; k++) {
      if (before.records[row * stride + k] !== now.records[i * stride + k]) return false;
    }
    return true;
  };
  if (now.rows !== rows.length || !rows.every((row, i) => same(i, row))) {
    refuse('E_IO', 'a file changed while it was read');
  }
}

/** By range the numbers that some rows of the file have in it. */
function rowsByRange(parts: readonly { readonly noted: NotedRows }[], own: readonly number[]): Uint32Array[] {
  let [first, next] = [0, 0];
  return parts.map(({ noted }) => {
    const from = next;
    while (next < own.length && own[next] < first + noted.rows) next++;
    const start = first;
    first += noted.rows;
    return Uint32Array.from(own.slice(from, next), (i) => i - start);
  });
}
