import { CELLS_AT_ONCE, denseKernels, lay } from '../math/dense.ts';
import { type Whitening, whiten } from './whitening.ts';

/** Rows to be seen from an origin, which is the part of an array from `start` on. */
export interface Seen {
  readonly rows: number;
  readonly x: Float64Array;
  readonly origin: Float64Array;
  readonly start: number;
}

/** Images of some rows: the image of row from + i is z[i * width + k] for k below the rank; the view lasts until the next call. */
export interface Images {
  readonly from: number;
  readonly rows: number;
  readonly width: number;
  readonly z: Float64Array;
  /** ‖z‖² of each row. */
  readonly squares: Float64Array;
}

/** Below so many rows, a whitening is not worth the way to the kernels. */
const LEAST_ROWS = 16;

/** Calls `visit` with all rows as seen in the space in which a covariance is round, block by block. */
export function eachImages(whitening: Whitening, seen: Seen, visit: (images: Images) => void): void {
  if (seen.rows < LEAST_ROWS || !imagesFast(whitening, seen, visit)) imagesPlain(whitening, seen, visit);
}

/** The plain twin of the kernel, row by row. */
export function imagesPlain(whitening: Whitening, seen: Seen, visit: (images: Images) => void): void {
  const { rank, features } = whitening;
  const z = new Float64Array(rank);
  const squares = new Float64Array(1);
  for (let from = 0; from < seen.rows; from++) {
    whiten(whitening, seen.x, from * features, seen.origin, seen.start, z);
    let sum = 0;
    for (let k = 0; k < rank; k++) sum += z[k] * z[k];
    squares[0] = sum;
    visit({ from, rows: 1, width: rank, z, squares });
  }
}

/** Directions are padded to a multiple of eight. */
export const paddedTo = (rank: number): number => (rank + 7) & ~7;

/** So many rows of so many cells are handed over at once; the kernels take four at a time. */
export const rowsAtOnce = (cells: number): number => Math.max(4, Math.floor(CELLS_AT_ONCE / cells) & ~3);

/** Writes a whitening feature-major and padded; answers whether direction k knows nothing of the features behind k. */
export function turnInto(turned: Float64Array, { rank, features, rows }: Whitening): boolean {
  const width = paddedTo(rank);
  let triangular = true;
  turned.fill(0);
  for (let k = 0; k < rank; k++) {
    for (let j = 0; j < features; j++) {
      const value = rows[k * features + j];
      turned[j * width + k] = value;
      if (j > k && value !== 0) triangular = false;
    }
  }
  return triangular;
}

/** `imagesPlain` in WebAssembly, bit for bit; answers whether it was done. */
export function imagesFast(whitening: Whitening, seen: Seen, visit: (images: Images) => void): boolean {
  const { rank, features } = whitening;
  const kernels = denseKernels();
  const width = paddedTo(rank);
  const block = rowsAtOnce(Math.max(features, width));
  const views =
    kernels && lay(kernels, block * features, features, features * width, 2 * features, block * width, block);
  if (!views) return false;
  const [cells, origin, turned, , z, squares] = views;
  origin.set(seen.origin.subarray(seen.start, seen.start + features));
  const triangular = turnInto(turned, whitening);
  const [x, o, a, d, image, square] = views.map(({ byteOffset }) => byteOffset);
  for (let from = 0; from < seen.rows; from += block) {
    const rows = Math.min(block, seen.rows - from);
    cells.set(seen.x.subarray(from * features, (from + rows) * features));
    kernels.images(rows, features, width, triangular, x, o, a, d, image);
    kernels.squares(rows, width, rank, image, square);
    visit({ from, rows, width, z, squares });
  }
  return true;
}
