import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { ask, bells, models, serve, spamClassifier, spamPipeline } from './harness.ts';

const texts = ['free prize', 'see you at home', 'call now', ''];

test.each([
  ['spam', () => spamPipeline().predictProba(texts)],
  ['records', () => spamClassifier().predictLogProba(texts.map((text) => ({ text })))],
] as const)('%s answers over HTTP as it does in the library', async (name, library) => {
  const server = await serve();
  const { status, headers, body } = await ask(server, `/v1/models/${name}/predict`, { instances: texts });
  expect(status).toBe(200);
  expect(headers.get('etag')).toBe('"1"');
  expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/);
  expect(body).toMatchObject({ model: name, version: 1 });
  const expected = library();
  expect(body.predictions).toHaveLength(texts.length);
  for (const [i, own] of body.predictions.entries()) {
    const row = Array.from(expected.row(i), name === 'records' ? Math.exp : (share: number) => share);
    expect(own.probabilities).toEqual({ ham: row[0], spam: row[1] });
    expect(own.label).toBe(row[1] > row[0] ? 'spam' : 'ham');
    expect(own.probability).toBe(Math.max(...row));
  }
});

test('texts may stand in objects, and numbers in arrays or under their names', async () => {
  const server = await serve();
  const plain = await ask(server, '/v1/models/spam/predict', { instances: ['free prize'] });
  const named = await ask(server, '/v1/models/spam/predict', { instances: [{ text: 'free prize' }] });
  expect(named.body).toEqual(plain.body);
  const rows = await ask(server, '/v1/models/bells/predict', { instances: [[1, 10], { x0: 8, x1: 2 }] });
  expect(rows.body.predictions.map(({ label }: { label: number }) => label)).toEqual(
    bells().predict([
      [1, 10],
      [8, 2],
    ]),
  );
});

test('top_k, threshold, costs, reject and explain change and explain the decision', async () => {
  const server = await serve();
  const one = async (more: object) =>
    (await ask(server, '/v1/models/spam/predict', { instances: ['free prize'], ...more })).body.predictions[0];
  const plain = await one({});
  expect(plain.label).toBe('spam');
  expect(Object.keys((await one({ top_k: 1 })).probabilities)).toEqual(['spam']);
  expect(await one({ threshold: { spam: 1 } })).toMatchObject({ label: 'ham', probability: plain.probabilities.ham });
  const { ham } = plain.probabilities;
  expect(await one({ threshold: { ham: ham * 0.9 } })).toMatchObject({ label: 'ham' });
  expect(await one({ threshold: { ham: ham * 1.1 } })).toMatchObject({ label: 'spam' });
  expect(await one({ costs: { ham: { spam: 1e9 } } })).toMatchObject({ label: 'ham', probability: ham });
  expect((await one({ reject: 1 })).rejected).toBe(true);
  expect((await one({ reject: 0 })).rejected).toBe(false);
  const explained = await one({ explain: 5 });
  expect(explained.against).toBe('ham');
  const sum = explained.contributions.reduce(
    (total: number, { weight }: { weight: number }) => total + weight,
    explained.prior,
  );
  expect(sum).toBeCloseTo(explained.log_odds, 12);
  expect(Math.log(plain.probabilities.spam / plain.probabilities.ham)).toBeCloseTo(explained.log_odds, 9);
});

test('many instances are answered with pauses, and alike', async () => {
  const server = await serve();
  const instances = Array.from({ length: 500 }, (_, i) => texts[i % texts.length]);
  const { body } = await ask(server, '/v1/models/spam/predict', { instances });
  const few = await ask(server, '/v1/models/spam/predict', { instances: texts });
  body.predictions.forEach((own: object, i: number) => {
    expect(own).toEqual(few.body.predictions[i % texts.length]);
  });
});

test.each([
  [{ instances: [12] }, 'E_BAD_REQUEST', '/instances/0'],
  [{ instances: ['a', { text: 123 }] }, 'E_TYPE', '/instances/1/text'],
  [{ instances: [{ tex: 'a' }] }, 'E_FEATURE_MISSING', '/instances/0'],
  [{ instances: [{ text: 'a', txt: 'a' }] }, 'E_FEATURE_UNKNOWN', '/instances/0/txt'],
  [{ instances: [{}] }, 'E_FEATURE_MISSING', '/instances/0'],
  [{ instances: ['a'], topk: 1 }, 'E_BAD_REQUEST', '/topk'],
  [{ instances: ['a'], top_k: '1' }, 'E_BAD_REQUEST', '/top_k'],
  [{ instances: ['a'], threshold: { eggs: 0.5 } }, 'E_CLASS_UNKNOWN', undefined],
  [{ instances: ['a'], costs: { eggs: { spam: 2 } } }, 'E_CLASS_UNKNOWN', undefined],
  [{ instances: ['a'], costs: { ham: { spam: -1 } } }, 'E_BAD_REQUEST', '/costs/ham/spam'],
  [{ instances: ['a'], costs: {}, threshold: {} }, 'E_PARAM', undefined],
  [{ instances: 'a' }, 'E_BAD_REQUEST', '/instances'],
  [{}, 'E_BAD_REQUEST', ''],
  [[], 'E_BAD_REQUEST', ''],
])('%j is refused with %s at %s', async (body, code, pointer) => {
  const server = await serve();
  const reply = await ask(server, '/v1/models/spam/predict', body);
  expect(reply.body.code).toBe(code);
  expect(reply.status).toBe(code === 'E_BAD_REQUEST' ? 400 : 422);
  expect(reply.headers.get('content-type')).toBe('application/problem+json');
  expect(reply.body).toMatchObject({ type: `/docs#${code}`, status: reply.status });
  expect(reply.body.errors?.[0].pointer).toBe(pointer);
  const routed = await ask(server, '/v1/models/spam/predict?strict=true', body); // by the framework's way
  expect({ ...routed.body, requestId: '', detail: '', errors: 0 }).toEqual({
    ...reply.body,
    requestId: '',
    detail: '',
    errors: 0,
  });
});

test('numbers are taken as they are: a word or an infinity in a column of numbers is refused', async () => {
  const server = await serve();
  expect((await ask(server, '/v1/models/bells/predict', { instances: [['1', 2]] })).body).toMatchObject({
    code: 'E_TYPE',
    errors: [{ pointer: '/instances/0/0' }],
  });
  expect((await ask(server, '/v1/models/bells/predict', '{"instances":[[1e999,2]]}')).body.code).toBe('E_NOT_FINITE');
  expect((await ask(server, '/v1/models/bells/predict', { instances: [[1]] })).body).toMatchObject({
    code: 'E_FEATURE_COUNT',
    details: { expected: 2, actual: 1 },
  });
});

test('lines in, lines out: a bad line is answered with its problem, and the others with predictions', async () => {
  const server = await serve();
  const lines = ['"free prize"', '', '{"text":"see you"}', '{"text":1}', '{"a":1,"a":1}', '"call"'].join('\n');
  const reply = await ask(server, '/v1/models/spam/predict?top_k=1', lines, {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  expect(reply.status).toBe(200);
  const answers = (reply.body as string)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ line }) => line)).toEqual([1, 3, 4, 5, 6]);
  expect(answers[0]).toMatchObject({ version: 1, label: 'spam' });
  expect(answers[1]).toMatchObject({ label: 'ham' });
  expect(answers[2].error.code).toBe('E_TYPE');
  expect(answers[3].error.code).toBe('E_BAD_REQUEST');
  expect(Object.keys(answers[4].probabilities)).toHaveLength(1);
});

test('a stream of a hundred thousand lines is answered in bounded memory, in order', async () => {
  const server = await serve();
  const count = 100_000;
  let sent = 0;
  const body = new ReadableStream({
    type: 'bytes',
    pull(controller) {
      if (sent >= count) return controller.close();
      const piece = Array.from({ length: 1000 }, () => `"free prize ${sent++}"\n`).join('');
      controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  const response = await fetch(`${server.url}/v1/models/spam/predict?top_k=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body,
    duplex: 'half',
  } as RequestInit);
  let seen = 0;
  let rest = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (JSON.parse(line).line !== ++seen) throw new Error(`line ${seen}: ${line}`);
  }
  expect(seen).toBe(count);
});

test('a line that is too long ends the stream with its code', async () => {
  const server = await serve({ limits: { lineBytes: 100 } });
  const reply = await ask(server, '/v1/models/spam/predict', `"a"\n"${'b'.repeat(200)}"\n"c"\n`, {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const answers = (reply.body as string)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.at(-1).error.code).toBe('E_LIMIT');
});

test('a model is swapped under requests, and every answer is of exactly the version it names', async () => {
  const server = await serve({ store: new MemoryStore(models()) });
  const other = spamPipeline().partialFit(['free prize'], ['ham']).partialFit(['free prize free prize'], ['ham']);
  const files = [other.toBytes(), spamPipeline().toBytes()];
  const expected = [spamPipeline(), other].map((model) => model.predictProba(['free prize']).at(0, 1));
  let [going, answered, swapped] = [true, 0, 0];
  const swaps = (async () => {
    for (let k = 0; k < 20 || answered <= 20; k++) {
      await server.store.put('spam', files[k % 2]);
      swapped++;
      await new Promise((next) => setTimeout(next, 5));
    }
    going = false;
  })();
  const client = async () => {
    while (going) {
      const { status, body } = await ask(server, '/v1/models/spam/predict', { instances: ['free prize'] });
      expect(status).toBe(200);
      expect(body.predictions[0].probabilities.spam).toBe(expected[(body.version + 1) % 2]);
      answered++;
    }
  };
  await Promise.all([swaps, client(), client(), client()]);
  const versions = await ask(server, '/v1/models/spam/versions');
  expect(versions.body).toMatchObject({ version: swapped + 1 });
  expect(versions.body.versions.at(-1)).toMatchObject({ version: swapped + 1, origin: 'uploaded', kept: true });
});
