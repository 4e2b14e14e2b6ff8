import type { CountVectorizer } from '../../src/estimators/count-vectorizer.ts';
import type { MultinomialNB } from '../../src/estimators/multinomial-nb.ts';
import type { Pipeline } from '../../src/estimators/pipeline.ts';
import type { ModelStore } from '../../src/server/model-store.ts';
import { openStore } from '../../src/server/store/index.ts';
import { firstRows, wordsModel } from '../server/store/models.ts';
import { rowOf, type Said } from './rows.ts';

/** Opens a store after a fault and holds it to the law; answers the rows that it knows. */
export async function requireLaw(folder: string, said: Said): Promise<Set<number>> {
  const store = await openStore(folder);
  try {
    return requireRows(store, said);
  } finally {
    await store.close();
  }
}

function requireRows(store: ModelStore, said: Said): Set<number> {
  const served = store.get('mail');
  if (!served) throw new Error('the model is gone');
  const [vectorizer] = (served.model.opened as unknown as Pipeline<[CountVectorizer, MultinomialNB]>).steps;
  const recovered = new Set<number>();
  const { termFrequency } = vectorizer;
  for (const [term, column] of vectorizer.vocabulary) {
    if (!/^u\d+$/.test(term)) continue;
    if (termFrequency[column] !== 1) throw new Error(`row ${term} was learned ${termFrequency[column]} times`);
    recovered.add(Number(term.slice(1)));
  }
  for (const id of recovered) if (!said.tried.has(id)) throw new Error(`row ${id} was never tried`);
  for (const id of said.learned) {
    if (!recovered.has(id) && !said.forgetting.has(id)) throw new Error(`row ${id} was acknowledged and is lost`);
  }
  for (const id of said.forgotten) if (recovered.has(id)) throw new Error(`row ${id} was unlearned and was recovered`);
  const fresh = wordsModel([...firstRows, ...Array.from(recovered, rowOf)]);
  if (Buffer.compare(served.model.toBytes(), fresh) !== 0) throw new Error('the model is not that of a fresh fit');
  return recovered;
}
