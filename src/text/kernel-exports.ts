/** What kernels/ exports. Numbers are places in its memory unless their name says otherwise. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  take(size: number): number;
  createLexicon(): number;
  size(lexicon: number): number;
  wordStart(lexicon: number, id: number): number;
  wordLength(lexicon: number, id: number): number;
  intern(lexicon: number, at: number, length: number, add: boolean): number;
  /** Ends as u32 and then bytes of the words with some numbers. */
  writeWords(lexicon: number, ids: number, count: number): number;
  /** The numbers of all words by code point, as u32. */
  orderWords(lexicon: number): number;
  /** Words one after another to their numbers, which take the place of their ends. */
  internAll(lexicon: number, bytes: number, ends: number, count: number): void;
  markMet(numbers: number, values: number, count: number, marks: number): void;
  /** A number of words: those in the order that are marked. */
  keepMet(order: number, marks: number, count: number): number;
  /** By number of a word its place in the order, as i32. */
  placesIn(order: number, met: number, count: number): number;
  follow(table: number, numbers: number, count: number): void;
  /** The largest sum. */
  pour(counts: number, places: number, count: number, sums: number, over: number): number;
  /** A sum of counts; less than zero where one is too large. */
  poured(): number;
  lowercase(yes: boolean): void;
  begin(length: number): void;
  scan(lexicon: number, at: number, from: number, length: number, add: boolean): number;
  found(): number;
  foundCount(): number;
  rewind(from: number): void;
  push(id: number, place: number): void;
  ask(text: number, textLength: number, label: number, labelLength: number): void;
  lineText(): number;
  lineTextLength(): number;
  countLines(words: number, labels: number, end: number, stops: number, presence: boolean): number;
  lineStart(): number;
  textPlace(): number;
  goToLine(at: number): void;
  goToText(place: number): void;
  tally(lexicon: number, label: number, stops: number, presence: boolean): void;
  tallyOf(lexicon: number, label: number): number;
  /** A number of documents. */
  tallySize(label: number): number;
  /** By word its documents, as u32. */
  tallyFrequencies(lexicon: number): number;
  tallyAgain(lexicon: number): number;
  keepWords(): void;
  keptWords(): number;
  keptCounts(): number;
  /** A number of entries. */
  keptSize(): number;
  clearKept(): void;
  askRows(columns: number, names: number, text: number): void;
  /** The lexicon of a column. */
  cellsOf(column: number): number;
  noteNumber(column: number, id: number): void;
  noteText(at: number, length: number): void;
  endRow(): void;
  rowsAt(): number;
  /** A number of rows. */
  rowsNoted(): number;
  clearRows(): void;
  /** A number of cells: those of the document that was read last. */
  makeSheaf(columns: number, features: number): number;
  sheafCells(): number;
  /** A number of cells: those of rows of cells in no order. */
  makeSheaves(
    columns: number,
    times: number,
    ends: number,
    rows: number,
    moves: number,
    features: number,
    indices: number,
    data: number,
  ): number;
}
