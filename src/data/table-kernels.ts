import { kernelMaker } from '../math/kernel-maker.ts';
import { tableBytes } from './table-bytes.ts';

/** The exports of kernels/tables.ts. Numbers are addresses in its memory unless their name says otherwise. */
export interface TableKernels {
  readonly memory: WebAssembly.Memory;
  take(size: number): number;
  give(at: number, size: number): void;

  reserveInput(more: number): number;
  scanInput(more: number, delimiter: number): number;
  dropInput(length: number): void;
  waiting(): number;
  waitingAt(): number;
  countLines(at: number, length: number): number;

  reserveText(length: number): number;
  checkText(): number;
  text(): number;
  splitCells(delimiter: number, width: number, longest: number): number;
  splitLines(longest: number): number;
  splitLabelled(prefix: number, prefixSize: number, longest: number): number;
  splitJson(longest: number): number;
  rowCount(): number;
  rowsLeft(): number;
  blockRows(): number;
  blockCells(): number;
  findLines(): void;

  openKeys(most: number): number;
  jsonCells(): number;
  findKeys(out: number): void;
  pickCells(key: number, out: number): void;

  parseNumbers(cells: number, step: number, rows: number, places: number, columns: number, out: number): number;
  findOdd(numbers: number, count: number, out: number): void;
  internCells(lexicon: number, spans: number, step: number, count: number, longest: number, out: number): number;
  trimCells(spans: number, step: number, count: number, out: number): void;
  hashCells(spans: number, step: number, count: number, hashes: number, left: number): number;

  createLexicon(): number;
  dropLexicon(lexicon: number): void;
  intern(lexicon: number, at: number, length: number, add: boolean): number;
  size(lexicon: number): number;
  /** A number of bytes. */
  wordBytes(lexicon: number, first: number): number;
  writeWords(lexicon: number, first: number, out: number, ends: number): void;
}

/** Instantiates the kernels with their own memory; undefined if WebAssembly is missing, forbidden or out of memory. */
export const newTableKernels: () => TableKernels | undefined = kernelMaker<TableKernels>(tableBytes);
