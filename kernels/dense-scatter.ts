/**
 * Adds rows to shifted sums and products: s1[c,j] += w dⱼ, s2[c,jk] += w dⱼ dₖ for j ≥ k, with d = x − shift.
 * The classes of the rows come as the places of their cells and of their triangles, in bytes; `d` has room for one row.
 */
export function scatter(
  rows: i32,
  features: i32,
  x: usize,
  cells: usize,
  triangles: usize,
  w: usize,
  shift: usize,
  s1: usize,
  s2: usize,
  d: usize,
): void {
  const width = usize(features) << 3;
  for (let i: i32 = 0; i < rows; i++) {
    const cell = usize(load<u32>(cells + (usize(i) << 2)));
    let product = s2 + usize(load<u32>(triangles + (usize(i) << 2)));
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
