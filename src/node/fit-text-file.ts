import { refuse } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { learnedCounts, learnedWords, type WordClassifier } from '../estimators/counted-words.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline, type Pipeline } from '../estimators/pipeline.ts';
import { analyzerSpec } from '../text/options.ts';
import { countWords } from './count-words.ts';

export type { WordClassifier } from '../estimators/counted-words.ts';

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
  const analyzer = analyzerOptions(vectorizer);
  const counted = await countWords(path, {
    ...{ text, label, analyzer, presence: params.binary },
    ...(threads !== undefined && { threads }),
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  if (counted.labels.length === 0) refuse('E_EMPTY_INPUT', 'the file has no line', { rows: 0 });
  if (counted.ends.length === 0) refuse('E_EMPTY_INPUT', 'the file has no word', { features: 0 });
  const words = learnedWords(vectorizer, counted);
  const learned = learnedCounts(classifier, counted);
  return makePipeline(words, learned as MultinomialNB) as unknown as Pipeline<readonly [CountVectorizer, E]>;
}

/** Those options of a vectorizer that say how words are found. */
export function analyzerOptions(vectorizer: CountVectorizer): Record<string, unknown> {
  const params = vectorizer.getParams();
  return Object.fromEntries(Object.keys(analyzerSpec).map((name) => [name, params[name as keyof typeof params]]));
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
