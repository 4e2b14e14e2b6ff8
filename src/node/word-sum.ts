import type { Crew } from '../engines/workers.ts';
import type { WordCounts } from '../text/word-counts.ts';
import { type MergedWords, mergeWordCounts } from '../text/word-merge.ts';
import type { RangeCounter } from './word-ranges.ts';
import type { WordQuestion, Words } from './word-tasks.ts';

/** The sum of what threads have counted, of which the one that asks is number 0 and those of its crew follow. */
export interface WordSum {
  /** One of the crew may still be adding. */
  readonly merged: Promise<MergedWords>;
  /** By number of a word on a thread its column, with those that it has met later. */
  placesOn(thread: number, later: Words): Promise<Int32Array>;
}

/** Adds up what a counter of this thread and others have. */
export function sumHere(counter: RangeCounter, others: readonly WordCounts[]): WordSum {
  const merged = Promise.resolve(mergeWordCounts(counter.counter, others));
  return sumOf(0, merged, (words) => counter.counter.kernel.idsOf(words));
}

/** Has the first of a crew add to its own counts those of this thread and of the rest of the crew, which are given away. */
export function sumThere(crew: Crew, others: readonly WordCounts[]): WordSum {
  const ask = <Found>(question: WordQuestion, arrays: readonly Uint8Array[] = []) =>
    crew.askFirst<WordQuestion, Found>(
      question,
      arrays.map(({ buffer }) => buffer as ArrayBuffer),
    );
  const arrays = others.flatMap((part) => Object.values(part).filter((value) => ArrayBuffer.isView(value)));
  const merged = ask<MergedWords>({ add: others }, arrays as Uint8Array[]);
  merged.catch(() => undefined); // told to who waits for it
  return sumOf(1, merged, (words) => ask<Uint32Array>({ numbersOf: words }));
}

function sumOf(
  adder: number,
  merged: Promise<MergedWords>,
  numbersOf: (words: Words) => Uint32Array | Promise<Uint32Array>,
): WordSum {
  return {
    merged,
    async placesOn(thread, later) {
      const { columns, numbers } = await merged;
      if (thread === adder) return columns;
      const own = numbers[thread < adder ? thread : thread - 1];
      return later.ends.length === 0 ? placesOf([own], columns) : placesOf([own, await numbersOf(later)], columns);
    },
  };
}

/** By number of a word in one counter its column, where another counter gives it these numbers. */
function placesOf(numbers: readonly Uint32Array[], columns: Int32Array): Int32Array {
  const places = new Int32Array(numbers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const own of numbers) for (let k = 0; k < own.length; k++) places[at++] = columns[own[k]] ?? -1;
  return places;
}
