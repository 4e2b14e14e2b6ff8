import { RowIndex } from '../math/row-index.ts';

/** Weights of terms in every class. Equal rows are kept once: those of term j begin at weights[rows[j] · classes]. */
export interface TermTable {
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/**
 * A table of weights with equal rows kept once, bit for bit; `fill` adds the weights of a term to a row of zeros. Most terms of a text
 * are rare, and rare terms that occurred in the same classes weigh the same.
 */
export function tableOf(terms: number, classes: number, fill: (j: number, row: Float64Array) => void): TermTable {
  const row = new Float64Array(classes);
  const words = new Uint32Array(row.buffer);
  const index = new RowIndex(2 * classes);
  const rows = new Uint32Array(terms);
  let table = new Float64Array(64 * classes);
  let next = 0;
  for (let j = 0; j < terms; j++) {
    row.fill(0);
    fill(j, row);
    if ((next + 1) * classes > table.length) {
      const larger = new Float64Array(2 * table.length);
      larger.set(table);
      table = larger;
    }
    rows[j] = index.place(words, 0, new Uint32Array(table.buffer), next);
    if (rows[j] === next) table.set(row, next++ * classes);
  }
  return { rows, weights: table.slice(0, next * classes) };
}
