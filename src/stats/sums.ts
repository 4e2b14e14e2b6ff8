import type { Statistic } from '../core/model.ts';
import { type Batch, isSparse, type Shape } from '../data/batch.ts';
import { additive, type Cells, type Plus } from './additive.ts';

/**
 * Sums by class: n[c] = Σᵢ wᵢ [yᵢ = c] and s[c,j] = Σᵢ wᵢ xᵢⱼ [yᵢ = c], over the cells that are not missing;
 * m[c,j] = Σᵢ wᵢ [yᵢ = c, xᵢⱼ missing], where the shape says that cells may be missing.
 * Sufficient for Bernoulli, multinomial and Poisson features. Merging is addition.
 */
export interface Sums extends Shape {
  readonly n: Float64Array; // one cell per class
  readonly s: Float64Array; // class-major: s[c * features + j]
  readonly m: Float64Array; // class-major like s, or empty
}

type SumCells = Readonly<Record<string, Cells>>;

const addSums = (plus: Plus) => {
  const addCell = ({ s, m }: SumCells, cell: number, weight: number, value: number) => {
    if (Number.isNaN(value)) plus(m, cell, weight);
    else plus(s, cell, weight * value);
  };
  return (cells: SumCells, batch: Batch): void => {
    const { rows, features, y, w } = batch;
    for (let i = 0; i < rows; i++) plus(cells.n, y[i], w[i]);
    if (isSparse(batch)) {
      const { indptr, indices, values } = batch;
      for (let i = 0; i < rows; i++) {
        for (let k = indptr[i]; k < indptr[i + 1]; k++) addCell(cells, y[i] * features + indices[k], w[i], values[k]);
      }
    } else {
      const { x } = batch;
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < features; j++) addCell(cells, y[i] * features + j, w[i], x[i * features + j]);
      }
    }
  };
};

/** Σw and Σwx by class. */
export const sums: Statistic<Sums> = additive<Sums>({
  name: 'sums',
  arrays: { n: ['classes'], s: ['classes', 'features'], m: ['classes', 'gaps'] },
  counts: ['n', 's', 'm'],
  sparse: true,
  add: addSums,
});
