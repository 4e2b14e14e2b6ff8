import { refuse } from '../errors.ts';
import { stripAccentsAscii, stripAccentsUnicode } from './accents.ts';
import { characterGrams, wordCharacterGrams } from './characters.ts';
import { type Document, decodingOf, textOf } from './documents.ts';
import { englishStopWords } from './english.ts';
import { type KernelOptions, KernelReader } from './kernel-reader.ts';
import type { AnalyzerOptions } from './options.ts';
import { compilePattern, DEFAULT_PATTERN, findTokens } from './pattern.ts';
import type { Reader } from './reader.ts';
import { SEGMENTED, segmentWords } from './segment.ts';
import { type Analyzer, listing, preparing, wordTerms } from './terms.ts';
import { TextReader } from './text-reader.ts';
import { type Cleaning, plainWords, type TextFunction } from './words.ts';

/** Throws if a function option was loaded from a file, which keeps only its name. */
function requireFunctions(options: AnalyzerOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value?.function) {
      refuse(
        'E_PARAM',
        `${name} was a function, which files do not contain; pass it to the constructor and call restore`,
        { name },
      );
    }
  }
}

/** Prepares a text before it is split. */
export function cleaning({ preprocessor, normalize, lowercase, stripAccents: named }: AnalyzerOptions): TextFunction {
  const stripAccents = named === 'ascii' ? stripAccentsAscii : named === 'unicode' ? stripAccentsUnicode : named;
  return preparing(preprocessor as TextFunction | null, { normalize, lowercase, stripAccents } as Cleaning);
}

/** The words to leave out. */
export function stopWordsOf({ stopWords }: AnalyzerOptions): readonly string[] {
  return stopWords === 'english' ? englishStopWords() : (stopWords ?? []);
}

/** The built-in tokenizer that the options name, if any. */
function builtIn({ tokenizer, tokenPattern }: AnalyzerOptions): Analyzer | undefined {
  if (tokenizer === 'auto') return segmentWords;
  return tokenizer === 'sklearn' && tokenPattern === DEFAULT_PATTERN ? plainWords : undefined;
}

/** Splits a prepared text into words. */
export function tokenizing(options: AnalyzerOptions): Analyzer {
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

/**
 * The analyzer settings for the kernels; undefined if terms come from a stemmer, or from a function or pattern of the
 * user.
 */
function kernelOptionsOf(options: AnalyzerOptions): KernelOptions | undefined {
  const { analyzer, preprocessor, stemmer, stripAccents, normalize, ngramRange, lowercase } = options;
  if (typeof analyzer !== 'string' || preprocessor || Object(stripAccents) === stripAccents) return undefined;
  const tokenize = analyzer === 'word' ? builtIn(options) : plainWords;
  if (!tokenize || (stemmer && analyzer === 'word')) return undefined;
  return {
    analyzer,
    lowercase,
    ngramRange,
    stopWords: analyzer === 'word' ? stopWordsOf(options) : [],
    clean: cleaning(options),
    prepares: stripAccents !== null || normalize !== null,
    tokenize: tokenize === plainWords ? undefined : { where: SEGMENTED, words: tokenize },
    decode: decodingOf(options),
  };
}

/** A reader for these options: in WebAssembly if possible, otherwise with strings. */
export function readerOf(options: AnalyzerOptions): Reader {
  const kernel = kernelOptionsOf(options);
  return (kernel && KernelReader.of(kernel)) ?? new TextReader(analyzing(options));
}

/**
 * The analyzer of documents, created on first use, so that a model file loaded without its functions can still be
 * inspected.
 */
function analyzing(options: AnalyzerOptions): (document: Document, row: number) => readonly string[] {
  let analyze: Analyzer | undefined;
  const decode = decodingOf(options) ?? textOf;
  return (document, row) => {
    analyze ??= analyzerOf(options);
    return analyze(decode(document, row));
  };
}
