import type { Data, RecordBatch, Vector } from 'apache-arrow';
import type { ColumnBatch, LoadedRow, LoadedType, ResultColumn } from '../engine.ts';
import { textOf } from '../text-bytes.ts';

/** What is needed from `apache-arrow`, which is loaded on demand. */
export type Arrow = Pick<
  typeof import('apache-arrow'),
  'RecordBatchReader' | 'DataType' | 'Table' | 'vectorFromArray' | 'tableToIPC' | 'Float64' | 'Int32' | 'Utf8'
>;

/** The number of cells in one piece of loaded rows: with texts some megabytes, where messages are limited to 128. */
const CELLS = 2 ** 20;

/** Rows as Arrow streams of limited size. */
export function* arrowPieces(
  { Table, vectorFromArray, tableToIPC, Float64, Int32, Utf8 }: Arrow,
  types: readonly LoadedType[],
  rows: Iterable<LoadedRow>,
): Generator<Uint8Array> {
  const kinds = { integer: new Int32(), number: new Float64(), text: new Utf8() };
  const piece = (cells: readonly LoadedRow[]) => {
    const columns = types.map((type, k) => [`c${k}`, vectorFromArray(cells.map((row) => row[k]), kinds[type])]); // biome-ignore format: one line
    return tableToIPC(new Table(Object.fromEntries(columns)), 'stream');
  };
  let cells: LoadedRow[] = [];
  for (const row of rows) {
    cells.push(row);
    if (cells.length * types.length < CELLS) continue;
    yield piece(cells);
    cells = [];
  }
  if (cells.length > 0) yield piece(cells);
}

/** The record batches of an Arrow stream as columns: doubles without a copy if none is missing, texts decoded here. */
export function* arrowBatches(arrow: Arrow, bytes: Uint8Array): Generator<ColumnBatch> {
  for (const batch of arrow.RecordBatchReader.from(bytes)) {
    yield { rows: batch.numRows, columns: columnsOf(arrow, batch) };
  }
}

function columnsOf({ DataType }: Arrow, batch: RecordBatch): ResultColumn[] {
  return batch.schema.fields.map((field, j) => {
    const vector = batch.getChildAt(j) as Vector;
    if (DataType.isUtf8(field.type)) return textsOf(vector);
    if (DataType.isFloat(field.type) || DataType.isInt(field.type)) return numbersOf(vector);
    return Array.from(vector, (cell) => (cell === null ? null : String(cell)));
  });
}

function numbersOf(vector: Vector): Float64Array {
  const cells = vector.toArray();
  const numbers = cells instanceof Float64Array && vector.nullCount === 0 ? cells : Float64Array.from(cells, Number);
  if (vector.nullCount > 0) for (let i = 0; i < numbers.length; i++) if (!vector.isValid(i)) numbers[i] = NaN;
  return numbers;
}

function textsOf(vector: Vector): (string | null)[] {
  const { values, valueOffsets } = vector.data[0] as Data;
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const texts: (string | null)[] = new Array(vector.length);
  for (let i = 0; i < texts.length; i++) {
    texts[i] = vector.isValid(i) ? textOf(bytes, valueOffsets[i], valueOffsets[i + 1]) : null;
  }
  return texts;
}
