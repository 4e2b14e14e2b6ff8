import { analyzers } from '../core/model-options.ts';
import { choice, flag, optional } from '../core/options.ts';
import { type DecodeError, knownEncoding, type TextEncoding, textEncodings } from '../data/encoding.ts';
import { custom, oneOf, rangeOf, type SpecOf, stringsOf } from './option-kinds.ts';
import { compilePattern, DEFAULT_PATTERN } from './pattern.ts';
import type { TextFunction } from './words.ts';

/** A text to its tokens. */
export type TokenFunction = (text: string) => Iterable<string>;

/** What a model file keeps of a function: its name. To analyze text again, construct with the function itself. */
export interface SavedFunction {
  readonly function: string;
}

/** A regular expression as a model file keeps it. */
export interface SavedPattern {
  readonly pattern: string;
  readonly flags: string;
}

/** From a text to its terms: the options that all vectorizers share. */
export interface AnalyzerOptions {
  /** How documents that are bytes are encoded. Strings are text already. */
  readonly encoding: TextEncoding;
  /** What becomes of bytes that are no text in that encoding. */
  readonly decodeError: DecodeError;
  /** What terms are made of: words, or characters, or those of words. */
  readonly analyzer: 'word' | 'char' | 'char_wb' | TokenFunction | SavedFunction;
  /** How words are found: by the pattern, or by the script of each run. */
  readonly tokenizer: 'sklearn' | 'auto' | TokenFunction | SavedFunction;
  /** What a word is, in Python's spelling or as a RegExp. */
  readonly tokenPattern: string | RegExp | SavedPattern;
  /** In the place of normalize, lowercase and stripAccents. */
  readonly preprocessor: TextFunction | SavedFunction | null;
  /** Unicode normal form. */
  readonly normalize: 'NFC' | 'NFKC' | null;
  /** Capital letters become small. */
  readonly lowercase: boolean;
  /** Whether letters lose their accents. */
  readonly stripAccents: 'ascii' | 'unicode' | TextFunction | SavedFunction | null;
  /** Words to leave out. */
  readonly stopWords: 'english' | readonly string[] | null;
  /** From a word to its stem, after stop words are gone. */
  readonly stemmer: TextFunction | SavedFunction | null;
  /** Least and largest n. */
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

/** From a text to its terms, once for every vectorizer. */
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
