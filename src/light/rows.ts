import { type Rows, rowsOf } from '../data/batch.ts';
import { checkCells, type Expectation, type Input, readNested, requireWidth, toNumber } from '../data/input.ts';
import { Matrix } from '../data/matrix.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { refuse, show } from '../errors.ts';

/** What this door takes as features: what a vectorizer gives, a matrix, or rows of numbers. */
export type LightFeatures = Matrix | SparseMatrix | readonly ArrayLike<number>[];

/** Reads features and checks every cell, as `readFeatures` does for every container. */
export function readRows(X: LightFeatures, expected: Expectation): Input {
  const rows = rowsIn(X, expected.features ?? 0);
  if (rows.rows > 0) requireWidth(rows, expected.features);
  return { rows, names: undefined, peak: checkCells(rows, expected) };
}

function rowsIn(X: LightFeatures, features: number): Rows {
  if (X instanceof Matrix || X instanceof TidyMatrix) return rowsOf(X);
  if (!Array.isArray(X)) return refuse('E_SHAPE', `features are rows of numbers, got ${show(X)}`);
  return X.length > 0 ? readNested(X, toNumber) : { rows: 0, features, x: new Float64Array(0) };
}
