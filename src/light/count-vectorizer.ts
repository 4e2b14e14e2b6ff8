import { choice, flag, optional } from '../core/options.ts';
import type { SparseMatrix } from '../data/sparse.ts';
import { refuse } from '../errors.ts';
import { requireWhole } from '../text/documents.ts';
import { custom, rangeOf, type SpecOf, stringsOf } from '../text/option-kinds.ts';
import type { TokenFunction } from '../text/options.ts';
import type { Reader } from '../text/reader.ts';
import { type Analyzer, listing, preparing, wordTerms } from '../text/terms.ts';
import { TextReader } from '../text/text-reader.ts';
import { VocabularyLearner } from '../text/vocabulary-learner.ts';
import { type VocabularyOptions, vocabularySpec } from '../text/vocabulary-options.ts';
import { plainWords, type TextFunction } from '../text/words.ts';
import { only, orFunction } from './options.ts';

interface Options extends VocabularyOptions {
  /** What terms are made of: words, or what a function finds in a text, such as `characterTerms`. */
  readonly analyzer: 'word' | TokenFunction;
  /** How words are found: by scikit-learn's pattern, or by a function such as `segmentWords` or `patternTokenizer`. */
  readonly tokenizer: 'sklearn' | TokenFunction;
  /** In the place of normalize, lowercase and stripAccents. */
  readonly preprocessor: TextFunction | null;
  /** Unicode normal form. */
  readonly normalize: 'NFC' | 'NFKC' | null;
  /** Capital letters become small. */
  readonly lowercase: boolean;
  /** How letters lose their accents: `stripAccentsUnicode`, `stripAccentsAscii`, or a function of yours. */
  readonly stripAccents: TextFunction | null;
  /** Words to leave out, such as `englishStopWords()`. */
  readonly stopWords: readonly string[] | null;
  /** From a word to its stem, after stop words are gone. */
  readonly stemmer: TextFunction | null;
  /** Least and largest n. */
  readonly ngramRange: readonly [lowest: number, highest: number];
}

const spec: SpecOf<Options & { readonly tokenPattern: string }> = {
  analyzer: orFunction('word', 'characterTerms'),
  tokenizer: orFunction('sklearn', 'segmentWords'),
  tokenPattern: only('(?u)\\b\\w\\w+\\b', 'tokenizer: patternTokenizer(pattern)'),
  preprocessor: orFunction<TextFunction | null>(null),
  normalize: optional(choice(['NFC', 'NFKC'], { default: 'NFC' })),
  lowercase: flag({ default: true }),
  stripAccents: orFunction<TextFunction | null>(null, 'stripAccentsUnicode'),
  stopWords: optional(custom([], 'a list of words (englishStopWords() of polya/light)', stringsOf)),
  stemmer: orFunction<TextFunction | null>(null),
  ngramRange: custom(Object.freeze([1, 1] as const), 'two whole numbers, 1 ≤ n ≤ m', rangeOf),
  ...vocabularySpec,
};

/** Texts one after another. A bare string is not a list of texts, in types as at run time. */
export type Texts = Iterable<string> & object;

/** Parameters of the light `CountVectorizer`: those of the full one, with values in the place of names. */
export type CountVectorizerOptions = Partial<Omit<Options, 'stopWords' | 'vocabulary'>> & {
  readonly stopWords?: Options['stopWords'] | (Iterable<string> & object);
  readonly vocabulary?: Options['vocabulary'] | ReadonlySet<string> | ReadonlyMap<string, number>;
};

/**
 * Documents to counts of their terms, as the class of this name of the full door counts them, to the bit: the same vocabulary
 * grows by `partialFit`, shrinks by `unlearn` and merges. It reads strings; it has no model file and no fast kernels.
 */
export class CountVectorizer extends VocabularyLearner<Options, Texts> {
  /** A row depends on its document and the columns alone. */
  readonly rowwise = true;

  constructor(options: CountVectorizerOptions = {}) {
    super('CountVectorizer', spec, options);
  }

  readerFor(): Reader {
    const { analyzer, tokenizer, preprocessor, stopWords, stemmer, ngramRange } = this.params;
    if (typeof analyzer === 'function') return reading(listing(analyzer));
    const ready = preparing(preprocessor, this.params);
    const tokenize = typeof tokenizer === 'function' ? listing(tokenizer) : plainWords;
    return reading(wordTerms({ ready, tokenize, stopWords: stopWords ?? [], stemmer, ngramRange }));
  }

  protected weighed(counts: SparseMatrix): SparseMatrix {
    return counts;
  }
}

/** Reads strings; bytes are for the full door. */
function reading(analyze: Analyzer): Reader {
  return new TextReader((document, row) =>
    typeof document === 'string'
      ? analyze(requireWhole(document, row))
      : refuse('E_TYPE', `document ${row} is bytes; decode it, or use CountVectorizer of 'polya'`, { row }),
  );
}
