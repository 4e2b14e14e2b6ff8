import type { SparseMatrix } from '../data/sparse.ts';
import { TidyMatrix } from '../data/tidy.ts';
import { kernelOptionsOf, stopWordsOf } from './analyze.ts';
import { type Document, type Documents, refuseBytes, requireDocument, requireWhole } from './documents.ts';
import { isMany } from './kernel-choice.ts';
import type { AnalyzerOptions } from './options.ts';
import type { Vocabulary } from './vocabulary.ts';
import { type WasmKernel, wasmKernelOf } from './wasm-kernel.ts';

/** So many cells are taken over at once. */
const CELLS_AT_ONCE = 1 << 16;

/** Vocabularies never change, so the kernel of one stays as long as it does. */
const known = new WeakMap<Vocabulary, Ready>();

/** A kernel that knows the words of a vocabulary, and where in its memory their columns stand. */
interface Ready {
  readonly kernel: WasmKernel;
  readonly columns: number;
}

/**
 * Documents as rows of counts in the columns of a vocabulary, found, counted and sorted in WebAssembly: what the long way gives, three
 * times as fast. Nothing where words are not found byte by byte, or there are few documents.
 */
export function fastRows(
  vocabulary: Vocabulary,
  options: AnalyzerOptions & { readonly binary: boolean },
  documents: Documents,
): SparseMatrix | undefined {
  if (!isMany(documents)) return undefined;
  const ready = known.get(vocabulary) ?? readyOf(vocabulary, options);
  if (!ready) return undefined;
  known.set(vocabulary, ready);
  const { kernel, columns } = ready;
  const { kernels, lexicon } = kernel;
  const rows = new Rows(documents.length, options.binary);
  kernels.clearBags();
  for (let i = 0; i < documents.length; i++) {
    readDocument(kernel, requireDocument(documents[i], i), i);
    const size = kernels.addBag(lexicon, columns);
    rows.end(i, size);
    if (size >= CELLS_AT_ONCE || i === documents.length - 1) {
      rows.take(new Uint32Array(kernels.memory.buffer, kernels.bagCells(), size * 2));
      kernels.clearBags();
    }
  }
  return rows.toMatrix(vocabulary.columns.ids.length);
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
  return { kernel, columns: kernel.place(order) };
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

function readDocument(kernel: WasmKernel, document: Document, row: number): void {
  if (typeof document !== 'string') {
    kernel.scan(document, document.length, false, (from, to) => refuseBytes(document.subarray(from, to), row, from));
    return;
  }
  // Whatever is no Unicode becomes a sign of three bytes: as many bytes as letters means that it is plain ASCII.
  if (kernel.scanText(document) !== document.length) requireWhole(document, row);
}

/** Rows as they come from the kernel: parts first, and one matrix when their size is known. */
class Rows {
  private readonly indptr: Uint32Array;
  private readonly binary: boolean;
  private readonly parts: Uint32Array[] = [];
  private size = 0;

  constructor(rows: number, binary: boolean) {
    this.indptr = new Uint32Array(rows + 1);
    this.binary = binary;
  }

  /** Notes where a row ends among the cells that are not yet taken over. */
  end(row: number, cells: number): void {
    this.indptr[row + 1] = this.size + cells;
  }

  /** Takes over pairs of count and column. */
  take(pairs: Uint32Array): void {
    this.parts.push(pairs.slice());
    this.size += pairs.length >> 1;
  }

  toMatrix(features: number): SparseMatrix {
    const { indptr, parts, size, binary } = this;
    const [indices, data] = [new Uint32Array(size), new Float64Array(size)];
    let at = 0;
    for (const pairs of parts) {
      for (let k = 0; k < pairs.length; k += 2) {
        indices[at] = pairs[k + 1];
        data[at++] = binary ? 1 : pairs[k];
      }
    }
    return new TidyMatrix(indptr.length - 1, features, indptr, indices, data);
  }
}
