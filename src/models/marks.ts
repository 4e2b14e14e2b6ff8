const MARKS = 13;

/** Equally spaced marks on the axis of a measurement, from low to high. */
export function marks(low: number, high: number): Float64Array {
  return Float64Array.from({ length: MARKS }, (_, k) => low + ((high - low) * k) / (MARKS - 1));
}
