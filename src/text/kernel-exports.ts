import { kernelMaker } from '../math/kernel-maker.ts';
import { kernelBytes } from './kernel-bytes.ts';

/** The exports of kernels/index.ts. Numbers are addresses in its memory unless their name says otherwise. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  take(size: number): number;
  give(at: number, size: number): void;
  setLowercase(yes: boolean): void;
  setAnalyzer(kind: number, lowest: number, highest: number): void;
  setStops(): void;
  newPage(page: number): number;
  fold(at: number, length: number, keepCase: boolean): number;
  stuckAt(): number;
  /** Whether the folded document is all ASCII. */
  isAscii(): number;
  findTerms(add: boolean): void;
  joinWords(add: boolean): void;
  reserveWords(size: number): number;
  setWords(size: number): void;
  termsKnown(): number;
  lexicon(): number;
  child(parent: number, word: number, add: boolean): number;
  intern(lexicon: number, at: number, length: number, add: boolean): number;
  makeBag(): number;
  bagIds(): number;
  bagCounts(): number;
  bagUnknown(): number;
  createOrder(ids: number, count: number): number;
  dropOrder(order: number): void;
  textOrder(): number;
  /** The number of the document that the host must handle; `count` if there is none. */
  readBags(
    at: number,
    ends: number,
    rows: number,
    first: number,
    count: number,
    add: boolean,
    foreign: boolean,
    order: number,
  ): number;
  bagsStatus(): number;
  /** The end of the entries of the document, a number. */
  keepBag(order: number): number;
  clearBags(): void;
  bagsIds(): number;
  bagsCounts(): number;
  bagsUnknown(): number;
  bagsTotal(): number;
  /** The index of the first bag that was left out; `to` if there is none. */
  findUnasked(places: number, ends: number, from: number, to: number, most: number): number;
  unaskedTerms(): number;
  unaskedCount(): number;
  scoreBags(
    places: number,
    rows: number,
    classes: number,
    presence: boolean,
    start: number,
    ends: number,
    from: number,
    to: number,
    out: number,
  ): void;
  createColumn(): number;
  dropColumn(column: number): void;
  reserveColumn(column: number, size: number): void;
  carry(column: number, id: number, more: number): void;
  /** The multiples of 256 in a count. */
  carryOf(column: number, id: number): number;
  /** The number of counts above 255. */
  listCarries(column: number, out: number): number;
  /** The number of counts that were zero before. */
  mergeColumn(column: number, low: number, lows: number, carries: number, highs: number, ids: number): number;
  gatherColumn(column: number, ids: number, size: number, out: number, width: number): void;
  beginCounting(): void;
  /** Counts the document that was read. */
  countDocument(df: number, tf: number, own: number, weight: number, presence: boolean): void;
  /** The number of the document that the host must handle; `count` if there is none. */
  countDocuments(
    at: number,
    ends: number,
    weights: number,
    owns: number,
    lengths: number,
    first: number,
    count: number,
    df: number,
    tf: number,
    presence: boolean,
    add: boolean,
    foreign: boolean,
  ): number;
  countStatus(): number;
  countedLength(): number;
  freshTerms(): number;
  unknownTerms(): number;
  orderTerms(): number;
  writeTerms(ids: number, count: number): number;
  termEnds(): number;
  giveTerms(bytes: number): void;
  internTerms(bytes: number, ends: number, count: number): void;
}

/** Instantiates the kernels with their own memory; undefined if WebAssembly is missing, forbidden or out of memory. */
export const newKernels: () => KernelExports | undefined = kernelMaker<KernelExports>(kernelBytes);
