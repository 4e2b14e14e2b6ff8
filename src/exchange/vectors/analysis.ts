import { stripAccentsAscii, stripAccentsUnicode } from '../../text/accents.ts';
import { characterGrams, wordCharacterGrams } from '../../text/characters.ts';
import { findTokens } from '../../text/pattern.ts';
import { segmentWords } from '../../text/segment.ts';
import { type Analyzer, wordTerms } from '../../text/terms.ts';
import { clean, plainWords, type TextFunction } from '../../text/words.ts';
import { choices, constant, described, flag, list, pair, place, record, type Shape, text, union } from '../shape.ts';

/** From a text to its terms: normal form → small letters → accents → words → stop words → n-grams. */
export interface PlanAnalysis {
  /** Terms of words, of characters, or of the characters of each word between two blanks. */
  readonly unit: 'word' | 'char' | 'char_wb';
  readonly normalize: 'NFC' | 'NFKC' | null;
  readonly lowercase: boolean;
  /** Compatibility decomposition, then all but ASCII is dropped, or all marks of non-zero combining class. */
  readonly stripAccents: 'ascii' | 'unicode' | null;
  readonly words: PlanWords;
  readonly stopWords: readonly string[];
  /** Least and largest number of words, joined by one space, or of characters (code points). */
  readonly ngrams: readonly [lowest: number, highest: number];
}

/**
 * What a word is: a run of two or more letters, numbers and underscores (the pattern [\p{L}\p{N}_]{2,}); a segment by the script
 * of its run (Intl.Segmenter where words have no spaces between them); or a match of a JavaScript pattern, its group where it
 * has one.
 */
export type PlanWords =
  | { readonly kind: 'runs' }
  | { readonly kind: 'segments' }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string };

/** The JSON of an analysis. */
export const analysisShape: Shape<PlanAnalysis> = record<PlanAnalysis>(
  {
    unit: choices('word', 'char', 'char_wb'),
    normalize: choices('NFC', 'NFKC', null),
    lowercase: flag,
    stripAccents: choices('ascii', 'unicode', null),
    words: union<PlanWords>('kind', {
      runs: record<{ kind: 'runs' }>(
        { kind: constant('runs') },
        'Runs of two or more letters, numbers and underscores: [\\p{L}\\p{N}_]{2,}.',
      ),
      segments: record<{ kind: 'segments' }>(
        { kind: constant('segments') },
        'By the script of each run, with Intl.Segmenter where words have no spaces.',
      ),
      pattern: record<Extract<PlanWords, { kind: 'pattern' }>>(
        { kind: constant('pattern'), source: text, flags: text },
        'Matches of a JavaScript pattern, its group where it has one.',
      ),
    }),
    stopWords: list(text),
    ngrams: described(pair(place), 'Least and largest n.'),
  },
  'normal form → small letters → accents → words → stop words → n-grams (words joined by one space; characters are code points).',
);

const accents = { ascii: stripAccentsAscii, unicode: stripAccentsUnicode };

const patternWords = ({ source, flags }: Extract<PlanWords, { kind: 'pattern' }>): Analyzer => {
  const pattern = new RegExp(source, flags);
  return (given) => findTokens(pattern, given);
};

const tokenizers: { readonly [Kind in PlanWords['kind']]: (words: Extract<PlanWords, { kind: Kind }>) => Analyzer } = {
  runs: () => plainWords,
  segments: () => segmentWords,
  pattern: patternWords,
};

type Unit = (analysis: PlanAnalysis, ready: TextFunction) => Analyzer;

const ofWords: Unit = ({ words, stopWords, ngrams: ngramRange }, ready) =>
  wordTerms({ ready, tokenize: tokenizers[words.kind](words as never), stopWords, stemmer: null, ngramRange });
const ofCharacters: Unit =
  ({ ngrams: range }, ready) =>
  (given) =>
    characterGrams(ready(given), ...range);
const ofPaddedWords: Unit =
  ({ ngrams: range }, ready) =>
  (given) =>
    wordCharacterGrams(ready(given), ...range);

const units: Readonly<Record<PlanAnalysis['unit'], Unit>> = {
  word: ofWords,
  char: ofCharacters,
  char_wb: ofPaddedWords,
};

/** The function that an analysis describes. */
export function analyzerFor(analysis: PlanAnalysis): Analyzer {
  const { unit, normalize, lowercase, stripAccents: named } = analysis;
  const stripAccents = named && accents[named];
  return units[unit](analysis, (given) => clean(given, { normalize, lowercase, stripAccents }));
}
