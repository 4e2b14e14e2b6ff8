/**
 * A sparse matrix by compressed rows (CSR): row i holds the columns `indices[k]` with the values `data[k]` for
 * indptr[i] ≤ k < indptr[i + 1]. Columns ascend within a row and no zero is stored, so equal matrices have equal arrays.
 * Whoever constructs one vouches for that; `SparseMatrix` is the public one, which checks and tidies.
 */
export class TidyMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;

  /** Takes the arrays as they are. */
  constructor(rows: number, cols: number, indptr: Uint32Array, indices: Uint32Array, data: Float64Array) {
    this.rows = rows;
    this.cols = cols;
    this.indptr = indptr;
    this.indices = indices;
    this.data = data;
  }

  /** Row i as views of its columns and values. */
  row(i: number): { indices: Uint32Array; values: Float64Array } {
    const [from, to] = [this.indptr[i], this.indptr[i + 1]];
    return { indices: this.indices.subarray(from, to), values: this.data.subarray(from, to) };
  }

  /** Rows from `from` up to but not including `to`, with the cells as views. */
  slice(from: number, to: number): TidyMatrix {
    const indptr = this.indptr.subarray(Math.min(from, this.rows), Math.min(to, this.rows) + 1);
    const [first, last] = [indptr[0], indptr[indptr.length - 1]];
    return new TidyMatrix(
      indptr.length - 1,
      this.cols,
      indptr.map((at) => at - first),
      this.indices.subarray(first, last),
      this.data.subarray(first, last),
    );
  }

  /** A dense copy as nested arrays. */
  toArray(): number[][] {
    return Array.from({ length: this.rows }, (_, i) => {
      const dense = new Array<number>(this.cols).fill(0);
      for (let k = this.indptr[i]; k < this.indptr[i + 1]; k++) dense[this.indices[k]] = this.data[k];
      return dense;
    });
  }
}
