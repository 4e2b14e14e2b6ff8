import type { State } from '../../core/artifact.ts';
import { cutTerms } from '../../text/encoded.ts';
import { englishStopWords } from '../../text/english.ts';
import type { AnalyzerOptions } from '../../text/options.ts';
import { compilePattern, DEFAULT_PATTERN } from '../../text/pattern.ts';
import { readIdf, readTerms } from '../../text/saved-terms.ts';
import { idfOf, type Norm, type TermWeight, termWeight, type WeightOptions, weightSpec } from '../../text/tfidf.ts';
import type { PlanAnalysis, TermVector } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { cannotCarry } from './inside.ts';
import { type Source, textFrom } from './sources.ts';

const FUNCTIONS = ['analyzer', 'tokenizer', 'preprocessor', 'stripAccents', 'stemmer'] as const;

/** The analysis that the options describe. Throws for user-defined functions. */
export function analysisOf(options: AnalyzerOptions): PlanAnalysis {
  for (const name of FUNCTIONS) {
    const value = options[name];
    if (typeof value !== 'function' && !(typeof value === 'object' && value !== null)) continue;
    const what = typeof value === 'function' ? value.name || 'without a name' : value.function;
    cannotCarry(`a vectorizer with its own ${name}`, `the function ${what} is a program, not data`);
  }
  const { normalize, lowercase, stripAccents, ngramRange, stopWords } = options;
  const word = options.analyzer === 'word';
  return {
    unit: options.analyzer as PlanAnalysis['unit'],
    normalize,
    lowercase,
    stripAccents: stripAccents as PlanAnalysis['stripAccents'],
    words: word ? wordsOf(options) : { kind: 'runs' },
    stopWords: !word ? [] : stopWords === 'english' ? englishStopWords() : [...new Set(stopWords ?? [])],
    ngrams: ngramRange,
  };
}

function wordsOf({ tokenizer, tokenPattern }: AnalyzerOptions): PlanAnalysis['words'] {
  if (tokenizer === 'auto') return { kind: 'segments' };
  if (tokenPattern === DEFAULT_PATTERN) return { kind: 'runs' };
  const given =
    typeof tokenPattern === 'object' && 'pattern' in tokenPattern
      ? new RegExp(tokenPattern.pattern, tokenPattern.flags)
      : tokenPattern;
  const { source, flags } = compilePattern(given);
  return { kind: 'pattern', source, flags };
}

/** Options of a vectorizer that hashes. */
interface Hashing {
  readonly nFeatures?: number;
  readonly alternateSign?: boolean;
}

/** The options of a vectorizer or a transformer that weighs, with defaults for those that older files do not name. */
type SavedOptions = AnalyzerOptions & WeightOptions & Hashing & { readonly binary: boolean };

function optionsOf({ params }: State): SavedOptions {
  const defaults = Object.entries(weightSpec).map(([name, own]) => [name, own.default] as const);
  const options: object = { ...Object.fromEntries<unknown>(defaults), ...params };
  return options as SavedOptions;
}

/** The idf that was set, or the one that follows from the counts of documents. */
const idfIn = ({ arrays: { idf, df }, learned }: State, options: WeightOptions): Float64Array =>
  idf ? readIdf(idf) : idfOf(readIdf(df), Number(learned.documents), options);

/** The terms of a vectorizer, in the order of their columns. */
function termsOf({ params, arrays }: State): readonly string[] {
  const { vocabulary } = params as { vocabulary?: readonly string[] | null };
  return vocabulary ?? cutTerms(readTerms(arrays));
}

/** Text → counts of its terms, by vocabulary or by hash, and their weights where the vectorizer weighs. */
export function vectorized(builder: PlanBuilder, vectorizer: State, source: Source): number {
  return vectorizedText(builder, vectorizer, textFrom(builder, source));
}

/** The same for the text of an input. */
export function vectorizedText(builder: PlanBuilder, vectorizer: State, input: number): number {
  const options = optionsOf(vectorizer);
  const { binary, nFeatures, norm, alternateSign } = options;
  const terms = nFeatures === undefined ? termsOf(vectorizer) : null;
  const counts: TermVector = {
    op: 'terms',
    input,
    analysis: analysisOf(options),
    terms,
    signed: alternateSign === true,
    binary,
    width: terms?.length ?? (nFeatures as number),
  };
  const from = builder.vector(counts);
  if (!terms) return weighed(builder, from, 'raw', null, norm);
  return vectorizer.kind === 'CountVectorizer' ? from : weighedBy(builder, vectorizer, from);
}

/** Counts → weights, as a transformer weighs them. */
export function weighedBy(builder: PlanBuilder, weighing: State, from: number): number {
  const options = optionsOf(weighing);
  return weighed(builder, from, termWeight(options), options.useIdf ? idfIn(weighing, options) : null, options.norm);
}

function weighed(builder: PlanBuilder, from: number, tf: TermWeight, idf: Float64Array | null, norm: Norm): number {
  if (tf === 'raw' && idf === null && norm === null) return from;
  return builder.vector({ op: 'weigh', from, tf, idf, norm });
}
