import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { StartThread } from '../../src/server/jobs/pool.ts';
import type { RunningServer } from '../../src/server/server.ts';
import { atMost } from '../quiet.ts';
import { ask, irisRows, serve, spamRows, threads } from './harness.ts';

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

async function upload(server: RunningServer, rows: readonly object[]): Promise<string> {
  const reply = await ask(server, '/v1/datasets', lines(rows), { headers: { 'content-type': 'application/x-ndjson' } });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

async function finished(server: RunningServer, id: string) {
  for (;;) {
    const { body } = await ask(server, `/v1/jobs/${id}`);
    if (body.ended) return body;
    await wait(50);
  }
}

/** A thread that never has an answer. */
const silent: StartThread = () => new Worker('setInterval(() => {}, 1000)', { eval: true });

test('a data set is uploaded and looked at, as lines or as a file', async () => {
  const server = await serve();
  const id = await upload(server, irisRows());
  const { body } = await ask(server, `/v1/datasets/${id}/profile`);
  expect(body).toMatchObject({ id, format: 'jsonl', rows: 150, profile: { target: { name: 'species' } } });
  const data = new FormData();
  data.set('file', new Blob(['a,b\n1,x\n2,y\n3,x\n']), 'mine.csv');
  const response = await fetch(`${server.url}/v1/datasets`, { method: 'POST', body: data });
  const { id: other, name } = await response.json();
  expect(name).toBe('mine.csv');
  expect((await ask(server, `/v1/datasets/${other}/profile?target=b`)).body).toMatchObject({
    format: 'csv',
    columns: ['a', 'b'],
  });
  expect(
    (await ask(server, '/v1/datasets', '', { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } }))
      .status,
  ).toBe(422);
  expect((await ask(server, '/v1/datasets', {})).status).toBe(415);
});

test('a model is fitted in a thread, watched by events, and served', async () => {
  const server = await serve({ startThread: threads });
  const data = await upload(server, irisRows());
  const reply = await ask(server, '/v1/jobs', {
    kind: 'fit',
    data,
    config: { target: 'species', model: 'lda', name: 'iris' },
  });
  expect(reply.status).toBe(202);
  const events = await (await fetch(`${server.url}${reply.headers.get('location')}/events`)).text();
  const views = events
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
  expect(views.at(-1)).toMatchObject({
    state: 'done',
    progress: { share: 1 },
    result: { model: 'iris', version: 1, rows: 150 },
  });
  expect(views.at(-1).result.evaluation.accuracy).toBeGreaterThan(0.95);
  const rows = irisRows().map(({ species, ...cells }) => cells);
  const { body } = await ask(server, '/v1/models/iris/predict', { instances: [rows[0], rows[149]], top_k: 1 });
  expect(body.predictions.map(({ label }: { label: string }) => label)).toEqual([
    irisRows()[0].species,
    irisRows()[149].species,
  ]);
});

test('a fit takes class weights, and warns about a rare class', async () => {
  const server = await serve();
  const rows = Array.from({ length: 600 }, (_, i) => ({
    x: (i % 120 ? i % 7 : 3 + (i % 7)) / 7,
    y: i % 120 ? 'a' : 'b',
  }));
  const data = await upload(server, rows);
  const recall = async (params: object) => {
    const config = { target: 'y', model: 'gaussian', name: 'rare', params };
    const { body } = await ask(server, '/v1/jobs', { kind: 'fit', data, config });
    const { result, error } = await finished(server, body.id);
    if (error) return error.code;
    expect(result.warnings.map(({ kind }: { kind: string }) => kind)).toContain('rare-class');
    const instances = rows.filter(({ y }) => y === 'b').map(({ x }) => ({ x }));
    const { predictions } = (await ask(server, '/v1/models/rare/predict', { instances })).body;
    return predictions.filter(({ label }: { label: string }) => label === 'b').length;
  };
  expect(await recall({})).toBe(0);
  expect(await recall({ classWeight: 'balanced' })).toBeGreaterThan(2);
  expect(await recall({ classWeight: { b: 200 } })).toBeGreaterThan(2);
  expect(await recall({ classWeight: { c: 200 } })).toBe('E_CLASS_UNKNOWN');
});

test('a job that asks for calibration with four rows serves an uncalibrated model and says so', async () => {
  const server = await serve({ startThread: threads });
  const rows = [
    { text: 'where is my parcel', label: 'shipping' },
    { text: 'the box has not arrived', label: 'shipping' },
    { text: 'please refund my invoice', label: 'billing' },
    { text: 'I was charged twice', label: 'billing' },
  ];
  const data = await upload(server, rows);
  const config = { target: 'label', features: ['text'], model: 'multinomial', calibrate: 'sigmoid', name: 'tickets' };
  const reply = await ask(server, '/v1/jobs', { kind: 'fit', data, config });
  const { state, result } = await finished(server, reply.body.id);
  expect(state).toBe('done');
  expect(result.warnings.map(({ kind }: { kind: string }) => kind)).toContain('uncalibrated');
  const instances = rows.map(({ text }) => ({ text }));
  const { body } = await ask(server, '/v1/models/tickets/predict', { instances });
  const labels = body.predictions.map(({ label }: { label: string }) => label);
  expect(labels).toEqual(rows.map(({ label }) => label));
});

test('tune tries every combination and serves the best; compare uses the same folds', async () => {
  const server = await serve();
  const data = await upload(server, [...spamRows, ...spamRows, ...spamRows]);
  const config = { target: 'label', features: ['text'], name: 'best' };
  const tuned = await ask(server, '/v1/jobs', {
    kind: 'tune',
    data,
    config: { ...config, grid: { model: ['multinomial', 'bernoulli'], alpha: [0.1, 1] } },
  });
  const { result } = await finished(server, tuned.body.id);
  expect(result.tried).toHaveLength(4);
  const losses = result.tried.map(({ logLoss }: { logLoss: number }) => logLoss);
  expect(losses).toEqual([...losses].sort((a, b) => a - b));
  expect((await ask(server, '/v1/models/best')).status).toBe(200);
  const iris = await upload(server, irisRows());
  const compared = await ask(server, '/v1/jobs', {
    kind: 'compare',
    data: iris,
    config: { target: 'species', models: ['lda', 'gaussian'] },
  });
  const { result: table } = await finished(server, compared.body.id);
  expect(table.models.map(({ name }: { name: string }) => name)).toEqual(['lda', 'gaussian']);
  expect(table.models[0]).toMatchObject({ verdict: null });
  expect(table.models[1].verdict).toMatchObject({ words: expect.any(String) });
});

test('a job is cancelled within a moment, and says so', async () => {
  const server = await serve({ startThread: threads });
  const rows = Array.from({ length: 60_000 }, (_, i) => ({
    ...spamRows[i % 10],
    text: `${spamRows[i % 10].text} w${i % 5000}`,
  }));
  const data = await upload(server, rows);
  const { body } = await ask(server, '/v1/jobs', { kind: 'fit', data, config: { target: 'label' } });
  await expect.poll(async () => (await ask(server, `/v1/jobs/${body.id}`)).body.state).toBe('running');
  const asked = performance.now();
  expect((await ask(server, `/v1/jobs/${body.id}`, undefined, { method: 'DELETE' })).status).toBe(202);
  const over = await finished(server, body.id);
  expect(over).toMatchObject({ state: 'cancelled', error: { code: 'E_CANCELLED' } });
  expect(performance.now() - asked).toBeLessThan(atMost(2000));
});

test('jobs that cannot be done say why', async () => {
  const server = await serve();
  const data = await upload(server, spamRows);
  const start = (body: object) => ask(server, '/v1/jobs', body);
  expect((await start({ kind: 'fit', data: 'd-0', config: { target: 'label' } })).status).toBe(404);
  expect((await start({ kind: 'fit', data, config: {} })).status).toBe(400);
  expect((await start({ kind: 'fit', data, config: { target: 'label', grid: { a: [1] } } })).status).toBe(400);
  expect((await start({ kind: 'tune', data, config: { target: 'label' } })).status).toBe(400);
  expect((await start({ kind: 'compare', data, config: { target: 'label' } })).status).toBe(400);
  const failed = async (config: object, kind = 'fit') =>
    (await finished(server, (await start({ kind, data, config })).body.id)).error;
  expect(await failed({ target: 'absent' })).toMatchObject({ code: 'E_FEATURE_MISSING' });
  expect(await failed({ target: 'label', model: 'forest' })).toMatchObject({ code: 'E_PARAM' });
  expect(await failed({ target: 'label', params: { tokenPattern: '(a+)+' } })).toMatchObject({ code: 'E_PARAM' });
  const many = Array.from({ length: 64 }, (_, k) => k + 1);
  expect(await failed({ target: 'label', grid: { alpha: many, binarize: many } }, 'tune')).toMatchObject({
    code: 'E_LIMIT',
  });
  expect((await ask(server, '/v1/jobs/j-000000000000000000')).status).toBe(404);
  expect((await ask(server, '/v1/jobs')).body.jobs.length).toBe(4);
});

test('more jobs than may wait are refused, and tried again later', async () => {
  const server = await serve({ startThread: silent, limits: { waitingJobs: 1 } });
  const data = await upload(server, irisRows());
  const config = { target: 'species', model: 'gaussian' };
  const first = await ask(server, '/v1/jobs', { kind: 'fit', data, config });
  const second = await ask(server, '/v1/jobs', { kind: 'fit', data, config });
  expect([first.status, second.status]).toEqual([202, 503]);
  expect(second.headers.get('retry-after')).toBe('1');
});
