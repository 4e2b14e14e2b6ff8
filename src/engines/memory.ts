import type { Statistic } from '../core/model.ts';
import { type Batch, isSparse, type Shape, sliceBatch } from '../data/batch.ts';
import { requireGoing } from '../data/limits.ts';
import type { CountOptions } from './engine.ts';

export { requireGoing };

/** The number of rows counted between two checks of the abort signal. */
const ROWS_AT_ONCE = 4096;

/**
 * Adds a batch to a statistic, in slices if there is a progress callback or a signal; otherwise sparse rows at once.
 */
export function addBatch<S extends Shape>(
  statistic: Pick<Statistic<S>, 'add'>,
  stats: S,
  batch: Batch,
  { signal, onProgress }: CountOptions = {},
  before = 0,
): number {
  const most = signal || onProgress || !isSparse(batch) || batch.parts ? ROWS_AT_ONCE : Math.max(1, batch.rows);
  for (let from = 0; from < batch.rows; from += most) {
    requireGoing(signal);
    const to = Math.min(batch.rows, from + most);
    statistic.add(stats, batch.rows <= most ? batch : sliceBatch(batch, from, to));
    onProgress?.(before + to);
  }
  requireGoing(signal);
  return before + batch.rows;
}

/** The input of counting in memory: one batch, or a stream of them. */
export type BatchSource = Batch | Iterable<Batch> | AsyncIterable<Batch>;

/** Counting in one thread and one pass: the reference for threads and databases. */
export const memory = {
  name: 'memory',
  /** Fills a statistic of this shape from batches. */
  async count<S extends Shape>(
    statistic: Statistic<S>,
    shape: Shape,
    source: BatchSource,
    options?: CountOptions,
  ): Promise<S> {
    const stats = statistic.empty(shape);
    const batches = Symbol.iterator in source || Symbol.asyncIterator in source ? source : [source];
    let rows = 0;
    for await (const batch of batches) rows = addBatch(statistic, stats, batch, options, rows);
    return stats;
  },
} as const;
