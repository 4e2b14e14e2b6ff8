/** A typed array of at least this length with the same content, grown by doubling; new elements are `fill`. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(
  array: T,
  length: number,
  fill = 0,
): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  larger.set(array);
  if (fill !== 0) larger.fill(fill, array.length);
  return larger;
}
