import { reflect } from './householder.ts';

/**
 * AP = QR of a tall matrix, columns stored one after the other. `work` holds R above the diagonal and the Householder
 * vectors of Q from the diagonal on; `diagonal` is R's; column j of R is column `order[j]` of A.
 */
export interface PivotedQr {
  readonly rows: number;
  readonly columns: number;
  readonly work: Float64Array;
  readonly factors: Float64Array;
  readonly diagonal: Float64Array;
  readonly order: readonly number[];
}

/**
 * Householder QR with column pivoting, in place of `work` (rows ≥ columns, column after column): in each step the
 * longest remaining column comes first (Golub & Van Loan, Matrix Computations, §5.4.2).
 */
export function pivotedQr(work: Float64Array, rows: number, columns: number): PivotedQr {
  const factors = new Float64Array(columns);
  const diagonal = new Float64Array(columns);
  const order = Array.from({ length: columns }, (_, j) => j);
  for (let k = 0; k < columns; k++) {
    swapColumns(work, rows, order, k, longestColumn(work, rows, columns, k));
    const { factor, image } = reflect(work, k * rows + k, rows - k);
    factors[k] = factor;
    diagonal[k] = image;
    const v = work.subarray(k * rows + k, k * rows + rows);
    for (let j = k + 1; j < columns; j++) applyReflection(v, factor, work.subarray(j * rows + k, j * rows + rows));
  }
  return { rows, columns, work, factors, diagonal, order };
}

function longestColumn(work: Float64Array, rows: number, columns: number, k: number): number {
  let best = k;
  let longest = -1;
  for (let j = k; j < columns; j++) {
    let square = 0;
    for (let i = k; i < rows; i++) square += work[j * rows + i] * work[j * rows + i];
    if (square > longest) {
      longest = square;
      best = j;
    }
  }
  return best;
}

function swapColumns(work: Float64Array, rows: number, order: number[], a: number, b: number): void {
  if (a === b) return;
  const held = work.slice(a * rows, a * rows + rows);
  work.copyWithin(a * rows, b * rows, b * rows + rows);
  work.set(held, b * rows);
  [order[a], order[b]] = [order[b], order[a]];
}

/** x ← (I − factor · vvᵀ) x. */
function applyReflection(v: Float64Array, factor: number, x: Float64Array): void {
  if (factor === 0) return;
  let product = 0;
  for (let i = 0; i < v.length; i++) product += v[i] * x[i];
  product *= factor;
  for (let i = 0; i < v.length; i++) x[i] -= product * v[i];
}

/** x ← Qx, in place, for x of length `rows`. */
export function multiplyByQ({ rows, columns, work, factors }: PivotedQr, x: Float64Array): void {
  for (let k = columns - 1; k >= 0; k--) {
    applyReflection(work.subarray(k * rows + k, k * rows + rows), factors[k], x.subarray(k));
  }
}
