import type { Linear } from '../core/linear.ts';
import { rowScorer } from '../core/linear-fast.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { kernelOptionsOf, stopWordsOf } from './analyze.ts';
import { type Document, type Documents, refuseBytes, requireDocument, requireWhole } from './documents.ts';
import { grown } from './grown.ts';
import { LEAST_DOCUMENTS } from './kernel-choice.ts';
import type { AnalyzerOptions } from './options.ts';
import type { Vocabulary } from './vocabulary.ts';
import { type WasmKernel, wasmKernelOf } from './wasm-kernel.ts';

/** So many different words a document has, more or less. */
const WORDS = 64;

/**
 * Vocabularies never change, so the kernel of one stays as long as it does. Before that: how many documents have asked for it, or
 * that there is none.
 */
const known = new WeakMap<Vocabulary, Ready | number | 'none'>();

/** A kernel that knows the words of a vocabulary, and where in its memory their columns stand. */
interface Ready {
  readonly kernel: WasmKernel;
  readonly columns: number;
  /** How many columns there are. */
  readonly features: number;
}

/**
 * Documents as rows of counts in the columns of a vocabulary, found, counted and sorted in WebAssembly: what the long way gives, three
 * times as fast. Nothing where words are not found byte by byte, or few documents were read so far.
 */
export function fastRows(
  vocabulary: Vocabulary,
  options: AnalyzerOptions & { readonly binary: boolean },
  documents: Documents,
): SparseMatrix | undefined {
  const ready = Array.isArray(documents) ? kernelFor(vocabulary, options, documents.length) : undefined;
  if (!ready || !Array.isArray(documents)) return undefined;
  const rows = new Rows(documents.length, options.binary);
  for (let i = 0; i < documents.length; i++) rows.add(i, cellsOf(ready, documents[i], i));
  return rows.toMatrix(ready.features);
}

/**
 * out[i,c] = start[c] + Σⱼ xⱼ w[j,c] for documents, without a matrix in between; bit for bit what rows of theirs would be given.
 * Answers whether it was done: not before the vocabulary and the weights lie with the kernels.
 */
export function fastScores(
  vocabulary: Vocabulary,
  options: AnalyzerOptions & { readonly binary: boolean },
  linear: Pick<Linear, 'classes' | 'logPrior' | 'weights'>,
  documents: readonly unknown[],
  out: Float64Array,
): boolean {
  const ready = kernelFor(vocabulary, options, documents.length);
  const scorer = ready && rowScorer(linear, documents.length * WORDS, documents.length);
  if (!scorer) return false;
  const { indices, values, score } = scorer;
  for (let i = 0; i < documents.length; i++) {
    const pairs = cellsOf(ready, documents[i], i);
    const size = pairs.length >> 1;
    if (size > indices.length) return false;
    for (let k = 0; k < size; k++) {
      values[k] = options.binary ? 1 : pairs[2 * k];
      indices[k] = pairs[2 * k + 1];
    }
    score(size, out, i * linear.classes);
  }
  return true;
}

/** The kernel of a vocabulary, once so many documents have asked for it that it pays. */
function kernelFor(vocabulary: Vocabulary, options: AnalyzerOptions, documents: number): Ready | undefined {
  const before = known.get(vocabulary) ?? 0;
  if (typeof before === 'object') return before;
  if (before === 'none') return undefined;
  const asked = before + documents;
  const ready = asked < LEAST_DOCUMENTS ? asked : (readyOf(vocabulary, options) ?? 'none');
  known.set(vocabulary, ready);
  return typeof ready === 'object' ? ready : undefined;
}

/** Makes a kernel for a vocabulary; nothing where its terms are more than words. */
function readyOf(vocabulary: Vocabulary, options: AnalyzerOptions): Ready | undefined {
  const kernelOptions = kernelOptionsOf(options);
  const [lowest, highest] = options.ngramRange;
  const plain = lowest === 1 && highest === 1 && !(vocabulary.fixed && stopWordsOf(options).length > 0);
  if (!kernelOptions || !plain) return undefined;
  const kernel = wasmKernelOf(kernelOptions);
  if (!kernel) return undefined;
  const order = commonFirst(vocabulary);
  const { terms } = vocabulary;
  for (let k = 0; k < order.length; k++) if (kernel.idOf(terms[order[k]], true) !== k) return undefined;
  return { kernel, columns: kernel.place(order), features: order.length };
}

/** Columns in the order in which documents would have taught them, more or less: what is common lies together and stays in the cache. */
function commonFirst(vocabulary: Vocabulary): Uint32Array {
  const size = vocabulary.columns.ids.length;
  const df = vocabulary.fixed || vocabulary.counts.left === 'none' ? new Float64Array(size) : vocabulary.df;
  const most = 1023;
  const rank = (j: number) => most - Math.min(most, Math.floor(df[j]));
  const starts = new Uint32Array(most + 2);
  for (let j = 0; j < size; j++) starts[rank(j) + 1]++;
  for (let r = 0; r <= most; r++) starts[r + 1] += starts[r];
  const order = new Uint32Array(size);
  for (let j = 0; j < size; j++) order[starts[rank(j)]++] = j;
  return order;
}

/** Count and column of the words of a document, columns ascending; the view lasts until the next one is read. */
function cellsOf({ kernel, columns, features }: Ready, document: unknown, row: number): Uint32Array {
  readDocument(kernel, requireDocument(document, row), row);
  const { kernels } = kernel;
  const size = kernels.makeSheaf(columns, features);
  return new Uint32Array(kernels.memory.buffer, kernels.sheafCells(), size * 2);
}

function readDocument(kernel: WasmKernel, document: Document, row: number): void {
  if (typeof document !== 'string') {
    kernel.scan(document, document.length, false, (from, to) => refuseBytes(document.subarray(from, to), row, from));
    return;
  }
  // Whatever is no Unicode becomes a sign of three bytes: as many bytes as letters means that it is plain ASCII.
  if (kernel.scanText(document) !== document.length) requireWhole(document, row);
}

/** Rows as they come from the kernel, to be one matrix. */
class Rows {
  private readonly indptr: Uint32Array;
  private readonly binary: boolean;
  private indices: Uint32Array;
  private data: Float64Array;

  constructor(rows: number, binary: boolean) {
    this.indptr = new Uint32Array(rows + 1);
    this.binary = binary;
    this.indices = new Uint32Array(rows * WORDS);
    this.data = new Float64Array(rows * WORDS);
  }

  /** Adds a row, given as pairs of count and column. */
  add(row: number, pairs: Uint32Array): void {
    const { binary } = this;
    let at = this.indptr[row];
    const end = at + (pairs.length >> 1);
    this.indices = grown(this.indices, end);
    this.data = grown(this.data, end);
    const { indices, data } = this;
    for (let k = 0; at < end; k += 2, at++) {
      indices[at] = pairs[k + 1];
      data[at] = binary ? 1 : pairs[k];
    }
    this.indptr[row + 1] = end;
  }

  toMatrix(features: number): SparseMatrix {
    const { indptr, indices, data } = this;
    const size = indptr[indptr.length - 1];
    const whole = size === data.length;
    return new TidyMatrix(
      indptr.length - 1,
      features,
      indptr,
      whole ? indices : indices.slice(0, size),
      whole ? data : data.slice(0, size),
    );
  }
}
