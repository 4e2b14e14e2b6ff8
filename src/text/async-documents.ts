import { requireLike, requireOptions } from '../data/arguments.ts';
import type { Intake } from './document-counter.ts';
import { type AsyncDocuments, requireDocuments } from './documents.ts';
import type { StudyOptions } from './growth.ts';

const studyOptions = ['sampleWeight', 'signal', 'onProgress'];

const requireVectorizer = (vectorizer: object, method: string) =>
  requireLike(vectorizer, 'a vectorizer', { [method]: 'function' });

/** Passes on documents as they arrive. */
async function feedAsync<T>(documents: AsyncDocuments, [counter, finish]: Intake<T>): Promise<T> {
  for await (const document of requireDocuments(documents)) counter.add(document);
  return finish();
}

/** A vectorizer that can learn documents as they come. */
interface Fitting {
  readonly kind: string;
  /** @internal */
  fitting(options: StudyOptions, keep: boolean): Intake<unknown>;
}

/** A vectorizer that can learn further documents as they come. */
interface Studying {
  readonly kind: string;
  /** @internal */
  studying(options: StudyOptions): Intake<{ commit(): void }>;
}

/** A vectorizer that can transform documents as they come. */
interface Transforming<Out> {
  transform(documents: never): Out;
  /** @internal */
  transforming(): Intake<Out>;
}

/** `fit` for documents that arrive one by one. */
export async function fitAsync<V extends Fitting>(
  vectorizer: V,
  documents: AsyncDocuments,
  options: StudyOptions = {},
): Promise<V> {
  requireVectorizer(vectorizer, 'fitting');
  await feedAsync(documents, vectorizer.fitting(requireOptions('fitAsync', studyOptions, options), false));
  return vectorizer;
}

/** `transform` for documents that arrive one by one. */
export async function transformAsync<Out>(vectorizer: Transforming<Out>, documents: AsyncDocuments): Promise<Out> {
  requireVectorizer(vectorizer, 'transforming');
  return feedAsync(documents, vectorizer.transforming());
}

/** `partialFit` for documents that arrive one by one. */
export async function partialFitAsync<V extends Studying>(
  vectorizer: V,
  documents: AsyncDocuments,
  options: StudyOptions = {},
): Promise<V> {
  requireVectorizer(vectorizer, 'studying');
  (await feedAsync(documents, vectorizer.studying(requireOptions('partialFitAsync', studyOptions, options)))).commit();
  return vectorizer;
}
