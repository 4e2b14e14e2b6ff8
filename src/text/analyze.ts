import { refuse } from '../errors.ts';
import { stripAccentsAscii, stripAccentsUnicode } from './accents.ts';
import { characterGrams, wordCharacterGrams } from './characters.ts';
import { textOf } from './documents.ts';
import { englishStopWords } from './english.ts';
import { kernelChoice } from './kernel-choice.ts';
import type { AnalyzerOptions } from './options.ts';
import { compilePattern, DEFAULT_PATTERN, findTokens } from './pattern.ts';
import { type Reader, WordReader } from './reader.ts';
import { segmentWords } from './segment.ts';
import { type Analyzer, listing, preparing, wordTerms } from './terms.ts';
import { TextReader } from './text-reader.ts';
import { ByteKernel, type KernelOptions } from './tokens.ts';
import { type Cleaning, plainWords, type TextFunction } from './words.ts';

/** Refuses options of which a file has kept no more than the names of functions. */
function requireFunctions(options: AnalyzerOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value?.function) {
      refuse('E_PARAM', `${name} was a function and a file keeps none; construct with it and call restore`, { name });
    }
  }
}

function cleaning({ preprocessor, normalize, lowercase, stripAccents: named }: AnalyzerOptions): TextFunction {
  const stripAccents = named === 'ascii' ? stripAccentsAscii : named === 'unicode' ? stripAccentsUnicode : named;
  return preparing(preprocessor as TextFunction | null, { normalize, lowercase, stripAccents } as Cleaning);
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
  const stemmer = options.stemmer as TextFunction | null;
  return wordTerms({ ready, tokenize: tokenizing(options), stopWords: stopWordsOf(options), stemmer, ngramRange });
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
  return new TextReader((document, row) => (analyze ??= analyzerOf(options))(textOf(document, row)));
}
