import type { Statistic } from '../core/model.ts';
import { type Batch, type Shape, toDense } from '../data/batch.ts';
import { type Cells, type Plus, plainly, withTwin } from './additive.ts';
import { levelOffsets } from './layout.ts';

/**
 * Histograms by class: n[c] = Σᵢ wᵢ [yᵢ = c] and h[c,j,v] = Σᵢ wᵢ [yᵢ = c, xᵢⱼ = v]. A cell of a row is a level number;
 * NaN is missing and counts for no level.
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

const spec = {
  name: 'histogram',
  arrays: { n: ['classes'], h: ['classes', 'levels'] },
  counts: ['n', 'h'],
  sparse: false,
  add: addHistogram,
} as const;

/** `addHistogram` in plain arithmetic, column by column: the order of additions to each cell is the same. */
function addPlain({ n, h }: Histogram, batch: Batch): void {
  const { features, y, w, levels = new Int32Array(features) } = batch;
  const { x } = toDense(batch);
  const offsets = levelOffsets(levels);
  for (let i = 0; i < y.length; i++) n[y[i]] += w[i];
  for (let j = 0; j < features; j++)
    addColumn(h, x, y, w, { offset: offsets[j], width: offsets[features], start: j, stride: features });
}

function addColumn(
  h: Float64Array,
  x: Float64Array,
  y: Int32Array,
  w: Float64Array,
  { offset, width, start, stride }: Readonly<Record<'offset' | 'width' | 'start' | 'stride', number>>,
): void {
  for (let i = 0, at = start; i < y.length; i++, at += stride) {
    const level = x[at];
    if (level >= 0) h[y[i] * width + offset + level] += w[i]; // false for NaN
  }
}

/** Σw by class and level. */
export const histogram: Statistic<Histogram> = withTwin(spec, plainly<Histogram>(spec, addPlain));
