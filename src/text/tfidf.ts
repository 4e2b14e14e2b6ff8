import { choice, flag, type Option } from '../core/options.ts';
import { isList } from '../data/matrix.ts';
import { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import type { SpecOf } from './option-kinds.ts';

/** How the number of occurrences of a term in a document becomes its weight. */
export type TermWeight = 'raw' | 'binary' | 'sqrt' | 'log1p' | 'sublinear';

/** The norm that rows are divided by. */
export type Norm = 'l1' | 'l2' | null;

/** How counts become weights. */
export interface WeightOptions {
  /** What rows are divided by: the sum of magnitudes ('l1'), the Euclidean length ('l2'), or null. Default: 'l2'. */
  readonly norm: Norm;
  /** Weight terms by inverse document frequency. Default: true. */
  readonly useIdf: boolean;
  /** Add one to document frequencies, as if one more document contained every term once. Default: true. */
  readonly smoothIdf: boolean;
  /**
   * Add 1 to every idf; without it a term in all documents has weight zero, as in Rennie et al. (2003). Default: true.
   */
  readonly addOne: boolean;
  /** Same as tf: 'sublinear'. Default: false. */
  readonly sublinearTf: boolean;
  /** The term weight: tf, 1, √tf, ln(1 + tf) or 1 + ln tf. Default: 'raw'. */
  readonly tf: TermWeight;
}

/** The weight of a term by how often it occurs. */
export const curves: Readonly<Record<TermWeight, (count: number) => number>> = {
  raw: (count) => count,
  binary: () => 1,
  sqrt: Math.sqrt,
  log1p: Math.log1p,
  sublinear: (count) => 1 + Math.log(count),
};

/**
 * The norm that rows are divided by: the sum of magnitudes ('l1'), the Euclidean length ('l2'), or none. Default: 'l2'.
 */
export const normOption: Option<Norm> = {
  kind: 'custom',
  default: 'l2',
  expects: "one of 'l1', 'l2', null",
  accept: (value) => (value === null || value === 'l1' || value === 'l2' ? value : undefined),
};

/** The options of tf-idf. */
export const weightSpec: SpecOf<WeightOptions> = {
  norm: normOption,
  useIdf: flag({ default: true }),
  smoothIdf: flag({ default: true }),
  addOne: flag({ default: true }),
  sublinearTf: flag({ default: false }),
  tf: choice(['raw', 'binary', 'sqrt', 'log1p', 'sublinear'], {
    default: 'raw',
  }),
};

/** The term weight from both options; throws if they contradict each other. */
export function termWeight({ tf, sublinearTf }: WeightOptions): TermWeight {
  if (sublinearTf && tf !== 'raw' && tf !== 'sublinear') {
    refuse('E_PARAM', `sublinearTf asks for 1 + ln tf, and tf for '${tf}'`, { name: 'tf' });
  }
  return sublinearTf ? 'sublinear' : tf;
}

/**
 * Inverse document frequencies of n documents:
 *
 *   idf[t] = ln((1 + n) / (1 + df[t])) + 1   smooth          (1)
 *   idf[t] = ln(n / df[t]) + 1               not smooth      (2)
 *
 * without the last 1 unless `addOne`; as in scikit-learn, but finite for a term that no document holds: by (2) it weighs as much as if one did.
 */
export function idfOf(df: Float64Array, documents: number, { smoothIdf: smooth, addOne }: WeightOptions): Float64Array {
  const extra = smooth ? 1 : 0;
  const all = Math.max(1, documents);
  return df.map((count) => Math.log((all + extra) / ((count > 0 || smooth ? count : 1) + extra)) + (addOne ? 1 : 0));
}

/** A copy of the caller's inverse document frequencies; throws unless there is one finite number per column. */
export function givenIdf(values: ArrayLike<number>, columns: number): Float64Array {
  const idf = isList(values) ? Float64Array.from(values as ArrayLike<number>) : undefined;
  if (idf?.length === columns && idf.every(Number.isFinite)) return idf;
  return refuse('E_SHAPE', `idf is a list of ${columns} finite numbers, one for each column`, {
    expected: columns,
    actual: idf?.length ?? 0,
  });
}

/**
 * Converts counts to weights: tf by its curve, times idf if given, divided by the norm of the row. Zero rows stay zero.
 */
export function weigh(
  { rows, cols, indptr, indices, data }: SparseMatrix,
  tf: TermWeight,
  idf: Float64Array | undefined,
  norm: Norm,
): SparseMatrix {
  const curve = curves[tf];
  const weights = data.map((count, k) => curve(count) * (idf ? idf[indices[k]] : 1));
  for (let i = 0; i < rows; i++) divideByNorm(weights, indptr[i], indptr[i + 1], norm);
  if (weights.includes(0)) return new SparseMatrix(rows, cols, indptr, indices, weights);
  return SparseMatrix.tidy(rows, cols, indptr.slice(), indices.slice(), weights);
}

/** Divides values[from … to) by their norm. */
export function divideByNorm(values: Float64Array, from: number, to: number, norm: Norm): void {
  if (norm === null) return;
  let sum = 0;
  for (let k = from; k < to; k++) sum += norm === 'l2' ? values[k] * values[k] : Math.abs(values[k]);
  if (sum === 0) return;
  const length = norm === 'l2' ? Math.sqrt(sum) : sum;
  for (let k = from; k < to; k++) values[k] /= length;
}
