import type { Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { additive, type Cells, type Plus } from './additive.ts';
import { levelOffsets } from './layout.ts';

/**
 * Histograms by class: n[c] = Σᵢ wᵢ [yᵢ = c] and h[c,j,v] = Σᵢ wᵢ [yᵢ = c, xᵢⱼ = v].
 * A cell of a row is the number of its level; NaN is missing and counted for no level.
 */
export interface Histogram extends Shape {
  readonly levels: Int32Array;
  readonly n: Float64Array;
  readonly h: Float64Array; // class-major: h[c * Σ levels + offset[j] + v]
}

const addHistogram =
  (plus: Plus) =>
  ({ n, h }: Readonly<Record<string, Cells>>, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    const { x } = toDense(batch);
    const offsets = levelOffsets(batch.levels ?? new Int32Array(features));
    const width = offsets[features];
    for (let i = 0; i < rows; i++) {
      plus(n, y[i], w[i]);
      for (let j = 0; j < features; j++) {
        const level = x[i * features + j];
        if (!Number.isNaN(level)) plus(h, y[i] * width + offsets[j] + level, w[i]);
      }
    }
  };

/** Σw by class and level. */
export const histogram: Statistic<Histogram> = additive<Histogram>({
  name: 'histogram',
  arrays: { n: ['classes'], h: ['classes', 'levels'] },
  counts: ['n', 'h'],
  sparse: false,
  add: addHistogram,
});
