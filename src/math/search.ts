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
