import { requireItems } from '../data/arguments.ts';
import { openFile } from './file.ts';

/**
 * The bytes of files, as documents for a vectorizer, which decodes them by its options `encoding` and `decodeError`:
 * `vectorizer.fit(await readDocuments(paths))` corresponds to `input='filename'` in scikit-learn. gzip files are
 * unpacked.
 */
export async function readDocuments(paths: readonly (string | URL)[]): Promise<Uint8Array[]> {
  const documents: Uint8Array[] = [];
  for (const path of requireItems(paths, 'a list of paths')) {
    const pieces: Uint8Array[] = [];
    for await (const piece of openFile(path)) pieces.push(piece);
    documents.push(new Uint8Array(Buffer.concat(pieces)));
  }
  return documents;
}
