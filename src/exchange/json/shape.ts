/** A number as JSON holds it: what is not finite is a word. */
export type JsonNumber = number | 'Infinity' | '-Infinity' | 'NaN';

/** Lists in lists of numbers. */
export type JsonNumbers = readonly (JsonNumber | JsonNumbers)[];

/** A number, or the word for one that JSON has no number for; −0 is 0. */
export function toJsonNumber(value: number): JsonNumber {
  return Number.isFinite(value) ? value + 0 : (String(value) as JsonNumber);
}

/** A table of numbers as lists in lists: the last length is that of the innermost ones. */
export function nested(values: ArrayLike<number>, ...lengths: readonly number[]): JsonNumbers {
  const [first, ...rest] = lengths;
  if (rest.length === 0) return Array.from(values, toJsonNumber);
  const size = rest.reduce((product, length) => product * length, 1);
  const list = Array.from(values);
  return Array.from({ length: first }, (_, k) => nested(list.slice(k * size, (k + 1) * size), ...rest));
}
