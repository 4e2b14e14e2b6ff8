import type { State } from '../../core/artifact.ts';
import { compareCodePoints } from '../../data/order.ts';
import { refuse } from '../../errors.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../../estimators/hashing-vectorizer.ts';
import { restore } from '../../estimators/restore.ts';
import { TfidfTransformer } from '../../estimators/tfidf-transformer.ts';
import { TfidfVectorizer } from '../../estimators/tfidf-vectorizer.ts';
import type { DocumentLimit } from '../../text/prune.ts';
import { type Documents, documentsOf } from './documents.ts';
import { Entries, finite, flag, list, orNull, type Read, refuseFormat, text, vector, word } from './entries.ts';
import { featureCount } from './known.ts';

/** An option that was a function: a file holds none, and Pólya would tokenise otherwise without it. */
const nothing: Read<null> = (value, where) =>
  value === null ? null : refuse('E_PARAM', `${where} is a function, which a file cannot hold`, { name: where });

const stopWords: Read<'english' | readonly string[] | null> = (value, where) =>
  value === null || value === 'english' ? value : list(text)(value, where);

const range: Read<readonly [number, number]> = (value, where) => {
  const [lowest, highest] = vector(2)(value, where);
  return [lowest, highest];
};

/** What a document becomes before it is counted; how bytes are read matters to bytes alone, and Pólya reads UTF-8. */
function readAnalysis(params: Entries) {
  params.take('input', word('content'));
  params.take('encoding', word('utf-8', 'utf8', 'UTF-8', 'UTF8'));
  params.take('decode_error', word('strict', 'ignore', 'replace'));
  params.take('preprocessor', nothing);
  params.take('tokenizer', nothing);
  return {
    analyzer: params.take('analyzer', word('word', 'char', 'char_wb')),
    tokenPattern: params.take('token_pattern', text),
    lowercase: params.take('lowercase', flag),
    stripAccents: params.take('strip_accents', orNull(word('ascii', 'unicode'))),
    stopWords: params.take('stop_words', stopWords),
    ngramRange: params.take('ngram_range', range),
    binary: params.take('binary', flag),
  };
}

const limit: Read<DocumentLimit> = (value, where) => {
  const entries = new Entries(value, where);
  const share = entries.maybe('share', finite);
  const read = share === undefined ? { documents: entries.take('documents', finite) } : { share };
  entries.close();
  return read;
};

/** The terms in the order of their columns. */
function readVocabulary(params: Entries, learned: Entries) {
  params.take('vocabulary', nothing); // what was given is vocabulary_ of the fitted model
  const terms = learned.take('vocabulary_', list(text));
  if (terms.length === 0) refuseFormat('the vocabulary is empty', 'vocabulary_');
  const options = {
    minDf: params.take('min_df', limit),
    maxDf: params.take('max_df', limit),
    maxFeatures: params.take('max_features', orNull(finite)),
    vocabulary: learned.take('fixed_vocabulary_', flag) ? terms : null,
  };
  return { terms, options };
}

/** Counts are whole numbers in each of these; narrower ones may have overflowed before they came here. */
const countType = word('int64', 'int32', 'float64', 'float32');

/** scikit-learn itself rounds to the narrower types. */
const weightType = word('float64');

/** A vocabulary as the state of a vectorizer; with `known` it is slim, since it lacks the number of occurrences. */
function vocabularyState(kind: string, terms: readonly string[], fixed: boolean, known?: Documents): State {
  if (!fixed && terms.some((term, j) => j > 0 && compareCodePoints(terms[j - 1], term) >= 0)) {
    refuseFormat('the terms of the vocabulary are not in order', 'vocabulary_');
  }
  const shape = [terms.length];
  const none = new Float64Array(terms.length);
  const counts = known ? { df: { shape, data: known.df } } : { df: { shape, data: none }, tf: { shape, data: none } };
  const learned = { documents: known?.documents ?? 0, pruned: true, ...(known && { slim: true }) };
  if (fixed) return { kind, params: {}, learned, arrays: counts };
  const encoder = new TextEncoder();
  const bytes = encoder.encode(terms.join(''));
  let end = 0;
  const ends = Uint32Array.from(terms, (term) => (end += encoder.encode(term).length));
  return {
    kind,
    params: {},
    learned,
    arrays: { ...counts, terms: { shape: [bytes.length], data: bytes }, ends: { shape, data: ends } },
  };
}

/**
 * Counts of terms. scikit-learn stores no document frequencies, so the vocabulary starts without them: it can learn further, but unlearning
 * may remove more than was learned since.
 */
export function countVectorizerOf(params: Entries, learned: Entries): CountVectorizer {
  params.take('dtype', countType);
  const { terms, options } = readVocabulary(params, learned);
  const vectorizer = new CountVectorizer({ ...readAnalysis(params), ...options });
  return restore(vectorizer, vocabularyState('CountVectorizer', terms, options.vocabulary !== null));
}

const norm = orNull(word('l1', 'l2'));

/** Counts by hash: nothing is learned. */
export function hashingVectorizerOf(params: Entries, _learned: Entries): HashingVectorizer {
  params.take('dtype', weightType);
  return new HashingVectorizer({
    ...readAnalysis(params),
    nFeatures: params.take('n_features', finite),
    norm: params.take('norm', norm),
    alternateSign: params.take('alternate_sign', flag),
  });
}

function readWeighting(params: Entries) {
  return {
    norm: params.take('norm', norm),
    useIdf: params.take('use_idf', flag),
    smoothIdf: params.take('smooth_idf', flag),
    sublinearTf: params.take('sublinear_tf', flag),
  };
}

/** Weights of terms. With idf it predicts only; see `documentsOf`. */
export function tfidfVectorizerOf(params: Entries, learned: Entries): TfidfVectorizer {
  params.take('dtype', weightType);
  const { terms, options } = readVocabulary(params, learned);
  const weighting = readWeighting(params);
  const vectorizer = new TfidfVectorizer({ ...readAnalysis(params), ...options, ...weighting });
  const known = weighting.useIdf
    ? documentsOf(learned.take('idf_', vector(terms.length)), weighting.smoothIdf)
    : undefined;
  return restore(vectorizer, vocabularyState('TfidfVectorizer', terms, options.vocabulary !== null, known));
}

/** Counts to weights. */
export function tfidfTransformerOf(params: Entries, learned: Entries): TfidfTransformer {
  const weighting = readWeighting(params);
  const transformer = new TfidfTransformer(weighting);
  const features = learned.maybe('n_features_in_', featureCount);
  if (!weighting.useIdf && features === undefined) return transformer; // fitted or not, there was nothing to learn
  const width = features ?? refuseFormat('a TfidfTransformer with idf knows its number of features', 'n_features_in_');
  const { documents, df } = weighting.useIdf
    ? documentsOf(learned.take('idf_', vector(width)), weighting.smoothIdf)
    : { documents: 1, df: new Float64Array(width) };
  return restore(transformer, {
    kind: 'TfidfTransformer',
    params: {},
    learned: { documents },
    arrays: { df: { shape: [width], data: df } },
  });
}
