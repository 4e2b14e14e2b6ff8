/**
 * out[i,c] = start[c] + Σⱼ a[c,j] (xᵢⱼ − originⱼ), summed in the order of the features. Eight rows at a time: `x` and
 * `out` have space for a multiple of eight rows, and `d` for the cells of eight.
 */
export function affine(
  rows: i32,
  features: i32,
  columns: i32,
  x: usize,
  origin: usize,
  a: usize,
  start: usize,
  d: usize,
  out: usize,
): void {
  const width = usize(features) << 3;
  const row = usize(columns) << 3;
  for (let i: i32 = 0; i < rows; i += 8) {
    for (let at: usize = 0, to = d; at < width; at += 8, to += 64) {
      const from = v128.load64_splat(origin + at);
      for (let k: usize = 0; k < 4; k++) v128.store(to + (k << 4), f64x2.sub(pairAt(x + at + 2 * k * width, width), from));
    }
    for (let c: usize = 0, weights = a; c < row; c += 8, weights += width) {
      let first = v128.load64_splat(start + c);
      let second = first;
      let third = first;
      let fourth = first;
      for (let at: usize = 0, from = d; at < width; at += 8, from += 64) {
        const weight = v128.load64_splat(weights + at);
        first = f64x2.add(first, f64x2.mul(weight, v128.load(from)));
        second = f64x2.add(second, f64x2.mul(weight, v128.load(from, 16)));
        third = f64x2.add(third, f64x2.mul(weight, v128.load(from, 32)));
        fourth = f64x2.add(fourth, f64x2.mul(weight, v128.load(from, 48)));
      }
      storePair(out + c, row, first);
      storePair(out + c + 2 * row, row, second);
      storePair(out + c + 4 * row, row, third);
      storePair(out + c + 6 * row, row, fourth);
    }
    x += 8 * width;
    out += 8 * row;
  }
}

/**
 * out[i,c] = start[c] − ½ Σⱼ ((xᵢⱼ − mean[c,j]) scale[c,j])², summed in the order of the features; space as for
 * `affine`.
 */
export function normal(
  rows: i32,
  features: i32,
  classes: i32,
  x: usize,
  mean: usize,
  scale: usize,
  start: usize,
  d: usize,
  out: usize,
): void {
  const width = usize(features) << 3;
  const row = usize(classes) << 3;
  const half = f64x2.splat(-0.5);
  for (let i: i32 = 0; i < rows; i += 8) {
    for (let at: usize = 0, to = d; at < width; at += 8, to += 64) {
      for (let k: usize = 0; k < 4; k++) v128.store(to + (k << 4), pairAt(x + at + 2 * k * width, width));
    }
    for (let c: usize = 0, cell: usize = 0; c < row; c += 8, cell += width) {
      let first = f64x2.splat(0);
      let second = first;
      let third = first;
      let fourth = first;
      for (let at: usize = 0, from = d; at < width; at += 8, from += 64) {
        const m = v128.load64_splat(mean + cell + at);
        const s = v128.load64_splat(scale + cell + at);
        const z1 = f64x2.mul(f64x2.sub(v128.load(from), m), s);
        const z2 = f64x2.mul(f64x2.sub(v128.load(from, 16), m), s);
        const z3 = f64x2.mul(f64x2.sub(v128.load(from, 32), m), s);
        const z4 = f64x2.mul(f64x2.sub(v128.load(from, 48), m), s);
        first = f64x2.add(first, f64x2.mul(z1, z1));
        second = f64x2.add(second, f64x2.mul(z2, z2));
        third = f64x2.add(third, f64x2.mul(z3, z3));
        fourth = f64x2.add(fourth, f64x2.mul(z4, z4));
      }
      const peak = v128.load64_splat(start + c);
      storePair(out + c, row, f64x2.add(peak, f64x2.mul(half, first)));
      storePair(out + c + 2 * row, row, f64x2.add(peak, f64x2.mul(half, second)));
      storePair(out + c + 4 * row, row, f64x2.add(peak, f64x2.mul(half, third)));
      storePair(out + c + 6 * row, row, f64x2.add(peak, f64x2.mul(half, fourth)));
    }
    x += 8 * width;
    out += 8 * row;
  }
}

/** The numbers at `at` and `step` bytes later. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function pairAt(at: usize, step: usize): v128 {
  return v128.load64_lane(at + step, v128.load64_zero(at), 1);
}

/** Stores two numbers, the second `step` bytes after the first. */
// @ts-ignore
@inline
function storePair(at: usize, step: usize, pair: v128): void {
  v128.store64_lane(at, pair, 0);
  v128.store64_lane(at + step, pair, 1);
}
