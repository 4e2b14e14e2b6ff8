import { refuse } from '../errors.ts';
import { binaryScale, fixSign, LEAST_SQUARE, transpose } from './householder.ts';
import { multiplyByQ, pivotedQr } from './qr.ts';

/** The thin singular value decomposition A = UΣVᵀ of a rows × columns matrix, with rank = min(rows, columns) terms. */
export interface Svd {
  readonly rows: number;
  readonly columns: number;
  /** Singular values, descending. */
  readonly values: Float64Array;
  /** U, row-major rows × rank. */
  readonly left: Float64Array;
  /** V, row-major columns × rank. */
  readonly right: Float64Array;
}

const MOST_SWEEPS = 60;

/**
 * Thin SVD of a row-major matrix: Householder QR with column pivoting, then one-sided Jacobi on R (Golub & Van Loan,
 * Matrix Computations, §5.4.2 and §8.6.3), which is also accurate for small singular values. Singular values descend.
 * The columns of U and V are orthonormal, except that for a singular value of 0 (or below 1e-144 of the greatest, which
 * counts as 0) the column on the longer side is zero; the greatest component of each column of V (the first of ties) is
 * positive. A wide matrix is decomposed as its transpose.
 */
export function thinSvd(matrix: Float64Array, rows: number, columns: number): Svd {
  const tall = rows >= columns;
  const scale = binaryScale(matrix);
  if (!Number.isFinite(scale)) refuse('E_NOT_FINITE', 'a matrix to decompose must be finite', { rows, columns });
  // Column-major: the transpose of a tall row-major matrix, or a wide one unchanged.
  const work = tall ? transpose(matrix, rows, columns) : matrix.slice();
  if (scale !== 0) for (let i = 0; i < work.length; i++) work[i] /= scale;
  const length = Math.max(rows, columns);
  const rank = Math.min(rows, columns);
  const { values, long, short } = decompose(work, length, rank);
  const order = Array.from(values.keys()).sort((i, j) => values[j] - values[i]);
  for (const k of order) {
    const [ofLong, ofShort] = [long.subarray(k * length, (k + 1) * length), short.subarray(k * rank, (k + 1) * rank)];
    const [right, left] = tall ? [ofShort, ofLong] : [ofLong, ofShort];
    if (fixSign(right)) for (let i = 0; i < left.length; i++) left[i] = -left[i];
  }
  return {
    rows,
    columns,
    values: Float64Array.from(order, (k) => values[k] * scale),
    left: gather(tall ? long : short, order, rows),
    right: gather(tall ? short : long, order, columns),
  };
}

/**
 * Singular triples of a tall matrix in columns, unsorted: left vectors in `long`, right ones in `short`, consecutively.
 */
function decompose(
  work: Float64Array,
  length: number,
  rank: number,
): { values: Float64Array; long: Float64Array; short: Float64Array } {
  const qr = pivotedQr(work, length, rank);
  const triangle = new Float64Array(rank * rank);
  const short = new Float64Array(rank * rank);
  for (let j = 0; j < rank; j++) {
    triangle.set(work.subarray(j * length, j * length + j), j * rank);
    triangle[j * rank + j] = qr.diagonal[j];
    short[j * rank + qr.order[j]] = 1;
  }
  if (!orthogonalise(triangle, short, rank)) {
    refuse('E_INTERNAL', 'the singular values of a matrix did not converge', { rows: length, columns: rank });
  }
  const values = new Float64Array(rank);
  const long = new Float64Array(rank * length);
  for (let j = 0; j < rank; j++) {
    const column = triangle.subarray(j * rank, (j + 1) * rank);
    const squared = square(column);
    values[j] = squared < LEAST_SQUARE ? 0 : Math.sqrt(squared);
    const image = long.subarray(j * length, (j + 1) * length);
    if (values[j] > 0) for (let i = 0; i < rank; i++) image[i] = column[i] / values[j];
    multiplyByQ(qr, image);
  }
  return { values, long, short };
}

function square(x: Float64Array): number {
  let total = 0;
  for (let i = 0; i < x.length; i++) total += x[i] * x[i];
  return total;
}

/**
 * Rotates pairs of columns of x until all are orthogonal, together with the columns of v; false if 60 sweeps are not
 * enough.
 */
function orthogonalise(x: Float64Array, v: Float64Array, n: number): boolean {
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let turned = false;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) if (orthogonalisePair(x, v, n, p * n, q * n)) turned = true;
    }
    if (!turned) return true;
  }
  return false;
}

function orthogonalisePair(x: Float64Array, v: Float64Array, n: number, p: number, q: number): boolean {
  let first = 0;
  let second = 0;
  let product = 0;
  for (let i = 0; i < n; i++) {
    first += x[p + i] * x[p + i];
    second += x[q + i] * x[q + i];
    product += x[p + i] * x[q + i];
  }
  if (first < LEAST_SQUARE || second < LEAST_SQUARE) return false;
  if (Math.abs(product) <= n * 2 ** -53 * Math.sqrt(first) * Math.sqrt(second)) return false;
  const cotangent = (second - first) / (2 * product);
  const tangent = (cotangent < 0 ? -1 : 1) / (Math.abs(cotangent) + Math.hypot(1, cotangent));
  const cosine = 1 / Math.sqrt(1 + tangent * tangent);
  const sine = cosine * tangent;
  rotate(x, p, q, n, cosine, sine);
  rotate(v, p, q, n, cosine, sine);
  return true;
}

function rotate(x: Float64Array, p: number, q: number, n: number, cosine: number, sine: number): void {
  for (let i = 0; i < n; i++) {
    const first = x[p + i];
    const second = x[q + i];
    x[p + i] = cosine * first - sine * second;
    x[q + i] = sine * first + cosine * second;
  }
}

/** Consecutive vectors as the columns of a row-major matrix in the given order. */
function gather(vectors: Float64Array, order: readonly number[], length: number): Float64Array {
  const out = new Float64Array(order.length * length);
  order.forEach((from, to) => {
    for (let i = 0; i < length; i++) out[i * order.length + to] = vectors[from * length + i];
  });
  return out;
}
