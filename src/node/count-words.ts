import { statSync } from 'node:fs';
import { setImmediate as breath } from 'node:timers/promises';
import { Crew, cores } from '../engines/workers.ts';
import { refuse } from '../errors.ts';
import type { WordCounts } from '../text/word-counts.ts';
import type { MergedWords } from '../text/word-merge.ts';
import { isBegun } from './likely-words.ts';
import { wholeLines } from './whole-lines.ts';
import { RangeCounter, type WordPlan } from './word-ranges.ts';
import { sumHere, sumThere, type WordSum } from './word-sum.ts';
import { countTasks, type RangeRows, taskList, type WordAnswer, type WordTasks } from './word-tasks.ts';

/** How the words of a file are counted. */
export interface CountWordsOptions extends WordPlan {
  /** Threads, the one that asks included; as many as there are cores unless told. Files below some size are counted by that alone. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

const WORTH_A_THREAD = 8 << 20; // starting a thread costs about as much as counting this much

/** What was counted of a file: the sum, and of each thread, this one first, the rows in ranges, in no order. */
export interface CountedRanges {
  readonly tasks: WordTasks;
  /** Who has counted here. */
  readonly counter: RangeCounter;
  readonly sum: WordSum;
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
    const { sum, counter } = await countRanges(path, options, crew);
    const { words } = await sum.merged;
    counter.counter.release();
    return words;
  } finally {
    crew.dismiss();
  }
}

/** The same with the rows where they are to be noted. */
export async function countRanges(path: string, options: CountWordsOptions, crew: Crew): Promise<CountedRanges> {
  const { text, label, presence, analyzer, rows, signal, onProgress } = options;
  const tasks = tasksFor(path, { text, label, presence, analyzer, rows }, crew);
  const total = tasks.borders.at(-1)!;
  let done = 0;
  const onNote = (bytes: number) => onProgress?.((done += bytes), total);
  const counter = new RangeCounter(tasks.plan, total / (crew.size + 1));
  const { rows: own, others } = await shareTasks(tasks, { crew, counter, onNote, ...(signal && { signal }) });
  const threads = [{ rows: own, cells: counter.counter.cells() }, ...others];
  const counts = others.flatMap((other) => other.counts ?? []);
  const sum = crew.size === 0 ? sumHere(counter, counts) : sumThere(crew, [counter.counter.counts(), ...counts]);
  return { tasks, counter, sum, threads };
}

/** What is to be counted: what somebody has begun ahead, where it is that. */
function tasksFor(path: string, plan: WordPlan, crew: Crew): WordTasks {
  const begun = crew.unasked<WordTasks>();
  if (begun && isBegun(begun, path, plan)) return begun;
  if (begun) Atomics.store(begun.next, 0, begun.borders.length); // nobody goes on with it
  return { path, borders: wholeLines(path), next: taskList(), plan };
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
  const questions = Array.from({ length: crew.size }, (_, k) => (k === 0 ? { ...tasks, keeps: true } : tasks));
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
