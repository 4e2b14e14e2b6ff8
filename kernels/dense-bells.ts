/**
 * out[i,c] = start[c] − ½ Σⱼ ((xᵢⱼ − mean[j,c]) scale[j,c])², the sums in the order of the features. Two classes and four rows
 * at a time: classes are padded to an even number, in the parameters and in the answer, and rows to a multiple of four.
 */
export function bells(
  rows: i32,
  features: i32,
  classes: i32,
  x: usize,
  mean: usize,
  scale: usize,
  start: usize,
  out: usize,
): void {
  const width = usize(features) << 3;
  const row = usize(classes) << 3;
  const half = f64x2.splat(-0.5);
  for (let i: i32 = 0; i < rows; i += 4) {
    for (let c: usize = 0; c < row; c += 16) {
      let first = f64x2.splat(0);
      let second = f64x2.splat(0);
      let third = f64x2.splat(0);
      let fourth = f64x2.splat(0);
      let centre = mean + c;
      let spread = scale + c;
      for (let at = x; at < x + width; at += 8) {
        const m = v128.load(centre);
        const s = v128.load(spread);
        const z1 = f64x2.mul(f64x2.sub(v128.load64_splat(at), m), s);
        const z2 = f64x2.mul(f64x2.sub(v128.load64_splat(at + width), m), s);
        const z3 = f64x2.mul(f64x2.sub(v128.load64_splat(at + 2 * width), m), s);
        const z4 = f64x2.mul(f64x2.sub(v128.load64_splat(at + 3 * width), m), s);
        first = f64x2.add(first, f64x2.mul(z1, z1));
        second = f64x2.add(second, f64x2.mul(z2, z2));
        third = f64x2.add(third, f64x2.mul(z3, z3));
        fourth = f64x2.add(fourth, f64x2.mul(z4, z4));
        centre += row;
        spread += row;
      }
      const peak = v128.load(start + c);
      v128.store(out + c, f64x2.add(peak, f64x2.mul(half, first)));
      v128.store(out + c + row, f64x2.add(peak, f64x2.mul(half, second)));
      v128.store(out + c + 2 * row, f64x2.add(peak, f64x2.mul(half, third)));
      v128.store(out + c + 3 * row, f64x2.add(peak, f64x2.mul(half, fourth)));
    }
    x += 4 * width;
    out += 4 * row;
  }
}
