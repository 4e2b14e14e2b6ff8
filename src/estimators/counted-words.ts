import type { State } from '../core/artifact.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { CountedWords } from '../text/word-counts.ts';
import type { BernoulliNB } from './bernoulli-nb.ts';
import type { ComplementNB } from './complement-nb.ts';
import type { CountVectorizer } from './count-vectorizer.ts';
import type { MultinomialNB } from './multinomial-nb.ts';
import { restore } from './restore.ts';

/** Classifiers whose sums are words by class. */
export type WordClassifier = MultinomialNB | ComplementNB | BernoulliNB;

/** A vectorizer with the parameters of this one that has learned the words. */
export function learnedWords(vectorizer: CountVectorizer, words: CountedWords): CountVectorizer {
  if (words.ends.length === 0) refuse('E_EMPTY_INPUT', 'there is no word in any text', { features: 0 });
  return restore(vectorizer.clone(), vocabularyState(words, vectorizer));
}

/** A classifier with the parameters of this one that has learned the counts of the words. */
export function learnedCounts<E extends WordClassifier>(classifier: E, words: CountedWords): E {
  return restore(classifier.clone() as E, sumsState(words, classifier));
}

function vocabularyState(words: CountedWords, vectorizer: CountVectorizer): State {
  const { documents, df, bytes, ends } = words;
  const { binary } = vectorizer.getParams();
  const tf = words.tf.slice();
  if (!binary) for (let j = 0; j < tf.length; j++) tf[j] += words.again[j];
  const shape = [ends.length];
  return {
    kind: vectorizer.kind,
    params: {},
    learned: { documents: sum(Float64Array.from(documents)), pruned: false },
    arrays: {
      df: { shape, data: df },
      tf: { shape, data: tf },
      terms: { shape: [bytes.length], data: bytes },
      ends: { shape, data: ends },
    },
  };
}

/** Labels as JSON to labels, all of one type. */
function readLabels(labels: readonly string[]): Label[] {
  const parsed = labels.map((label) => JSON.parse(label) as Label);
  if (new Set(parsed.map((label) => typeof label)).size > 1) {
    refuse('E_LABEL_TYPE', 'labels of one file are all texts, all whole numbers, or all true and false');
  }
  const bad = parsed.find(
    (label) => typeof label === 'object' || (typeof label === 'number' && !Number.isSafeInteger(label)),
  );
  if (bad !== undefined) refuse('E_LABEL_TYPE', 'a label is a text, a whole number, or true or false');
  return parsed;
}

/** Sums by class, with the classes in their order. */
function sumsState({ labels, documents, counts, ends }: CountedWords, { kind }: WordClassifier): State {
  const parsed = readLabels(labels);
  const order = [...parsed.keys()].sort((a, b) => compareLabels(parsed[a], parsed[b]));
  const features = ends.length;
  const sorted = order.every((c, k) => c === k);
  const s = sorted ? counts : counts.slice();
  if (!sorted)
    for (const [to, c] of order.entries()) s.set(counts.subarray(c * features, (c + 1) * features), to * features);
  return {
    kind,
    params: {},
    learned: { classes: order.map((c) => parsed[c]), closed: false, features },
    arrays: {
      'stats.n': { shape: [labels.length], data: Uint32Array.from(order, (c) => documents[c]) },
      'stats.s': { shape: [labels.length, features], data: s },
      'stats.m': { shape: [labels.length, 0], data: new Float64Array(0) }, // no cell is missing
    },
  };
}
