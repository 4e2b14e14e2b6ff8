import type { TidyMatrix } from '../data/tidy.ts';
import type { Entries } from './kept-rows.ts';
import { SortedRows } from './sorted-rows.ts';
import type { CountedWords, Tally } from './word-counts.ts';

/** What the words of all rows but some say of these: counts of those words alone that occur in them, and how many there are in all. */
export interface OtherWords {
  /** By code unit, as JSON: the labels that other rows have. */
  readonly labels: readonly string[];
  /** By label: the documents of the other rows. */
  readonly documents: Float64Array;
  /** How many different words the other rows have. */
  readonly features: number;
  /** By label: the occurrences of all of them. */
  readonly totals: Float64Array;
  /** Label by label the occurrences of those words that the rows have as well; made when they are asked for, and not kept. */
  counts(): Float64Array;
  /** How many rows there are, and how many columns these words have. */
  readonly rows: number;
  readonly columns: number;
  /** The rows in the columns of these words, some at a time. */
  blocks(): Iterable<TidyMatrix>;
}

/** Blocks of rows have about so many cells. */
const CELLS = 1 << 17;

/** The words of all rows without these, as far as these ask for them; the place of the label of each is told. */
export function otherWords(all: CountedWords, rows: Entries, labels: Int32Array): OtherWords {
  const { df, places, met } = meetings(rows, all.ends.length);
  let size = 0;
  for (let j = 0; j < places.length; j++) if (df[j] > 0) places[j] = df[j] < all.df[j] ? size++ : -1;
  const documents = Float64Array.from(all.documents);
  for (const label of labels) documents[label]--;
  const left = [...all.labels.keys()].filter((c) => documents[c] > 0);
  const lists: number[][] = all.labels.map(() => []);
  for (let i = 0; i < labels.length; i++) lists[labels[i]].push(i);
  const byLabel = left.map((c) => Uint32Array.from(lists[c]));
  return {
    ...{ labels: left.map((c) => all.labels[c]), documents: documents.filter((n) => n > 0) },
    totals: Float64Array.from(left, (c, r) => all.totals[c] - wordsIn(rows, byLabel[r])),
    ...{ features: all.ends.length - met + size, rows: labels.length, columns: size },
    counts: () => {
      const counts = new Float64Array(left.length * size);
      const columns = new Uint32Array(size);
      for (let j = 0; j < places.length; j++) if (places[j] >= 0) columns[places[j]] = j;
      left.forEach((c, r) => {
        const own = counts.subarray(r * size, (r + 1) * size);
        gather(own, all.counts, c * all.ends.length, columns);
        takeAway(own, rows, byLabel[r], places);
      });
      return counts;
    },
    blocks: () => blocksOf(rows, places, size),
  };
}

function* blocksOf(rows: Entries, places: Int32Array, size: number): Generator<TidyMatrix> {
  const { ends } = rows;
  const borders = [0];
  let most = 0;
  for (let from = 0, to = 0; from < ends.length; from = to) {
    const start = from === 0 ? 0 : ends[from - 1];
    for (to = from + 1; to < ends.length && ends[to] - start <= CELLS; ) to++;
    most = Math.max(most, ends[to - 1] - start);
    borders.push(to);
  }
  const sorted = new SortedRows(rows, places, size, most);
  for (let k = 1; k < borders.length; k++) yield sorted.rows(borders[k - 1], borders[k]);
  sorted.release();
}

/** By column in how many of the rows it has a cell, −1 for its place, and how many columns have any. */
function meetings({ ends, columns }: Entries, features: number) {
  const df = new Uint32Array(features);
  const latest = new Int32Array(features).fill(-1); // the last row a word was met in: it may have several cells there
  let met = 0;
  for (let i = 0, k = 0; i < ends.length; i++) {
    for (; k < ends[i]; k++) {
      const column = columns[k];
      if (latest[column] === i) continue;
      if (latest[column] < 0) met++;
      latest[column] = i;
      df[column]++;
    }
  }
  return { df, places: latest.fill(-1), met };
}

/** How many words some rows have. */
function wordsIn({ ends, values }: Entries, rows: Uint32Array): number {
  let words = 0;
  for (const i of rows) for (let k = i === 0 ? 0 : ends[i - 1]; k < ends[i]; k++) words += values[k];
  return words;
}

/** Takes some of the values behind `at`. */
function gather(to: Float64Array, from: Tally, at: number, places: Uint32Array): void {
  for (let k = 0; k < places.length; k++) to[k] = from[at + places[k]];
}

/** Takes the cells of rows, all of one label, from its counts. */
function takeAway(
  counts: Float64Array,
  { ends, columns, values }: Entries,
  rows: Uint32Array,
  places: Int32Array,
): void {
  for (let r = 0; r < rows.length; r++) {
    const i = rows[r];
    for (let k = i === 0 ? 0 : ends[i - 1]; k < ends[i]; k++) {
      const place = places[columns[k]];
      if (place >= 0) counts[place] -= values[k];
    }
  }
}
