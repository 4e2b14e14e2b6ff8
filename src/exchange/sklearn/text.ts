import type { State } from '../../core/artifact.ts';
import { compareCodePoints } from '../../data/order.ts';
import { refuse } from '../../errors.ts';
import { CountVectorizer } from '../../estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../../estimators/hashing-vectorizer.ts';
import { restore } from '../../estimators/restore.ts';
import { TfidfTransformer } from '../../estimators/tfidf-transformer.ts';
import { TfidfVectorizer } from '../../estimators/tfidf-vectorizer.ts';
import type { DocumentLimit } from '../../text/prune.ts';
import {
  Entries,
  type Field,
  featureCount,
  field,
  finite,
  fixed,
  flag,
  list,
  optional,
  orNull,
  refuseFormat,
  sklearnClass,
  text,
  vector,
  word,
} from './fields.ts';

/** An option that was a function: a file holds none, and Pólya would tokenise otherwise without it. */
const nothing: Field<null> = (value, where) =>
  value === null ? null : refuse('E_PARAM', `${where} is a function, which a file cannot hold`, { name: where });

const stopWords: Field<'english' | readonly string[] | null> = (value, where, known) =>
  value === null || value === 'english' ? value : list(text)(value, where, known);

const range: Field<readonly [number, number]> = (value, where, known) => {
  const [lowest, highest, ...others] = vector('any')(value, where, known);
  return others.length > 0 || highest === undefined
    ? refuseFormat(`${where} is no pair of numbers`, where)
    : [lowest, highest];
};

/** How bytes are read, which matters to bytes alone (Pólya reads UTF-8), and functions. */
const reading = {
  input: fixed(word('content'), 'content'),
  encoding: word('utf-8', 'utf8', 'UTF-8', 'UTF8'),
  decodeError: word('strict', 'ignore', 'replace'),
  preprocessor: fixed(nothing, null),
  tokenizer: fixed(nothing, null),
};

/** Counts are whole numbers in each of these; narrower ones may have overflowed before they came here. */
const countType = fixed(word('int64', 'int32', 'float64', 'float32'), 'int64');

/** scikit-learn itself rounds to the narrower types. */
const weightType = fixed(word('float64'), 'float64');

/** What a document becomes before it is counted. */
const analysis = {
  analyzer: word('word', 'char', 'char_wb'),
  tokenPattern: text,
  lowercase: flag,
  stripAccents: orNull(word('ascii', 'unicode')),
  stopWords,
  ngramRange: range,
  binary: flag,
};

/** A limit on documents; minDf 1 is one document, maxDf 1 is all of them. */
const limit = (name: 'minDf' | 'maxDf', mostShare: number) =>
  field<DocumentLimit>(
    (value, where) => {
      const entries = new Entries(value, where);
      const share = entries.take('share', optional(finite, undefined));
      const read = share === undefined ? { documents: entries.take('documents', finite) } : { share };
      entries.close();
      return read;
    },
    {
      give(model) {
        const value = model.getParams()[name];
        if (typeof value !== 'number') return value;
        return value <= mostShare ? { share: value } : { documents: value };
      },
    },
  );

const pruning = { minDf: limit('minDf', 1 - Number.EPSILON), maxDf: limit('maxDf', 1), maxFeatures: orNull(finite) };

/** The terms in the order of their columns; what was given as vocabulary is that of the fitted model. */
const terms = {
  vocabulary: field(list(text), { give: (model) => (model as unknown as CountVectorizer).getFeatureNamesOut() }),
  fixedVocabulary: field(flag, { give: (model) => (model.getParams().vocabulary ?? null) !== null }),
};

const norm = orNull(word('l1', 'l2'));

const weighting = {
  norm,
  useIdf: flag,
  smoothIdf: flag,
  sublinearTf: field(flag, {
    give: (model) => model.getParams().sublinearTf === true || model.getParams().tf === 'sublinear',
  }),
};

const idf = field(optional(vector('any'), undefined), {
  give: (model) => (model.getParams().useIdf ? model.idf : undefined),
});

/** How many documents there were, and how many of them held each term. */
interface Documents {
  readonly documents: number;
  readonly df: Float64Array;
}

/** The largest number of documents tried for the rarest term. */
const MOST_TRIED = 10_000;

/** The tolerance of a count that is recovered from a ratio of logarithms. */
const WHOLE = 1e-9;

/**
 * Recovers the document counts behind inverse document frequencies, which scikit-learn does not store: with e = 1 where idf is smooth and
 * else 0,
 *
 *   idf[t] = ln((n + e) / (df[t] + e)) + 1   ⇒   df[t] + e = (n + e) exp(1 − idf[t])                (1)
 *
 * Returns the smallest n for which (1) gives whole numbers for all terms, which is usually the true one, since the rarest terms of a corpus
 * are in one document or two. If there is none, because documents had weights, n is such that the rarest term is in one document. Either
 * way (1) reproduces idf.
 */
function documentsOf(idf: Float64Array | undefined, width: number, smooth: boolean): Documents {
  if (idf?.length !== width) return refuseFormat(`idf_ holds ${idf?.length ?? 0} weights of ${width} terms`, 'idf_');
  const extra = smooth ? 1 : 0;
  const shares = idf.map((value) => Math.exp(1 - value));
  const least = shares.reduce((low, share) => Math.min(low, share), Infinity);
  const most = shares.reduce((high, share) => Math.max(high, share), 0);
  if (!(least > 0 && most < 1 + WHOLE)) refuseFormat('idf_ holds a weight that no number of documents gives', 'idf_');
  for (let rarest = 1; rarest <= MOST_TRIED; rarest++) {
    const total = (rarest + extra) / least;
    if (isWhole(total) && shares.every((share) => isWhole(share * Math.round(total))))
      return documentsBy(Math.round(total), shares, extra, Math.round);
  }
  return documentsBy((1 + extra) / least, shares, extra, Number);
}

const isWhole = (value: number) => Math.abs(value - Math.round(value)) <= WHOLE * Math.max(1, value);

function documentsBy(total: number, shares: Float64Array, extra: number, count: (df: number) => number): Documents {
  return { documents: total - extra, df: shares.map((share) => Math.max(0, count(share * total) - extra)) };
}

/** A vectorizer with a vocabulary; with `known` it is slim, since it lacks the number of occurrences. */
function withTerms<V extends CountVectorizer | TfidfVectorizer>(
  vectorizer: V,
  vocabulary: readonly string[],
  isFixed: boolean,
  known?: Documents,
): V {
  if (!isFixed && vocabulary.some((term, j) => j > 0 && compareCodePoints(vocabulary[j - 1], term) >= 0)) {
    refuseFormat('the terms of the vocabulary are not in order', 'vocabulary_');
  }
  const shape = [vocabulary.length];
  const none = new Float64Array(vocabulary.length);
  const counts = known ? { df: { shape, data: known.df } } : { df: { shape, data: none }, tf: { shape, data: none } };
  const learned = { documents: known?.documents ?? 0, pruned: true, ...(known && { slim: true }) };
  const state: State = { kind: vectorizer.kind, params: {}, learned, arrays: counts };
  if (isFixed) return restore(vectorizer, state);
  const encoder = new TextEncoder();
  const bytes = encoder.encode(vocabulary.join(''));
  let end = 0;
  const ends = Uint32Array.from(vocabulary, (term) => (end += encoder.encode(term).length));
  const written = { terms: { shape: [bytes.length], data: bytes }, ends: { shape, data: ends } };
  return restore(vectorizer, { ...state, arrays: { ...counts, ...written } });
}

const vocabularyOf = (given: readonly string[], isFixed: boolean) => {
  if (given.length === 0) refuseFormat('the vocabulary is empty', 'vocabulary_');
  return { vocabulary: isFixed ? given : null };
};

/**
 * Counts of terms. scikit-learn stores no document frequencies, so the vocabulary starts without them: it can learn further, but unlearning
 * may remove more than was learned since.
 */
const counted = sklearnClass({
  params: { ...analysis, ...pruning },
  fixed: { ...reading, dtype: countType, vocabulary: fixed(nothing, null) },
  learned: terms,
  classifies: false,
  make(params, { vocabulary, fixedVocabulary }) {
    const vectorizer = new CountVectorizer({ ...params, ...vocabularyOf(vocabulary, fixedVocabulary) });
    return withTerms(vectorizer, vocabulary, fixedVocabulary);
  },
});

/** Counts by hash: nothing is learned. */
const hashed = sklearnClass({
  params: { ...analysis, nFeatures: finite, norm, alternateSign: flag },
  fixed: { ...reading, dtype: weightType },
  learned: {},
  classifies: false,
  make: (params) => new HashingVectorizer(params),
});

/** Weights of terms. With idf it predicts only; see `documentsOf`. */
const weighted = sklearnClass({
  params: { ...analysis, ...pruning, ...weighting },
  fixed: { ...reading, dtype: weightType, vocabulary: fixed(nothing, null) },
  learned: { ...terms, idf },
  classifies: false,
  make(params, { vocabulary, fixedVocabulary, idf }) {
    const vectorizer = new TfidfVectorizer({ ...params, ...vocabularyOf(vocabulary, fixedVocabulary) });
    const known = params.useIdf ? documentsOf(idf, vocabulary.length, params.smoothIdf) : undefined;
    return withTerms(vectorizer, vocabulary, fixedVocabulary, known);
  },
});

const weights = {
  idf,
  nFeaturesIn: field(optional(featureCount, undefined), {
    give: (model) => (model.getParams().useIdf ? (model.idf as Float64Array).length : undefined),
  }),
};

/** Counts to weights. */
const transformer = sklearnClass({
  params: weighting,
  learned: weights,
  classifies: false,
  make(params, { idf, nFeaturesIn: width }) {
    const made = new TfidfTransformer(params);
    if (!params.useIdf && width === undefined) return made; // fitted or not, there was nothing to learn
    if (width === undefined)
      return refuseFormat('a TfidfTransformer with idf knows its number of features', 'n_features_in_');
    const known = params.useIdf ? documentsOf(idf, width, params.smoothIdf) : undefined;
    const { documents, df } = known ?? { documents: 1, df: new Float64Array(width) };
    const arrays = { df: { shape: [width], data: df } };
    return restore(made, { kind: 'TfidfTransformer', params: {}, learned: { documents }, arrays });
  },
});

export const vectorizers = {
  CountVectorizer: counted,
  HashingVectorizer: hashed,
  TfidfTransformer: transformer,
  TfidfVectorizer: weighted,
};
