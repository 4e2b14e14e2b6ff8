import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Limits } from '../../src/server/http/limits.ts';
import { openStore } from '../../src/server/store/index.ts';
import { ask, models, serve, spamPipeline } from './harness.ts';

async function learning(limits: Partial<Limits> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'polya-learn-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return serve({ store: await openStore(folder, models()), limits });
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const proba = async (server: { url: string }, text: string, model = 'spam') =>
  (await ask(server, `/v1/models/${model}/predict`, { instances: [text] })).body;

test('what is learned is predicted at once, by the version that the answer names, and as the library would', async () => {
  const server = await learning();
  const reply = await ask(server, '/v1/models/spam/learn', {
    examples: [
      { text: 'win a prize', label: 'spam' },
      { text: 'a new word', label: 'ham', weight: 2 },
    ],
  });
  expect(reply).toMatchObject({ status: 200, body: { model: 'spam', version: 2, learned: 2, prequential: { n: 2 } } });
  expect(reply.headers.get('etag')).toBe('"2"');
  const model = spamPipeline().partialFit(['win a prize', 'a new word'], ['spam', 'ham'], { sampleWeight: [1, 2] });
  const predicted = await proba(server, 'a new prize');
  expect(predicted.version).toBe(2);
  expect(predicted.predictions[0].probabilities.spam).toBeCloseTo(model.predictProba(['a new prize']).at(0, 1), 12);
});

test('unlearning gives the model that never saw the row', async () => {
  const server = await learning();
  const before = await proba(server, 'win a prize', 'records');
  const examples = [{ text: 'win a strange prize', label: 'spam' }];
  await ask(server, '/v1/models/records/learn', { examples });
  expect((await proba(server, 'win a prize', 'records')).predictions).not.toEqual(before.predictions);
  const reply = await ask(server, '/v1/models/records/unlearn', { examples });
  expect(reply).toMatchObject({ status: 200, body: { version: 3, unlearned: 1, exact: true } });
  expect((await proba(server, 'win a prize', 'records')).predictions).toEqual(before.predictions);
  const never = await ask(server, '/v1/models/records/unlearn', {
    examples: [{ text: 'never learned', label: 'spam' }],
  });
  expect(never).toMatchObject({ status: 422, body: { code: 'E_UNLEARN_UNDERFLOW', suggestion: expect.any(String) } });
});

test('a batch with a bad row is learned whole or not at all, unless a result by row is requested', async () => {
  const server = await learning();
  const good = { text: 'win', label: 'spam' };
  const examples = Array.from({ length: 1000 }, (_, i) => (i === 500 ? { text: 5, label: 'spam' } : good));
  const whole = await ask(server, '/v1/models/spam/learn', { examples });
  expect(whole).toMatchObject({ status: 422, body: { errors: [{ pointer: '/examples/500/text' }] } });
  expect((await ask(server, '/v1/models/spam')).body.version).toBe(1);
  const rows = await ask(server, '/v1/models/spam/learn', { examples: examples.slice(498, 503), report: 'rows' });
  expect(rows.body).toMatchObject({ learned: 4, version: 5 });
  expect(rows.body.rows.map((row: { error?: object }) => row.error !== undefined)).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
});

test('a key is learned once; the same key with another body is a conflict', async () => {
  const server = await learning();
  const learn = (text: string, key: string) =>
    ask(
      server,
      '/v1/models/spam/learn',
      { examples: [{ text, label: 'spam' }] },
      { headers: { 'idempotency-key': key } },
    );
  const first = await learn('win', 'k1');
  const again = await learn('win', 'k1');
  expect(again.body).toEqual({ ...first.body, repeated: true });
  expect(await learn('lose', 'k1')).toMatchObject({ status: 409, body: { code: 'E_IDEMPOTENCY_CONFLICT' } });
  expect((await learn('lose', 'k2')).body.version).toBe(3);
  expect((await learn('lose', 'a b')).status).toBe(400);
});

test('If-Match lets only the expected version change', async () => {
  const server = await learning();
  const learn = (match: string) =>
    ask(
      server,
      '/v1/models/spam/learn',
      { examples: [{ text: 'win', label: 'spam' }] },
      { headers: { 'if-match': match } },
    );
  expect((await learn('"1"')).body.version).toBe(2);
  expect(await learn('"1"')).toMatchObject({
    status: 409,
    body: { code: 'E_CONFLICT', details: { expected: 1, actual: 2 } },
  });
  expect((await learn('2')).status).toBe(400);
  expect((await learn('*')).body.version).toBe(3);
});

test('lines are learned as they come, each answered, and a stream that is sent again is learned once', async () => {
  const server = await learning();
  const body = [
    '{"text":"win","label":"spam"}',
    '{"text":"oops","lable":"spam"}',
    '{"instance":"see you","label":"ham"}',
    '[]',
  ].join('\n');
  const send = () =>
    ask(server, '/v1/models/spam/learn', body, {
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'stream' },
    });
  const first = lines((await send()).body);
  expect(first.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  expect(first[0]).toMatchObject({ learned: 1 });
  expect(first[1].error.detail).toContain('lable');
  expect(first[2]).toMatchObject({ learned: 1, version: 3 });
  expect(first[3].error.code).toBe('E_BAD_REQUEST');
  expect(lines((await send()).body)[2]).toMatchObject({ repeated: true, version: 3 });
  expect((await ask(server, '/v1/models/spam')).body.version).toBe(3);
});

test.each([
  [{ text: 'a' }, 400, 'E_BAD_REQUEST'],
  [{ text: 'a', label: null }, 400, 'E_BAD_REQUEST'],
  [{ text: 'a', lable: 'spam' }, 400, 'E_BAD_REQUEST'],
  [{ text: 'a', label: 1.5 }, 422, 'E_LABEL_TYPE'],
  [{ text: 'a', label: 7 }, 422, 'E_LABEL_TYPE'],
  [{ text: 'a', label: 'spam', weight: -1 }, 422, 'E_WEIGHT_INVALID'],
  [{ instance: 'a', label: 'spam', text: 'b' }, 400, 'E_BAD_REQUEST'],
  [{ label: 'spam' }, 422, 'E_FEATURE_MISSING'],
])('the example %j is answered with %i', async (example, status, code) => {
  const server = await learning();
  const reply = await ask(server, '/v1/models/spam/learn', { examples: [example] });
  expect(reply).toMatchObject({ status, body: { code } });
  expect((await ask(server, '/v1/models/spam')).body.version).toBe(1);
});

test('versions, snapshot and rollback', async () => {
  const server = await learning();
  const before = await proba(server, 'win');
  await ask(server, '/v1/models/spam/learn', { examples: [{ text: 'win', label: 'spam' }] });
  const snapshot = await ask(server, '/v1/models/spam/snapshot', undefined, { method: 'POST' });
  expect(snapshot.body).toMatchObject({ model: 'spam', version: 2, bytes: expect.any(Number) });
  const back = await ask(server, '/v1/models/spam/rollback', { version: 1 });
  expect(back.body.version).toBe(3);
  expect((await proba(server, 'win')).predictions).toEqual(before.predictions);
  expect((await ask(server, '/readyz')).body.learning).toBe('ready');
});

test('what was learned is logged once a second, and counted', async () => {
  const server = await learning();
  const begun = performance.now();
  for (let k = 0; k < 5; k++)
    await ask(server, '/v1/models/spam/learn', { examples: [{ text: 'win', label: 'spam' }] });
  const logged = () => server.events.filter(({ event }) => event === 'learn').map(({ facts }) => facts);
  const sum = (name: string) => logged().reduce((total, facts) => total + Number(facts[name]), 0);
  await expect.poll(() => sum('rows')).toBe(5);
  const seconds = Math.ceil((performance.now() - begun) / 1000);
  expect(logged().length).toBeLessThanOrEqual(seconds); // one, where five requests take less than a second
  expect(sum('requests')).toBe(5);
  expect(logged().map(({ model, from }) => [model, from])).toEqual(
    logged().map((_, k) => ['spam', k === 0 ? 1 : logged()[k - 1].to]),
  );
  expect(logged().at(-1)?.to).toBe(6);
  expect((await ask(server, '/metrics')).body).toMatch(/polya_learned_rows_total\{model="spam",what="learn"\} 5/);
});

test('while a model learns, answers to many rows are still of one version', async () => {
  const server = await learning();
  const instances = Array.from({ length: 3000 }, () => 'win a prize');
  let going = true;
  const teacher = (async () => {
    while (going) await ask(server, '/v1/models/spam/learn', { examples: [{ text: 'win', label: 'spam' }] });
  })();
  for (let k = 0; k < 5; k++) {
    const { status, body } = await ask(server, '/v1/models/spam/predict', { instances });
    expect(status).toBe(200);
    expect(new Set(body.predictions.map(({ probability }: { probability: number }) => probability)).size).toBe(1);
  }
  going = false;
  await teacher;
});
