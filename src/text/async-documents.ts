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

/** `fit` for an async iterable of documents. */
export async function fitAsync<V extends { fitting(options: StudyOptions, keep: boolean): Intake<unknown> }>(
  vectorizer: V,
  documents: AsyncDocuments,
  options: StudyOptions = {},
): Promise<V> {
  requireVectorizer(vectorizer, 'fitting');
  await feedAsync(documents, vectorizer.fitting(requireOptions('fitAsync', studyOptions, options), false));
  return vectorizer;
}

/** `transform` for an async iterable of documents. */
export async function transformAsync<Out>(
  vectorizer: { transforming(): Intake<Out> },
  documents: AsyncDocuments,
): Promise<Out> {
  requireVectorizer(vectorizer, 'transforming');
  return feedAsync(documents, vectorizer.transforming());
}

/** `partialFit` for an async iterable of documents. */
export async function partialFitAsync<V extends { studying(options: StudyOptions): Intake<{ commit(): void }> }>(
  vectorizer: V,
  documents: AsyncDocuments,
  options: StudyOptions = {},
): Promise<V> {
  requireVectorizer(vectorizer, 'studying');
  (await feedAsync(documents, vectorizer.studying(requireOptions('partialFitAsync', studyOptions, options)))).commit();
  return vectorizer;
}
