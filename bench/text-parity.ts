/**
 * Compares vocabulary and counts with those of scikit-learn, on every document of four datasets. `npx tsx
 * bench/text-parity.ts [folder]`, or the folder in POLYA_DATA; no Python is needed.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { SparseMatrix } from '../src/data/sparse.ts';
import { CountVectorizer, type CountVectorizerOptions } from '../src/estimators/count-vectorizer.ts';

interface Recorded {
  readonly set: string;
  readonly options: CountVectorizerOptions;
  readonly rows: number;
  readonly cols: number;
  readonly stored: number;
  readonly vocabulary: string;
  readonly counts: string;
}

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';
const recorded: { sets: Recorded[] } = JSON.parse(
  readFileSync(new URL('../test/reference/text/parity.json', import.meta.url), 'utf8'),
);

function documentsOf(set: string): string[] {
  const lines = gunzipSync(readFileSync(join(folder, `${set}.jsonl.gz`))).toString('utf8');
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
}

function hashTerms(terms: readonly string[]): string {
  const hash = createHash('sha256');
  for (const term of terms) hash.update(`${term}\0`);
  return hash.digest('hex');
}

function hashCounts({ indptr, indices, data }: SparseMatrix): string {
  const hash = createHash('sha256');
  for (const array of [indptr, indices, data])
    hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex');
}

const cache = new Map<string, string[]>();
let differing = 0;
for (const { set, options, rows, cols, stored, vocabulary, counts } of recorded.sets) {
  if (!cache.has(set)) cache.set(set, documentsOf(set));
  const start = performance.now();
  const vectorizer = new CountVectorizer(options);
  const X = vectorizer.fitTransform(cache.get(set)!);
  const milliseconds = Math.round(performance.now() - start);
  const same =
    hashTerms(vectorizer.getFeatureNamesOut()) === vocabulary &&
    hashCounts(X) === counts &&
    X.rows === rows &&
    X.cols === cols &&
    X.indices.length === stored;
  if (!same) differing++;
  console.log(
    JSON.stringify({ set, options, rows: X.rows, terms: X.cols, stored: X.indices.length, milliseconds, same }),
  );
}
console.log(differing === 0 ? 'identical to scikit-learn everywhere' : `${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;
