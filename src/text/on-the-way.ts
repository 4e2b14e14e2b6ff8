import { type AsyncDocuments, requireDocuments } from './documents.ts';
import type { StudyOptions } from './growth.ts';
import type { Intake } from './lesson.ts';

/** Hands over documents as they come. */
async function feedAsync<T>(documents: AsyncDocuments, [lesson, finish]: Intake<T>): Promise<T> {
  for await (const document of requireDocuments(documents)) lesson.add(document);
  return finish();
}

/** `fit` for documents that are still on their way. */
export async function fitAsync<V extends { fitting(options: StudyOptions, keep: boolean): Intake<unknown> }>(
  vectorizer: V,
  documents: AsyncDocuments,
  options: StudyOptions = {},
): Promise<V> {
  await feedAsync(documents, vectorizer.fitting(options, false));
  return vectorizer;
}

/** `transform` for documents that are still on their way. */
export function transformAsync<Out>(
  vectorizer: { transforming(): Intake<Out> },
  documents: AsyncDocuments,
): Promise<Out> {
  return feedAsync(documents, vectorizer.transforming());
}

/** `partialFit` for documents that are still on their way. */
export async function partialFitAsync<V extends { studying(options: StudyOptions): Intake<{ commit(): void }> }>(
  vectorizer: V,
  documents: AsyncDocuments,
  options: StudyOptions = {},
): Promise<V> {
  (await feedAsync(documents, vectorizer.studying(options))).commit();
  return vectorizer;
}
