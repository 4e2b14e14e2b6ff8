/**
 * out[i,c] = start[c] + Σⱼ weights[j,c] (xᵢⱼ − originⱼ) and margins[i] = least + unit Σⱼ reach[j] |xᵢⱼ − originⱼ|. Four rows and two
 * classes at a time: classes are padded to an even number and rows to a multiple of four. `d` has room for four rows.
 */
export function planes(
  rows: i32,
  features: i32,
  classes: i32,
  x: usize,
  origin: usize,
  weights: usize,
  start: usize,
  reach: usize,
  unit: f64,
  least: f64,
  d: usize,
  out: usize,
  margins: usize,
): void {
  const width = usize(features) << 3;
  const row = usize(classes) << 3;
  for (let i: i32 = 0; i < rows; i += 4) {
    for (let k: usize = 0; k < 4; k++) {
      store<f64>(margins + (k << 3), least + unit * distances(width, x + k * width, origin, reach, d + k * width));
    }
    for (let c: usize = 0; c < row; c += 16) {
      let first = v128.load(start + c);
      let second = first;
      let third = first;
      let fourth = first;
      let from = weights + c;
      for (let at = d; at < d + width; at += 8) {
        const w = v128.load(from);
        first = f64x2.add(first, f64x2.mul(w, v128.load64_splat(at)));
        second = f64x2.add(second, f64x2.mul(w, v128.load64_splat(at + width)));
        third = f64x2.add(third, f64x2.mul(w, v128.load64_splat(at + 2 * width)));
        fourth = f64x2.add(fourth, f64x2.mul(w, v128.load64_splat(at + 3 * width)));
        from += row;
      }
      v128.store(out + c, first);
      v128.store(out + c + row, second);
      v128.store(out + c + 2 * row, third);
      v128.store(out + c + 3 * row, fourth);
    }
    x += 4 * width;
    out += 4 * row;
    margins += 32;
  }
}

/** Writes dⱼ = xⱼ − originⱼ and answers Σⱼ reach[j] |dⱼ|. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function distances(width: usize, x: usize, origin: usize, reach: usize, d: usize): f64 {
  let sums = f64x2.splat(0);
  let at: usize = 0;
  for (; at + 16 <= width; at += 16) {
    const distance = f64x2.sub(v128.load(x + at), v128.load(origin + at));
    v128.store(d + at, distance);
    sums = f64x2.add(sums, f64x2.mul(f64x2.abs(distance), v128.load(reach + at)));
  }
  let sum = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
  if (at < width) {
    const distance = load<f64>(x + at) - load<f64>(origin + at);
    store<f64>(d + at, distance);
    sum += abs(distance) * load<f64>(reach + at);
  }
  return sum;
}
