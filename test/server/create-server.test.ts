import { PolyaClient } from 'polya/client';
import { createServer } from 'polya/server';
import { expect, onTestFinished, test } from 'vitest';
import { spamPipeline } from './harness.ts';
import { newFolder } from './store/subjects.ts';

test('a fitted model is served by name, as the library answers', async () => {
  const model = spamPipeline();
  const server = await createServer({ models: { spam: model, file: model.toBytes() }, port: 0 });
  onTestFinished(() => server.close());
  const client = new PolyaClient(server.url);
  const { label, probability } = await client.model('spam').predictOne('free prize');
  expect(label).toBe('spam');
  expect(probability).toBe(Math.max(...model.predictProba(['free prize']).row(0)));
  expect((await client.model('file').predictOne('free prize')).probability).toBe(probability);
  expect(server.inFlight()).toBe(0);
  await expect(client.model('spam').learn([{ text: 'a', label: 'spam' }])).rejects.toMatchObject({
    code: 'E_CONFLICT',
  });
});

test('with a journal what is learned outlives the server', async () => {
  const journal = newFolder();
  const models = { spam: spamPipeline() };
  const first = await createServer({ models, journal, port: 0 });
  await new PolyaClient(first.url).model('spam').learn([{ text: 'zebra', label: 'ham' }]);
  await first.close();
  const second = await createServer({ models, journal, port: 0 });
  onTestFinished(() => second.close());
  const { version, predictions } = await new PolyaClient(second.url).model('spam').predict(['zebra']);
  expect([version, predictions[0].label]).toEqual([2, 'ham']);
});

test('a name that is none, and an address without a token, are refused, and nothing is left open', async () => {
  const journal = newFolder();
  const models = { spam: spamPipeline() };
  await expect(createServer({ models: { 'a/b': spamPipeline() } })).rejects.toMatchObject({ code: 'E_PARAM' });
  await expect(createServer({ models, journal, host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'E_USAGE' });
  const server = await createServer({ models, journal, port: 0 });
  await server.close();
});
