import { refuse, show } from '../errors.ts';

/** One weight per row, or one number for all rows. */
export type Weights = number | ArrayLike<number>;

/** How rows are weighted. */
export interface RowWeightOptions {
  /** One weight per row, or one number for all rows. Default: 1. */
  readonly sampleWeight?: Weights | undefined;
}

/** Checks weights and returns one per row. Default: 1. */
export function readWeights(weights: Weights | null | undefined, rows: number): Float64Array {
  if (weights === undefined || weights === null) return new Float64Array(rows).fill(1);
  const list = typeof weights === 'number' ? new Float64Array(rows).fill(weights) : weights;
  if (list.length !== rows) {
    refuse('E_WEIGHT_SHAPE', `there are ${list.length} weights for ${rows} rows`, {
      expected: rows,
      actual: list.length,
    });
  }
  let total = 0;
  const result = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const weight = list[i];
    if (typeof weight !== 'number' || !Number.isFinite(weight) || weight < 0) {
      refuse('E_WEIGHT_INVALID', `the weight of row ${i} is ${show(weight)}; weights are finite and not negative`, {
        row: i,
      });
    }
    result[i] = weight;
    total += weight;
  }
  if (rows > 0 && total === 0) refuse('E_WEIGHTS_ALL_ZERO', 'all weights are zero: there is nothing to learn from');
  return result;
}

/** The indices of rows with a positive weight, or undefined if all have one. */
export function weighing(weights: Float64Array): Uint32Array | undefined {
  if (!weights.includes(0)) return undefined;
  return Uint32Array.from(weights.keys()).filter((i) => weights[i] > 0);
}
