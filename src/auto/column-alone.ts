import { cellOf, type DataRow, wordOf } from './cells.ts';
import { columnFeatures, readColumn, type SchemaColumn } from './schema.ts';

/**
 * How often a column alone names the right class of a row that it has not seen: for words the most frequent class of the other
 * rows with that word, for numbers the class of the nearest other number. `codes` are the classes, −1 where there is none.
 */
export function accuracyAlone(
  rows: readonly DataRow[],
  column: SchemaColumn,
  codes: Int32Array,
  classes: number,
): number {
  const places = [...codes.keys()].filter((i) => codes[i]! >= 0);
  const labels = Int32Array.from(places, (i) => codes[i]!);
  const own = places.map((i) => rows[i]!);
  if (column.kind !== 'number' && !column.format?.dates) {
    const words = own.map((row) => wordOf(cellOf(row, column.name)));
    return rightByWord(words, labels, classes) / places.length;
  }
  const values = readColumn(own, column);
  const rights = columnFeatures(column).map(({ levels }, k) =>
    levels ? rightByWord(Array.from(values[k], String), labels, classes) : rightByNeighbour(values[k], labels),
  );
  return Math.max(0, ...rights) / places.length;
}

function rightByWord(words: readonly string[], labels: Int32Array, classes: number): number {
  const counts = new Map<string, Int32Array>();
  words.forEach((word, i) => {
    if (!counts.has(word)) counts.set(word, new Int32Array(classes));
    counts.get(word)![labels[i]!]!++;
  });
  let right = 0;
  words.forEach((word, i) => {
    const own = counts.get(word)!;
    const others = own[labels[i]!]! - 1;
    if (others > 0 && own.every((count, c) => c === labels[i] || count <= others)) right++;
  });
  return right;
}

function rightByNeighbour(values: Float64Array, labels: Int32Array): number {
  const order = [...values.keys()].filter((i) => !Number.isNaN(values[i]!)).sort((a, b) => values[a]! - values[b]!);
  let right = 0;
  for (let k = 0; k < order.length; k++) {
    const i = order[k]!;
    const [before, after] = [order[k - 1], order[k + 1]];
    const back = before === undefined ? Number.POSITIVE_INFINITY : values[i]! - values[before]!;
    const ahead = after === undefined ? Number.POSITIVE_INFINITY : values[after]! - values[i]!;
    const nearest = back <= ahead ? before : after;
    if (nearest !== undefined && labels[nearest] === labels[i]) right++;
  }
  return right;
}
