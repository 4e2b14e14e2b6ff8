import { HASH_WORDS, type NotedRows } from './corpus-rows.ts';
import type { CountedWords, Tally } from './word-counts.ts';

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

/** The cells of all rows of some parts that follow each other. */
export function entriesOf(
  parts: readonly KeptPart[],
  { cells, text }: { readonly cells: number; readonly text: number },
): Entries {
  const stride = HASH_WORDS + cells;
  const ends = new Uint32Array(parts.reduce((sum, { noted }) => sum + noted.rows, 0));
  const size = parts.reduce((sum, { noted }) => sum + noted.words.length, 0);
  const [columns, values] = [new Uint32Array(size), new Uint8Array(size)];
  let [row, filled] = [0, 0];
  for (const { noted, places } of parts) {
    const { records, words, times, rows } = noted;
    for (let i = 0; i < rows; i++) ends[row++] = filled + records[i * stride + HASH_WORDS + text];
    for (let k = 0; k < words.length; k++) columns[filled + k] = places[words[k]];
    values.set(times, filled);
    filled += words.length;
  }
  return { ends, columns, values };
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

const sum = (counts: Tally) => {
  let total = 0;
  for (let k = 0; k < counts.length; k++) total += counts[k];
  return total;
};

/** By word the sum over all labels. */
function sumByWord(counts: Tally, words: number): Tally {
  const sums = counts instanceof Float64Array ? new Float64Array(words) : new Uint32Array(words);
  for (let at = 0; at < counts.length; at += words) {
    for (let j = 0; j < words; j++) sums[j] += counts[at + j];
  }
  return sums;
}

/** Labels and words that are still met. */
function keepMet({ labels, bytes, ends, documents, df, again, counts, largest }: CountedWords): OtherRows {
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
  const totals = Float64Array.from(rows, (_, r) => sum(left.subarray(r * size, (r + 1) * size)));
  const words = {
    ...{ labels: rows.map((c) => labels[c]), documents: documents.filter((n) => n > 0), totals, counts: left, largest },
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
