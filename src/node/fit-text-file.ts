import { refuse } from '../errors.ts';
import type { BernoulliNB } from '../estimators/bernoulli-nb.ts';
import type { ComplementNB } from '../estimators/complement-nb.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import { refuseWordless } from '../estimators/counted-text.ts';
import { MultinomialNB } from '../estimators/multinomial-nb.ts';
import { makePipeline, type Pipeline } from '../estimators/pipeline.ts';
import type { Step } from '../estimators/pipeline-step.ts';
import { requireDecoded } from '../text/documents.ts';
import { pruneRule } from '../text/prune.ts';
import { fitFile } from './estimator-work.ts';

/** A classifier of word counts. */
export type WordClassifier = MultinomialNB | ComplementNB | BernoulliNB;

/** How a classifier is fitted to a file. */
export interface FitTextFileOptions<E extends WordClassifier> {
  /** The name of the text column. Default: `text`. */
  readonly text?: string;
  /** The name of the label column. Default: `label`. */
  readonly label?: string;
  /** How terms are found. Default: `new CountVectorizer()`. */
  readonly vectorizer?: CountVectorizer;
  /** The classifier of their counts. Default: `new MultinomialNB()`. */
  readonly classifier?: E;
  /** The number of threads. Default: one per core. */
  readonly threads?: number;
  /** Aborts the fit with `E_CANCELLED`. Default: none. */
  readonly signal?: AbortSignal;
  /** Called after every block that was read. Default: none. */
  readonly onProgress?: (bytesRead: number, bytesTotal: number) => void;
}

/**
 * Fits a text classifier to a file that may be larger than memory. The result equals `fit` on all texts, whatever the number of
 * threads.
 */
export async function fitTextFile<E extends WordClassifier = MultinomialNB>(
  path: string,
  options: FitTextFileOptions<E> = {},
): Promise<Pipeline<readonly [CountVectorizer, E]>> {
  const { text = 'text', label = 'label', vectorizer = new CountVectorizer(), threads, signal, onProgress } = options;
  requireDecoded(vectorizer.getParams());
  const classifier = (options.classifier ?? new MultinomialNB()) as MultinomialNB;
  const { alpha, reproducible } = classifier.getParams();
  if (alpha === 'auto' || reproducible) {
    const name = reproducible ? 'reproducible' : 'alpha';
    refuse('E_PARAM', `${name} needs all texts at once: fit on texts in memory`, { name });
  }
  const empty = makePipeline(vectorizer.clone(), classifier.clone());
  const fitted = await fitFile(path, empty as Pipeline<readonly Step[]>, { label, text, threads, signal, onProgress });
  const own = fitted as unknown as Pipeline<readonly [CountVectorizer, E]>;
  if (own.steps[0].known().columns.ids.length === 0) refuseWordless(); // each part of the texts may be empty
  return own.prune(pruneRule(vectorizer.getParams()));
}
