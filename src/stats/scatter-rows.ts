import { CELLS_AT_ONCE, denseKernels, lay } from '../math/dense.ts';
import { triangleCell } from './layout.ts';
import { type LabelledRows, ROWS_A_CLASS } from './moments-rows.ts';
import type { Scatter } from './scatter.ts';

/** Adds rows whose classes have shifts to their sums and products, as `scatter` says. */
export function addRows({ features, shift, s1, s2 }: Scatter, { rows, x, y, w }: LabelledRows): void {
  const distance = new Float64Array(features);
  for (let i = 0; i < rows; i++) {
    const at = y[i] * features;
    let cell = y[i] * triangleCell(features, 0);
    for (let j = 0; j < features; j++) {
      distance[j] = x[i * features + j] - shift[at + j];
      const weighted = w[i] * distance[j];
      s1[at + j] += weighted;
      for (let k = 0; k <= j; k++) s2[cell++] += weighted * distance[k];
    }
  }
}

/** Adds rows with missing cells: a product is added where both cells are present, and `m` and `o1` hold what a pair lacks. */
export function addRowsWithGaps(stats: Scatter, { rows, x, y, w }: LabelledRows): void {
  const { features, n, shift, s1, s2, m = new Float64Array(0), o1 = new Float64Array(0) } = stats;
  const distance = new Float64Array(features);
  const absent = new Uint8Array(features);
  for (let i = 0; i < rows; i++) {
    const at = y[i] * features;
    const weight = w[i];
    let cell = y[i] * triangleCell(features, 0);
    n[y[i]] += weight;
    for (let j = 0; j < features; j++) {
      absent[j] = Number.isNaN(x[i * features + j]) ? 1 : 0;
      distance[j] = absent[j] ? 0 : x[i * features + j] - shift[at + j];
      s1[at + j] += weight * distance[j];
    }
    for (let j = 0; j < features; j++) {
      const weighted = weight * distance[j];
      for (let k = 0; k < features; k++) if (absent[k] && !absent[j]) o1[(at + j) * features + k] += weighted;
      for (let k = 0; k <= j; k++, cell++) {
        if (absent[j] || absent[k]) m[cell] += weight;
        else s2[cell] += weighted * distance[k];
      }
    }
  }
}

/** `addRows` in WebAssembly, bit for bit; answers whether it was done. */
export function addRowsFast(stats: Scatter, { rows, x, y, w }: LabelledRows): boolean {
  const { classes, features, shift, s1, s2 } = stats;
  const kernels = rows < ROWS_A_CLASS * classes ? null : denseKernels();
  if (!kernels) return false;
  const block = Math.max(1, Math.floor(CELLS_AT_ONCE / features));
  const sums = [shift, s1, s2];
  const views = lay(kernels, ...sums.map(({ length }) => length), block * features, block, block, features);
  if (!views) return false;
  for (const [k, array] of sums.entries()) views[k].set(array);
  const [at, first, second, cells, weights, places, distance] = views.map(({ byteOffset }) => byteOffset);
  const starts = new Uint32Array(views[5].buffer, places, 2 * block);
  for (let from = 0; from < rows; from += block) {
    const to = Math.min(rows, from + block);
    views[3].set(x.subarray(from * features, to * features));
    views[4].set(w.subarray(from, to));
    for (let i = from; i < to; i++) {
      starts[i - from] = 8 * features * y[i];
      starts[block + i - from] = 8 * triangleCell(features, 0) * y[i];
    }
    kernels.scatter(to - from, features, cells, places, places + 4 * block, weights, at, first, second, distance);
  }
  s1.set(views[1]);
  s2.set(views[2]);
  return true;
}
