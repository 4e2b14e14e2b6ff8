import { rowsOf, takeRows, toDense } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';

/** From so many rows on, they are worth their way to the kernels. */
const MANY_ROWS = 64;

/**
 * Classes of the rows of a large matrix, where `fast` knows them; a row that it marks with −1 is decided by `slow`, which also looks at
 * its cells. Undefined where rows are few or of another width, or `fast` does not answer.
 */
export function chooseFast(
  X: unknown,
  features: number,
  fast: (rows: number, x: Float64Array) => Int32Array | undefined,
  slow: (X: Matrix) => Int32Array,
): Int32Array | undefined {
  const fits = X instanceof Matrix && X.rows >= MANY_ROWS && X.cols === features;
  const chosen = fits ? fast(X.rows, X.data) : undefined;
  if (!chosen) return undefined;
  const unclear: number[] = [];
  for (let i = 0; i < chosen.length; i++) if (chosen[i] < 0) unclear.push(i);
  if (unclear.length === 0) return chosen;
  const { rows, x } = toDense(takeRows(rowsOf(X as Matrix), unclear));
  const again = slow(new Matrix(rows, features, x));
  for (let k = 0; k < unclear.length; k++) chosen[unclear[k]] = again[k];
  return chosen;
}
