import { refuse, show } from '../errors.ts';
import { characterGrams, wordCharacterGrams } from './characters.ts';
import { englishStopWords } from './english.ts';
import { kernelChoice } from './kernel-choice.ts';
import type { AnalyzerOptions, TokenFunction } from './options.ts';
import { compilePattern, DEFAULT_PATTERN, findTokens } from './pattern.ts';
import { type Reader, TextReader, WordReader } from './reader.ts';
import { segmentWords } from './segment.ts';
import { ByteKernel, type KernelOptions } from './tokens.ts';
import { type Cleaning, clean, plainWords, type TextFunction } from './words.ts';

/** From a text to its terms. */
export type Analyzer = (text: string) => readonly string[];

/** Refuses options of which a file has kept no more than the names of functions. */
function requireFunctions(options: AnalyzerOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value?.function) {
      refuse('E_PARAM', `${name} was a function and a file keeps none; construct with it and call restore`, { name });
    }
  }
}

/** A function of the caller, whose answers are lists of strings. */
function listing(tokens: TokenFunction): Analyzer {
  return (text) => {
    const found: unknown = tokens(text);
    if (typeof found === 'object' && found !== null && Symbol.iterator in found) return [...(found as string[])];
    return refuse('E_TYPE', `an analyzer or tokenizer gives a list of strings, not ${show(found)}`);
  };
}

function cleaning(options: AnalyzerOptions): TextFunction {
  const preprocess = options.preprocessor as TextFunction | null;
  return (text) => {
    const ready: unknown = preprocess ? preprocess(text) : clean(text, options as Cleaning);
    return typeof ready === 'string' ? ready : refuse('E_TYPE', `a preprocessor gives a string, not ${show(ready)}`);
  };
}

/** The words to leave out. */
export function stopWordsOf({ stopWords }: AnalyzerOptions): readonly string[] {
  return stopWords === 'english' ? englishStopWords() : (stopWords ?? []);
}

/** The tokenizer that comes with Pólya and is asked for, where one is. */
function builtIn({ tokenizer, tokenPattern }: AnalyzerOptions): Analyzer | undefined {
  if (tokenizer === 'auto') return segmentWords;
  return tokenizer === 'sklearn' && tokenPattern === DEFAULT_PATTERN ? plainWords : undefined;
}

function tokenizing(options: AnalyzerOptions): Analyzer {
  const { tokenizer, tokenPattern } = options;
  if (typeof tokenizer === 'function') return listing(tokenizer);
  const known = builtIn(options);
  if (known) return known;
  const saved = typeof tokenPattern === 'object' && 'pattern' in tokenPattern;
  const pattern = compilePattern(saved ? new RegExp(tokenPattern.pattern, tokenPattern.flags) : tokenPattern);
  return (text) => findTokens(pattern, text);
}

/** The analyzer that the options describe: clean → tokenize → stop words → stem → n-grams, or characters, or a function. */
export function analyzerOf(options: AnalyzerOptions): Analyzer {
  requireFunctions(options);
  const { analyzer, ngramRange } = options;
  if (typeof analyzer === 'function') return listing(analyzer);
  const ready = cleaning(options);
  if (analyzer === 'char') return (text) => characterGrams(ready(text), ...ngramRange);
  if (analyzer === 'char_wb') return (text) => wordCharacterGrams(ready(text), ...ngramRange);
  const tokenize = tokenizing(options);
  const stops = new Set(stopWordsOf(options));
  const stem = options.stemmer ? remembering(options.stemmer as TextFunction) : undefined;
  return (text) => {
    const tokens = tokenize(ready(text));
    const kept = stops.size > 0 ? tokens.filter((token) => !stops.has(token)) : tokens;
    return wordGrams(stem ? kept.map(stem) : kept, ...ngramRange);
  };
}

/** Runs of words joined by one space, the short ones first. */
function wordGrams(words: readonly string[], lowest: number, highest: number): readonly string[] {
  if (highest === 1) return words;
  const grams: string[] = [];
  for (let n = lowest; n <= highest; n++) {
    for (let i = 0; i + n <= words.length; i++) grams.push(words.slice(i, i + n).join(' '));
  }
  return grams;
}

const STEMS_AT_MOST = 100_000;

/** Stems are asked for again and again; those of the last hundred thousand words are kept at hand. */
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

/** How a kernel reads words for these options; nothing where words are not found by a tokenizer of Pólya alone. */
export function kernelOptionsOf(options: AnalyzerOptions): KernelOptions | undefined {
  const { analyzer, preprocessor, stemmer, stripAccents, tokenizer, lowercase } = options;
  const tokenize = builtIn(options);
  const plain = analyzer === 'word' && !preprocessor && !stemmer && Object(stripAccents) !== stripAccents;
  if (!plain || !tokenize) return undefined;
  const ready = cleaning(options);
  return { lowercase, wholeDocuments: tokenizer === 'auto', foreign: (piece) => tokenize(ready(piece)) };
}

/**
 * A reader for these options: by bytes where words are found by a tokenizer of Pólya, by strings otherwise. For many documents bytes
 * are read in WebAssembly where that is in use: three times as fast, and half a millisecond to begin with.
 */
export function readerOf(options: AnalyzerOptions, many = false): Reader {
  const kernel = kernelOptionsOf(options);
  if (kernel) {
    const own = (many && kernelChoice.kernelOf?.(kernel)) || new ByteKernel(kernel);
    return new WordReader(own, stopWordsOf(options), options.ngramRange);
  }
  let analyze: Analyzer | undefined; // at the first text, so that a file without its functions can still be looked into
  return new TextReader((text) => (analyze ??= analyzerOf(options))(text));
}
