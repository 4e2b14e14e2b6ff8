import { load } from '../../auto/load.ts';
import { encodeState, type State } from '../../core/artifact.ts';
import type { Exportable } from '../../exchange/plan-of.ts';
import { toJavaScript } from '../../exchange/to-javascript.ts';
import { toJson } from '../../exchange/to-json.ts';
import { toOnnx } from '../../exchange/to-onnx.ts';
import { inspectTable } from '../../node/inspect.ts';
import type { TableFormat } from '../../node/table.ts';
import { fitTask } from './fit-task.ts';
import { insightTask } from './insight-task.ts';

/** The formats in which a model can be downloaded. */
export const exportFormats = ['polya', 'onnx', 'json', 'ts'] as const;

/** The orders in which features can be ranked; every naive Bayes model has `telling`. */
export const featureOrders = ['mi', 'chi2', 'gain-ratio', 'log-odds', 'bns', 'telling'] as const;

/** Rows in a file of the server, which no client names. */
export interface StoredData {
  readonly path: string;
  /** The name in messages. */
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
  readonly params?: object | undefined;
}

/** A task that looks into a model. */
export type InsightTask =
  | {
      readonly kind: 'features';
      readonly state: State;
      readonly by: (typeof featureOrders)[number];
      readonly label?: string | undefined;
      readonly limit: number;
    }
  | { readonly kind: 'nomogram'; readonly state: State; readonly label?: string | undefined; readonly limit: number }
  | { readonly kind: 'densities'; readonly state: State; readonly feature: string }
  | { readonly kind: 'difference'; readonly from: Uint8Array; readonly to: Uint8Array; readonly limit: number };

/** A task that fits models to rows. */
export type FitTask = { readonly data: StoredData; readonly config: FitConfig } & (
  | { readonly kind: 'fit' }
  | { readonly kind: 'tune'; readonly grid: Readonly<Record<string, readonly unknown[]>> }
  | { readonly kind: 'compare'; readonly models: readonly string[] }
);

type ProfileTask = { readonly kind: 'profile'; readonly data: StoredData; readonly target?: string | undefined };
type ExportTask = { readonly kind: 'export'; readonly state: State; readonly format: (typeof exportFormats)[number] };

/** Work that takes too long for the event loop. It is plain data, so that it can be sent to a thread. */
export type Task = FitTask | ProfileTask | ExportTask | InsightTask;

/** The progress of a task. */
export interface TaskProgress {
  /** From 0 to 1. */
  readonly share: number;
  readonly what: string;
}

/** The result of a task: plain data, and for some tasks a model file or another file. */
export interface TaskResult {
  readonly result: object;
  readonly bytes?: Uint8Array;
  /** The media type of the bytes if they are not a model. */
  readonly type?: string;
}

/** Runs a task in this thread. */
export async function runTask(task: Task, onProgress: (progress: TaskProgress) => void): Promise<TaskResult> {
  switch (task.kind) {
    case 'fit':
    case 'tune':
    case 'compare':
      return fitTask(task, onProgress);
    case 'profile':
      return profileTask(task);
    case 'export':
      return exportTask(task);
    default:
      return insightTask(task);
  }
}

/** Describes a table before anything is learned from it. */
async function profileTask({ data: { path, name, format }, target }: ProfileTask): Promise<TaskResult> {
  const { bytesRead, ...found } = await inspectTable(path, {
    name,
    ...(format !== undefined && { format }),
    ...(target !== undefined && { target }),
  });
  const { formatReason, encoding, compressed, columns, rows, profile } = found;
  return {
    result: {
      name,
      format: found.format,
      formatReason,
      encoding,
      compressed,
      columns,
      rows,
      bytes: bytesRead,
      profile,
    },
  };
}

/** A model in another format. */
function exportTask({ state, format }: ExportTask): TaskResult {
  const bytes = encodeState(state);
  const binary = 'application/octet-stream';
  if (format === 'polya') return { result: {}, bytes, type: binary };
  const model = load<Exportable>(bytes);
  if (format === 'onnx') return { result: {}, bytes: toOnnx(model), type: binary };
  const text = (content: string, type: string): TaskResult => ({
    result: {},
    bytes: new TextEncoder().encode(content),
    type: `${type}; charset=utf-8`,
  });
  if (format === 'json') return text(`${JSON.stringify(toJson(model))}\n`, 'application/json');
  const { code, types } = toJavaScript(model);
  const declared = types.replace(/^/gm, '// ').replace(/ +$/gm, '');
  return text(`// @ts-nocheck\n// Its exports, as types:\n${declared}\n${code}`, 'text/plain');
}
