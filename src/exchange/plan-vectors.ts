/** A vector of numbers, made of inputs or of a vector before it (`from` is its place among the vectors of the plan). */
export type PlanVector =
  | InputVector
  | TermVector
  | WeighVector
  | RootShareVector
  | PickVector
  | BinVector
  | EqualVector
  | ScaleVector
  | HotVector
  | AboveVector
  | LimitVector
  | JoinVector;

interface Sized {
  /** How many numbers the vector has. */
  readonly width: number;
}

/** The numbers of some inputs, one after the other. */
export interface InputVector extends Sized {
  readonly op: 'inputs';
  readonly inputs: readonly number[];
}

/** How often each term occurs in a text, or with `binary` whether it does (1 or 0, without a sign). */
export interface TermVector extends Sized {
  readonly op: 'terms';
  readonly input: number;
  readonly analysis: PlanAnalysis;
  /** By a vocabulary: term j is counted at j, others are passed over. Null: by a hash. */
  readonly terms: readonly string[] | null;
  /** By a hash h, the signed MurmurHash3 (x86, 32 bits, seed 0) of the UTF-8 bytes: at |h| mod width. */
  readonly signed: boolean; // counts up or down by the sign of h
  readonly binary: boolean;
}

/** From a text to its terms: normal form → small letters → accents → words → stop words → n-grams. */
export interface PlanAnalysis {
  /** Terms of words, of characters, or of the characters of each word between two blanks. */
  readonly unit: 'word' | 'char' | 'char_wb';
  readonly normalize: 'NFC' | 'NFKC' | null;
  readonly lowercase: boolean;
  /** Compatibility decomposition, then all but ASCII is dropped, or all marks of non-zero combining class. */
  readonly stripAccents: 'ascii' | 'unicode' | null;
  /**
   * What a word is: a run of two or more letters, numbers and underscores (the pattern [\p{L}\p{N}_]{2,}); a segment by the script
   * of its run (Intl.Segmenter where words have no spaces between them); or a match of a JavaScript pattern, its group where it
   * has one.
   */
  readonly words:
    | { readonly kind: 'runs' }
    | { readonly kind: 'segments' }
    | { readonly kind: 'pattern'; readonly source: string; readonly flags: string };
  readonly stopWords: readonly string[];
  /** Least and largest number of words, joined by one space, or of characters (code points). */
  readonly ngrams: readonly [lowest: number, highest: number];
}

/** v[j] = curve(x[j]) · idf[j] where x[j] ≠ 0, then divided by the norm of the vector where that is not 0. */
export interface WeighVector extends Sized {
  readonly op: 'weigh';
  readonly from: number;
  /** x, 1, √x, ln(1 + x) or 1 + ln x. */
  readonly tf: 'raw' | 'binary' | 'sqrt' | 'log1p' | 'sublinear';
  readonly idf: Float64Array | null;
  /** Σ |v|, √Σ v², or nothing. */
  readonly norm: 'l1' | 'l2' | null;
}

/** v[j] = √(x[j] / Σ x): square roots of counts in rows of length 1. */
export interface RootShareVector extends Sized {
  readonly op: 'root-share';
  readonly from: number;
}

/** v[k] = x[columns[k]]. */
export interface PickVector extends Sized {
  readonly op: 'pick';
  readonly from: number;
  readonly columns: Uint32Array;
}

/** v[j] = how many cuts[j] are ≤ x[j]; what is missing stays so, or is the bin behind the last. Null: v[j] = x[j]. */
export interface BinVector extends Sized {
  readonly op: 'bin';
  readonly from: number;
  readonly cuts: readonly (Float64Array | null)[];
  readonly missing: 'missing' | 'last';
}

/** v[j] = 1 where x[j] = values[j], else 0; what is missing stays so. NaN in values: v[j] = x[j]. */
export interface EqualVector extends Sized {
  readonly op: 'equal';
  readonly from: number;
  readonly values: Float64Array;
}

/** v[j] = (x[j] − mean[j]) / scale[j]; what is missing is fill[j], which may be NaN. */
export interface ScaleVector extends Sized {
  readonly op: 'scale';
  readonly from: number;
  readonly mean: Float64Array;
  readonly scale: Float64Array;
  readonly fill: Float64Array;
}

/** For each x[j] as many numbers as widths[j] says: 1 at the place x[j], 0 elsewhere; all 0 where x[j] is no such place. */
export interface HotVector extends Sized {
  readonly op: 'onehot';
  readonly from: number;
  readonly widths: Int32Array;
}

/** v[j] = 1 where x[j] > threshold, else 0; what is missing stays so. */
export interface AboveVector extends Sized {
  readonly op: 'above';
  readonly from: number;
  readonly threshold: number;
}

/**
 * Numbers of levels below levels[j]: a greater one is on no list and becomes levels[j] (the last face), missing, or a refusal.
 * Whatever is no whole number from 0 is refused, and so is what is missing unless it may be.
 */
export interface LimitVector extends Sized {
  readonly op: 'limit';
  readonly from: number;
  readonly levels: Int32Array;
  readonly unknown: 'last' | 'missing' | 'refuse';
  readonly missing: 'missing' | 'refuse';
}

/** Vectors one after the other. */
export interface JoinVector extends Sized {
  readonly op: 'join';
  readonly from: readonly number[];
}
