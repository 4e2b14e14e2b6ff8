import { analyzers } from '../core/model-options.ts';
import { choice, flag, optional } from '../core/options.ts';
import { type DecodeError, knownEncoding, type TextEncoding, textEncodings } from '../data/encoding.ts';
import { custom, oneOf, rangeOf, type SpecOf, stringsOf } from './option-kinds.ts';
import { compilePattern, DEFAULT_PATTERN } from './pattern.ts';
import type { TextFunction } from './words.ts';

/** Splits a text into tokens. */
export type TokenFunction = (text: string) => Iterable<string>;

/**
 * What a model file stores for a function: its name. To analyze text again, construct the estimator with the function
 * itself.
 */
export interface SavedFunction {
  readonly function: string;
}

/** A regular expression as stored in a model file. */
export interface SavedPattern {
  readonly pattern: string;
  readonly flags: string;
}

/** The analyzer options that all vectorizers share. */
export interface AnalyzerOptions {
  /** The encoding of documents given as bytes. Strings are already text. Default: 'utf-8'. */
  readonly encoding: TextEncoding;
  /** What to do with bytes that are invalid in that encoding. Default: 'strict', which throws. */
  readonly decodeError: DecodeError;
  /** The units of terms: words, characters, or characters within words. Default: 'word'. */
  readonly analyzer: 'word' | 'char' | 'char_wb' | TokenFunction | SavedFunction;
  /**
   * How words are found: 'sklearn' by `tokenPattern`, 'auto' by the script of each run, or a function. Default:
   * 'sklearn'.
   */
  readonly tokenizer: 'sklearn' | 'auto' | TokenFunction | SavedFunction;
  /** The pattern of a word, in Python's syntax or as a RegExp. Default: two or more word characters. */
  readonly tokenPattern: string | RegExp | SavedPattern;
  /** Replaces normalize, lowercase and stripAccents. Default: null. */
  readonly preprocessor: TextFunction | SavedFunction | null;
  /** Unicode normal form. Default: null, no normalization. */
  readonly normalize: 'NFC' | 'NFKC' | null;
  /** Whether text is lower-cased. Default: true. */
  readonly lowercase: boolean;
  /** Whether accents are removed from letters. Default: null, no. */
  readonly stripAccents: 'ascii' | 'unicode' | TextFunction | SavedFunction | null;
  /** Words to leave out. Default: null, none. */
  readonly stopWords: 'english' | readonly string[] | null;
  /** Maps a word to its stem, after stop words are removed. Default: null. */
  readonly stemmer: TextFunction | SavedFunction | null;
  /** Smallest and largest n. Default: [1, 1]. */
  readonly ngramRange: readonly [lowest: number, highest: number];
}

function patternOf(value: unknown): unknown {
  if (typeof value !== 'string' && !(value instanceof RegExp)) {
    const { pattern, flags } = Object(value) as SavedPattern;
    try {
      return typeof pattern === 'string' ? patternOf(new RegExp(pattern, flags)) : undefined;
    } catch {
      return undefined;
    }
  }
  if (value !== DEFAULT_PATTERN) compilePattern(value);
  return value;
}

/** The analyzer options, declared once for every vectorizer. */
export const analyzerSpec: SpecOf<AnalyzerOptions> = {
  encoding: custom('utf-8', `one of ${textEncodings.join(', ')}`, knownEncoding),
  decodeError: choice(['strict', 'ignore', 'replace'], { default: 'strict' }),
  analyzer: oneOf(analyzers),
  tokenizer: oneOf(['sklearn', 'auto']),
  tokenPattern: custom(DEFAULT_PATTERN, 'a pattern as in Python, or a RegExp', patternOf),
  preprocessor: oneOf([null]),
  normalize: oneOf([null, 'NFC', 'NFKC'], false),
  lowercase: flag({ default: true }),
  stripAccents: oneOf([null, 'ascii', 'unicode']),
  stopWords: optional(
    custom('english', "'english', or a list of words", (value) => (value === 'english' ? value : stringsOf(value))),
  ),
  stemmer: oneOf([null]),
  ngramRange: custom(Object.freeze([1, 1] as const), 'two whole numbers, 1 ≤ n ≤ m', rangeOf),
};
