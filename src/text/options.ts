import { flag, integer, type Option, optional } from '../core/options.ts';
import { compareCodePoints } from '../data/order.ts';
import { compilePattern, DEFAULT_PATTERN } from './pattern.ts';
import type { DocumentLimit } from './prune.ts';
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

/** Which terms get a column, and what is counted in it. */
export interface VocabularyOptions {
  /** Terms in fewer documents are dropped: below 1 a share of all, otherwise a number. */
  readonly minDf: number | DocumentLimit;
  /** Terms in more documents are dropped: up to 1 a share of all, otherwise a number. */
  readonly maxDf: number | DocumentLimit;
  /** Only so many terms, the most frequent. */
  readonly maxFeatures: number | null;
  /** The terms, where they are known. */
  readonly vocabulary: readonly string[] | null;
  /** Set of words rather than bag of words: present is 1, however often. */
  readonly binary: boolean;
}

/** A specification with one option for each value. */
export type SpecOf<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> };

function custom<T>(byDefault: T, expects: string, accept: (value: unknown) => unknown): Option<T> {
  return { kind: 'custom', default: byDefault, expects, accept: accept as (value: unknown) => T | undefined };
}

/** One of a few words, or where functions will do one of them, or what a file has kept of one; the first is the default. */
function oneOf<T>(words: readonly (string | null)[], functions = true): Option<T> {
  const shown = words.map((word) => (word === null ? 'null' : `'${word}'`)).join(', ');
  const fits = (value: unknown) =>
    words.includes(value as string) ||
    (functions && (typeof value === 'function' || typeof (value as SavedFunction | null)?.function === 'string'));
  return custom(words[0] as T, `one of ${shown}${functions ? ', or a function' : ''}`, (value) =>
    fits(value) ? value : undefined,
  );
}

/** The strings of a list in any container, as a frozen copy. */
function stringsOf(value: unknown): readonly string[] | undefined {
  if (Object(value) !== value || !(Symbol.iterator in (value as object))) return undefined;
  const strings = value instanceof Map ? byColumn(value) : [...(value as Iterable<unknown>)];
  if (!strings.every((item) => typeof item === 'string' && item.isWellFormed())) return undefined;
  return Object.freeze(value instanceof Set ? (strings as string[]).sort(compareCodePoints) : (strings as string[]));
}

function byColumn(columns: ReadonlyMap<unknown, unknown>): unknown[] {
  const terms = new Array<unknown>(columns.size).fill(undefined);
  for (const [term, column] of columns) terms[column as number] = term;
  return terms.length === columns.size ? terms : [undefined];
}

/** A list of terms in the order of their columns; of a set they are sorted, of a map each has the column it says. */
function vocabularyOf(value: unknown): readonly string[] | undefined {
  const terms = stringsOf(value);
  return terms && terms.length > 0 && new Set(terms).size === terms.length ? terms : undefined;
}

function rangeOf(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isSafeInteger)) return undefined;
  return value[0] >= 1 && value[0] <= value[1] ? Object.freeze([...value]) : undefined;
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
  compilePattern(value);
  return value;
}

/** A share is a fraction; a whole number counts documents. What 1 means is for the option to say: `{ share: 1 }` is plain. */
function limitOf(value: unknown): unknown {
  const isShare = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1;
  const isCount = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 1;
  if (typeof value === 'number') return isShare(value) || isCount(value) ? value : undefined;
  const [[name, n] = [], ...others] = Object.entries(Object(value));
  const legal = others.length === 0 && (name === 'share' ? isShare(n) : name === 'documents' && isCount(n));
  return legal ? Object.freeze({ ...(value as DocumentLimit) }) : undefined;
}

/** From a text to its terms, once for every vectorizer. */
export const analyzerSpec: SpecOf<AnalyzerOptions> = {
  analyzer: oneOf(['word', 'char', 'char_wb']),
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

/** Which terms get a column. */
export const vocabularySpec: SpecOf<VocabularyOptions> = {
  minDf: custom(1, 'a share < 1, or a number of documents ≥ 1', limitOf),
  maxDf: custom(1, 'a share ≤ 1, or a number of documents ≥ 2', limitOf),
  maxFeatures: optional(integer({ default: 1, min: 1 })),
  vocabulary: optional(custom<readonly string[]>([], 'different terms in a list, or a map to 0, 1, 2 …', vocabularyOf)),
  binary: flag({ default: false }),
};
