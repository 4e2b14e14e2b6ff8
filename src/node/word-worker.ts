import { parentPort, workerData } from 'node:worker_threads';
import { serve } from '../engines/workers.ts';
import type { NotedRows } from '../text/corpus-rows.ts';
import { type FileRange, RangeCounter, type WordPlan } from './word-ranges.ts';

const counter = new RangeCounter(workerData as WordPlan);

serve<FileRange, ReturnType<RangeCounter['counts']>, NotedRows | null>(parentPort!, {
  take: (range) => {
    counter.add(range);
    const rows = counter.takeRows();
    return rows && { part: rows, transfer: [rows.records, rows.words, rows.times].map(({ buffer }) => buffer) };
  },
  finish: () => {
    const part = counter.counts();
    const { bytes, ends, documents, df, again, counts } = part;
    return { part, transfer: [bytes, ends, documents, df, again, counts].map(({ buffer }) => buffer) };
  },
});
