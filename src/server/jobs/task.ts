import type { State } from '../../core/artifact.ts';
import type { TableFormat } from '../../node/table.ts';
import type { ExportFormat } from './export-task.ts';
import type { InsightTask } from './insight-task.ts';

/** Rows that lie in a file of the server, which no client names. */
export interface StoredData {
  readonly path: string;
  /** What messages call it. */
  readonly name: string;
  readonly format?: TableFormat | undefined;
}

/** How a classifier is fitted: the options of `Classifier.fit` that are plain data. */
export interface FitConfig {
  readonly target: string;
  readonly features?: readonly string[] | undefined;
  readonly model?: string | undefined;
  readonly calibrate?: boolean | string | undefined;
  readonly seed?: number | undefined;
  /** Parameters of the family and of its words, by their own names. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** Work that is too long for the event loop. It is plain data, so that it can go to a thread. */
export type Task =
  | { readonly kind: 'fit'; readonly data: StoredData; readonly config: FitConfig }
  | {
      readonly kind: 'tune';
      readonly data: StoredData;
      readonly config: FitConfig;
      readonly grid: Readonly<Record<string, readonly unknown[]>>;
    }
  | {
      readonly kind: 'compare';
      readonly data: StoredData;
      readonly config: FitConfig;
      readonly models: readonly string[];
    }
  | { readonly kind: 'profile'; readonly data: StoredData; readonly target?: string | undefined }
  | { readonly kind: 'export'; readonly state: State; readonly format: ExportFormat }
  | InsightTask;

/** How far a task is. */
export interface TaskProgress {
  /** From 0 to 1. */
  readonly share: number;
  readonly what: string;
}

/** What a task has made: plain data, and for some a model file or another file. */
export interface TaskResult {
  readonly result: object;
  readonly bytes?: Uint8Array;
  /** The media type of the bytes, where they are not a model. */
  readonly type?: string;
}
