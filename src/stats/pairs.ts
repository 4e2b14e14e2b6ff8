import type { Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { additive, type Cells, type Plus } from './additive.ts';
import { levelOffsets } from './layout.ts';

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
    const { rows, features, y, w } = batch;
    const { x } = toDense(batch);
    const offsets = levelOffsets(batch.levels ?? new Int32Array(features));
    const width = offsets[features];
    for (let i = 0; i < rows; i++) {
      plus(n, y[i], w[i]);
      for (let j = 0; j < features; j++) {
        const u = offsets[j] + x[i * features + j];
        if (Number.isNaN(u)) continue;
        for (let k = 0; k < features; k++) {
          const v = offsets[k] + x[i * features + k];
          if (!Number.isNaN(v)) plus(p, (y[i] * width + u) * width + v, w[i]);
        }
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
