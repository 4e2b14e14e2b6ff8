import { expect, test } from 'vitest';
import { Classifier } from '../../src/auto/classifier.ts';
import { MemoryStore } from '../../src/server/memory-store.ts';
import { ask, bells, irisRows, serve, spamPipeline } from './harness.ts';

test('a request as clients of KServe send it is answered as they expect it', async () => {
  const server = await serve();
  // the body of the example of the Open Inference Protocol, with a text for an image
  const reply = await ask(server, '/v2/models/spam/infer', {
    id: '42',
    inputs: [{ name: 'input0', shape: [2], datatype: 'BYTES', data: ['free prize', 'see you'] }],
  });
  expect(reply.status).toBe(200);
  const proba = spamPipeline().predictProba(['free prize', 'see you']);
  expect(reply.body).toEqual({
    model_name: 'spam',
    model_version: '1',
    id: '42',
    outputs: [
      { name: 'label', shape: [2], datatype: 'BYTES', data: ['spam', 'ham'] },
      { name: 'probabilities', shape: [2, 2], datatype: 'FP64', data: Array.from(proba.data) },
    ],
  });
});

test('numbers come as one tensor, flat or nested, and labels keep their type', async () => {
  const server = await serve();
  const infer = (data: unknown, datatype = 'FP64') =>
    ask(server, '/v2/models/bells/infer', {
      inputs: [{ name: 'x', shape: [2, 2], datatype, data }],
      outputs: [{ name: 'label' }],
    });
  const flat = await infer([1, 10, 8, 2]);
  const nested = await infer(
    [
      [1, 10],
      [8, 2],
    ],
    'FP32',
  );
  expect(nested.body).toEqual(flat.body);
  expect(flat.body.outputs).toEqual([
    {
      name: 'label',
      shape: [2],
      datatype: 'INT64',
      data: bells().predict([
        [1, 10],
        [8, 2],
      ]),
    },
  ]);
});

test('columns come as tensors of their own', async () => {
  const rows = irisRows();
  const iris = Classifier.fit(rows as never, { target: 'species', model: 'gaussian', evaluate: false });
  const server = await serve({ store: new MemoryStore(new Map([['iris', iris.toBytes()]])) });
  const metadata = await ask(server, '/v2/models/iris');
  expect(metadata.body.outputs[0]).toEqual({ name: 'label', datatype: 'BYTES', shape: [-1] });
  const columns = Object.keys(rows[0]).filter((name) => name !== 'species');
  const inputs = columns.map((name) => ({
    name,
    shape: [3, 1],
    datatype: 'FP64',
    data: [0, 60, 120].map((i) => rows[i][name]),
  }));
  const { body } = await ask(server, '/v2/models/iris/infer', { inputs });
  expect(body.outputs[0].data).toEqual([0, 60, 120].map((i) => iris.classify(rows[i]).label));
  const together = await ask(server, '/v2/models/iris/infer', {
    inputs: [
      {
        name: 'input',
        shape: [3, 4],
        datatype: 'FP64',
        data: [0, 60, 120].flatMap((i) => columns.map((name) => rows[i][name])),
      },
    ],
  });
  expect(together.body.outputs).toEqual(body.outputs);
});

test('what clients ask before they infer', async () => {
  const server = await serve();
  expect((await ask(server, '/v2')).body).toMatchObject({ name: 'polya', extensions: [] });
  expect((await ask(server, '/v2/health/live')).body).toEqual({ live: true });
  expect((await ask(server, '/v2/health/ready')).body).toEqual({ ready: true });
  expect((await ask(server, '/v2/models/spam/ready')).body).toEqual({ name: 'spam', ready: true });
  expect((await ask(server, '/v2/models/spam')).body).toMatchObject({
    name: 'spam',
    versions: ['1'],
    inputs: [{ name: 'text', datatype: 'BYTES', shape: [-1] }],
  });
  expect((await ask(server, '/v2/models/spam/versions/1/ready')).status).toBe(200);
  expect((await ask(server, '/v2/models/spam/versions/2/infer', { inputs: [] })).status).toBe(400);
  expect((await ask(server, '/v2/models/spam/versions/2')).status).toBe(404);
});

test.each([
  [
    'no such model',
    '/v2/models/none/infer',
    { inputs: [{ name: 'a', shape: [1], datatype: 'BYTES', data: ['a'] }] },
    404,
  ],
  [
    'fewer cells than the shape says',
    '/v2/models/spam/infer',
    { inputs: [{ name: 'a', shape: [2], datatype: 'BYTES', data: ['a'] }] },
    400,
  ],
  [
    'cells of another type',
    '/v2/models/spam/infer',
    { inputs: [{ name: 'a', shape: [1], datatype: 'BYTES', data: [1] }] },
    400,
  ],
  [
    'numbers for a text',
    '/v2/models/spam/infer',
    { inputs: [{ name: 'a', shape: [1], datatype: 'FP64', data: [1] }] },
    400,
  ],
  [
    'an output that is not there',
    '/v2/models/spam/infer',
    { inputs: [{ name: 'a', shape: [1], datatype: 'BYTES', data: ['a'] }], outputs: [{ name: 'x' }] },
    400,
  ],
  [
    'two columns of unequal length',
    '/v2/models/bells/infer',
    {
      inputs: [
        { name: 'x0', shape: [1], datatype: 'FP64', data: [1] },
        { name: 'x1', shape: [2], datatype: 'FP64', data: [1, 2] },
      ],
    },
    400,
  ],
  [
    'a wide tensor for a text',
    '/v2/models/spam/infer',
    { inputs: [{ name: 'a', shape: [1, 2], datatype: 'BYTES', data: ['a', 'b'] }] },
    400,
  ],
] as const)('%s is refused, in the way of both protocols', async (_, path, body, status) => {
  const server = await serve();
  const reply = await ask(server, path, body);
  expect(reply.status).toBe(status);
  expect(reply.body.error).toBe(reply.body.detail); // where clients of the protocol look
});
