/**
 * Rows in the space in which a covariance is round: z[i,k] = Σⱼ a[j,k] (xᵢⱼ − originⱼ), the sums in the order of the features.
 * Eight directions at a time: they are padded to a multiple of eight, in `a` and in the answer. `d` has room for one row.
 */
export function images(
  rows: i32,
  features: i32,
  directions: i32,
  x: usize,
  origin: usize,
  a: usize,
  d: usize,
  z: usize,
): void {
  const width = usize(features) << 3;
  const row = usize(directions) << 3;
  for (let i: i32 = 0; i < rows; i++) {
    for (let at: usize = 0; at < width; at += 8) store<f64>(d + at, load<f64>(x + at) - load<f64>(origin + at));
    for (let k: usize = 0; k < row; k += 64) {
      let first = f64x2.splat(0);
      let second = f64x2.splat(0);
      let third = f64x2.splat(0);
      let fourth = f64x2.splat(0);
      let from = a + k;
      for (let at: usize = 0; at < width; at += 8) {
        const distance = v128.load64_splat(d + at);
        first = f64x2.add(first, f64x2.mul(v128.load(from), distance));
        second = f64x2.add(second, f64x2.mul(v128.load(from, 16), distance));
        third = f64x2.add(third, f64x2.mul(v128.load(from, 32), distance));
        fourth = f64x2.add(fourth, f64x2.mul(v128.load(from, 48), distance));
        from += row;
      }
      v128.store(z + k, first);
      v128.store(z + k, second, 16);
      v128.store(z + k, third, 32);
      v128.store(z + k, fourth, 48);
    }
    x += width;
    z += row;
  }
}

/** out[i] = Σₖ z[i,k]² over the first `rank` of the directions, in their order. */
export function squares(rows: i32, directions: i32, rank: i32, z: usize, out: usize): void {
  for (let i: i32 = 0; i < rows; i++) {
    let sum: f64 = 0;
    for (let k: usize = 0; k < usize(rank) << 3; k += 8) {
      const value = load<f64>(z + k);
      sum += value * value;
    }
    store<f64>(out + (usize(i) << 3), sum);
    z += usize(directions) << 3;
  }
}
