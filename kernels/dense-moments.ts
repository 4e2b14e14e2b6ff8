/**
 * Adds rows to shifted sums: s1[c,j] += w (x − shift), s2[c,j] += w (x − shift)². A cell that is NaN adds nothing.
 * The classes of the rows come as the places of their cells, in bytes.
 */
export function moments(
  rows: i32,
  features: i32,
  x: usize,
  cells: usize,
  w: usize,
  shift: usize,
  s1: usize,
  s2: usize,
): void {
  const width = usize(features) << 3;
  const pairs = usize(features >> 1) << 4;
  for (let i: i32 = 0; i < rows; i++) {
    const cell = usize(load<u32>(cells + (usize(i) << 2)));
    const weight = load<f64>(w + (usize(i) << 3));
    const both = f64x2.splat(weight);
    const a = shift + cell;
    const first = s1 + cell;
    const second = s2 + cell;
    for (let at: usize = 0; at < pairs; at += 16) {
      const value = v128.load(x + at);
      const distance = v128.and(f64x2.sub(value, v128.load(a + at)), f64x2.eq(value, value));
      const weighted = f64x2.mul(both, distance);
      v128.store(first + at, f64x2.add(v128.load(first + at), weighted));
      v128.store(second + at, f64x2.add(v128.load(second + at), f64x2.mul(weighted, distance)));
    }
    if (pairs < width) {
      const value = load<f64>(x + pairs);
      if (value == value) {
        const distance = value - load<f64>(a + pairs);
        const weighted = weight * distance;
        store<f64>(first + pairs, load<f64>(first + pairs) + weighted);
        store<f64>(second + pairs, load<f64>(second + pairs) + weighted * distance);
      }
    }
    x += width;
  }
}
