import type { Batch, SparseRows } from '../data/batch.ts';
import { Matrix } from '../data/matrix.ts';
import { sum } from '../math/arrays.ts';
import { minimise } from '../math/lbfgs.ts';
import { logSumExp } from '../math/logs.ts';

/** Weights and intercepts: one row of weights per class, or one alone for the second of two classes. */
export interface Logistic {
  readonly coef: Matrix;
  readonly intercept: Float64Array;
}

/** How logistic regression is fitted; see the options of `LogisticRegression`. */
export interface LogisticOptions {
  readonly C: number;
  readonly fitIntercept: boolean;
  readonly tol: number;
  readonly maxIter: number;
}

/** Minimises C Σ wᵢ (−ln p(yᵢ | xᵢ)) + ½ Σ ‖w_c‖² by L-BFGS, and says how many steps it took. */
export function fitLogistic(
  rows: SparseRows,
  { y, w, classes }: Pick<Batch, 'y' | 'w' | 'classes'>,
  { C, fitIntercept, tol, maxIter }: LogisticOptions,
): Logistic & { readonly features: number; readonly steps: number } {
  const { features } = rows;
  const outputs = classes === 2 ? 1 : classes;
  const width = features + 1;
  const total = sum(w);
  const scores = new Float64Array(outputs);
  const objective = (x: Float64Array, gradient: Float64Array): number => {
    gradient.fill(0);
    let value = 0;
    for (let i = 0; i < rows.rows; i++) {
      const share = w[i] / total;
      scoreRow(rows, i, x, width, scores);
      value += share * slopesOf(scores, y[i]);
      for (let c = 0; c < outputs; c++) {
        const slope = share * scores[c];
        for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++) {
          gradient[c * width + rows.indices[k]] += slope * rows.values[k];
        }
        if (fitIntercept) gradient[c * width + features] += slope;
      }
    }
    const penalty = 1 / (C * total);
    for (let k = 0; k < x.length; k++) {
      if (k % width === features) continue;
      value += 0.5 * penalty * x[k] * x[k];
      gradient[k] += penalty * x[k];
    }
    return value;
  };
  const { x, steps } = minimise(objective, new Float64Array(outputs * width), tol, maxIter);
  const coef = new Matrix(outputs, features);
  for (let c = 0; c < outputs; c++) coef.row(c).set(x.subarray(c * width, c * width + features));
  const intercept = Float64Array.from({ length: outputs }, (_, c) => x[c * width + features]);
  return { features, coef, intercept, steps };
}

/** w_c·x + b_c for every row and row of weights. */
export function logisticScores({ coef, intercept }: Logistic, rows: SparseRows): Matrix {
  const width = coef.cols + 1;
  const line = new Float64Array(coef.rows * width);
  for (let c = 0; c < coef.rows; c++) {
    line.set(coef.row(c), c * width);
    line[c * width + coef.cols] = intercept[c];
  }
  const out = new Matrix(rows.rows, coef.rows);
  for (let i = 0; i < rows.rows; i++) scoreRow(rows, i, line, width, out.row(i));
  return out;
}

/** w_c·x + b_c of row i; the constant stands behind the weights of each class. */
function scoreRow(rows: SparseRows, i: number, line: Float64Array, width: number, out: Float64Array): void {
  for (let c = 0; c < out.length; c++) {
    let score = line[c * width + width - 1];
    for (let k = rows.indptr[i]; k < rows.indptr[i + 1]; k++)
      score += line[c * width + rows.indices[k]] * rows.values[k];
    out[c] = score;
  }
}

/** −ln p(y | x) of the scores, which become its slopes p(c | x) − [y = c]; one score alone is of the second of two classes. */
function slopesOf(scores: Float64Array, y: number): number {
  if (scores.length === 1) {
    const [z] = scores;
    const all = z > 0 ? z + Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z));
    scores[0] = Math.exp(z - all) - y;
    return all - y * z;
  }
  const own = scores[y];
  const all = logSumExp(scores);
  for (let c = 0; c < scores.length; c++) scores[c] = Math.exp(scores[c] - all) - (c === y ? 1 : 0);
  return all - own;
}
