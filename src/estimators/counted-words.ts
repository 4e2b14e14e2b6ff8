import type { State } from '../core/artifact.ts';
import { requireWeightedClasses } from '../core/class-weight.ts';
import type { Model } from '../core/model.ts';
import { type Posterior, posterior } from '../core/posterior.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { sum } from '../math/arrays.ts';
import type { Sums } from '../stats/sums.ts';
import { readerOf } from '../text/analyze.ts';
import type { OtherWords } from '../text/other-words.ts';
import { loadVocabulary } from '../text/saved.ts';
import type { CountedWords, Tally } from '../text/word-counts.ts';
import type { BernoulliNB } from './bernoulli-nb.ts';
import type { ComplementNB } from './complement-nb.ts';
import type { CountVectorizer } from './count-vectorizer.ts';
import type { MultinomialNB } from './multinomial-nb.ts';
import { restore } from './restore.ts';

/** Classifiers whose sums are words by class. */
export type WordClassifier = MultinomialNB | ComplementNB | BernoulliNB;

/** A vectorizer with the parameters of this one that has learned the words. */
export function learnedWords(vectorizer: CountVectorizer, words: CountedWords): CountVectorizer {
  requireWords(words);
  const state = vocabularyState(words, vectorizer);
  return vectorizer.clone().adopt((options) => loadVocabulary(state, readerOf(options), options.vocabulary, true));
}

/** A classifier with the parameters of this one that has learned the counts of the words. */
export function learnedCounts<E extends WordClassifier>(classifier: E, words: CountedWords): E {
  const state = sumsState(words, classifier);
  requireWeightedClasses(classifier.getParams().classWeight, state.learned.classes as Label[]);
  return restore(classifier.clone() as E, state);
}

/** Refuses texts without any word. */
export function requireWords({ ends }: CountedWords): void {
  if (ends.length === 0) refuse('E_EMPTY_INPUT', 'there is no word in any text', { features: 0 });
}

/** The classes of counted words in their order, and the documents of each. */
export function countedClasses({ labels, documents }: Pick<CountedWords, 'labels' | 'documents'>) {
  const { classes, order } = sortedLabels(labels);
  return { classes, documents: Float64Array.from(order, (c) => documents[c]) };
}

/** What a vectorizer and a classifier that have learned nothing would be saved as, had they learned these words. */
export function countedStates(vectorizer: CountVectorizer, classifier: WordClassifier, words: CountedWords): State[] {
  return [
    { ...vectorizer.toState(), ...savedAs(vocabularyState(words, vectorizer)) },
    { ...classifier.toState(), ...savedAs(sumsState(words, classifier), words.largest) },
  ];
}

/** Counts in the smallest type that holds them, as files have them; of those by label and word the largest is known. */
function savedAs({ learned, arrays }: State, largest?: number): Pick<State, 'learned' | 'arrays'> {
  const narrow = Object.entries(arrays).map(([name, { shape, data }]) => {
    const plain = name === 'ends' || data instanceof Uint8Array;
    const most = name === 'stats.s' ? largest : undefined;
    return [name, { shape, data: plain ? data : narrowest(data as Tally, most ?? maximum(data)) }];
  });
  return { learned, arrays: Object.fromEntries(narrow) };
}

function maximum(counts: ArrayLike<number>): number {
  let most = 0;
  for (let k = 0; k < counts.length; k++) if (counts[k] > most) most = counts[k];
  return most;
}

function narrowest(counts: Tally, most: number): Tally | Uint8Array | Uint16Array | Uint32Array {
  if (most < 2 ** 8) return new Uint8Array(counts);
  if (most < 2 ** 16) return counts instanceof Uint16Array ? counts : new Uint16Array(counts);
  return most < 2 ** 32 ? new Uint32Array(counts) : counts;
}

/**
 * What a classifier with the parameters of this one that has learned the words of other rows says of rows; nothing where it would have
 * to know more than the words of these.
 */
export function posteriorByOthers(
  classifier: WordClassifier,
  { labels, documents, features, totals, counts, rows, columns, blocks }: OtherWords,
): (Posterior & { readonly classes: Label[] }) | undefined {
  const model = classifier.model as unknown as Model<Sums, never, unknown>;
  const { alpha, classWeight } = classifier.getParams();
  if (!model.estimatePart || typeof alpha !== 'number' || classWeight !== null) return undefined;
  const { classes, order } = sortedLabels(labels);
  const shape = { classes: classes.length, features: columns };
  const part = {
    ...shape,
    n: picked(documents, order, 1),
    s: picked(counts(), order, columns),
    m: new Float64Array(0),
  };
  const known = { stats: { ...shape, features }, schema: undefined } as never;
  const params = model.estimatePart(
    part,
    { features, totals: picked(totals, order, 1) },
    classifier.wordOptions(known),
  );
  if (!params) return undefined;
  const joint = new Float64Array(rows * classes.length);
  let filled = 0;
  for (const { rows: size, indptr, indices, data: values } of blocks()) {
    const scores = joint.subarray(filled, (filled += size * classes.length));
    model.score(params, { rows: size, features: columns, indptr, indices, values }, scores);
  }
  return { ...posterior(joint, model.logPrior(params)), classes };
}

/** Rows of a table in another order. */
function picked(table: Float64Array, order: readonly number[], width: number): Float64Array {
  if (order.every((c, k) => c === k)) return table;
  const rows = new Float64Array(table.length);
  for (const [to, c] of order.entries()) rows.set(table.subarray(c * width, (c + 1) * width), to * width);
  return rows;
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

/** Labels as JSON to classes in their order, and where each of them stood. */
function sortedLabels(labels: readonly string[]): { classes: Label[]; order: number[] } {
  const parsed = readLabels(labels);
  const order = [...parsed.keys()].sort((a, b) => compareLabels(parsed[a], parsed[b]));
  return { classes: order.map((c) => parsed[c]), order };
}

/** Sums by class, with the classes in their order. */
function sumsState({ labels, documents, counts, ends }: CountedWords, { kind }: WordClassifier): State {
  const { classes, order } = sortedLabels(labels);
  const features = ends.length;
  const sorted = order.every((c, k) => c === k);
  const s = sorted ? counts : counts.slice();
  if (!sorted)
    for (const [to, c] of order.entries()) s.set(counts.subarray(c * features, (c + 1) * features), to * features);
  return {
    kind,
    params: {},
    learned: { classes, closed: false, features },
    arrays: {
      'stats.n': { shape: [labels.length], data: Uint32Array.from(order, (c) => documents[c]) },
      'stats.s': { shape: [labels.length, features], data: s },
      'stats.m': { shape: [labels.length, 0], data: new Float64Array(0) }, // no cell is missing
    },
  };
}
