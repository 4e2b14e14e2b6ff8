/**
 * Downloads the real 20 Newsgroups with `fetch20newsgroups` over a connection that breaks. `npx tsx
 * bench/newsgroups-fetch.ts [folder]`, or the folder in POLYA_DATA, with 20news-bydate.jsonl.gz. The posts are packed
 * into an archive of the original layout, served from this machine with every third response truncated, downloaded, and
 * compared post by post; four groups are then learned.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { TfidfTransformer } from '../src/estimators/tfidf-transformer.ts';
import { fetch20newsgroups } from '../src/node.ts';
import { tar } from '../test/tar.ts';
import { readNewsTexts } from './newsgroups.ts';

interface Line {
  readonly split: 'train' | 'test';
  readonly label: string;
  readonly id: string;
  readonly text: string;
}

const folder = process.argv[2] ?? process.env.POLYA_DATA ?? '../shared/data';
const lines = gunzipSync(readFileSync(join(folder, '20news-bydate.jsonl.gz')))
  .toString('utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);
const archive = gzipSync(
  tar(
    lines.map(({ split, label, id, text }) => ({
      name: `20news-bydate-${split}/${label}/${id}`,
      content: Buffer.from(text, 'latin1'),
    })),
  ),
);
const sha256 = createHash('sha256').update(archive).digest('hex');

let requests = 0;
const server = createServer((request, response) => {
  const start = Number(/\d+/.exec(request.headers.range ?? '0')![0]);
  const range = { 'content-range': `bytes ${start}-${archive.length - 1}/${archive.length}` };
  response.writeHead(start > 0 ? 206 : 200, { 'content-length': archive.length - start, ...(start > 0 && range) });
  const cut = ++requests % 3 !== 0;
  if (cut) response.write(archive.subarray(start, start + 4e6), () => setTimeout(() => response.destroy(), 200));
  else response.end(archive.subarray(start));
});
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const cache = mkdtempSync(join(tmpdir(), 'polya-20news-'));

const seconds = async <T>(run: () => Promise<T>): Promise<[T, number]> => {
  const start = performance.now();
  const result = await run();
  return [result, (performance.now() - start) / 1000];
};

try {
  const options = { url, sha256, cache, subset: 'all', retry: { retryDelay: 1 } } as const;
  const [all, fetched] = await seconds(() => fetch20newsgroups(options));
  const [stripped, cached] = await seconds(() =>
    fetch20newsgroups({ ...options, remove: ['headers', 'footers', 'quotes'] }),
  );
  const expected = new Map(lines.map(({ split, label, id, text }) => [`20news-bydate-${split}/${label}/${id}`, text]));
  const different = all.data.filter((text, i) => expected.get(all.filenames[i]!) !== text).length;
  const other = readNewsTexts(folder, 'stripped');
  const own = new Set(stripped.data);
  const unlike = [...other.train, ...other.test].filter((text) => !own.has(text)).length;

  const categories = ['alt.atheism', 'soc.religion.christian', 'comp.graphics', 'sci.med'];
  const train = await fetch20newsgroups({ ...options, subset: 'train', categories });
  const test = await fetch20newsgroups({ ...options, subset: 'test', categories });
  const [words, tfidf] = [new CountVectorizer(), new TfidfTransformer()];
  const model = new MultinomialNB().fit(tfidf.fitTransform(words.fitTransform(train.data)), train.labels);
  const weigh = (documents: readonly string[]) => tfidf.transform(words.transform(documents));
  const right = model.predict(weigh(test.data)).filter((label, i) => label === test.labels[i]).length;

  const result = {
    archiveBytes: archive.length,
    requests,
    posts: all.data.length,
    trainPosts: all.filenames.filter((name) => name.includes('-train/')).length,
    groups: all.targetNames.length,
    differentPosts: different,
    differentStripped: unlike,
    fetchSeconds: Number(fetched.toFixed(2)),
    cachedSeconds: Number(cached.toFixed(2)),
    fourGroupsAccuracy: Number((right / test.data.length).toFixed(4)),
    answers: model.predict(weigh(['God is love', 'OpenGL on the GPU is fast'])),
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1000),
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(cache, { recursive: true });
}
