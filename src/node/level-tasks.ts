import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { LevelCounter, type LevelCounts, type LevelPlan } from '../data/level-counter.ts';
import { refuse } from '../errors.ts';

/** A table of text in ranges of lines, which threads take one by one. */
export interface LevelTasks {
  readonly path: string;
  /** Where the first range begins, and where each ends. */
  readonly borders: Float64Array;
  /** The number of the next range, which all threads share. */
  readonly next: Int32Array<SharedArrayBuffer>;
  readonly plan: LevelPlan & { readonly header: boolean };
}

const CHUNK_BYTES = 1 << 20;
/** A row that is longer is left to the reader of rows. */
const MOST_BYTES = 1 << 24;

/**
 * Counts ranges as long as there are any that nobody has taken, and tells after each how many bytes it had. Nothing where a row is strange or
 * a border is inside of one: if every range ends where a row ends, then every next one begins where a row begins.
 */
export function* countLevelTasks(tasks: LevelTasks): Generator<number, LevelCounts | undefined> {
  const { path, borders, next, plan } = tasks;
  const counter = LevelCounter.of(plan);
  if (!counter) return undefined;
  const file = openSync(path, 'r');
  try {
    for (let range = Atomics.add(next, 0, 1); range < borders.length - 1; range = Atomics.add(next, 0, 1)) {
      const last = range === borders.length - 2;
      const skip = range === 0 && plan.header ? 1 : 0;
      if (!countRange(counter, file, borders[range], borders[range + 1], last, skip)) {
        Atomics.store(next, 0, borders.length); // nobody takes another
        return undefined;
      }
      yield borders[range + 1] - borders[range];
    }
    return counter.counts();
  } finally {
    closeSync(file);
  }
}

function countRange(
  counter: LevelCounter,
  file: number,
  from: number,
  to: number,
  last: boolean,
  skip: number,
): boolean {
  let kept = 0;
  let passed = skip;
  for (let at = from; at < to; ) {
    const wanted = Math.min(CHUNK_BYTES, to - at);
    const chunk = counter.reserve(kept + wanted);
    const read = readSync(file, chunk, kept, wanted, at);
    if (read === 0) refuse('E_IO', 'a file became shorter while it was read');
    at += read;
    const used = counter.count(kept + read, last && at === to, isUtf8, passed);
    if (used < 0) return false;
    passed = 0;
    kept += read - used;
    if (kept > MOST_BYTES) return false;
    counter.reserve(used + kept).copyWithin(0, used, used + kept);
  }
  return kept === 0;
}
