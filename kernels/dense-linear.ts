/**
 * out[i,c] = start[c] + Σₖ values[k] weights[indices[k],c] over the cells of row i, in their order. Weights are feature-major; eight,
 * two or one classes at a time.
 */
export function linear(
  rows: i32,
  classes: i32,
  ends: usize,
  indices: usize,
  values: usize,
  weights: usize,
  start: usize,
  out: usize,
): void {
  const row = usize(classes) << 3;
  let first: u32 = 0;
  for (let i: i32 = 0; i < rows; i++) {
    const last = load<u32>(ends + (usize(i) << 2));
    if (row > 64) touch(first, last, indices, weights, row, out);
    let c: usize = 0;
    for (; c + 64 <= row; c += 64) eight(first, last, indices, values, weights + c, row, start + c, out + c);
    for (; c + 16 <= row; c += 16) two(first, last, indices, values, weights + c, row, start + c, out + c);
    if (c < row) one(first, last, indices, values, weights + c, row, start + c, out + c);
    first = last;
    out += row;
  }
}

/**
 * Touches the weights of all cells of a row before the first is needed, so that the memory loads them in parallel: a
 * third of the time for 130,000 features and 20 classes. The stored value is overwritten later.
 */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function touch(first: u32, last: u32, indices: usize, weights: usize, row: usize, out: usize): void {
  const far = min(row - 8, 128);
  let seen: u64 = 0;
  for (let k = first; k < last; k++) {
    const from = weights + usize(load<u32>(indices + (usize(k) << 2))) * row;
    seen |= load<u64>(from) | load<u64>(from, 64) | load<u64>(from + far) | load<u64>(from + row - 8);
  }
  store<u64>(out, seen);
}

// @ts-ignore
@inline
function eight(first: u32, last: u32, indices: usize, values: usize, weights: usize, row: usize, start: usize, out: usize): void {
  let sum1 = v128.load(start);
  let sum2 = v128.load(start, 16);
  let sum3 = v128.load(start, 32);
  let sum4 = v128.load(start, 48);
  for (let k = first; k < last; k++) {
    const value = v128.load64_splat(values + (usize(k) << 3));
    const from = weights + usize(load<u32>(indices + (usize(k) << 2))) * row;
    sum1 = f64x2.add(sum1, f64x2.mul(value, v128.load(from)));
    sum2 = f64x2.add(sum2, f64x2.mul(value, v128.load(from, 16)));
    sum3 = f64x2.add(sum3, f64x2.mul(value, v128.load(from, 32)));
    sum4 = f64x2.add(sum4, f64x2.mul(value, v128.load(from, 48)));
  }
  v128.store(out, sum1);
  v128.store(out, sum2, 16);
  v128.store(out, sum3, 32);
  v128.store(out, sum4, 48);
}

// @ts-ignore
@inline
function two(first: u32, last: u32, indices: usize, values: usize, weights: usize, row: usize, start: usize, out: usize): void {
  let sum = v128.load(start);
  for (let k = first; k < last; k++) {
    const value = v128.load64_splat(values + (usize(k) << 3));
    const from = weights + usize(load<u32>(indices + (usize(k) << 2))) * row;
    sum = f64x2.add(sum, f64x2.mul(value, v128.load(from)));
  }
  v128.store(out, sum);
}

// @ts-ignore
@inline
function one(first: u32, last: u32, indices: usize, values: usize, weights: usize, row: usize, start: usize, out: usize): void {
  let sum = load<f64>(start);
  for (let k = first; k < last; k++) {
    const from = weights + usize(load<u32>(indices + (usize(k) << 2))) * row;
    sum += load<f64>(values + (usize(k) << 3)) * load<f64>(from);
  }
  store<f64>(out, sum);
}
