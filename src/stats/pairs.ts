import type { Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { additive, type Cells, type Plus } from './additive.ts';
import { levelOffsets } from './layout.ts';
import { rowsByClass } from './sums.ts';

/**
 * Pairs by class: p[c,u,v] = Σᵢ wᵢ [yᵢ = c, row i has the levels u and v], with u and v running over the levels of all
 * features. The table is symmetric and its diagonal p[c,u,u] is the histogram.
 */
export interface Pairs extends Shape {
  readonly levels: Int32Array;
  readonly n: Float64Array;
  readonly p: Float64Array; // p[(c * L + u) * L + v] with L = Σ levels
}

const addPairs =
  (plus: Plus) =>
  ({ n, p }: Readonly<Record<string, Cells>>, batch: Batch): void => {
    const { features, y, w } = batch;
    const { x } = toDense(batch);
    const offsets = levelOffsets(batch.levels ?? new Int32Array(features));
    const width = offsets[features];
    const present = new Int32Array(features);
    // Class by class, because the table of one class often fits into a cache that is too small for all.
    for (const i of rowsByClass(y)) {
      plus(n, y[i], w[i]);
      let count = 0;
      for (let j = 0; j < features; j++) {
        const level = x[i * features + j];
        if (!Number.isNaN(level)) present[count++] = offsets[j] + level;
      }
      for (let j = 0; j < count; j++) {
        const from = (y[i] * width + present[j]) * width;
        for (let k = 0; k < count; k++) plus(p, from + present[k], w[i]);
      }
    }
  };

/** Σw by class and pair of levels. */
export const pairs: Statistic<Pairs> = additive<Pairs>({
  name: 'pairs',
  arrays: { n: ['classes'], p: ['classes', 'levels', 'levels'] },
  counts: ['n', 'p'],
  sparse: false,
  add: addPairs,
});
