/**
 * How fast does text become counts? Megabytes per second of the byte path, beside `wc -w` on the same file and beside
 * scikit-learn where a Python that has it is named in POLYA_PYTHON. Median of five.
 * `npx tsx bench/text-speed.ts [folder of data sets]`, or POLYA_DATA; without data, seeded words of Zipf's kind.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CountVectorizer, type CountVectorizerOptions } from '../src/estimators/count-vectorizer.ts';
import { HashingVectorizer } from '../src/estimators/hashing-vectorizer.ts';
import { Random } from '../src/math/random.ts';
import { ByteKernel } from '../src/text/tokens.ts';
import { plainWords } from '../src/text/words.ts';

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';

function documentsOf(set: string): string[] | undefined {
  const path = join(folder, `${set}.jsonl.gz`);
  if (!existsSync(path)) return undefined;
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { text: string }).text);
}

function seededDocuments(): string[] {
  const random = new Random(1);
  const word = () =>
    Math.floor(50_000 ** random.uniform())
      .toString(36)
      .padStart(3, 'e');
  return Array.from({ length: 20_000 }, () => Array.from({ length: 200 }, word).join(' '));
}

/** The median of five runs in milliseconds: processor time of this process, or the clock for another one. */
function median(run: () => unknown, clock: () => number = cpuMilliseconds): number {
  const times = Array.from({ length: 5 }, () => {
    const start = clock();
    run();
    return clock() - start;
  });
  return times.sort((a, b) => a - b)[2];
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const PYTHON = `
import json, sys, time
from sklearn.feature_extraction.text import CountVectorizer
documents = json.load(open(sys.argv[1]))
times = []
for _ in range(5):
    start = time.process_time(); CountVectorizer().fit_transform(documents); times.append(time.process_time() - start)
print(sorted(times)[2] * 1000)
`;

function measure(documents: string[]): object {
  const temporary = mkdtempSync(join(tmpdir(), 'polya-'));
  try {
    const encoded = documents.map((text) => new TextEncoder().encode(text));
    const bytes = encoded.reduce((sum, { length }) => sum + length, 0);
    const speed = (milliseconds: number) => Number((bytes / 1000 / milliseconds).toFixed(1));
    const text = join(temporary, 'text.txt');
    writeFileSync(text, documents.join('\n'));
    const vectorize = (options: CountVectorizerOptions) => () => new CountVectorizer(options).fitTransform(documents);
    const fitted = new CountVectorizer().fit(documents);
    const results: Record<string, number> = {
      megabytes: Number((bytes / 1e6).toFixed(1)),
      documents: documents.length,
      terms: fitted.vocabulary.size,
      kernel: speed(median(() => scanAll(encoded))),
      fit: speed(median(() => new CountVectorizer().fit(documents))),
      fitTransform: speed(median(vectorize({}))),
      fitTransformBytes: speed(median(() => new CountVectorizer().fitTransform(encoded))),
      transform: speed(median(() => fitted.transform(documents))),
      hashing: speed(median(() => new HashingVectorizer().transform(documents))),
      stringPath: speed(median(vectorize({ tokenizer: plainWords }))),
      wordCount: speed(
        median(
          () => execFileSync('wc', ['-w', text]),
          () => performance.now(),
        ),
      ),
    };
    if (process.env.POLYA_PYTHON) {
      const list = join(temporary, 'documents.json');
      writeFileSync(list, JSON.stringify(documents));
      results.scikitLearn = speed(Number(execFileSync(process.env.POLYA_PYTHON, ['-c', PYTHON, list]).toString()));
    }
    return results;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

function scanAll(documents: readonly Uint8Array[]): void {
  const foreign = (piece: string) => plainWords(piece.toLowerCase());
  const kernel = new ByteKernel({ lowercase: true, wholeDocuments: false, foreign });
  const damaged = () => {
    throw new Error('not UTF-8');
  };
  for (const document of documents) kernel.scan(document, document.length, true, damaged);
}

const results: Record<string, object> = {};
for (const set of ['20news-bydate', 'ag-news', 'shopping-zh']) {
  const documents = documentsOf(set);
  if (documents) results[set] = measure(documents);
}
if (Object.keys(results).length === 0) results.seeded = measure(seededDocuments());
console.log(JSON.stringify({ unit: 'MB/s', node: process.version, ...results }, null, 2));
