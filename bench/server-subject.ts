/**
 * What bench/server.ts measures, as a process of its own: `hello` is a bare fastify, `polya` a server with a durable store and a model of
 * 50 000 words and 20 classes. It answers the driver by messages: its port, its processor time, its memory, a swap of the model.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../src/estimators/pipeline.ts';
import { startServer } from '../src/server/server.ts';
import { openStore } from '../src/server/store/index.ts';

const [kind, words = '50000', classes = '20'] = process.argv.slice(2);

/** Every word once, in texts of a hundred words, and each class as often. */
function model(): Uint8Array {
  const texts = Array.from({ length: Math.ceil(Number(words) / 100) }, (_, k) =>
    Array.from({ length: 100 }, (_, j) => `w${(k * 100 + j).toString(36)}`).join(' '),
  );
  const labels = texts.map((_, i) => `class ${i % Number(classes)}`);
  return makePipeline(new CountVectorizer(), new MultinomialNB()).fit(texts, labels).toBytes();
}

async function hello() {
  const app = fastify();
  app.get('/', async () => ({ hello: 'world' }));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url, bytes: 0, swap: async () => undefined, close: () => app.close() };
}

async function polya() {
  const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
  const bytes = model();
  const store = await openStore(folder, new Map([['news', bytes]]));
  const { url, close } = await startServer({ store, port: 0 });
  const end = async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, bytes: bytes.length, swap: () => store.put('news', bytes), close: end };
}

const subject = kind === 'hello' ? await hello() : await polya();

process.on('message', async (wish: string) => {
  if (wish === 'swap') await subject.swap();
  if (wish === 'collect') (globalThis as { gc?: () => void }).gc?.();
  if (wish === 'end') {
    await subject.close();
    process.exit(0);
  }
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ cpu: user + system, rss, heapUsed });
});
process.send?.({ url: subject.url, bytes: subject.bytes });
