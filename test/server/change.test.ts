import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { openStore } from '../../src/server/store/index.ts';
import { ask, models, serve } from './harness.ts';
import { firstRows, wordsModel } from './store/models.ts';
import { newFolder } from './store/subjects.ts';

const more = [
  { instance: 'free prize again', label: 'spam' },
  { instance: 'lunch again', label: 'ham' },
];

async function merge(server: { url: string }, name: string, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.set('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'm.polya');
  const response = await fetch(`${server.url}/v1/models/${name}/merge`, { method: 'POST', body: form, headers });
  return { status: response.status, body: await response.json() };
}

test('a merged model is the one of all rows, is listed, and survives a restart', async () => {
  const folder = newFolder();
  const server = await serve({ store: await openStore(folder, new Map([['mail', wordsModel()]])) });
  expect(await merge(server, 'mail', wordsModel(more))).toEqual({ status: 200, body: { model: 'mail', version: 2 } });
  const expected = wordsModel([...firstRows, ...more]);
  expect(server.store.get('mail')!.model.toBytes()).toEqual(expected);
  expect((await ask(server, '/v1/models/mail/versions')).body.versions.at(-1)).toMatchObject({ origin: 'merged' });
  expect((await merge(server, 'mail', wordsModel(more), { 'if-match': '"1"' })).status).toBe(409);
  await server.close();
  const again = await openStore(folder);
  expect(again.get('mail')!.model.toBytes()).toEqual(expected);
  await again.close();
});

test('models of another kind are not merged', async () => {
  const all = models();
  const server = await serve({ store: new MemoryStore(all) });
  expect(await merge(server, 'spam', all.get('bells')!)).toMatchObject({ status: 422 });
  expect(await merge(server, 'spam', new Uint8Array(20))).toMatchObject({ status: 422 });
  expect((await ask(server, '/v1/models/spam')).body.version).toBe(1);
});

test.each(['spam', 'records', 'bells'])('%s: decay makes what comes later count more', async (name) => {
  const server = await serve({ store: await openStore(newFolder(), models()) });
  const probe = { instances: name === 'bells' ? [[1, 10]] : ['free lunch'] };
  const before = (await ask(server, `/v1/models/${name}/predict`, probe)).body.predictions[0];
  const { status, body } = await ask(server, `/v1/models/${name}/decay`, { factor: 0.25 });
  expect([status, body]).toEqual([200, { model: name, version: 2 }]);
  const after = (await ask(server, `/v1/models/${name}/predict`, probe)).body;
  expect(after.version).toBe(2);
  expect(Object.keys(after.predictions[0].probabilities)).toEqual(Object.keys(before.probabilities));
  for (const factor of [0, 1.5, -1])
    expect((await ask(server, `/v1/models/${name}/decay`, { factor })).status).toBe(400);
});
