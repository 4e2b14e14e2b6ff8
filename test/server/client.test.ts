import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PolyaClient } from 'polya/client';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/server/store/index.ts';
import { launch } from '../browser.ts';
import { irisRows, models, serve, spamPipeline, spamRows } from './harness.ts';

async function learning() {
  const folder = await mkdtemp(join(tmpdir(), 'polya-client-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return serve({ store: await openStore(folder, models()) });
}

test('every call of the client, on a server that learns', async () => {
  const { url } = await learning();
  const client = new PolyaClient(url);
  const spam = client.model<'ham' | 'spam'>('spam');
  expect(await client.ready()).toMatchObject({ ready: true, models: 3, learning: 'ready' });
  expect((await client.models()).map(({ name }) => name)).toEqual(['bells', 'records', 'spam']);
  expect((await spam.card()).classes).toEqual(['ham', 'spam']);
  expect((await spam.predict(['free prize'], { topK: 1 })).predictions[0]).toMatchObject({ label: 'spam' });
  expect((await spam.predictOne({ text: 'see you' }, { explain: 2 })).contributions).toHaveLength(2);
  const labels = [];
  for await (const { label } of spam.predictAll(spamRows.map(({ text }) => text))) labels.push(label);
  expect(labels).toEqual(spamRows.map(({ label }) => label));
  expect((await spam.explain('free prize', { against: 'ham', limit: 1 })).contributions).toHaveLength(1);
  expect(await spam.learn([{ text: 'win', label: 'spam' }], { ifVersion: 1 })).toMatchObject({
    version: 2,
    learned: 1,
  });
  expect(await spam.unlearn([{ instance: 'win', label: 'spam' }])).toMatchObject({
    version: 3,
    unlearned: 1,
    exact: true,
  });
  expect(await spam.learnAll(Array.from({ length: 600 }, () => ({ text: 'win', label: 'spam' as const })))).toEqual({
    learned: 600,
    version: 6,
  });
  expect((await spam.evaluate(spamRows as never)).rows).toBe(10);
  expect((await spam.features({ by: 'chi2', limit: 2 })).features).toHaveLength(2);
  expect((await spam.snapshot()).version).toBe(6);
  expect((await spam.rollback(1)).version).toBe(7);
  expect((await spam.versions()).at(-1)).toMatchObject({ version: 7, origin: 'rolled back' });
  expect(await client.upload('mine', spamPipeline().toBytes())).toMatchObject({ name: 'mine', version: 1 });
  expect((await client.model('mine').export()).length).toBeGreaterThan(500);
  await client.model('mine').remove({ ifVersion: 1 });
  await expect(client.model('mine').card()).rejects.toMatchObject({ code: 'E_NOT_FOUND', details: { status: 404 } });
});

test('jobs and data sets', async () => {
  const { url } = await serve();
  const client = new PolyaClient(url);
  const { id } = await client.datasets.upload(irisRows());
  expect(await client.datasets.profile(id, { target: 'species' })).toMatchObject({ rows: 150 });
  const job = await client.jobs.start({
    kind: 'fit',
    data: id,
    config: { target: 'species', model: 'gaussian', name: 'iris' },
  });
  expect(await client.jobs.finished(job.id)).toMatchObject({ state: 'done', result: { model: 'iris' } });
  expect((await client.jobs.get(job.id)).state).toBe('done');
  expect((await client.jobs.cancel(job.id)).state).toBe('done');
});

test('what a server refuses has its code, its place and the name of the request', async () => {
  const { url } = await serve();
  const spam = new PolyaClient(url).model('spam');
  await expect(spam.predict([{ text: 1 }])).rejects.toMatchObject({
    name: 'PolyaError',
    code: 'E_TYPE',
    details: { status: 422, pointer: '/instances/0/text', requestId: expect.any(String) },
  });
  await expect(spam.learn([{ text: 'a', label: 'spam' }])).rejects.toMatchObject({ code: 'E_CONFLICT' });
});

test('a token is sent, and a call can be given up', async () => {
  const { port } = await serve({ host: '0.0.0.0', token: 'a-token-of-many-letters' });
  const url = `http://127.0.0.1:${port}`;
  await expect(new PolyaClient(url).models()).rejects.toMatchObject({ code: 'E_AUTH' });
  const client = new PolyaClient(url, { token: 'a-token-of-many-letters' });
  expect(await client.models()).toHaveLength(3);
  await expect(client.models({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'E_CANCELLED' });
});

test('a busy server is tried again, an unreachable one is an error, and so is a response that is no problem', async () => {
  let calls = 0;
  const site = createServer((request, response) => {
    calls++;
    if (request.url === '/v1/models/odd') response.writeHead(500).end('oops');
    else if (calls < 3) response.writeHead(503, { 'retry-after': '0' }).end('{"code":"E_OVERLOADED"}');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[]}');
  });
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void site.close());
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  expect(await new PolyaClient(url).models()).toEqual([]);
  expect(calls).toBe(3);
  calls = 0;
  await expect(new PolyaClient(url, { retries: 0 }).models()).rejects.toMatchObject({ code: 'E_OVERLOADED' });
  await expect(new PolyaClient(url).model('odd').card()).rejects.toMatchObject({
    code: 'E_INTERNAL',
    details: { status: 500 },
  });
  await expect(new PolyaClient('http://127.0.0.1:1', { retries: 0 }).models()).rejects.toMatchObject({ code: 'E_IO' });
});

test('the same client runs in a browser', async () => {
  const { url } = await serve();
  const bundle = await rolldown({
    input: new URL('../../src/client.ts', import.meta.url).pathname,
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'polya' });
  await bundle.close();
  expect(output[0].code.length).toBeLessThan(30_000);
  const browser = await launch();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`${url}/healthz`); // a page of the server itself
  const label = await page.evaluate(
    async ([code, own]) => {
      const { PolyaClient: Client } = new Function(`${code}; return polya;`)();
      return (await new Client(own).model('spam').predictOne('free prize')).label;
    },
    [output[0].code, url] as const,
  );
  expect(label).toBe('spam');
});
