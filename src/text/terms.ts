import { refuse, show } from '../errors.ts';
import type { TokenFunction } from './options.ts';
import { type Cleaning, clean, type TextFunction } from './words.ts';

/** Maps a text to its terms. */
export type Analyzer = (text: string) => readonly string[];

/** A function of the caller that must return lists of strings. */
export function listing(tokens: TokenFunction): Analyzer {
  return (text) => {
    const found: unknown = tokens(text);
    if (typeof found === 'object' && found !== null && Symbol.iterator in found) return [...(found as string[])];
    return refuse('E_TYPE', `an analyzer or tokenizer must return a list of strings, not ${show(found)}`);
  };
}

/** Prepares a text for tokenizing: a function of the caller that must return strings, or the built-in cleaning. */
export function preparing(preprocessor: TextFunction | null, cleaning: Cleaning): TextFunction {
  return (text) => {
    const ready: unknown = preprocessor ? preprocessor(text) : clean(text, cleaning);
    return typeof ready === 'string'
      ? ready
      : refuse('E_TYPE', `a preprocessor must return a string, not ${show(ready)}`);
  };
}

/** The parts of a word analyzer. */
export interface WordParts {
  readonly ready: TextFunction;
  readonly tokenize: Analyzer;
  readonly stopWords: readonly string[];
  readonly stemmer: TextFunction | null;
  readonly ngramRange: readonly [lowest: number, highest: number];
}

/** A word analyzer from these parts: clean → tokenize → stop words → stem → n-grams. */
export function wordTerms({ ready, tokenize, stopWords, stemmer, ngramRange }: WordParts): Analyzer {
  const stops = new Set(stopWords);
  const stem = stemmer && remembering(stemmer);
  return (text) => {
    const tokens = tokenize(ready(text));
    const kept = stops.size > 0 ? tokens.filter((token) => !stops.has(token)) : tokens;
    return wordGrams(stem ? kept.map(stem) : kept, ...ngramRange);
  };
}

/** Runs of words joined by one space, shortest first. */
function wordGrams(words: readonly string[], lowest: number, highest: number): readonly string[] {
  if (highest === 1) return words;
  const grams: string[] = [];
  for (let n = lowest; n <= highest; n++) {
    for (let i = 0; i + n <= words.length; i++) grams.push(words.slice(i, i + n).join(' '));
  }
  return grams;
}

const STEMS_AT_MOST = 100_000;

/** Caches the stems of the last hundred thousand words. */
function remembering(stem: TextFunction): TextFunction {
  const known = new Map<string, string>();
  return (word) => {
    let answer = known.get(word);
    if (answer === undefined) {
      if (known.size >= STEMS_AT_MOST) known.clear();
      known.set(word, (answer = stem(word)));
    }
    return answer;
  };
}
