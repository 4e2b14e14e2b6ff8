import type { Statistic } from '../core/model.ts';
import type { Batch, Shape } from '../data/batch.ts';

/** How a long count is watched and stopped. */
export interface CountOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of rows counted so far. */
  readonly onProgress?: ((rows: number) => void) | undefined;
}

/** An engine fills a statistic from a source; it knows no model. */
export interface Engine<Source> {
  readonly name: string;
  count<S extends Shape>(statistic: Statistic<S>, shape: Shape, source: Source, options?: CountOptions): Promise<S>;
}

/** What the memory engine counts: one batch, or a stream of them. */
export type BatchSource = Batch | Iterable<Batch> | AsyncIterable<Batch>;
