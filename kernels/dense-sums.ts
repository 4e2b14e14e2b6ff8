/**
 * Adds rows to shifted sums: s1[c,j] += w d, s2[c,j] += w d² with d = x − shift[c,j]. A cell that is NaN adds nothing. `classes` has the
 * class of each row as u32.
 */
export function moments(
  rows: i32,
  features: i32,
  x: usize,
  classes: usize,
  w: usize,
  shift: usize,
  s1: usize,
  s2: usize,
): void {
  const width = usize(features) << 3;
  const pairs = usize(features >> 1) << 4;
  for (let i: i32 = 0; i < rows; i++) {
    const cell = usize(load<u32>(classes + (usize(i) << 2))) * width;
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

/**
 * Adds complete rows to shifted sums and products: s1[c,j] += w dⱼ, s2[c,jk] += w dⱼ dₖ for j ≥ k, with d = x −
 * shift[c]. `d` has space for the cells of one row.
 */
export function scatter(
  rows: i32,
  features: i32,
  x: usize,
  classes: usize,
  w: usize,
  shift: usize,
  s1: usize,
  s2: usize,
  d: usize,
): void {
  const width = usize(features) << 3;
  const triangle = (usize(features) * usize(features + 1)) << 2;
  for (let i: i32 = 0; i < rows; i++) {
    const c = usize(load<u32>(classes + (usize(i) << 2)));
    const cell = c * width;
    let product = s2 + c * triangle;
    const weight = load<f64>(w + (usize(i) << 3));
    for (let at: usize = 0; at < width; at += 8) {
      const distance = load<f64>(x + at) - load<f64>(shift + cell + at);
      const weighted = weight * distance;
      store<f64>(d + at, distance);
      store<f64>(s1 + cell + at, load<f64>(s1 + cell + at) + weighted);
      const both = f64x2.splat(weighted);
      let k: usize = 0;
      for (const pairs = (at + 8) & ~15; k < pairs; k += 16) {
        v128.store(product, f64x2.add(v128.load(product), f64x2.mul(both, v128.load(d + k))));
        product += 16;
      }
      if (k <= at) {
        store<f64>(product, load<f64>(product) + weighted * distance);
        product += 8;
      }
    }
    x += width;
  }
}
