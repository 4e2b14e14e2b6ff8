/** The index of the first of ascending numbers that is not below a value; their number if there is none. */
export function firstFrom(points: ArrayLike<number>, x: number): number {
  let [from, to] = [0, points.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (points[middle] < x) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The number of leading indices for which a condition holds that, once false, stays false. */
export function countWhile(length: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The index of the first of ascending numbers that is above a value; their number if there is none. */
export const firstAbove = (rising: ArrayLike<number>, value: number): number =>
  countWhile(rising.length, (k) => rising[k] <= value);

/** The height of a line at x: constant outside its points, which ascend, and straight between them. */
export function heightAt(line: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> }, at: number): number {
  const { x, y } = line;
  const last = x.length - 1;
  if (at <= x[0]) return y[0];
  if (at >= x[last]) return y[last];
  const k = firstFrom(x, at);
  const height = y[k - 1] + ((y[k] - y[k - 1]) / (x[k] - x[k - 1])) * (at - x[k - 1]);
  return Math.min(height, y[k]); // rounding must not lift a rising line above its next point
}
