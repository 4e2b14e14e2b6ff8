/**
 * Adds rows to sums by class: n[c] += w, s1[c,j] += w (x − shift), s2[c,j] += w (x − shift)². A cell that is NaN adds w to m[c,j] and
 * nothing else. `classes` has the class of each row as i32. Without `n` (0), only s1 and s2 are added to; `m` is 0 where no cell is missing.
 */
export function moments(
  rows: i32,
  features: i32,
  x: usize,
  classes: usize,
  w: usize,
  n: usize,
  m: usize,
  shift: usize,
  s1: usize,
  s2: usize,
): void {
  const width = usize(features) << 3;
  const pairs = usize(features >> 1) << 4;
  for (let i: i32 = 0; i < rows; i++) {
    const c = usize(load<u32>(classes + (usize(i) << 2)));
    const cell = c * width;
    const weight = load<f64>(w + (usize(i) << 3));
    const both = f64x2.splat(weight);
    const a = shift + cell;
    const first = s1 + cell;
    const second = s2 + cell;
    let present = i64x2.splat(-1);
    for (let at: usize = 0; at < pairs; at += 16) {
      const value = v128.load(x + at);
      const here = f64x2.eq(value, value);
      const distance = v128.and(f64x2.sub(value, v128.load(a + at)), here);
      const weighted = f64x2.mul(both, distance);
      v128.store(first + at, f64x2.add(v128.load(first + at), weighted));
      v128.store(second + at, f64x2.add(v128.load(second + at), f64x2.mul(weighted, distance)));
      present = v128.and(present, here);
    }
    let whole = i64x2.all_true(present);
    if (pairs < width) {
      const value = load<f64>(x + pairs);
      if (value == value) {
        const distance = value - load<f64>(a + pairs);
        const weighted = weight * distance;
        store<f64>(first + pairs, load<f64>(first + pairs) + weighted);
        store<f64>(second + pairs, load<f64>(second + pairs) + weighted * distance);
      } else whole = false;
    }
    if (n != 0) {
      store<f64>(n + (c << 3), load<f64>(n + (c << 3)) + weight);
      if (!whole && m != 0) {
        for (let at: usize = 0; at < width; at += 8) {
          const value = load<f64>(x + at);
          if (value != value) store<f64>(m + cell + at, load<f64>(m + cell + at) + weight);
        }
      }
    }
    x += width;
  }
}
