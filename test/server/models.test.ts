import { expect, test } from 'vitest';
import { load } from '../../src/auto/load.ts';
import { CountVectorizer } from '../../src/estimators/count-vectorizer.ts';
import { MultinomialNB } from '../../src/estimators/multinomial-nb.ts';
import { makePipeline } from '../../src/estimators/pipeline.ts';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { ask, irisRows, serve, spamClassifier, spamPipeline, spamRows } from './harness.ts';

const form = (name: string, bytes: Uint8Array, more: Record<string, string> = {}) => {
  const data = new FormData();
  data.set('name', name);
  for (const [key, value] of Object.entries(more)) data.set(key, value);
  data.set('file', new Blob([new Uint8Array(bytes)]), 'model.polya');
  return data;
};
const upload = async (url: string, data: FormData, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/v1/models`, { method: 'POST', body: data, headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

test('health, readiness, the list and the cards of models', async () => {
  const server = await serve();
  expect((await ask(server, '/healthz')).body).toEqual({ status: 'ok' });
  expect((await ask(server, '/readyz')).body).toMatchObject({ ready: true, models: 3, learning: 'no-learning' });
  const { body } = await ask(server, '/v1/models');
  expect(body.models.map(({ name }: { name: string }) => name)).toEqual(['bells', 'records', 'spam']);
  const card = await ask(server, '/v1/models/spam');
  expect(card.body).toMatchObject({
    name: 'spam',
    version: 1,
    kind: 'Pipeline',
    classes: ['ham', 'spam'],
    priors: [0.5, 0.5],
    columns: [{ name: 'text', kind: 'text', optional: false }],
    learns: true,
  });
  const same = await ask(server, '/v1/models/spam', undefined, { headers: { 'if-none-match': '"1"' } });
  expect(same.status).toBe(304);
  expect((await ask(server, '/v1/models/records')).body).toMatchObject({ target: 'label', priors: [0.5, 0.5] });
  expect((await ask(server, '/v1/models/bells')).body).toMatchObject({ classes: [0, 1], kind: 'GaussianNB' });
});

test('a model is uploaded, swapped, rolled back and removed', async () => {
  const server = await serve();
  const first = await upload(server.url, form('mine', spamPipeline().toBytes()));
  expect(first).toMatchObject({ status: 201, body: { name: 'mine', version: 1 } });
  expect(first.headers.get('location')).toBe('/v1/models/mine');
  const stale = await upload(server.url, form('mine', spamClassifier().toBytes()), { 'if-match': '"7"' });
  expect(stale).toMatchObject({ status: 409, body: { code: 'E_CONFLICT', details: { expected: 7, actual: 1 } } });
  const second = await upload(server.url, form('mine', spamClassifier().toBytes()), { 'if-match': '"1"' });
  expect(second.body).toMatchObject({ version: 2, kind: 'Classifier' });
  const back = await ask(server, '/v1/models/mine/rollback', { version: 1 });
  expect(back).toMatchObject({ status: 200, body: { model: 'mine', version: 3 } });
  expect((await ask(server, '/v1/models/mine')).body).toMatchObject({ version: 3, kind: 'Pipeline' });
  expect((await ask(server, '/v1/models/mine/rollback', { version: 99 })).status).toBe(404);
  const { versions } = (await ask(server, '/v1/models/mine/versions')).body;
  expect(versions.map(({ origin }: { origin: string }) => origin)).toEqual(['uploaded', 'uploaded', 'rolled back']);
  expect(
    (await ask(server, '/v1/models/mine', undefined, { method: 'DELETE', headers: { 'if-match': '"1"' } })).status,
  ).toBe(409);
  expect((await ask(server, '/v1/models/mine', undefined, { method: 'DELETE' })).status).toBe(204);
  expect((await ask(server, '/v1/models/mine')).status).toBe(404);
});

test('what is no model, has no name, or brings a pattern of its own is refused', async () => {
  const server = await serve();
  expect(await upload(server.url, form('mine', new Uint8Array([1, 2, 3])))).toMatchObject({ status: 422 });
  for (const name of ['../x', 'A', '', 'a/b', 'x'.repeat(65)]) {
    expect(await upload(server.url, form(name, spamPipeline().toBytes()))).toMatchObject({
      status: 400,
      body: { code: 'E_BAD_REQUEST' },
    });
  }
  expect(await upload(server.url, form('mine', spamPipeline().toBytes(), { path: '/etc' }))).toMatchObject({
    status: 400,
  });
  const pattern = makePipeline(new CountVectorizer({ tokenPattern: '(a+)+b' }), new MultinomialNB()).fit(
    ['aab', 'ab'],
    [0, 1],
  );
  expect(await upload(server.url, form('mine', pattern.toBytes()))).toMatchObject({
    status: 409,
    body: { code: 'E_CONFLICT' },
  });
  const vectorizer = new CountVectorizer().fit(['a word or two']);
  expect(await upload(server.url, form('mine', vectorizer.toBytes()))).toMatchObject({ status: 409 });
  expect((await ask(server, '/v1/models', { name: 'x' })).status).toBe(415);
});

test('without a journal nothing is learned, and it says how', async () => {
  const server = await serve();
  const reply = await ask(server, '/v1/models/spam/learn', { examples: [{ text: 'a', label: 'spam' }] });
  expect(reply).toMatchObject({ status: 409, body: { code: 'E_CONFLICT' } });
  expect(reply.body.detail).toContain('--learn');
  expect((await ask(server, '/v1/models/spam/snapshot', undefined, { method: 'POST' })).status).toBe(409);
});

test('explain says what decided, and what would change the answer', async () => {
  const server = await serve();
  for (const name of ['spam', 'records']) {
    const { body } = await ask(server, `/v1/models/${name}/explain`, { instance: 'free prize see' });
    expect(body).toMatchObject({ model: name, label: 'spam', against: 'ham' });
    expect(body.contributions.map(({ value }: { value: string }) => value).sort()).toEqual(['free', 'prize', 'see']);
    expect(body.counterfactual).toMatchObject({ instead: 'ham' });
  }
  const ham = await ask(server, '/v1/models/spam/explain', {
    instance: 'free prize',
    label: 'ham',
    against: 'spam',
    limit: 1,
  });
  expect(ham.body).toMatchObject({ label: 'ham', against: 'spam', contributions: [{ weight: expect.any(Number) }] });
  expect((await ask(server, '/v1/models/spam/explain', { instance: 'free', label: 'eggs' })).body.code).toBe(
    'E_CLASS_UNKNOWN',
  );
});

test('evaluate gives the report of scikit-learn with intervals', async () => {
  const server = await serve();
  const { status, body } = await ask(server, '/v1/models/spam/evaluate', { examples: spamRows });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    rows: 10,
    accuracy: { value: 1 },
    unknown: 0,
    confusion: {
      labels: ['ham', 'spam'],
      matrix: [
        [5, 0],
        [0, 5],
      ],
    },
  });
  expect(body.report['macro avg']['f1-score']).toBe(1);
  expect((await ask(server, '/v1/models/spam/evaluate', { examples: [] })).body.code).toBe('E_EMPTY_INPUT');
});

test('features, nomogram and densities of models', async () => {
  const server = await serve();
  const features = await ask(server, '/v1/models/spam/features?by=mi&limit=3');
  expect(features.body).toMatchObject({ model: 'spam', version: 1, by: 'mi', classes: ['ham', 'spam'] });
  expect(features.body.features.map(({ feature }: { feature: string }) => feature)).toContain('free');
  for (const by of ['chi2', 'gain-ratio', 'log-odds', 'bns', 'telling']) {
    const own = await ask(server, `/v1/models/records/features?by=${by}&class=spam&limit=2`);
    expect(own.status, by).toBe(200);
    expect(own.body.features).toHaveLength(2);
  }
  const nomogram = await ask(server, '/v1/models/bells/nomogram?limit=2');
  expect(nomogram.body.axes).toHaveLength(2);
  expect((await ask(server, '/v1/models/spam/nomogram?class=spam&limit=1')).body.classes).toEqual(['spam']);
  const densities = await ask(server, '/v1/models/bells/densities?feature=0');
  expect(densities.body.points).toHaveLength(65);
  const { points } = densities.body as { points: { value: number; densities: number[] }[] };
  const step = points[1].value - points[0].value;
  const mass = points.reduce((sum, { densities: [first] }) => sum + first * step, 0);
  expect(mass).toBeGreaterThan(0.9);
  expect(mass).toBeLessThan(1.1);
  expect((await ask(server, '/v1/models/bells/features')).body.code).toBe('E_CONFLICT');
  expect((await ask(server, '/v1/models/spam/densities?feature=absent')).body.code).toBe('E_FEATURE_UNKNOWN');
  expect((await ask(server, '/v1/models/spam/features?class=eggs')).body.code).toBe('E_CLASS_UNKNOWN');
  expect((await ask(server, '/v1/models/spam/features?limit=many')).status).toBe(400);
});

test('a model is downloaded in every form, and the file is the model', async () => {
  const server = await serve();
  const get = async (format: string) => fetch(`${server.url}/v1/models/spam/export?format=${format}`);
  const file = await get('polya');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="spam.polya"');
  const model = load<ReturnType<typeof spamPipeline>>(new Uint8Array(await file.arrayBuffer()));
  expect(model.predictProba(['free'])).toEqual(spamPipeline().predictProba(['free']));
  expect((await (await get('json')).json()).classes).toEqual(['ham', 'spam']);
  expect((await (await get('onnx')).arrayBuffer()).byteLength).toBeGreaterThan(100);
  const code = await (await get('ts')).text();
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(module.predict('free prize')).toBe('spam');
  expect((await get('pickle')).status).toBe(400);
});

test('the metrics count requests, predicted classes and versions', async () => {
  const server = await serve();
  await ask(server, '/v1/models/spam/predict', { instances: ['free prize', 'see you'] });
  await ask(server, '/v1/models/none/predict', { instances: [] });
  const { body, headers } = await ask(server, '/metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  expect(body).toMatch(/polya_predictions_total\{model="spam",class="spam"\} 1/);
  expect(body).toMatch(/polya_predictions_total\{model="spam",class="ham"\} 1/);
  expect(body).toMatch(/polya_model_version\{model="bells"\} 1/);
  expect(body).toMatch(/polya_refused_total\{code="E_NOT_FOUND"\} 1/);
  expect(body).toMatch(
    /polya_request_seconds_count\{method="POST",route="\/v1\/models\/:model\/predict",status="200"\} 1/,
  );
});

test('the memory store keeps few versions, and those that are large not at all', async () => {
  const store = new MemoryStore(new Map([['iris', spamPipeline().toBytes()]]));
  for (let k = 0; k < 12; k++) await store.put('iris', spamPipeline().toBytes());
  const kept = store.versions('iris').filter((entry) => entry.kept);
  expect(kept).toHaveLength(8);
  await expect(store.rollback('iris', 1)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  expect(irisRows()).toHaveLength(150);
});
