import type { DuckDBBlobValue, DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import type { ColumnBatch, ResultColumn } from '../engine.ts';

function numbersOf(vector: DuckDBVector, rows: number): Float64Array {
  const column = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const value = vector.getItem(i);
    column[i] = value === null ? Number.NaN : Number(value);
  }
  return column;
}

function textsOf(vector: DuckDBVector, rows: number): (string | null)[] {
  const column = new Array<string | null>(rows);
  for (let i = 0; i < rows; i++) {
    const value = vector.getItem(i);
    column[i] = value === null ? null : String(value);
  }
  return column;
}

const bytesOf = (vector: DuckDBVector, rows: number): (Uint8Array | null)[] =>
  Array.from({ length: rows }, (_, i) => (vector.getItem(i) as DuckDBBlobValue | null)?.bytes ?? null);

/** How the columns of a result are read. */
export type ColumnReading = 'numbers' | 'texts' | 'bytes';

const readers = { numbers: numbersOf, texts: textsOf, bytes: bytesOf } as const;

/** A chunk of a result as columns. */
export function batchOf(chunk: DuckDBDataChunk, readings: readonly ColumnReading[]): ColumnBatch {
  const { rowCount: rows } = chunk;
  const columns = readings.map((own, k): ResultColumn => readers[own](chunk.getColumnVector(k), rows));
  return { rows, columns };
}
