import { APART } from '../core/posterior.ts';
import { CELLS_AT_ONCE, type DenseExports, denseKernels, lay } from '../math/dense.ts';
import type { Bells } from './gaussian.ts';

/** Normal curves made ready for many rows: what does not depend on the row is computed once. Classes are padded to a pair. */
interface Ready {
  /** Classes with the padding. */
  readonly width: number;
  readonly mean: Float64Array; // feature-major: mean[j * width + c]
  readonly scale: Float64Array; // 1 / σ, likewise
  readonly start: Float64Array; // ln p(c) and all peaks
}

const known = new WeakMap<Bells, Ready>();

/** Bells are never changed, so what was made ready stays so. */
function readyOf(bells: Bells): Ready {
  const before = known.get(bells);
  if (before) return before;
  const { classes, features, logPrior, mean, variance, logPeak } = bells;
  const width = classes + (classes & 1);
  const ready: Ready = {
    width,
    mean: new Float64Array(features * width),
    scale: new Float64Array(features * width),
    start: new Float64Array(width),
  };
  for (let c = 0; c < classes; c++) {
    let peaks = logPrior[c];
    for (let j = 0; j < features; j++) {
      const cell = c * features + j;
      peaks += logPeak[cell];
      ready.mean[j * width + c] = mean[cell];
      ready.scale[j * width + c] = 1 / Math.sqrt(variance[cell]);
    }
    ready.start[c] = peaks;
  }
  known.set(bells, ready);
  return ready;
}

/** ln p(c) + ln p(x | c) of one row of which cells are missing: they drop out, with their peaks. */
function scoreWithGaps(bells: Bells, x: Float64Array, from: number, out: Float64Array, to: number): void {
  const { classes, features, logPrior, logPeak } = bells;
  const { width, mean, scale } = readyOf(bells);
  for (let c = 0; c < classes; c++) {
    let [start, squares] = [logPrior[c], 0];
    for (let j = 0; j < features; j++) {
      const value = x[from + j];
      if (Number.isNaN(value)) continue;
      const z = (value - mean[j * width + c]) * scale[j * width + c];
      start += logPeak[c * features + j];
      squares += z * z;
    }
    out[to + c] = start + -0.5 * squares;
  }
}

/** out[i,c] = ln p(c) + Σⱼ ln peak[c,j] − ½ Σⱼ ((xᵢⱼ − μ[c,j]) / σ[c,j])², for normal curves alone. */
export function scoreNormal(bells: Bells, rows: number, x: Float64Array, out: Float64Array): void {
  if (!scoreFast(bells, rows, x, out)) scorePlain(bells, rows, x, out);
  const { classes, features } = bells;
  for (let i = 0; i < rows; i++) {
    if (Number.isNaN(out[i * classes])) scoreWithGaps(bells, x, i * features, out, i * classes);
  }
}

/** The plain twin of the kernel; a row with a missing cell becomes NaN. */
export function scorePlain(bells: Bells, rows: number, x: Float64Array, out: Float64Array): void {
  const { classes, features } = bells;
  const { width, mean, scale, start } = readyOf(bells);
  for (let i = 0; i < rows; i++) {
    const from = i * features;
    for (let c = 0; c < classes; c++) {
      let squares = 0;
      for (let j = 0, cell = c; j < features; j++, cell += width) {
        const z = (x[from + j] - mean[cell]) * scale[cell];
        squares += z * z;
      }
      out[i * classes + c] = start[c] + -0.5 * squares;
    }
  }
}

/** Below so many rows, the parameters are not worth the way to the kernels. */
const LEAST_ROWS = 16;

/** `scorePlain` in WebAssembly, bit for bit; answers whether it was done. */
export function scoreFast(bells: Bells, rows: number, x: Float64Array, out: Float64Array): boolean {
  const { classes } = bells;
  return eachScores(bells, rows, x, ({ from, rows: some, width, views }) => {
    if (width === classes) out.set(views.scores.subarray(0, some * width), from * classes);
    else copyNarrow(views.scores, width, out, from * classes, classes, some);
    return true;
  });
}

/**
 * The class of each row by the scores of `scoreFast`; −1 where two are so near that posteriors decide. Undefined where the kernels
 * are missing, or a cell is larger than `limit` or no number.
 */
export function decideByBells(
  bells: Bells,
  rows: number,
  x: Float64Array,
  limit: number,
): Int32Array<ArrayBuffer> | undefined {
  const { classes, features } = bells;
  if (!bells.df.every((df) => df === Infinity)) return undefined;
  const chosen = new Int32Array(rows);
  const done = eachScores(bells, rows, x, ({ kernels, from, rows: some, width, views }) => {
    const { cells, scores, margins, codes } = views;
    if (from === 0) margins.fill(APART);
    if (!kernels.within(some * features, cells.byteOffset, limit)) return false;
    kernels.decide(some, width, classes, scores.byteOffset, margins.byteOffset, codes.byteOffset);
    chosen.set(new Int32Array(codes.buffer, codes.byteOffset, some), from);
    return true;
  });
  return done ? chosen : undefined;
}

/** Scores of some rows, where the kernels have left them: scores[i * width + c]. */
interface Scores {
  readonly kernels: DenseExports;
  readonly from: number;
  readonly rows: number;
  readonly width: number;
  /** The cells and scores of the rows, and room for a number and a code for each of them. */
  readonly views: Readonly<Record<'cells' | 'scores' | 'margins' | 'codes', Float64Array>>;
}

/** Calls `visit` with the scores of all rows, block by block, until it answers false; answers whether all were visited. */
function eachScores(bells: Bells, rows: number, x: Float64Array, visit: (scores: Scores) => boolean): boolean {
  const { features } = bells;
  const kernels = rows < LEAST_ROWS ? null : denseKernels();
  if (!kernels) return false;
  const { width, mean, scale, start } = readyOf(bells);
  // the kernel takes four rows at a time
  const block = Math.max(4, Math.floor(CELLS_AT_ONCE / Math.max(features, width)) & ~3);
  const parameters = [mean, scale, start];
  const lengths = [...parameters.map(({ length }) => length), block * features, block * width, block, block];
  const laid = lay(kernels, ...lengths);
  if (!laid) return false;
  for (const [k, array] of parameters.entries()) laid[k].set(array);
  const [, , , cells, scores, margins, codes] = laid;
  const places = laid.map(({ byteOffset }) => byteOffset);
  for (let from = 0; from < rows; from += block) {
    const some = Math.min(block, rows - from);
    cells.set(x.subarray(from * features, (from + some) * features));
    kernels.bells(some, features, width, places[3], places[0], places[1], places[2], places[4]);
    if (!visit({ kernels, from, rows: some, width, views: { cells, scores, margins, codes } })) return false;
  }
  return true;
}

/** Copies rows without their padding. */
function copyNarrow(
  from: Float64Array,
  width: number,
  out: Float64Array,
  at: number,
  classes: number,
  rows: number,
): void {
  for (let i = 0; i < rows; i++) {
    for (let c = 0; c < classes; c++) out[at + i * classes + c] = from[i * width + c];
  }
}
