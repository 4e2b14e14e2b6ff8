import { RecordTable } from '../data/column-table.ts';
import { sum } from '../math/arrays.ts';
import { cellOf, type DataRow, wordOf } from './cells.ts';
import { columnFeatures, readColumn, type SchemaColumn } from './schema.ts';

/**
 * How often a column alone predicts the class of a row from the other rows: for words the most frequent class of those with that word,
 * for numbers the same, or the class of the nearest number. `codes` are the classes, −1 where there is none.
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
  const values = readColumn(new RecordTable(own), column);
  const rights = columnFeatures(column).map(({ levels }, k) =>
    levels ? rightByWord(Array.from(values[k], String), labels, classes) : rightByNeighbour(values[k], labels, classes),
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
    const votes = counts.get(word)!;
    votes[labels[i]!]!--;
    if (isMajority(votes, labels[i]!)) right++;
    votes[labels[i]!]!++;
  });
  return right;
}

/**
 * Rows with the same number vote on each other as rows with the same word do. A number that occurs once gets the class of the nearest
 * others. So the order of the rows does not matter.
 */
function rightByNeighbour(values: Float64Array, labels: Int32Array, classes: number): number {
  const present = [...values.keys()].filter((i) => !Number.isNaN(values[i]!));
  const numbers = [...new Set(present.map((i) => values[i]!))].sort((a, b) => a - b);
  const places = new Map(numbers.map((value, v) => [value, v]));
  const counts = new Int32Array(numbers.length * classes);
  for (const i of present) counts[places.get(values[i]!)! * classes + labels[i]!]++;
  const votes = new Int32Array(classes);
  let right = 0;
  for (const i of present) {
    const v = places.get(values[i]!)!;
    for (let c = 0; c < classes; c++) votes[c] = counts[v * classes + c]!;
    votes[labels[i]!]--;
    if (sum(votes) === 0) for (const near of nearest(numbers, v)) addCounts(votes, counts, near * classes);
    if (isMajority(votes, labels[i]!)) right++;
  }
  return right;
}

/** The places of the nearest other numbers: one, or two that are equally near. */
function nearest(numbers: readonly number[], v: number): number[] {
  const back = v > 0 ? numbers[v]! - numbers[v - 1]! : Number.POSITIVE_INFINITY;
  const ahead = v + 1 < numbers.length ? numbers[v + 1]! - numbers[v]! : Number.POSITIVE_INFINITY;
  const least = Math.min(back, ahead);
  if (least === Number.POSITIVE_INFINITY) return [];
  return [...(back === least ? [v - 1] : []), ...(ahead === least ? [v + 1] : [])];
}

function addCounts(to: Int32Array, counts: Int32Array, from: number): void {
  for (let c = 0; c < to.length; c++) to[c] += counts[from + c]!;
}

/** Whether no class has more votes than this one, which has some. */
function isMajority(votes: Int32Array, own: number): boolean {
  return votes[own]! > 0 && votes.every((count) => count <= votes[own]!);
}
