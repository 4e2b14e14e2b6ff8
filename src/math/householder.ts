/** The reflection I − factor · vvᵀ that maps x to (image, 0, …, 0). */
export interface Reflection {
  readonly factor: number;
  readonly image: number;
}

/** Sums of squares below this have lost digits to underflow; in a matrix scaled to 1 they count as zero. */
export const LEAST_SQUARE: number = 2 ** -960;

/**
 * Replaces x = values[from … from + length) by the vector v of its Householder reflection, with v[0] = 1 (Golub & Van
 * Loan, Matrix Computations, §5.1.3). A factor of 0 means that x already has the form. The caller scales the matrix to
 * 1, so no square overflows, and underflow is negligible.
 */
export function reflect(values: Float64Array, from: number, length: number): Reflection {
  const first = values[from];
  let rest = 0;
  for (let i = from + 1; i < from + length; i++) rest += values[i] * values[i];
  values[from] = 1;
  if (rest < LEAST_SQUARE) {
    values.fill(0, from + 1, from + length);
    return { factor: 0, image: first };
  }
  const norm = Math.sqrt(first * first + rest);
  const head = first <= 0 ? first - norm : -rest / (first + norm);
  for (let i = from + 1; i < from + length; i++) values[i] /= head;
  return { factor: (2 * head * head) / (rest + head * head), image: norm };
}

/** The power of two just above every |value|, 0 if all are 0, NaN or Infinity if one is: dividing by it is exact. */
export function binaryScale(values: Float64Array): number {
  let greatest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (!(size <= greatest)) greatest = size;
    if (Number.isNaN(size)) return size;
  }
  if (greatest === 0 || greatest === Infinity) return greatest;
  return 2 ** Math.min(Math.max(Math.floor(Math.log2(greatest)) + 1, -1021), 1023);
}

/** The rows of a matrix as the columns of another. */
export function transpose(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) out[j * rows + i] = matrix[i * columns + j];
  }
  return out;
}

/**
 * Flips the sign of a vector so that its greatest component, the first of ties, is positive; returns whether it was
 * flipped.
 */
export function fixSign(vector: Float64Array): boolean {
  let greatest = 0;
  for (let i = 1; i < vector.length; i++) {
    // The choice among components that are equal except for rounding must not depend on the machine.
    if (Math.abs(vector[i]) > Math.abs(vector[greatest]) * (1 + 1e-9)) greatest = i;
  }
  if (!(vector[greatest] < 0)) return false;
  for (let i = 0; i < vector.length; i++) vector[i] = -vector[i];
  return true;
}
