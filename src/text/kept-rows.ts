import { TidyMatrix } from '../data/tidy.ts';
import { HASH_WORDS, type NotedRows } from './corpus-rows.ts';
import { type CountedWords, sumByWord, type Tally } from './word-counts.ts';

/** Rows that one counter has noted, with the columns of its words; −1 for a word without one. */
export interface KeptPart {
  readonly noted: NotedRows;
  readonly places: Int32Array;
}

/** Cells in the order of their rows, by column in no order; a column may have several cells in one row. */
export interface Entries {
  readonly ends: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Uint8Array;
}

/** The cells of the rows with these numbers, ascending, of parts that follow each other. */
export function chosenEntries(
  parts: readonly KeptPart[],
  { cells, text }: { readonly cells: number; readonly text: number },
  rows: readonly number[],
): Entries {
  const stride = HASH_WORDS + cells;
  const ends = new Uint32Array(rows.length);
  let size = 0;
  eachRow(parts, rows, ({ noted: { records } }, i, row) => {
    const at = i * stride + HASH_WORDS + text;
    ends[row] = size += records[at] - (i === 0 ? 0 : records[at - stride]);
  });
  const [columns, values] = [new Uint32Array(size), new Uint8Array(size)];
  eachRow(parts, rows, ({ noted: { records, words, times }, places }, i, row) => {
    const to = records[i * stride + HASH_WORDS + text];
    for (let k = to, at = ends[row]; at > (row === 0 ? 0 : ends[row - 1]); ) {
      columns[--at] = places[words[--k]];
      values[at] = times[k];
    }
  });
  return { ends, columns, values };
}

/** Visits rows: the part of each, its number there, and its place among the chosen ones. */
function eachRow(
  parts: readonly KeptPart[],
  rows: readonly number[],
  visit: (part: KeptPart, i: number, row: number) => void,
): void {
  let [first, next] = [0, 0];
  for (const part of parts) {
    const end = first + part.noted.rows;
    for (; next < rows.length && rows[next] < end; next++) visit(part, rows[next] - first, next);
    first = end;
  }
}

/**
 * Rows as counts in other columns, some of which may be gone (−1). The cells of every row are sorted by column: all cells by column
 * first, and then back to their rows, without comparing any.
 */
export function sortedRows({ ends, columns, values }: Entries, moves: Int32Array, features: number): TidyMatrix {
  const starts = new Uint32Array(features + 1);
  for (let k = 0; k < columns.length; k++) if (moves[columns[k]] >= 0) starts[moves[columns[k]] + 1]++;
  for (let j = 0; j < features; j++) starts[j + 1] += starts[j];
  const next = starts.slice(0, features);
  const [owner, value] = [new Uint32Array(starts[features]), new Uint8Array(starts[features])];
  for (let i = 0, k = 0; i < ends.length; i++) {
    for (; k < ends[i]; k++) {
      const column = moves[columns[k]];
      if (column < 0) continue;
      const at = next[column]++;
      owner[at] = i;
      value[at] = values[k];
    }
  }
  return fillRows(rowStarts(ends.length, starts, owner), starts, owner, value);
}

/** Where the cells of each row begin, when those of one row and column are one. */
function rowStarts(rows: number, starts: Uint32Array, owner: Uint32Array): Uint32Array {
  const indptr = new Uint32Array(rows + 1);
  for (let j = 0; j < starts.length - 1; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) {
      if (at === starts[j] || owner[at - 1] !== owner[at]) indptr[owner[at] + 1]++;
    }
  }
  for (let i = 0; i < rows; i++) indptr[i + 1] += indptr[i];
  return indptr;
}

function fillRows(indptr: Uint32Array, starts: Uint32Array, owner: Uint32Array, value: Uint8Array): TidyMatrix {
  const rows = indptr.length - 1;
  const features = starts.length - 1;
  const next = indptr.slice(0, rows);
  const indices = new Uint32Array(indptr[rows]);
  const data = new Float64Array(indptr[rows]);
  for (let j = 0; j < features; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) {
      const i = owner[at];
      const again = at > starts[j] && owner[at - 1] === i;
      const k = again ? next[i] - 1 : next[i]++;
      indices[k] = j;
      data[k] += value[at];
    }
  }
  return new TidyMatrix(rows, features, indptr, indices, data);
}

/** Words without those of some rows, and where each column went; −1 for a word that is in no other row. */
export interface OtherRows {
  readonly words: CountedWords;
  readonly moves: Int32Array;
}

/** What remains of counted words when rows are taken away: their cells, and the place of the label of each. */
export function withoutRows(all: CountedWords, rows: Entries, labels: Int32Array, presence: boolean): OtherRows {
  const documents = all.documents.slice();
  const [df, again, counts] = [all.df.slice(), all.again.slice(), all.counts.slice()];
  const latest = new Int32Array(df.length).fill(-1); // the last row a word was met in: it may have several cells there
  for (let i = 0, k = 0; i < labels.length; i++) {
    documents[labels[i]]--;
    const row = labels[i] * df.length;
    for (; k < rows.ends[i]; k++) {
      const j = rows.columns[k];
      const first = latest[j] !== i ? 1 : 0;
      latest[j] = i;
      df[j] -= first;
      counts[row + j] -= presence ? first : rows.values[k];
      if (presence) again[j] -= rows.values[k] - first;
    }
  }
  return keepMet({ ...all, documents, df, again, counts });
}

/** Labels and words that are still met. */
function keepMet({ labels, bytes, ends, documents, df, again, counts }: CountedWords): OtherRows {
  const moves = new Int32Array(df.length).fill(-1);
  const kept = new Uint32Array(df.length);
  let size = 0;
  for (let j = 0; j < df.length; j++) {
    if (df[j] === 0) continue;
    moves[j] = size;
    kept[size++] = j;
  }
  const columns = kept.subarray(0, size);
  const rows = [...labels.keys()].filter((c) => documents[c] > 0);
  const left = counts.slice(0, rows.length * size);
  for (let r = 0; r < rows.length; r++) take(left, r * size, counts, rows[r] * df.length, columns);
  const taken = (values: Tally) => take(values.slice(0, size), 0, values, 0, columns);
  const words = {
    ...{ labels: rows.map((c) => labels[c]), documents: documents.filter((n) => n > 0), counts: left },
    ...{ df: taken(df), again: taken(again), tf: sumByWord(left, size), ...takeWords(bytes, ends, columns) },
  };
  return { words, moves };
}

/** Puts some of the values behind `at` one after another behind `start`. */
function take(to: Tally, start: number, from: Tally, at: number, places: Uint32Array): Tally {
  for (let k = 0; k < places.length; k++) to[start + k] = from[at + places[k]];
  return to;
}

/** The words with these places, one after another. */
function takeWords(bytes: Uint8Array, ends: Uint32Array, kept: Uint32Array): Pick<CountedWords, 'bytes' | 'ends'> {
  const taken = new Uint8Array(bytes.length);
  let filled = 0;
  const own = kept.map((j) => {
    for (let k = j === 0 ? 0 : ends[j - 1]; k < ends[j]; k++) taken[filled++] = bytes[k];
    return filled;
  });
  return { bytes: taken.slice(0, filled), ends: own };
}
