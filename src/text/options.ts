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

/** From a text to its terms: the options that all vectorizers share. */
export interface AnalyzerOptions {
  readonly analyzer: 'word' | 'char' | 'char_wb' | TokenFunction | SavedFunction;
  readonly tokenizer: 'sklearn' | 'auto' | TokenFunction | SavedFunction;
  readonly tokenPattern: string | RegExp | SavedPattern;
  readonly preprocessor: TextFunction | SavedFunction | null;
  readonly normalize: 'NFC' | 'NFKC' | null;
  readonly lowercase: boolean;
  readonly stripAccents: 'ascii' | 'unicode' | TextFunction | SavedFunction | null;
  readonly stopWords: 'english' | readonly string[] | null;
  readonly stemmer: TextFunction | SavedFunction | null;
  readonly ngramRange: readonly [lowest: number, highest: number];
}

/** A regular expression as a model file keeps it. */
export interface SavedPattern {
  readonly pattern: string;
  readonly flags: string;
}

/** Which terms get a column, and what is counted in it. */
export interface VocabularyOptions {
  readonly minDf: number | DocumentLimit;
  readonly maxDf: number | DocumentLimit;
  readonly maxFeatures: number | null;
  readonly vocabulary: readonly string[] | null;
  readonly binary: boolean;
}

/** A specification with one option for each value. */
export type SpecOf<Values> = { readonly [Name in keyof Values]: Option<Values[Name]> };

type Accept<T> = (value: unknown) => T | undefined;

function custom<T>(doc: string, byDefault: T, expects: string, accept: Accept<T>): Option<T> {
  return { kind: 'custom', default: byDefault, doc, expects, accept };
}

function isSaved(value: unknown): value is SavedFunction {
  return typeof value === 'object' && value !== null && typeof (value as SavedFunction).function === 'string';
}

/** One of a few words, or a function, or what a file has kept of one. */
function wordOrFunction<T>(words: readonly (string | null)[], doc: string): Option<T> {
  const shown = words.map((word) => (word === null ? 'null' : `'${word}'`)).join(', ');
  const accept = (value: unknown) =>
    words.includes(value as string) || typeof value === 'function' || isSaved(value) ? (value as T) : undefined;
  return custom(doc, words[0] as T, `one of ${shown}, or a function`, accept);
}

function isStrings(values: readonly unknown[]): values is string[] {
  return values.every((value) => typeof value === 'string' && value.isWellFormed());
}

const acceptStops: Accept<'english' | readonly string[] | null> = (value) => {
  if (value === null || value === 'english') return value;
  if (typeof value !== 'object' || !(Symbol.iterator in value)) return undefined;
  const words = [...(value as Iterable<unknown>)];
  return isStrings(words) ? Object.freeze(words) : undefined;
};

const acceptRange: Accept<readonly [number, number]> = (value) => {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isSafeInteger)) return undefined;
  return value[0] >= 1 && value[0] <= value[1] ? Object.freeze([value[0], value[1]] as const) : undefined;
};

const acceptPattern: Accept<string | RegExp | SavedPattern> = (value) => {
  if (typeof value === 'string' || value instanceof RegExp) {
    compilePattern(value);
    return value;
  }
  const { pattern, flags } = (value ?? {}) as SavedPattern;
  return typeof pattern === 'string' && typeof flags === 'string'
    ? acceptPattern(tryPattern(pattern, flags))
    : undefined;
};

function tryPattern(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

/** A share is a fraction; a whole number counts documents. What 1 means is for the option to say: `{ share: 1 }` is plain. */
const acceptLimit: Accept<number | DocumentLimit> = (value) => {
  const isShare = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1;
  const isCount = (n: unknown) => Number.isSafeInteger(n) && (n as number) >= 1;
  if (typeof value === 'number') return isShare(value) || isCount(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return undefined;
  const legal = 'share' in value ? isShare(value.share) : 'documents' in value && isCount(value.documents);
  return legal ? Object.freeze({ ...(value as DocumentLimit) }) : undefined;
};

/** A list of terms in the order of their columns; of a set they are sorted, of a map each has the column it says. */
const acceptVocabulary: Accept<readonly string[] | null> = (value) => {
  if (value === null) return null;
  if (typeof value !== 'object' || !(Symbol.iterator in value)) return undefined;
  const entries = [...(value as Iterable<unknown>)];
  const terms = value instanceof Map ? byColumn(value) : entries;
  if (terms.length === 0 || !isStrings(terms) || new Set(terms).size !== terms.length) return undefined;
  return Object.freeze(value instanceof Set ? terms.sort(compareCodePoints) : terms);
};

function byColumn(columns: ReadonlyMap<unknown, unknown>): unknown[] {
  const terms = new Array<unknown>(columns.size).fill(undefined);
  for (const [term, column] of columns) terms[column as number] = term;
  return terms.length === columns.size ? terms : [];
}

/** From a text to its terms, once for every vectorizer. */
export const analyzerSpec: SpecOf<AnalyzerOptions> = {
  analyzer: wordOrFunction(
    ['word', 'char', 'char_wb'],
    'what terms are made of: words, or characters, or those of words',
  ),
  tokenizer: wordOrFunction(['sklearn', 'auto'], 'how words are found: by the pattern, or by the script of each run'),
  tokenPattern: custom('what a word is', DEFAULT_PATTERN, 'a pattern as in Python, or a RegExp', acceptPattern),
  preprocessor: wordOrFunction([null], 'in the place of normalize, lowercase and stripAccents'),
  normalize: custom('Unicode normal form', null, "one of 'NFC', 'NFKC', null", (value) =>
    value === null || value === 'NFC' || value === 'NFKC' ? value : undefined,
  ),
  lowercase: flag({ default: true, doc: 'capital letters become small' }),
  stripAccents: wordOrFunction([null, 'ascii', 'unicode'], 'whether letters lose their accents'),
  stopWords: custom('words to leave out', null, "'english', a list of words, or null", acceptStops),
  stemmer: wordOrFunction([null], 'from a word to its stem, after stop words are gone'),
  ngramRange: custom(
    'least and largest n',
    Object.freeze([1, 1] as const),
    'two whole numbers, 1 ≤ n ≤ m',
    acceptRange,
  ),
};

/** Which terms get a column. */
export const vocabularySpec: SpecOf<VocabularyOptions> = {
  minDf: custom('terms in fewer documents are dropped', 1, 'a share < 1, or a number of documents ≥ 1', acceptLimit),
  maxDf: custom('terms in more documents are dropped', 1, 'a share ≤ 1, or a number of documents ≥ 2', acceptLimit),
  maxFeatures: optional(integer({ default: 1, min: 1, doc: 'only so many terms, the most frequent' })),
  vocabulary: custom(
    'the terms, where they are known',
    null,
    'different terms in a list, or a map to 0, 1, 2 …',
    acceptVocabulary,
  ),
  binary: flag({ default: false, doc: 'set of words rather than bag of words: present is 1, however often' }),
};
