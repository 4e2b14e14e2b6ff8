import { isSparse, type Rows, type SparseRows } from '../data/batch.ts';

/** Called once for every distinct value of a column, with its count in each class; the array is used again afterwards. */
export type Visit = (counts: Float64Array) => void;

/** Stored cells by column: those of column j are values[k] in row rows[k] for start[j] ≤ k < start[j + 1]. */
export interface Columns {
  readonly start: Uint32Array;
  readonly rows: Uint32Array;
  readonly values: Float64Array;
}

/** Sparse rows as sparse columns, in one pass over the stored cells. */
export function toColumns({ rows, features, indptr, indices, values }: SparseRows): Columns {
  const start = new Uint32Array(features + 1);
  for (let k = indptr[0]; k < indptr[rows]; k++) start[indices[k] + 1]++;
  for (let j = 0; j < features; j++) start[j + 1] += start[j];
  const next = start.slice();
  const columns = { start, rows: new Uint32Array(start[features]), values: new Float64Array(start[features]) };
  for (let i = 0; i < rows; i++) {
    for (let k = indptr[i]; k < indptr[i + 1]; k++) {
      const at = next[indices[k]]++;
      columns.rows[at] = i;
      columns.values[at] = values[k];
    }
  }
  return columns;
}

/** Column j of dense cells, as a copy. */
export function denseColumn(x: Float64Array, rows: number, features: number, j: number): Float64Array {
  const column = new Float64Array(rows);
  for (let i = 0; i < rows; i++) column[i] = x[i * features + j];
  return column;
}

/** How to walk over the distinct values of any column: `walk(j, visit)`. Costs the stored cells of the column. */
export function levelWalker(rows: Rows, y: Int32Array, n: Float64Array): (j: number, visit: Visit) => void {
  if (!isSparse(rows)) {
    return (j, visit) => walkLevels(denseColumn(rows.x, rows.rows, rows.features, j), y, n.length, visit);
  }
  const { start, rows: at, values } = toColumns(rows);
  return (j, visit) => {
    const codes = Int32Array.from(at.subarray(start[j], start[j + 1]), (i) => y[i]);
    const zeros = n.slice();
    for (const c of codes) zeros[c]--;
    if (codes.length < rows.rows) visit(zeros);
    walkLevels(values.subarray(start[j], start[j + 1]), codes, n.length, visit);
  };
}

/** Distinct values get numbers as they arrive, then the rows of each are visited together: time O(n), memory O(n). */
function walkLevels(values: Float64Array, codes: Int32Array, classes: number, visit: Visit): void {
  const numbers = new Map<number, number>();
  const level = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    let v = numbers.get(values[i]);
    if (v === undefined) numbers.set(values[i], (v = numbers.size));
    level[i] = v;
  }
  const start = new Uint32Array(numbers.size + 1);
  for (const v of level) start[v + 1]++;
  for (let v = 0; v < numbers.size; v++) start[v + 1] += start[v];
  const sorted = new Int32Array(values.length);
  const next = start.slice();
  for (let i = 0; i < values.length; i++) sorted[next[level[i]]++] = codes[i];
  const counts = new Float64Array(classes);
  for (let v = 0; v < numbers.size; v++) {
    counts.fill(0);
    for (let k = start[v]; k < start[v + 1]; k++) counts[sorted[k]]++;
    visit(counts);
  }
}
