import { refuse } from '../errors.ts';
import { WasmKernel } from './wasm-kernel.ts';

/** Words by class, as one counter has them. Plain arrays: they cross threads by transfer. */
export interface WordCounts {
  /** The labels, in order of arrival, as JSON. */
  readonly labels: readonly string[];
  /** The words, in order of arrival, one after another as UTF-8; word k ends before ends[k]. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** By label: its documents. */
  readonly documents: Uint32Array<ArrayBuffer>;
  /** By word: the documents it occurs in; 0 for a word that is left out. */
  readonly df: Uint32Array<ArrayBuffer>;
  /** By word: the occurrences after the first of a document that presence has left out. */
  readonly again: Uint32Array<ArrayBuffer>;
  /** Label by label, word by word: occurrences, or documents where presence counts. */
  readonly counts: Uint32Array<ArrayBuffer>;
  /** By column the different cells that were noted, as JSON. */
  readonly cells: readonly (readonly string[])[];
}

/** Counts: of four bytes each, unless there are more than four thousand million of them. */
export type Tally = Uint32Array | Float64Array;

/** Words by class with the words in order; the same whatever the parts were. */
export interface CountedWords {
  /** By code unit, as JSON. */
  readonly labels: readonly string[];
  /** The words by code point, one after another as UTF-8; word k ends before ends[k]. */
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly documents: Tally;
  readonly df: Tally;
  /** By word over all labels. */
  readonly tf: Tally;
  /** By word: the occurrences that presence has left out. */
  readonly again: Tally;
  /** Label by label, word by word. */
  readonly counts: Tally;
}

/** The sum of several counters, and by counter the place of each of its words in the sum; −1 for a word that is left out. */
export interface MergedWords {
  readonly words: CountedWords;
  readonly places: readonly Int32Array[];
}

/** The sum of what several counters have, for labels and words in order. */
export const addWordCounts = (parts: readonly WordCounts[]): CountedWords => mergeWordCounts(parts).words;

/** The same, with the places of the words of each counter. */
export function mergeWordCounts(parts: readonly WordCounts[]): MergedWords {
  const named = parts.map((part) => part.labels.map(asWritten));
  const labels = [...new Set(named.flat())].sort();
  const kernel = new WasmKernel({ lowercase: false, wholeDocuments: true, foreign: () => [] });
  const numbers = parts.map((part) => internAll(kernel, part));
  const { columns, ...written } = sortedColumns(kernel, parts, numbers);
  const places = numbers.map((ids) => Int32Array.from(ids).map((id) => columns[id]));
  const tally = tallyFor(parts);
  const features = written.ends.length;
  const gather = (name: 'df' | 'again') => {
    const sums = tally(features);
    parts.forEach((part, p) => {
      addAt(sums, 0, part[name], 0, places[p]);
    });
    return sums;
  };
  const [documents, counts] = [tally(labels.length), tally(labels.length * features)];
  parts.forEach((part, p) => {
    for (let c = 0; c < part.labels.length; c++) {
      const row = labels.indexOf(named[p][c]);
      documents[row] += part.documents[c];
      addAt(counts, row * features, part.counts, c * part.ends.length, places[p]);
    }
  });
  const sums = { documents, counts, df: gather('df'), again: gather('again'), tf: sumByWord(counts, features) };
  return { words: { labels, ...written, ...sums }, places };
}

/** Adds counts, each at its place behind `to`; zeros, which most are, without looking for it. */
function addAt(sums: Tally, to: number, from: Uint32Array, at: number, places: Int32Array): void {
  for (let k = 0; k < places.length; k++) {
    const count = from[at + k];
    if (count !== 0 && places[k] >= 0) sums[to + places[k]] += count;
  }
}

/** Makes arrays that can hold the sums of these parts. */
function tallyFor(parts: readonly WordCounts[]): (length: number) => Tally {
  let most = 0;
  for (const { counts, again } of parts) {
    for (const array of [counts, again]) for (let k = 0; k < array.length; k++) most += array[k];
  }
  return (length) => (most < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length));
}

/** A label in the one way in which JSON writes it here. */
function asWritten(label: string): string {
  try {
    return JSON.stringify(JSON.parse(label));
  } catch (cause) {
    return refuse('E_FORMAT', 'a label is no value of JSON', {}, cause);
  }
}

/** By word the sum over all labels. */
export function sumByWord(counts: Tally, words: number): Tally {
  const sums = counts.slice(0, words);
  for (let at = words; at < counts.length; at += words) {
    for (let j = 0; j < words; j++) sums[j] += counts[at + j];
  }
  return sums;
}

/** The numbers of the words of a counter in the common list. */
function internAll(kernel: WasmKernel, { bytes, ends }: WordCounts): Uint32Array {
  const { kernels, lexicon } = kernel;
  const [from, at] = [kernel.place(bytes), kernel.place(ends)];
  kernels.internAll(lexicon, from, at, ends.length);
  return new Uint32Array(kernels.memory.buffer, at, ends.length).slice();
}

/** The words in order, and by number the column; −1 for words that occur in no document. */
function sortedColumns(kernel: WasmKernel, parts: readonly WordCounts[], numbers: readonly Uint32Array[]) {
  const { kernels, lexicon } = kernel;
  const met = new Uint8Array(kernel.size);
  parts.forEach(({ df }, p) => {
    for (let k = 0; k < df.length; k++) if (df[k] > 0) met[numbers[p][k]] = 1;
  });
  const sorted = kernels.sortWords(lexicon);
  const all = new Uint32Array(kernels.memory.buffer, sorted, kernel.size);
  const order = all.filter((id) => met[id] === 1);
  const columns = new Int32Array(kernel.size).fill(-1);
  for (let j = 0; j < order.length; j++) columns[order[j]] = j;
  return { columns, ...kernel.written(kernel.place(order), order.length) };
}
