import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';
import { Crew, cores } from '../engines/workers.ts';
import { PolyaError, refuse } from '../errors.ts';
import type { WordCounts } from '../text/word-counts.ts';
import { type MergedWords, mergeWordCounts } from '../text/word-merge.ts';
import { refuseFile } from './file.ts';
import { RangeCounter, type WordPlan } from './word-ranges.ts';
import { countTasks, type RangeRows, taskList, type WordAnswer, type WordTasks } from './word-tasks.ts';

/** How the words of a file are counted. */
export interface CountWordsOptions extends WordPlan {
  /** Threads, the one that asks included; as many as there are cores unless told. Files below some size are counted by that alone. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

const WORTH_A_THREAD = 8 << 20; // starting a thread costs about as much as counting this much
/** A file is cut into so many ranges at the least, so that threads end together, but none is larger or smaller than these. */
const RANGES = 24;
const [MOST_BYTES, LEAST_BYTES] = [2 << 20, 1 << 18];
const NEWLINE = 10;

/** What was counted of a file: the sum, and of each thread the rows in ranges, in no order. */
export interface CountedRanges extends MergedWords {
  readonly tasks: WordTasks;
  /** Who knows the words by number. */
  readonly counter: RangeCounter;
  readonly threads: readonly { readonly rows: readonly RangeRows[]; readonly cells: WordCounts['cells'] }[];
}

/** The threads that a file is worth besides the one that asks, which begin to load; none for a small file. */
export function crewFor(path: string, threads = cores()): Crew {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const worker = new URL(`word-worker${import.meta.url.slice(-3)}`, import.meta.url);
  return new Crew(worker, size < WORTH_A_THREAD ? 0 : Math.max(0, threads - 1));
}

/** Counts the words of labelled documents in a plain file of JSON Lines; the same for every number of threads. */
export async function countWords(path: string, options: CountWordsOptions): Promise<MergedWords['words']> {
  const crew = crewFor(path, options.threads);
  try {
    const { words, counter } = await countRanges(path, options, crew);
    counter.counter.release();
    return words;
  } finally {
    crew.dismiss();
  }
}

/** The same with the rows where they are to be noted. */
export async function countRanges(path: string, options: CountWordsOptions, crew: Crew): Promise<CountedRanges> {
  const { text, label, presence, analyzer, rows, signal, onProgress } = options;
  const tasks = { path, borders: wholeLines(path), next: taskList(), plan: { text, label, presence, analyzer, rows } };
  const total = tasks.borders.at(-1)!;
  let done = 0;
  const onNote = (bytes: number) => onProgress?.((done += bytes), total);
  const counter = new RangeCounter(tasks.plan, total / (crew.size + 1));
  const all = await shareTasks(tasks, { crew, counter, onNote, ...(signal && { signal }) });
  const others = all.others as readonly (WordAnswer & { counts: WordCounts })[];
  const merged = mergeWordCounts(
    counter.counter,
    others.map(({ counts }) => counts),
  );
  const own = { rows: all.rows, cells: counter.counter.cells() };
  const threads = [own, ...others.map((other) => ({ rows: other.rows, cells: other.counts.cells }))];
  return { ...merged, tasks, counter, threads };
}

interface Sharing {
  readonly crew: Crew;
  readonly counter: RangeCounter;
  readonly signal?: AbortSignal;
  readonly onNote?: (bytes: number) => void;
}

/** Counts ranges here and on the threads of a crew, until there are none left. */
export async function shareTasks(
  tasks: WordTasks,
  { crew, counter, signal, onNote }: Sharing,
): Promise<{ rows: RangeRows[]; others: WordAnswer[] }> {
  const questions = Array.from({ length: crew.size }, () => tasks);
  const watched = { ...(signal && { signal }), ...(onNote && { onNote }) };
  try {
    const others = crew.ask<WordTasks, WordAnswer>(questions, watched);
    const [rows, answers] = await Promise.all([countHere(tasks, counter, watched), others]);
    return { rows, others: answers };
  } catch (cause) {
    Atomics.store(tasks.next, 0, tasks.borders.length); // nobody takes another
    crew.dismiss();
    throw cause;
  }
}

/** Counts ranges and lets others have their turn between them. */
async function countHere(
  tasks: WordTasks,
  counter: RangeCounter,
  { signal, onNote }: Pick<Sharing, 'signal' | 'onNote'>,
): Promise<RangeRows[]> {
  const counting = countTasks(counter, tasks);
  for (;;) {
    if (signal?.aborted) refuse('E_CANCELLED', 'counting was cancelled');
    const step = counting.next();
    if (step.done) return step.value;
    onNote?.(step.value);
    await breath();
  }
}

/** The borders of ranges of whole lines. */
export function wholeLines(path: string): Float64Array {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
    const { size } = stat;
    const step = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.ceil(size / RANGES)));
    const borders = [0];
    for (let from = 0; from < size; borders.push(from)) from = lineEnd(file, Math.min(size, from + step), size);
    return Float64Array.from(borders);
  } catch (error) {
    if (error instanceof PolyaError) throw error;
    return refuseFile(path, error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Behind the first newline at this place or later; the size where there is none. */
function lineEnd(file: number, from: number, size: number): number {
  const chunk = new Uint8Array(1 << 14);
  for (let at = from; at < size; ) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) break;
    const found = chunk.subarray(0, read).indexOf(NEWLINE);
    if (found >= 0) return at + found + 1;
    at += read;
  }
  return size;
}
