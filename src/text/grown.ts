/** A typed array with at least the wanted length and the same content; grown by doubling. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
