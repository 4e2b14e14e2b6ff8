/** The signatures of the kernels in kernels/dense.ts: sizes, and consecutive arrays. */
export interface Kernels {
  /** s1[c,j] += w d, s2[c,j] += w d² with d = x − shift[c,j] for each row; a cell that is NaN adds nothing. */
  moments(
    rows: number,
    features: number,
    x: Float64Array,
    classes: Uint32Array,
    w: Float64Array,
    shift: Float64Array,
    s1: Float64Array,
    s2: Float64Array,
    d: Float64Array,
  ): void;
  /**
   * s1[c,j] += w dⱼ, s2[c,jk] += w dⱼ dₖ for j ≥ k, with d = x − shift[c], for each row; `d` is scratch space for a
   * row.
   */
  scatter: Kernels['moments'];
  /**
   * out[i,c] = start[c] + Σⱼ a[c,j] (xᵢⱼ − originⱼ); `d` is scratch space for eight rows, `x` and `out` hold a multiple
   * of eight.
   */
  affine(
    rows: number,
    features: number,
    columns: number,
    x: Float64Array,
    origin: Float64Array,
    a: Float64Array,
    start: Float64Array,
    d: Float64Array,
    out: Float64Array,
  ): void;
  /** out[i,c] = start[c] − ½ Σⱼ ((xᵢⱼ − mean[c,j]) scale[c,j])²; space as for `affine`. */
  normal: Kernels['affine'];
  /** out[i,c] = start[c] + Σₖ values[k] weights[indices[k],c] over the cells of row i, which end at ends[i]; the first begin at 0. */
  linear(
    rows: number,
    classes: number,
    ends: Uint32Array,
    indices: Uint32Array,
    values: Float64Array,
    weights: Float64Array,
    start: Float64Array,
    out: Float64Array,
  ): void;
}

/** The TypeScript bodies of the kernels; those in WebAssembly give bit-identical results. */
export const plainKernels: Kernels = {
  moments(rows, features, x, classes, w, shift, s1, s2) {
    for (let i = 0, at = 0; i < rows; i++) {
      const weight = w[i];
      const cell = classes[i] * features - at;
      for (const end = at + features; at < end; at++) {
        const value = x[at];
        if (Number.isNaN(value)) continue;
        const distance = value - shift[cell + at];
        const weighted = weight * distance;
        s1[cell + at] += weighted;
        s2[cell + at] += weighted * distance;
      }
    }
  },

  scatter(rows, features, x, classes, w, shift, s1, s2, d) {
    for (let i = 0; i < rows; i++) {
      const at = classes[i] * features;
      let cell = (at * (features + 1)) / 2;
      for (let j = 0; j < features; j++) {
        d[j] = x[i * features + j] - shift[at + j];
        const weighted = w[i] * d[j];
        s1[at + j] += weighted;
        for (let k = 0; k <= j; k++) s2[cell++] += weighted * d[k];
      }
    }
  },

  affine(rows, features, columns, x, origin, a, start, d, out) {
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < features; j++) d[j] = x[i * features + j] - origin[j];
      for (let c = 0; c < columns; c++) {
        let sum = start[c];
        for (let j = 0, cell = c * features; j < features; j++, cell++) sum += a[cell] * d[j];
        out[i * columns + c] = sum;
      }
    }
  },

  normal(rows, features, classes, x, mean, scale, start, _d, out) {
    for (let i = 0; i < rows; i++) {
      const from = i * features;
      for (let c = 0, cell = 0; c < classes; c++) {
        let squares = 0;
        for (let j = 0; j < features; j++, cell++) {
          const z = (x[from + j] - mean[cell]) * scale[cell];
          squares += z * z;
        }
        out[i * classes + c] = start[c] + -0.5 * squares;
      }
    }
  },

  linear(rows, classes, ends, indices, values, weights, start, out) {
    let first = 0;
    for (let i = 0; i < rows; i++) {
      const [last, at] = [ends[i], i * classes];
      let c = 0;
      // four classes at a time, so that their sums stay in registers
      for (; c + 4 <= classes; c += 4) {
        let [sum0, sum1, sum2, sum3] = [start[c], start[c + 1], start[c + 2], start[c + 3]];
        for (let k = first; k < last; k++) {
          const from = indices[k] * classes + c;
          const value = values[k];
          sum0 += value * weights[from];
          sum1 += value * weights[from + 1];
          sum2 += value * weights[from + 2];
          sum3 += value * weights[from + 3];
        }
        out[at + c] = sum0;
        out[at + c + 1] = sum1;
        out[at + c + 2] = sum2;
        out[at + c + 3] = sum3;
      }
      for (; c < classes; c++) {
        let sum = start[c];
        for (let k = first; k < last; k++) sum += values[k] * weights[indices[k] * classes + c];
        out[at + c] = sum;
      }
      first = last;
    }
  },
};
