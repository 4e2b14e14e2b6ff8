import { stripAccentsAscii, stripAccentsUnicode } from '../text/accents.ts';
import { characterGrams, wordCharacterGrams } from '../text/characters.ts';
import { findTokens } from '../text/pattern.ts';
import { segmentWords } from '../text/segment.ts';
import { type Analyzer, wordTerms } from '../text/terms.ts';
import { clean, plainWords, type TextFunction } from '../text/words.ts';
import { choices, constant, described, flag, list, pair, place, record, text, union, type ValueOf } from './shape.ts';

const runs = record(
  { kind: constant('runs') },
  'Runs of two or more letters, numbers and underscores: [\\p{L}\\p{N}_]{2,}.',
);
const segments = record(
  { kind: constant('segments') },
  'By the script of each run, with Intl.Segmenter where words have no spaces.',
);
const pattern = record(
  { kind: constant('pattern'), source: text, flags: text },
  'Matches of a JavaScript pattern, its group where it has one.',
);

/** What a word is. */
type PlanWords = ValueOf<typeof runs> | ValueOf<typeof segments> | ValueOf<typeof pattern>;

/** The JSON of an analysis. */
export const analysisShape = record(
  {
    unit: choices('word', 'char', 'char_wb'), // char_wb: characters of each word between two blanks
    normalize: choices('NFC', 'NFKC', null),
    lowercase: flag,
    /** Compatibility decomposition, then all but ASCII is dropped, or all marks of non-zero combining class. */
    stripAccents: choices('ascii', 'unicode', null),
    words: union<PlanWords>('kind', { runs, segments, pattern }),
    stopWords: list(text),
    ngrams: described(pair(place), 'Least and largest n.'),
  },
  'normal form → small letters → accents → words → stop words → n-grams (words joined by one space; characters are code points).',
);

/** From a text to its terms. */
export type PlanAnalysis = ValueOf<typeof analysisShape>;

const accents = { ascii: stripAccentsAscii, unicode: stripAccentsUnicode };

const patternWords = ({ source, flags }: ValueOf<typeof pattern>): Analyzer => {
  const compiled = new RegExp(source, flags);
  return (given) => findTokens(compiled, given);
};

const tokenizers: { readonly [Kind in PlanWords['kind']]: (words: Extract<PlanWords, { kind: Kind }>) => Analyzer } = {
  runs: () => plainWords,
  segments: () => segmentWords,
  pattern: patternWords,
};

type Unit = (analysis: PlanAnalysis, ready: TextFunction) => Analyzer;

const ofWords: Unit = ({ words, stopWords, ngrams: ngramRange }, ready) =>
  wordTerms({ ready, tokenize: tokenizers[words.kind](words as never), stopWords, stemmer: null, ngramRange });

/** What terms are made of. */
const units: Readonly<Record<PlanAnalysis['unit'], Unit>> = {
  word: ofWords,
  char: (analysis, ready) => (given) => characterGrams(ready(given), ...analysis.ngrams),
  char_wb: (analysis, ready) => (given) => wordCharacterGrams(ready(given), ...analysis.ngrams),
};

/** The function that an analysis describes. */
export function analyzerFor(analysis: PlanAnalysis): Analyzer {
  const { unit, normalize, lowercase, stripAccents: named } = analysis;
  const stripAccents = named && accents[named];
  return units[unit](analysis, (given) => clean(given, { normalize, lowercase, stripAccents }));
}
