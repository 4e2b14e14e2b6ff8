import { refuse, show } from '../errors.ts';
import { characterGrams, wordCharacterGrams } from './characters.ts';
import { englishStopWords } from './english.ts';
import type { AnalyzerOptions } from './options.ts';
import { compilePattern, DEFAULT_PATTERN, findTokens } from './pattern.ts';
import { type Reader, TextReader, WordReader } from './reader.ts';
import { segmentWords } from './segment.ts';
import { ByteKernel } from './tokens.ts';
import { cleaner, plainWords, type TextFunction } from './words.ts';

/** From a text to its terms. */
export type Analyzer = (text: string) => readonly string[];

/** The function behind an option; refuses one of which a file has kept the name alone. */
function functionOf<F>(value: F, name: string): Exclude<F, { function: string }> {
  if (typeof value === 'object' && value !== null && 'function' in value) {
    refuse('E_PARAM', `${name} was a function and a file keeps none; construct with it and call restore(state)`, {
      name,
    });
  }
  return value as Exclude<F, { function: string }>;
}

function cleaning(options: AnalyzerOptions): TextFunction {
  const { normalize, lowercase } = options;
  const stripAccents = functionOf(options.stripAccents, 'stripAccents');
  const preprocess =
    functionOf(options.preprocessor, 'preprocessor') ?? cleaner({ normalize, lowercase, stripAccents });
  return (text) => {
    const clean: unknown = preprocess(text);
    return typeof clean === 'string' ? clean : refuse('E_TYPE', `a preprocessor gives a string, not ${show(clean)}`);
  };
}

/** The tokens that a function of the caller gives, as a list. */
function listed(tokens: Iterable<string>): string[] {
  const iterable = typeof tokens === 'object' && tokens !== null && Symbol.iterator in tokens;
  return iterable
    ? [...tokens]
    : refuse('E_TYPE', `an analyzer or tokenizer gives a list of strings, not ${show(tokens)}`);
}

/** The words to leave out. */
export function stopWordsOf({ stopWords }: AnalyzerOptions): readonly string[] {
  return stopWords === 'english' ? englishStopWords() : (stopWords ?? []);
}

function patternOf(value: AnalyzerOptions['tokenPattern']): string | RegExp {
  return typeof value === 'object' && 'pattern' in value ? new RegExp(value.pattern, value.flags) : value;
}

/** Whether words are found by the tokenizers that come with Pólya. */
const isBuiltIn = ({ tokenizer, tokenPattern }: AnalyzerOptions) =>
  tokenizer === 'auto' || (tokenizer === 'sklearn' && tokenPattern === DEFAULT_PATTERN);

function tokenizing(options: AnalyzerOptions): Analyzer {
  const tokenizer = functionOf(options.tokenizer, 'tokenizer');
  if (typeof tokenizer === 'function') return (text) => listed(tokenizer(text));
  if (tokenizer === 'auto') return segmentWords;
  if (isBuiltIn(options)) return plainWords;
  const pattern = compilePattern(patternOf(options.tokenPattern));
  return (text) => findTokens(pattern, text);
}

/** The analyzer that the options describe: clean → tokenize → stop words → stem → n-grams, or characters, or a function. */
export function analyzerOf(options: AnalyzerOptions): Analyzer {
  const [lowest, highest] = options.ngramRange;
  const analyzer = functionOf(options.analyzer, 'analyzer');
  if (typeof analyzer === 'function') return (text) => listed(analyzer(text));
  const clean = cleaning(options);
  if (analyzer === 'char') return (text) => characterGrams(clean(text), lowest, highest);
  if (analyzer === 'char_wb') return (text) => wordCharacterGrams(clean(text), lowest, highest);
  const tokenize = tokenizing(options);
  const stops = new Set(stopWordsOf(options));
  const stem = remembering(functionOf(options.stemmer, 'stemmer'));
  return (text) => {
    const tokens = tokenize(clean(text));
    const kept = stops.size > 0 ? tokens.filter((token) => !stops.has(token)) : tokens;
    const stems = stem ? kept.map(stem) : kept;
    return highest > 1 ? wordGrams(stems, lowest, highest) : stems;
  };
}

/** Runs of words joined by one space, the short ones first. */
function wordGrams(words: readonly string[], lowest: number, highest: number): string[] {
  const grams: string[] = [];
  for (let n = lowest; n <= highest && n <= words.length; n++) {
    for (let i = 0; i + n <= words.length; i++) grams.push(n === 1 ? words[i] : words.slice(i, i + n).join(' '));
  }
  return grams;
}

const STEMS_AT_MOST = 100_000;

/** Stems are asked for again and again; those of the last hundred thousand words are kept at hand. */
function remembering(stem: TextFunction | null): TextFunction | null {
  if (stem === null) return null;
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

/** A reader for these options: by bytes where words are found by a tokenizer of Pólya, by strings otherwise. */
export function readerOf(options: AnalyzerOptions): Reader {
  const { analyzer, preprocessor, stemmer, stripAccents, tokenizer, lowercase, ngramRange } = options;
  const foreignOnly = typeof stripAccents !== 'function' && preprocessor === null && stemmer === null;
  if (analyzer !== 'word' || !foreignOnly || !isBuiltIn(options)) {
    let analyze: Analyzer | undefined; // at the first text, so that a file without its functions can still be looked into
    return new TextReader((text) => (analyze ??= analyzerOf(options))(text));
  }
  const clean = cleaning(options);
  const tokenize = tokenizing(options);
  const kernel = new ByteKernel({
    lowercase,
    wholeDocuments: tokenizer === 'auto',
    foreign: (piece) => tokenize(clean(piece)),
  });
  return new WordReader(kernel, { stopWords: stopWordsOf(options), ngramRange });
}
