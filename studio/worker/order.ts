/** A number for each place that has nothing to do with the order of a file. */
const rank = (i: number): number => Math.imul(i + 1, 2654435761) >>> 0;

/** Places in an order that does not follow the file, the same every time: files are often sorted by their labels. */
export const mixed = (places: Iterable<number>): number[] => [...places].sort((a, b) => rank(a) - rank(b));
