import { open } from 'node:fs/promises';
import { cores, onThreads } from '../engines/workers.ts';
import { refuse } from '../errors.ts';
import type { NotedRows } from '../text/corpus-rows.ts';
import { addWordCounts, type CountedWords, type WordCounts } from '../text/word-counts.ts';
import { refuseFile } from './file.ts';
import { type FileRange, RangeCounter, type WordPlan } from './word-ranges.ts';

/** How the words of a file are counted. */
export interface CountWordsOptions extends WordPlan {
  /** Threads; as many as there are cores unless told. Files below some size are counted without any. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

const WORTH_A_THREAD = 8 << 20; // starting a thread costs about as much as counting this much
const TASK_BYTES = 2 << 20; // small enough for threads to end together
const NEWLINE = 10;

/** What several counters have of one file, and the rows in the order of the file, each part with the number of its counter. */
export interface CountedParts {
  readonly parts: readonly WordCounts[];
  readonly rows: readonly { readonly thread: number; readonly answer: NotedRows | null }[];
}

/** Counts the words of labelled documents in a plain file of JSON Lines; the same for every number of threads. */
export async function countWords(path: string, options: CountWordsOptions): Promise<CountedWords> {
  return addWordCounts((await countParts(path, options)).parts);
}

/** The same before the parts are added up, with the rows where they are to be noted. */
export async function countParts(path: string, options: CountWordsOptions): Promise<CountedParts> {
  const { text, label, presence, analyzer, rows, threads = cores(), signal, onProgress } = options;
  const plan: WordPlan = { text, label, presence, analyzer, rows };
  const ranges = await wholeLines(path);
  const total = ranges.at(-1)?.to ?? 0;
  if (threads <= 1 || total < WORTH_A_THREAD) return countHere(plan, ranges, total, options);
  let done = 0;
  const onTask = () => onProgress?.(Math.min(total, (done += TASK_BYTES)), total);
  const worker = new URL(`word-worker${import.meta.url.slice(-3)}`, import.meta.url);
  const { parts, told } = await onThreads<FileRange, WordCounts, NotedRows | null>(worker, ranges, {
    ...{ threads, data: plan, onTask },
    ...(signal && { signal }),
  });
  return { parts, rows: told };
}

function countHere(
  plan: WordPlan,
  ranges: readonly FileRange[],
  total: number,
  { signal, onProgress }: CountWordsOptions,
): CountedParts {
  const counter = new RangeCounter(plan);
  const rows = ranges.map((range) => {
    if (signal?.aborted) refuse('E_CANCELLED', 'counting was cancelled');
    counter.add(range);
    onProgress?.(range.to, total);
    return { thread: 0, answer: counter.takeRows() ?? null };
  });
  return { parts: [counter.counts()], rows };
}

/** A file in ranges of whole lines. */
async function wholeLines(path: string): Promise<FileRange[]> {
  const file = await open(path).catch((error: unknown) => refuseFile(path, error));
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) refuseFile(path, Object.assign(new Error('a folder'), { code: 'EISDIR' }));
    const { size } = stat;
    const ranges: FileRange[] = [];
    for (let from = 0; from < size; ) {
      const to = await lineEnd(file, Math.min(size, from + TASK_BYTES), size);
      ranges.push({ path, from, to });
      from = to;
    }
    return ranges;
  } finally {
    await file.close();
  }
}

/** Behind the first newline at this place or later; the size where there is none. */
async function lineEnd(file: Awaited<ReturnType<typeof open>>, from: number, size: number): Promise<number> {
  const chunk = new Uint8Array(1 << 16);
  for (let at = from; at < size; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) break;
    const found = chunk.subarray(0, bytesRead).indexOf(NEWLINE);
    if (found >= 0) return at + found + 1;
    at += bytesRead;
  }
  return size;
}
