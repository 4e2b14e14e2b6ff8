import { RowIndex } from '../math/row-index.ts';

/** Weights of terms in every class. Equal rows are kept once: those of term j begin at weights[rows[j] · classes]. */
export interface TermTable {
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/**
 * A table of weights, term by term, with equal rows kept once, bit for bit. Most terms of a text are rare, and rare terms that
 * were met in the same classes weigh the same.
 */
export function tableOf(weights: Float64Array, classes: number): TermTable {
  const terms = weights.length / classes;
  const words = new Uint32Array(weights.buffer, weights.byteOffset, 2 * weights.length);
  const table = new Float64Array(weights.length);
  const kept = new Uint32Array(table.buffer);
  const index = new RowIndex(2 * classes);
  const rows = new Uint32Array(terms);
  let next = 0;
  for (let j = 0; j < terms; j++) {
    rows[j] = index.place(words, 2 * j * classes, kept, next);
    if (rows[j] < next) continue;
    table.set(weights.subarray(j * classes, (j + 1) * classes), next * classes);
    next++;
  }
  return { rows, weights: table.slice(0, next * classes) };
}
