import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
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

/** A chunk of a result as columns of two types; `numeric` marks the columns of numbers. */
export function batchOf(chunk: DuckDBDataChunk, numeric: readonly boolean[]): ColumnBatch {
  const { rowCount: rows } = chunk;
  const columns = numeric.map((isNumeric, k): ResultColumn => {
    const vector = chunk.getColumnVector(k);
    return isNumeric ? numbersOf(vector, rows) : textsOf(vector, rows);
  });
  return { rows, columns };
}
