import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/service.ts';
import { openStore } from '../../src/server/store/index.ts';
import { ask, models, serve } from './harness.ts';

async function learning(options: Partial<ServerOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'polya-feedback-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return serve({ store: await openStore(folder, models()), ...options });
}

test('feedback learns the row of a remembered prediction, once, and says whether the prediction was right', async () => {
  const server = await learning();
  const asked = { instances: ['free prize', 'see you tomorrow'], remember: true };
  const { predictions, version } = (await ask(server, '/v1/models/spam/predict', asked)).body;
  expect(predictions.map((own: { label: string }) => own.label)).toEqual(['spam', 'ham']);
  const feedback = (id: string, label: unknown) => ask(server, '/v1/models/spam/feedback', { id, label });
  const wrong = await feedback(predictions[0].id, 'ham');
  expect(wrong).toMatchObject({ status: 200, body: { version: version + 1, predicted: 'spam', correct: false } });
  expect((await feedback(predictions[0].id, 'ham')).body).toMatchObject({ version: version + 1, repeated: true });
  expect(await feedback(predictions[0].id, 'spam')).toMatchObject({ status: 409 });
  expect((await feedback(predictions[1].id, 'ham')).body).toMatchObject({ version: version + 2, correct: true });
  const direct = await learning();
  const examples = [
    { instance: 'free prize', label: 'ham' },
    { instance: 'see you tomorrow', label: 'ham' },
  ];
  await ask(direct, '/v1/models/spam/learn', { examples });
  const question = { instances: ['free lunch'] };
  const [a, b] = [
    await ask(server, '/v1/models/spam/predict', question),
    await ask(direct, '/v1/models/spam/predict', question),
  ];
  expect(a.body.predictions).toEqual(b.body.predictions);
});

test('predictions without feedback are listed, the least certain first', async () => {
  const server = await learning();
  const asked = { instances: ['free prize', 'see you tomorrow', 'free tomorrow'], remember: true };
  const { predictions } = (await ask(server, '/v1/models/spam/predict', asked)).body;
  const open = async (query = '') => (await ask(server, `/v1/models/spam/predictions${query}`)).body;
  const { model, classes, predictions: listed } = await open();
  expect([model, classes]).toEqual(['spam', ['ham', 'spam']]);
  const chances = listed.map((own: { probability: number }) => own.probability);
  expect(chances).toEqual([...chances].sort());
  expect(listed).toHaveLength(3);
  expect(listed[0]).toMatchObject({ id: predictions[2].id, instance: 'free tomorrow' });
  expect((await open('?limit=1')).predictions).toEqual([listed[0]]);
  expect((await open(`?below=${chances[1]}`)).predictions).toEqual([listed[0]]);
  await ask(server, '/v1/models/spam/feedback', { id: listed[0].id, label: 'ham' });
  expect((await open()).predictions).toEqual(listed.slice(1));
  expect((await ask(server, '/v1/models/bells/predictions')).body.predictions).toEqual([]);
  expect((await ask(server, '/v1/models/none/predictions')).status).toBe(404);
  expect((await ask(server, '/v1/models/spam/predictions?below=2')).status).toBe(400);
});

test('the oldest predictions are forgotten, and ids of other models and unknown ids are not found', async () => {
  const server = await learning({ limits: { remembered: 2 } });
  const asked = { instances: ['one', 'two', 'three'], remember: true };
  const { predictions } = (await ask(server, '/v1/models/spam/predict', asked)).body;
  const status = async (id: string, model = 'spam') =>
    (await ask(server, `/v1/models/${model}/feedback`, { id, label: 'ham' })).status;
  expect(await status(predictions[0].id)).toBe(404);
  expect(await status(predictions[2].id, 'records')).toBe(404);
  expect(await status('p-none')).toBe(404);
  expect(await status(predictions[2].id)).toBe(200);
  const plain = await ask(server, '/v1/models/spam/predict', { instances: ['one'] });
  expect(plain.body.predictions[0]).not.toHaveProperty('id');
});

test('a sample of predictions is logged with class, probability and the share of unknown terms, without their content', async () => {
  const server = await learning({ sample: 1 });
  await ask(server, '/v1/models/spam/predict', { instances: ['free qwerty'] });
  await ask(server, '/v1/models/bells/predict', { instances: [[1, 10]] });
  const samples = server.events.filter(({ event }) => event === 'sample').map(({ facts }) => facts);
  expect(samples).toMatchObject([
    { model: 'spam', version: 1, label: 'spam', unseen: 0.5 },
    { model: 'bells', version: 1, label: 0, unseen: null },
  ]);
  expect(samples[0].probability).toBeGreaterThan(0.5);
  expect(JSON.stringify(samples)).not.toContain('qwerty');
});

test('the difference between two versions lists the words whose counts moved, and the shares of the classes', async () => {
  const server = await learning();
  const examples = [
    { instance: 'prize prize lottery', label: 'spam' },
    { instance: 'a quiet lunch', label: 'ham' },
    { instance: 'another prize', label: 'spam' },
  ];
  for (const example of examples) await ask(server, '/v1/models/spam/learn', { examples: [example] });
  const found = await ask(server, '/v1/models/spam/difference?from=1&limit=2');
  expect(found).toMatchObject({
    status: 200,
    body: {
      from: 1,
      to: 4,
      unit: 'count',
      classes: [
        { class: 'ham', before: 0.5, after: 6 / 13 },
        { class: 'spam', before: 0.5, after: 7 / 13 },
      ],
      all: 5,
      moved: [{ class: 'spam', feature: 'prize', before: 3, after: 6 }, { after: 1 }],
    },
  });
  const middle = (await ask(server, '/v1/models/spam/difference?from=2&to=3')).body;
  expect(middle.moved).toEqual([
    { class: 'ham', feature: 'lunch', before: 1, after: 2 },
    { class: 'ham', feature: 'quiet', before: 0, after: 1 },
  ]);
  await ask(server, '/v1/models/bells/learn', { examples: [{ instance: [3, 9], label: 0 }] });
  const bells = (await ask(server, '/v1/models/bells/difference?from=1')).body;
  expect(bells).toMatchObject({
    unit: 'nats',
    classes: [
      { class: '0', before: 0.5 },
      { class: '1', before: 0.5 },
    ],
  });
  expect(bells.moved.length).toBeGreaterThan(0);
  expect((await ask(server, '/v1/models/spam/difference?from=99')).status).toBe(404);
});
