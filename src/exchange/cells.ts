/** A vector of numbers while a plan runs: dense, or its non-zero numbers by ascending index. */
export type Cells = Float64Array | SparseCells;

/** The numbers of a vector that are not zero. */
export interface SparseCells {
  readonly width: number;
  readonly indices: readonly number[];
  readonly values: Float64Array;
}

/** The numbers that are not zero. */
export function sparse(cells: Cells): SparseCells {
  if (!(cells instanceof Float64Array)) return cells;
  const indices: number[] = [];
  for (let j = 0; j < cells.length; j++) if (cells[j] !== 0) indices.push(j);
  return { width: cells.length, indices, values: Float64Array.from(indices, (j) => cells[j]) };
}

/** All numbers. */
export function dense(cells: Cells): Float64Array {
  if (cells instanceof Float64Array) return cells;
  const all = new Float64Array(cells.width);
  cells.indices.forEach((j, k) => {
    all[j] = cells.values[k];
  });
  return all;
}
