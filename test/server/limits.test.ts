import { expect, test } from 'vitest';
import { CountVectorizer } from '../../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../../src/estimators/pipeline.ts';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { openStore } from '../../src/server/store/index.ts';
import { ask, models, raw, serve } from './harness.ts';
import { newFolder } from './store/subjects.ts';

/** The longest time that the health check takes while `work` runs, in milliseconds. */
async function slowestHealth(server: { url: string }, work: Promise<unknown>): Promise<number> {
  let [going, slowest] = [true, 0];
  void work.finally(() => {
    going = false;
  });
  while (going) {
    const start = performance.now();
    expect((await ask(server, '/healthz')).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - start);
  }
  return slowest;
}

test('a small request for rows × many classes is refused, and memory and health stay within bounds', async () => {
  const labels = Array.from({ length: 2000 }, (_, c) => `class${c}`);
  const wide = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(
    labels.map((label) => `word ${label}`),
    labels,
  );
  const server = await serve({ store: new MemoryStore(new Map([['wide', wide.toBytes()]])) });
  const before = process.memoryUsage.rss();
  const instances = Array.from({ length: 10_000 }, () => 'word');
  const tensor = { name: 'text', shape: [10_000], datatype: 'BYTES', data: instances };
  const examples = instances.map((text) => ({ text, label: 'class1' }));
  const requests = Promise.all([
    ask(server, '/v1/models/wide/predict', { instances }),
    ask(server, '/v1/models/wide/predict', { instances, top_k: 1 }),
    ask(server, '/v1/models/wide/evaluate', { examples }),
    ask(server, '/v2/models/wide/infer', { inputs: [tensor] }),
  ]);
  const slowest = await slowestHealth(server, requests);
  for (const { status, body } of await requests) expect([status, body.code]).toEqual([413, 'E_LIMIT']);
  expect(slowest).toBeLessThan(1000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 2 ** 20);
  const few = await ask(server, '/v1/models/wide/predict', { instances: instances.slice(0, 100) });
  expect(few.body.predictions.length).toBe(100);
});

test('thousands of new classes in one request are refused, and nothing of them is learned', async () => {
  const server = await serve({ store: await openStore(newFolder(), models()), limits: { classes: 300 } });
  const learn = (count: number, from = 0, more = {}) => {
    const examples = Array.from({ length: count }, (_, k) => ({ text: 'word', label: `class${from + k}` }));
    return ask(server, '/v1/models/spam/learn', { examples, ...more });
  };
  expect(await learn(5000)).toMatchObject({ status: 413, body: { code: 'E_LIMIT', details: { limit: 256 } } });
  expect((await ask(server, '/v1/models/spam')).body.classes.length).toBe(2);
  expect((await learn(256)).status).toBe(200);
  expect(await learn(43, 1000)).toMatchObject({ status: 413, body: { details: { limit: 42, actual: 43 } } });
  const rows = (await learn(60, 2000, { report: 'rows' })).body.rows as { error?: { code: string } }[];
  expect(rows.filter(({ error }) => error?.code === 'E_LIMIT').length).toBe(18);
  expect((await ask(server, '/v1/models/spam')).body.classes.length).toBe(300);
});

test('an uploaded model with huge n-grams is refused', async () => {
  const server = await serve();
  const upload = async (ngramRange: [number, number]) => {
    const model = makePipeline(new CountVectorizer({ analyzer: 'char', ngramRange }), new MultinomialNB());
    const form = new FormData();
    form.set('name', 'grams');
    form.set('file', new Blob([model.fit(['abc', 'def'], ['a', 'b']).toBytes() as Uint8Array<ArrayBuffer>]), 'm.polya');
    const response = await fetch(`${server.url}/v1/models`, { method: 'POST', body: form });
    return [response.status, (await response.json()).code];
  };
  expect(await upload([1, 5000])).toEqual([413, 'E_LIMIT']);
  expect(await upload([1, 4])).toEqual([201, undefined]);
});

test('a preflight of an allowed origin needs no token, and the request after it does', async () => {
  const server = await serve({ token: 'a token of many letters', origins: ['https://studio.example'] });
  const preflight = await raw(
    server,
    `OPTIONS /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nOrigin: https://studio.example\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n`,
  );
  expect(preflight).toMatch(/^HTTP\/1\.1 204/);
  expect(preflight).toContain('access-control-allow-origin: https://studio.example');
  const headers = { origin: 'https://studio.example' };
  expect((await ask(server, '/v1/models', undefined, { headers })).status).toBe(401);
});

test('wrong tokens are limited, and a connection that knows the token is not', async () => {
  const token = 'a token of many letters';
  const server = await serve({ token });
  const ok = { authorization: `Bearer ${token}` };
  const request = (authorization: string) =>
    `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nAuthorization: ${authorization}\r\n`;
  expect((await ask(server, '/v1/models', undefined, { headers: ok })).status).toBe(200);
  const counts = new Map<number, number>();
  for (let k = 0; k < 200; k++) {
    const text = await raw(server, `${request(`Bearer guess number ${k}`)}Connection: close\r\n\r\n`);
    const status = Number(text.slice(9, 12));
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual([401, 429]);
  expect(counts.get(401)).toBeLessThan(40);
  const late = await raw(server, `${request(ok.authorization)}Connection: close\r\n\r\n`);
  expect(late).toMatch(/^HTTP\/1\.1 429/);
  expect(late).toContain('retry-after: 1');
});

test('errors are short and name no folder of the server', async () => {
  const server = await serve();
  const key = 'k'.repeat(3000);
  const replies = [
    await ask(server, '/v1/models/bells/predict', { instances: [{ [key]: 1 }] }),
    await ask(server, '/v1/models/spam/predict', { instances: [], [key]: 1 }),
    await ask(server, `/v1/models/spam/predict`, { instances: [key.repeat(10)], threshold: { [key]: 0.5 } }),
    await ask(server, '/v1/models/spam/explain', { instance: 'a', label: key }),
  ];
  for (const { status, body } of replies) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(body).length).toBeLessThan(1700);
    expect(JSON.stringify(body)).not.toContain(process.cwd());
  }
});

test('predictions are counted by the classes of the model that answers, also after a swap', async () => {
  const store = new MemoryStore(models());
  const server = await serve({ store });
  await ask(server, '/v1/models/spam/predict', { instances: ['free prize'] });
  const other = makePipeline(new CountVectorizer(), new MultinomialNB()).fit(['free', 'lunch'], ['no', 'yes']);
  await store.put('spam', other.toBytes());
  await ask(server, '/v1/models/spam/predict', { instances: ['free'] });
  const { body } = await ask(server, '/metrics');
  expect(body).toContain('polya_predictions_total{model="spam",class="no"} 1');
  expect(body).not.toContain('polya_predictions_total{model="spam",class="spam"}');
});

test('the start page leads to the docs', async () => {
  const server = await serve();
  const response = await fetch(server.url, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
});
