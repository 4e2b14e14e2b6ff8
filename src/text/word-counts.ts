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

/** Counts: of two bytes each, or of more where one is larger. */
export type Tally = Uint16Array | Uint32Array | Float64Array;

/** Words by class with the words in order; the same whatever the parts were. */
export interface CountedWords {
  /** By code unit, as JSON. */
  readonly labels: readonly string[];
  /** The words by code point, one after another as UTF-8; word k ends before ends[k]. */
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly documents: Tally;
  /** By label: the occurrences of all words. */
  readonly totals: Float64Array;
  readonly df: Tally;
  /** By word over all labels. */
  readonly tf: Tally;
  /** By word: the occurrences that presence has left out. */
  readonly again: Tally;
  /** Label by label, word by word. */
  readonly counts: Tally;
  /** None of these counts is larger. */
  readonly largest: number;
}

/** What a counter has, as places in its memory. */
export interface PlacedCounts extends Pick<WordCounts, 'labels' | 'documents'> {
  readonly words: number;
  readonly df: number;
  readonly again: number;
  /** By label its counts. */
  readonly tables: readonly number[];
}
