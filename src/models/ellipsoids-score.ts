import { denseKernels, lay } from '../math/dense.ts';
import { eachImages, paddedTo, rowsAtOnce, turnInto } from './images.ts';
import type { Ellipsoids } from './quadratic-discriminant.ts';
import { logFallBy, logPeakOf } from './whitening.ts';

/** Whitenings of so many cells stay near the processor, all classes together; larger ones are taken one after the other. */
const MOST_CELLS = 1 << 17;
/** Fewer rows are not worth the way of all classes to the kernels. */
const LEAST_ROWS = 64;

/** out[i,c] = ln p(c) + ln p(xᵢ | c) for classes with a covariance of their own. */
export function scoreEllipsoids(ellipsoids: Ellipsoids, rows: number, x: Float64Array, out: Float64Array): void {
  const { features, whitenings } = ellipsoids;
  const size = whitenings.length * features * paddedTo(features);
  if (rows >= LEAST_ROWS && size <= MOST_CELLS && scoreByBlocks(ellipsoids, rows, x, out)) return;
  scoreByClasses(ellipsoids, rows, x, out);
}

/** One class after the other. */
export function scoreByClasses(
  { classes, features, logPrior, means, whitenings }: Ellipsoids,
  rows: number,
  x: Float64Array,
  out: Float64Array,
): void {
  whitenings.forEach((whitening, c) => {
    if (!whitening) {
      for (let i = 0; i < rows; i++) out[i * classes + c] = -Infinity;
      return;
    }
    const peak = logPrior[c] + logPeakOf(whitening);
    const seen = { rows, x, origin: means, start: c * features };
    eachImages(whitening, seen, ({ from, rows: some, squares }) => {
      for (let i = 0; i < some; i++) out[(from + i) * classes + c] = peak + logFallBy(squares[i]);
    });
  });
}

/** `scoreByClasses` bit for bit, with all classes for some rows before the next rows; answers whether it was done. */
export function scoreByBlocks(
  { classes, features, logPrior, means, whitenings }: Ellipsoids,
  rows: number,
  x: Float64Array,
  out: Float64Array,
): boolean {
  const kernels = denseKernels();
  const width = paddedTo(features);
  const block = rowsAtOnce(width);
  const size = features * width;
  const lengths = [block * features, means.length, classes * size, 2 * features, block * width, block];
  const views = kernels && lay(kernels, ...lengths);
  if (!views) return false;
  const [cells, origins, turned, , , squares] = views;
  origins.set(means);
  const peaks = whitenings.map((whitening, c) => (whitening ? logPrior[c] + logPeakOf(whitening) : -Infinity));
  const triangular = whitenings.map(
    (whitening, c) => whitening !== undefined && turnInto(turned.subarray(c * size, (c + 1) * size), whitening),
  );
  const [at, origin, matrices, d, z, square] = views.map(({ byteOffset }) => byteOffset);
  for (let from = 0; from < rows; from += block) {
    const some = Math.min(block, rows - from);
    cells.set(x.subarray(from * features, (from + some) * features));
    for (let c = 0; c < classes; c++) {
      const rank = whitenings[c]?.rank;
      if (rank !== undefined) {
        const [mean, matrix] = [origin + 8 * c * features, matrices + 8 * c * size];
        kernels.images(some, features, paddedTo(rank), triangular[c], at, mean, matrix, d, z);
        kernels.squares(some, paddedTo(rank), rank, z, square);
      }
      const peak = peaks[c];
      for (let i = 0, to = from * classes + c; i < some; i++, to += classes) {
        out[to] = rank === undefined ? peak : peak + logFallBy(squares[i]);
      }
    }
  }
  return true;
}
