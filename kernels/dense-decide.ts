/** Whether every number is finite and of no larger magnitude than `limit`. */
export function within(count: i32, x: usize, limit: f64): bool {
  const most = i64x2.splat(reinterpret<i64>(limit)); // without their signs, numbers are in the order of their bits
  const sizes = i64x2.splat(i64.MAX_VALUE);
  const end = x + (usize(count) << 3);
  let beyond = i64x2.splat(0);
  for (; x + 32 <= end; x += 32) {
    const first = i64x2.gt_s(v128.and(v128.load(x), sizes), most);
    beyond = v128.or(beyond, v128.or(first, i64x2.gt_s(v128.and(v128.load(x, 16), sizes), most)));
  }
  for (; x < end; x += 8) {
    if ((load<i64>(x) & i64.MAX_VALUE) > reinterpret<i64>(limit)) return false;
  }
  return !v128.any_true(beyond);
}

/**
 * The place of the largest score of each row, as i32; −1 where it is not above all others by more than the margin of the row. Two
 * classes at a time, and without branches, which would go wrong for every other row.
 */
export function decide(rows: i32, width: i32, classes: i32, scores: usize, margins: usize, out: usize): void {
  const row = usize(classes) << 3;
  for (let i: i32 = 0; i < rows; i++) {
    let best = i64x2.splat(0);
    let places = i64x2(0, 1);
    let top = f64x2.splat(-Infinity);
    let second = top;
    for (let c: usize = 0; c < row; c += 16) {
      let score = v128.load(scores + c);
      if (c + 16 > row) score = f64x2.replace_lane(score, 1, -Infinity);
      const above = f64x2.gt(score, top);
      const rest = v128.bitselect(top, score, above);
      // what is no number stays, and nothing is above it
      second = v128.bitselect(second, rest, v128.or(f64x2.le(rest, second), f64x2.ne(second, second)));
      best = v128.bitselect(places, best, above);
      top = v128.bitselect(score, top, above);
      places = i64x2.add(places, i64x2.splat(2));
    }
    const even = f64x2.extract_lane(top, 0);
    const odd = f64x2.extract_lane(top, 1);
    const lead = odd > even ? odd - even : even - odd;
    const high = max(even, odd);
    const margin = load<f64>(margins + (usize(i) << 3));
    const clear =
      lead > margin && high - f64x2.extract_lane(second, 0) > margin && high - f64x2.extract_lane(second, 1) > margin;
    const place = odd > even ? i64x2.extract_lane(best, 1) : i64x2.extract_lane(best, 0);
    store<i32>(out, clear ? i32(place) : -1);
    scores += usize(width) << 3;
    out += 4;
  }
}
