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

/** The weight of a term, ln((n + e) / (df + e)) + 1 with e = 1 where idf is smooth and else 0: no number of documents gives less than 1. */
const termWeight: Field<number> = (value, where, known) => {
  const read = finite(value, where, known);
  return read > 1 - 1e-9 ? read : refuseFormat(`${where} holds a weight that no number of documents gives`, 'idf_');
};

const idf = field(optional(vector('any', termWeight), undefined), {
  give: (model) => (model.getParams().useIdf ? model.idf : undefined),
});

/** The idf of a model, which is taken as it is: scikit-learn does not keep the counts of documents behind it. */
function idfOf(useIdf: boolean, given: Float64Array | undefined, width: number): Float64Array | undefined {
  if (!useIdf) return undefined;
  return given?.length === width
    ? given
    : refuseFormat(`idf_ holds ${given?.length ?? 0} weights of ${width} terms`, 'idf_');
}

/** A vectorizer with a vocabulary and no counts; with `idf` it is slim. */
function withTerms<V extends CountVectorizer | TfidfVectorizer>(
  vectorizer: V,
  vocabulary: readonly string[],
  isFixed: boolean,
  idf?: Float64Array,
): V {
  if (!isFixed && vocabulary.some((term, j) => j > 0 && compareCodePoints(vocabulary[j - 1], term) >= 0)) {
    refuseFormat('the terms of the vocabulary are not in order', 'vocabulary_');
  }
  const shape = [vocabulary.length];
  const none = { shape, data: new Float64Array(vocabulary.length) };
  const counts = idf ? { df: none, idf: { shape, data: idf } } : { df: none, tf: none };
  const learned = { documents: 0, pruned: true, ...(idf && { slim: true }) };
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

/** Weights of terms. With idf it predicts only. */
const weighted = sklearnClass({
  params: { ...analysis, ...pruning, ...weighting },
  fixed: { ...reading, dtype: weightType, vocabulary: fixed(nothing, null) },
  learned: { ...terms, idf },
  classifies: false,
  make(params, { vocabulary, fixedVocabulary, idf }) {
    const vectorizer = new TfidfVectorizer({ ...params, ...vocabularyOf(vocabulary, fixedVocabulary) });
    return withTerms(vectorizer, vocabulary, fixedVocabulary, idfOf(params.useIdf, idf, vocabulary.length));
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
    const data = idfOf(params.useIdf, idf, width);
    const shape = [width];
    const arrays = { df: { shape, data: new Float64Array(width) }, ...(data && { idf: { shape, data } }) };
    return restore(made, { kind: 'TfidfTransformer', params: {}, learned: { documents: data ? 0 : 1 }, arrays });
  },
});

export const vectorizers = {
  CountVectorizer: counted,
  HashingVectorizer: hashed,
  TfidfTransformer: transformer,
  TfidfVectorizer: weighted,
};
