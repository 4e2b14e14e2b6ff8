import { WasmKernel } from './wasm-kernel.ts';

/** Words by class, as one counter has them. Plain arrays: they cross threads by transfer. */
export interface WordCounts {
  /** The labels, in order of arrival, as JSON. */
  readonly labels: readonly string[];
  /** The words, in order of arrival, one after another as UTF-8; word k ends before ends[k]. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  /** By label: its documents. */
  readonly documents: Float64Array<ArrayBuffer>;
  /** By word: the documents it occurs in; 0 for a word that is left out. */
  readonly df: Float64Array<ArrayBuffer>;
  /** Label by label, word by word: occurrences, or documents where presence counts. */
  readonly counts: Float64Array<ArrayBuffer>;
}

/** Words by class with the words in order; the same whatever the parts were. */
export interface CountedWords {
  /** By code unit, as JSON. */
  readonly labels: readonly string[];
  /** The words by code point, one after another as UTF-8; word k ends before ends[k]. */
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly documents: Float64Array;
  readonly df: Float64Array;
  /** By word over all labels. */
  readonly tf: Float64Array;
  /** Label by label, word by word. */
  readonly counts: Float64Array;
}

/** The sum of what several counters have, for labels and words in order. */
export function addWordCounts(parts: readonly WordCounts[]): CountedWords {
  const labels = [...new Set(parts.flatMap((part) => part.labels))].sort();
  const kernel = new WasmKernel({ lowercase: false, wholeDocuments: true, foreign: () => [] });
  const placed = parts.map((part) => ({
    part,
    ids: internAll(kernel, part),
    rows: part.labels.map((l) => labels.indexOf(l)),
  }));
  const size = kernel.size;
  const df = new Float64Array(size);
  const documents = new Float64Array(labels.length);
  for (const { part, ids, rows } of placed) {
    for (let k = 0; k < ids.length; k++) df[ids[k]] += part.df[k];
    rows.forEach((row, c) => {
      documents[row] += part.documents[c];
    });
  }
  const order = sortedIds(kernel).filter((id) => df[id] > 0);
  const columns = new Int32Array(size).fill(-1);
  order.forEach((id, j) => {
    columns[id] = j;
  });
  const counts = addCounts(placed, columns, labels.length, order.length);
  const tf = new Float64Array(order.length);
  for (let at = 0; at < counts.length; at += order.length) {
    for (let j = 0; j < order.length; j++) tf[j] += counts[at + j];
  }
  return { labels, ...wordsOf(kernel, order), documents, df: Float64Array.from(order, (id) => df[id]), tf, counts };
}

interface Placed {
  readonly part: WordCounts;
  /** The number of each word in the common list. */
  readonly ids: Int32Array;
  /** The row of each label. */
  readonly rows: readonly number[];
}

function addCounts(placed: readonly Placed[], columns: Int32Array, labels: number, features: number): Float64Array {
  const counts = new Float64Array(labels * features);
  for (const { part, ids, rows } of placed) {
    rows.forEach((row, c) => {
      for (let k = 0; k < ids.length; k++) {
        const column = columns[ids[k]];
        if (column >= 0) counts[row * features + column] += part.counts[c * ids.length + k];
      }
    });
  }
  return counts;
}

function internAll({ kernels, lexicon }: WasmKernel, { bytes, ends }: WordCounts): Int32Array {
  const at = kernels.take(bytes.length);
  new Uint8Array(kernels.memory.buffer).set(bytes, at);
  const ids = new Int32Array(ends.length);
  for (let k = 0, start = 0; k < ends.length; start = ends[k++]) {
    ids[k] = kernels.intern(lexicon, at + start, ends[k] - start, true);
  }
  return ids;
}

function sortedIds({ kernels, lexicon }: WasmKernel): Uint32Array {
  const at = kernels.sortWords(lexicon);
  return new Uint32Array(kernels.memory.buffer, at, kernels.size(lexicon)).slice();
}

/** The words with these numbers, one after another. */
function wordsOf(kernel: WasmKernel, ids: Uint32Array): Pick<CountedWords, 'bytes' | 'ends'> {
  const { kernels, lexicon } = kernel;
  const memory = kernel.memory();
  const ends = new Uint32Array(ids.length);
  for (let j = 0, end = 0; j < ids.length; j++) ends[j] = end += kernels.wordLength(lexicon, ids[j]);
  const bytes = new Uint8Array(ends.at(-1) ?? 0);
  for (let j = 0, at = 0; j < ids.length; at = ends[j++]) {
    const start = kernels.wordStart(lexicon, ids[j]);
    bytes.set(memory.subarray(start, start + ends[j] - at), at);
  }
  return { bytes, ends };
}
