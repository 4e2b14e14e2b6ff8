import * as ort from 'onnxruntime-web';
import { dense } from '../../src/exchange/cells.ts';
import { isWholeRow } from '../../src/exchange/names.ts';
import type { Plan } from '../../src/exchange/plan.ts';
import { runVectors } from '../../src/exchange/run-plan.ts';

ort.env.logLevel = 'error';

/** The entries of a protocol buffer message that hold bytes, as [field, bytes]. */
function* entries(bytes: Uint8Array): Generator<[number, Uint8Array]> {
  const decoder = { at: 0 };
  const varint = () => {
    let [value, shift] = [0, 1];
    for (;;) {
      const byte = bytes[decoder.at++];
      value += (byte & 0x7f) * shift;
      shift *= 128;
      if (byte < 0x80) return value;
    }
  };
  while (decoder.at < bytes.length) {
    const tag = varint();
    if (tag % 8 === 0) varint();
    else if (tag % 8 === 5) decoder.at += 4;
    else {
      const length = varint();
      yield [tag >> 3, bytes.subarray(decoder.at, decoder.at + length)];
      decoder.at += length;
    }
  }
}

/** The notes of an ONNX file. */
export function notesOf(bytes: Uint8Array): Record<string, string> {
  const decoder = new TextDecoder();
  const pairs = [...entries(bytes)].filter(([field]) => field === 14).map(([, entry]) => [...entries(entry)]);
  return Object.fromEntries(pairs.map(([[, key], [, value]]) => [decoder.decode(key), decoder.decode(value)]));
}

/** What a graph says of an input. */
export interface Note {
  readonly input: string;
  readonly column: string;
  readonly element?: number;
  readonly holds: string;
}

function cellOf(row: unknown, input: Plan['inputs'][number]): unknown {
  const { name, column } = input;
  const own = Object.hasOwn(row as object, name) ? (row as Record<string, unknown>)[name] : undefined;
  const cell = Array.isArray(row) ? row[column] : own;
  return input.kind === 'level' && input.element !== undefined ? (cell as unknown[] | null)?.[input.element] : cell;
}

/** Whether a row can be given to the graph: a missing word has no string of its own where the empty one is a level. */
export const canSay =
  (plan: Plan) =>
  (row: unknown): boolean =>
    plan.inputs.every((input) => {
      if (input.kind !== 'level' || typeof input.levels === 'number' || !input.levels.includes('')) return true;
      const cell = cellOf(row, input);
      return cell !== null && cell !== undefined;
    });

/** A cell as a number: NaN where it is missing, 1 and 0 for true and false. */
function numberOf(cell: unknown): number {
  if (cell === null || cell === undefined || cell === '') return Number.NaN;
  const word = String(cell).toLowerCase();
  return word === 'true' ? 1 : word === 'false' ? 0 : Number(cell);
}

type Table = (values: readonly number[], width: number) => ort.Tensor;

/** The cells of one column as a tensor. */
function tensorOf(input: Plan['inputs'][number], cells: readonly unknown[], holds: string, table: Table): ort.Tensor {
  const strings = (shape: number[]) =>
    new ort.Tensor(
      'string',
      cells.map((cell) => String(cell ?? '').trim()),
      shape,
    );
  if (input.kind === 'text')
    return new ort.Tensor(
      'string',
      cells.map((cell) => String(cell ?? '')),
      [cells.length],
    );
  if (input.kind === 'number') {
    const wide = (cell: unknown) =>
      Array.from({ length: input.width }, (_, k) => numberOf((cell as number[] | null)?.[k]));
    const values = cells.flatMap((cell) => (input.width > 1 || Array.isArray(cell) ? wide(cell) : [numberOf(cell)]));
    return table(values, input.width);
  }
  if (typeof input.levels === 'number') {
    const codes = BigInt64Array.from(cells, (cell) => BigInt((cell as number | null) ?? -1));
    return new ort.Tensor('int64', codes, [cells.length, 1]);
  }
  if (!holds.startsWith('numbers')) return strings([cells.length, 1]);
  return new ort.Tensor('float64', Float64Array.from(cells, Number), [cells.length, 1]);
}

/** Feeds for the inputs of a graph, as its notes say. */
export function feedsOf(
  plan: Plan,
  rows: readonly unknown[],
  notes: readonly Note[],
  float: boolean,
): Record<string, ort.Tensor> {
  const table: Table = (values, width) =>
    float
      ? new ort.Tensor('float32', Float32Array.from(values), [rows.length, width])
      : new ort.Tensor('float64', Float64Array.from(values), [rows.length, width]);
  let view = -1;
  const feeds = notes.map(({ input, column, element, holds }): [string, ort.Tensor] => {
    if (holds.startsWith('counts')) {
      view = plan.vectors.findIndex(({ op }, k) => k > view && op === 'terms');
      const values = rows.flatMap((row) => Array.from(dense(runVectors(plan, row)[view])));
      return [input, table(values, plan.vectors[view].width)];
    }
    const own = plan.inputs.find((each) => each.name === column && (each as { element?: number }).element === element)!;
    const whole = plan.row === 'value' || isWholeRow(plan, own);
    const cells = rows.map((row) => (whole ? row : cellOf(row, own)));
    return [input, tensorOf(own, cells, holds, table)];
  });
  return Object.fromEntries(feeds);
}

/** Runs a graph on rows. */
export async function run(bytes: Uint8Array, plan: Plan, rows: readonly unknown[], float = false) {
  const session = await ort.InferenceSession.create(bytes);
  const notes = JSON.parse(notesOf(bytes).inputs) as Note[];
  const { label, probabilities } = await session.run(feedsOf(plan, rows, notes, float));
  await session.release();
  return {
    labels: Array.from(label.data as Iterable<unknown>, (own) => (typeof own === 'bigint' ? Number(own) : own)),
    probabilities,
    label,
  };
}
