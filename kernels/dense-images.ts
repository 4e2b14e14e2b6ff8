/**
 * Rows in the space in which a covariance is round: z[i,k] = Σⱼ a[j,k] (xᵢⱼ − originⱼ), the sums in the order of the features.
 * Eight directions and two rows at a time: directions are padded to a multiple of eight, in `a` and in the answer, and rows to an
 * even number. `d` has room for two rows. Where `a` is `triangular`, direction k knows nothing of the features behind k.
 */
export function images(
  rows: i32,
  features: i32,
  directions: i32,
  triangular: bool,
  x: usize,
  origin: usize,
  a: usize,
  d: usize,
  z: usize,
): void {
  const width = usize(features) << 3;
  const row = usize(directions) << 3;
  for (let i: i32 = 0; i < rows; i += 2) {
    for (let at: usize = 0; at < width; at += 8) {
      store<f64>(d + at, load<f64>(x + at) - load<f64>(origin + at));
      store<f64>(d + at + width, load<f64>(x + at + width) - load<f64>(origin + at));
    }
    for (let k: usize = 0; k < row; k += 64) eightImages(triangular ? min(width, k + 64) : width, width, row, a + k, d, z + k);
    x += 2 * width;
    z += 2 * row;
  }
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function eightImages(until: usize, width: usize, row: usize, a: usize, d: usize, z: usize): void {
  let first = f64x2.splat(0);
  let second = first;
  let third = first;
  let fourth = first;
  let fifth = first;
  let sixth = first;
  let seventh = first;
  let eighth = first;
  for (let at: usize = 0; at < until; at += 8) {
    const one = v128.load64_splat(d + at);
    const other = v128.load64_splat(d + at + width);
    const a1 = v128.load(a);
    const a2 = v128.load(a, 16);
    const a3 = v128.load(a, 32);
    const a4 = v128.load(a, 48);
    first = f64x2.add(first, f64x2.mul(a1, one));
    second = f64x2.add(second, f64x2.mul(a2, one));
    third = f64x2.add(third, f64x2.mul(a3, one));
    fourth = f64x2.add(fourth, f64x2.mul(a4, one));
    fifth = f64x2.add(fifth, f64x2.mul(a1, other));
    sixth = f64x2.add(sixth, f64x2.mul(a2, other));
    seventh = f64x2.add(seventh, f64x2.mul(a3, other));
    eighth = f64x2.add(eighth, f64x2.mul(a4, other));
    a += row;
  }
  v128.store(z, first);
  v128.store(z, second, 16);
  v128.store(z, third, 32);
  v128.store(z, fourth, 48);
  z += row;
  v128.store(z, fifth);
  v128.store(z, sixth, 16);
  v128.store(z, seventh, 32);
  v128.store(z, eighth, 48);
}

/** out[i] = Σₖ z[i,k]² over the first `rank` of the directions, in their order; four rows at a time, to which they are padded. */
export function squares(rows: i32, directions: i32, rank: i32, z: usize, out: usize): void {
  const row = usize(directions) << 3;
  for (let i: i32 = 0; i < rows; i += 4) {
    let first: f64 = 0;
    let second: f64 = 0;
    let third: f64 = 0;
    let fourth: f64 = 0;
    for (let at = z; at < z + (usize(rank) << 3); at += 8) {
      first += load<f64>(at) * load<f64>(at);
      second += load<f64>(at + row) * load<f64>(at + row);
      third += load<f64>(at + 2 * row) * load<f64>(at + 2 * row);
      fourth += load<f64>(at + 3 * row) * load<f64>(at + 3 * row);
    }
    store<f64>(out, first);
    store<f64>(out, second, 8);
    store<f64>(out, third, 16);
    store<f64>(out, fourth, 24);
    z += 4 * row;
    out += 32;
  }
}
