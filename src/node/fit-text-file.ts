import type { State } from '../core/artifact.ts';
import { compareLabels, type Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import type { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import type { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline, type Pipeline } from '../estimators/pipeline.ts';
import { restore } from '../estimators/restore.ts';
import { analyzerSpec } from '../text/options.ts';
import type { CountedWords } from '../text/word-counts.ts';
import { countWords } from './count-words.ts';

/** Classifiers whose sums are words by class. */
export type WordClassifier = MultinomialNB | ComplementNB | BernoulliNB;

/** How a classifier is fitted to a file. */
export interface FitTextFileOptions<E extends WordClassifier> {
  /** The names of the text and of the label in every line; `text` and `label` unless told. */
  readonly text?: string;
  readonly label?: string;
  /** How words are read: its tokenizer is one of Pólya's, its terms single words, without limits. */
  readonly vectorizer?: CountVectorizer;
  /** What learns from them; `MultinomialNB` unless told. `BernoulliNB` needs a vectorizer that is `binary`. */
  readonly classifier?: E;
  /** Threads; as many as there are cores unless told. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

/**
 * Learns to classify from a plain file of JSON Lines that may be larger than memory: bytes are counted where they lie, on every
 * core, and nothing but words and counts is kept. The pipeline is the one that `fit` on all texts would give, to the last bit,
 * whatever the number of threads.
 */
export async function fitTextFile<E extends WordClassifier = MultinomialNB>(
  path: string,
  options: FitTextFileOptions<E> = {},
): Promise<Pipeline<readonly [CountVectorizer, E]>> {
  const { text = 'text', label = 'label', vectorizer = new CountVectorizer(), signal, onProgress, threads } = options;
  const classifier = (options.classifier ?? new MultinomialNB()) as E;
  const params = vectorizer.getParams();
  requireCountable(params, classifier);
  const analyzer = Object.fromEntries(
    Object.keys(analyzerSpec).map((name) => [name, params[name as keyof typeof params]]),
  );
  const counted = await countWords(path, {
    ...{ text, label, analyzer, presence: params.binary },
    ...(threads !== undefined && { threads }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  if (counted.labels.length === 0) refuse('E_EMPTY_INPUT', 'the file has no line', { rows: 0 });
  if (counted.ends.length === 0) refuse('E_EMPTY_INPUT', 'the file has no word', { features: 0 });
  const words = restore(vectorizer.clone(), vocabularyState(counted, vectorizer));
  const learned = restore(classifier.clone(), sumsState(counted, classifier));
  return makePipeline(words, learned as MultinomialNB) as unknown as Pipeline<readonly [CountVectorizer, E]>;
}

function requireCountable(params: ReturnType<CountVectorizer['getParams']>, classifier: WordClassifier): void {
  const limits = { minDf: 1, maxDf: 1, maxFeatures: null, vocabulary: null } as const;
  for (const [name, plain] of Object.entries(limits)) {
    if (params[name as keyof typeof limits] !== plain) {
      refuse('E_PARAM', `${name} needs all counts first: fit without it and prune, or fit on texts in memory`, {
        name,
      });
    }
  }
  if (classifier.kind === 'BernoulliNB' && !params.binary) {
    refuse('E_PARAM', 'BernoulliNB counts documents: give a vectorizer with binary: true', { name: 'vectorizer' });
  }
  if (classifier.getParams().reproducible) {
    refuse('E_PARAM', 'whole numbers are exact as they are: leave out reproducible', { name: 'reproducible' });
  }
}

function vocabularyState({ documents, df, tf, bytes, ends }: CountedWords, vectorizer: CountVectorizer): State {
  const shape = [ends.length];
  return {
    kind: vectorizer.kind,
    params: {},
    learned: { documents: documents.reduce((sum, n) => sum + n, 0), pruned: false },
    arrays: {
      df: { shape, data: df },
      tf: { shape, data: tf },
      terms: { shape: [bytes.length], data: bytes },
      ends: { shape, data: ends },
    },
  };
}

/** Sums by class, with the classes in their order. */
function sumsState({ labels, documents, counts, ends }: CountedWords, { kind }: WordClassifier): State {
  const parsed = labels.map((label) => JSON.parse(label) as Label);
  if (new Set(parsed.map((label) => typeof label)).size > 1) {
    refuse('E_LABEL_TYPE', 'labels of one file are all texts, all whole numbers, or all true and false');
  }
  const bad = parsed.find(
    (label) => typeof label === 'object' || (typeof label === 'number' && !Number.isSafeInteger(label)),
  );
  if (bad !== undefined) refuse('E_LABEL_TYPE', 'a label is a text, a whole number, or true or false');
  const order = [...parsed.keys()].sort((a, b) => compareLabels(parsed[a], parsed[b]));
  const features = ends.length;
  const s = new Float64Array(counts.length);
  order.forEach((from, to) => {
    s.set(counts.subarray(from * features, (from + 1) * features), to * features);
  });
  return {
    kind,
    params: {},
    learned: { classes: order.map((c) => parsed[c]), closed: false, features },
    arrays: {
      'stats.n': { shape: [labels.length], data: Float64Array.from(order, (c) => documents[c]) },
      'stats.s': { shape: [labels.length, features], data: s },
      'stats.m': { shape: [labels.length, 0], data: new Float64Array(0) }, // no cell is missing
    },
  };
}
