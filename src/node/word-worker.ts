import { parentPort, workerData } from 'node:worker_threads';
import { serve } from '../engines/workers.ts';
import { type FileRange, RangeCounter, type WordPlan } from './word-ranges.ts';

const counter = new RangeCounter(workerData as WordPlan);

serve<FileRange, ReturnType<RangeCounter['counts']>>(parentPort!, {
  take: (range) => counter.add(range),
  finish: () => {
    const part = counter.counts();
    const { bytes, ends, documents, df, counts } = part;
    return { part, transfer: [bytes, ends, documents, df, counts].map(({ buffer }) => buffer) };
  },
});
