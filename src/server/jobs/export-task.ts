import { load } from '../../auto/load.ts';
import { encodeState } from '../../core/artifact.ts';
import type { Exportable } from '../../exchange/plan-of.ts';
import { toJavaScript } from '../../exchange/to-javascript.ts';
import { toJson } from '../../exchange/to-json.ts';
import { toOnnx } from '../../exchange/to-onnx.ts';
import type { Task, TaskResult } from './task.ts';

/** The forms in which a model can be downloaded. */
export const exportFormats = ['polya', 'onnx', 'json', 'ts'] as const;

/** See `exportFormats`. */
export type ExportFormat = (typeof exportFormats)[number];

/** A model in another form. */
export function exportTask({ state, format }: Extract<Task, { kind: 'export' }>): TaskResult {
  const bytes = encodeState(state);
  if (format === 'polya') return { result: {}, bytes, type: 'application/octet-stream' };
  const model = load<Exportable>(bytes);
  const text = (content: string, type: string): TaskResult => ({
    result: {},
    bytes: new TextEncoder().encode(content),
    type,
  });
  if (format === 'onnx') return { result: {}, bytes: toOnnx(model), type: 'application/octet-stream' };
  if (format === 'json') return text(`${JSON.stringify(toJson(model))}\n`, 'application/json; charset=utf-8');
  const { code, types } = toJavaScript(model);
  const declared = types
    .split('\n')
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
  return text(`// @ts-nocheck\n// What it exports, as types:\n${declared}\n${code}`, 'text/plain; charset=utf-8');
}
