import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/server/memory-store.ts';
import type { RunningServer } from '../../src/server/server.ts';
import { startServer } from '../../src/server/server.ts';
import { atMost } from '../quiet.ts';
import { ask, raw, serve } from './harness.ts';

const body = '{"instances":["free prize"]}';
const predict = (
  server: RunningServer,
  more: string[] = [],
  host = `127.0.0.1:${server.port}`,
  path = '/v1/models/spam/predict',
) =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
    ...more,
    '',
    body,
  ].join('\r\n');
const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const alive = async (server: RunningServer) => {
  const { status, body: answer } = await ask(server, '/v1/models/spam/predict', { instances: ['free prize'] });
  expect(status).toBe(200);
  expect(answer.predictions[0].label).toBe('spam');
};

test('another host name is answered with 421 before any route, whatever the method', async () => {
  const server = await serve();
  const { port } = server;
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `127.0.0.1:${port + 1}`,
    '127.0.0.1',
    `127.0.0.1:${port}.`,
    `0x7f.1:${port}`,
    '',
  ]) {
    expect(statusOf(await raw(server, predict(server, [], host))), host).toBe(421);
  }
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    const text = await raw(server, `${method} /v1/models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(statusOf(text), method).toBe(421);
  }
  const upgrade = `GET /v1/jobs/j-000000000000000000/events HTTP/1.1\r\nHost: evil.example\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n`;
  expect(statusOf(await raw(server, upgrade))).toBe(421);
  expect(statusOf(await raw(server, 'GET / HTTP/1.1\r\n\r\n'))).toBe(400);
  for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
    expect(statusOf(await raw(server, predict(server, [], host))), host).toBe(200);
  }
});

test('pages of other sites are answered with 403', async () => {
  const server = await serve();
  for (const header of [
    'Origin: http://evil.example',
    'Origin: null',
    `Origin: http://127.0.0.1:${server.port + 1}`,
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-site',
  ]) {
    expect(statusOf(await raw(server, predict(server, [header]))), header).toBe(403);
  }
  for (const header of [
    `Origin: http://127.0.0.1:${server.port}`,
    'Sec-Fetch-Site: same-origin',
    'Sec-Fetch-Site: none',
  ]) {
    expect(statusOf(await raw(server, predict(server, [header]))), header).toBe(200);
  }
  const plain = await raw(server, predict(server));
  expect(plain.toLowerCase()).not.toContain('access-control');
});

test('listed origins may call, and preflights allow them', async () => {
  const server = await serve({ origins: ['https://studio.example'] });
  const headers = { origin: 'https://studio.example', 'sec-fetch-site': 'cross-site' };
  const asked = await raw(
    server,
    `OPTIONS /v1/models/spam/predict HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nOrigin: https://studio.example\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n`,
  );
  expect(statusOf(asked)).toBe(204);
  expect(asked).toContain('access-control-allow-origin: https://studio.example');
  const text = await raw(
    server,
    predict(
      server,
      Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ),
  );
  expect(statusOf(text)).toBe(200);
  expect(text).toContain('access-control-allow-origin: https://studio.example');
  expect(statusOf(await raw(server, predict(server, ['Origin: https://other.example'])))).toBe(403);
});

test('an address that others can reach needs a token; the token is asked for', async () => {
  const store = new MemoryStore();
  await expect(startServer({ store, host: '0.0.0.0', port: 0 })).rejects.toMatchObject({ code: 'E_USAGE' });
  await expect(startServer({ store, host: '0.0.0.0', port: 0, token: 'short' })).rejects.toMatchObject({
    code: 'E_USAGE',
  });
  const server = await serve({ host: '0.0.0.0', token: 'a token of many letters' });
  const url = `http://127.0.0.1:${server.port}`;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const none = await fetch(`${url}/v1/models`);
  expect(none.status).toBe(401);
  expect(none.headers.get('www-authenticate')).toBe('Bearer');
  expect((await none.json()).code).toBe('E_AUTH');
  const known = (token: string) => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${token}` } });
  expect((await known('wrong')).status).toBe(401);
  expect((await known('a token of many letters')).status).toBe(200);
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/json; charset=latin1', 415],
  ['application/JSON', 200],
  ['application/json; charset=UTF-8', 200],
  ['application/json;charset=utf-8', 200],
])('a body of %s is answered with %i', async (type, status) => {
  const server = await serve();
  const reply = await ask(server, '/v1/models/spam/predict', body, { headers: { 'content-type': type } });
  expect(reply.status).toBe(status);
  if (status === 415) expect(reply.body.code).toBe('E_MEDIA_TYPE');
});

test('a body without a type, or in gzip, is answered with 415', async () => {
  const server = await serve();
  const bare = predict(server).replace('Content-Type: application/json\r\n', '');
  expect(statusOf(await raw(server, bare))).toBe(415);
  expect(statusOf(await raw(server, predict(server, ['Content-Encoding: gzip'])))).toBe(415);
});

test('hostile JSON gets its status, and the server goes on', async () => {
  const server = await serve();
  const send = async (bytes: string | Buffer) => {
    const response = await fetch(`${server.url}/v1/models/spam/predict`, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(bytes)),
      headers: { 'content-type': 'application/json' },
    });
    return [response.status, (await response.json()).code];
  };
  expect(await send(`{"instances":${'['.repeat(30_000)}${']'.repeat(30_000)}}`)).toEqual([413, 'E_LIMIT']);
  expect(
    await send(Buffer.concat([Buffer.from('{"instances":["'), Buffer.from([0xff, 0xfe]), Buffer.from('"]}')])),
  ).toEqual([400, 'E_ENCODING']);
  expect(await send('{"instances":["\\ud800"]}')).toEqual([400, 'E_UNICODE']);
  expect(await send('{"instances":[NaN]}')).toEqual([400, 'E_BAD_REQUEST']);
  expect(await send('{"instances":["a"],"instances":["b"]}')).toEqual([400, 'E_BAD_REQUEST']);
  expect(await send('{"instances":[{"__proto__":{"text":"a"}}]}')).toEqual([422, 'E_FEATURE_MISSING']);
  expect(await send('{"instances":["a"],"__proto__":{"top_k":1}}')).toEqual([400, 'E_BAD_REQUEST']);
  expect(await send('{"instances":[{"constructor":"a"}]}')).toEqual([422, 'E_FEATURE_MISSING']);
  expect(await send(`{"instances":[${'"a",'.repeat(10_000)}"a"]}`)).toEqual([413, 'E_LIMIT']);
  expect(({} as { text?: string }).text).toBeUndefined();
  await alive(server);
});

test('words of the language are words', async () => {
  const server = await serve();
  const { body: answer } = await ask(server, '/v1/models/spam/predict', {
    instances: ['__proto__ constructor toString valueOf'],
  });
  expect(answer.predictions[0].probabilities).toEqual({ ham: 0.5, spam: 0.5 });
});

test('names that are paths are no names', async () => {
  const server = await serve();
  for (const name of ['..%2fx', 'a%2fb', '%2e%2e', 'CON', 'x'.repeat(300), '%2e', 'Spam', 'spam%00', '-spam']) {
    const text = await raw(server, predict(server, [], undefined, `/v1/models/${name}/predict`));
    expect(statusOf(text), name).toBe(400);
  }
  expect(statusOf(await raw(server, predict(server, [], undefined, '/v1/models/../../etc/passwd/predict')))).toBe(404);
  expect(statusOf(await raw(server, predict(server, [], undefined, '/v1/models/%zz/predict')))).toBe(400);
  await alive(server);
});

test('a body of a gigabyte is refused before it comes', async () => {
  const server = await serve();
  const head = `POST /v1/models/spam/predict HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Type: application/json\r\n`;
  const declared = await raw(server, `${head}Content-Length: ${2 ** 30}\r\n\r\n{`);
  expect(statusOf(declared)).toBe(413);
  const before = process.memoryUsage.rss();
  const status = await new Promise<number>((resolve) => {
    const own = request(`${server.url}/v1/models/spam/predict`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    own.on('response', (response) => {
      resolve(response.statusCode!);
      own.destroy();
    });
    own.on('error', () => resolve(413)); // cut while it was sent
    const piece = Buffer.alloc(2 ** 20, 0x20);
    const push = () => {
      while (!own.destroyed && own.write(piece));
      own.once('drain', push);
    };
    push();
  });
  expect(status).toBe(413);
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 2 ** 20);
  await alive(server);
});

test('headers and addresses that are too long are refused', async () => {
  const server = await serve();
  expect(statusOf(await raw(server, predict(server, [`X-Long: ${'a'.repeat(20_000)}`])))).toBe(431);
  expect(statusOf(await raw(server, predict(server, [], undefined, `/${'a'.repeat(5000)}`)))).toBe(400);
  expect(statusOf(await raw(server, 'NONSENSE\r\n\r\n'))).toBe(400);
  const smuggled = predict(server, ['Transfer-Encoding: chunked']);
  expect(statusOf(await raw(server, smuggled))).toBe(400);
  await alive(server);
});

test('slow headers and slow bodies are cut with 408, and others are served meanwhile', async () => {
  const server = await serve({ limits: { headersTime: 700, requestTime: 700 } });
  const headers = raw(server, `POST /v1/models/spam/predict HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nX-A: `);
  const drip = new Promise<string>((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () =>
      socket.write(`${predict(server).split('\r\n\r\n')[0]}\r\n\r\n`),
    );
    const timer = setInterval(() => socket.write(' '), 100);
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      resolve(text);
    });
  });
  await alive(server);
  expect(statusOf(await headers)).toBe(408);
  const text = await drip;
  expect(statusOf(text)).toBe(408);
  expect(text).toContain('E_TIMEOUT');
  await alive(server);
});

test('four hundred idle sockets do not slow other clients', async () => {
  const server = await serve();
  const sockets = Array.from({ length: 400 }, () => connect(server.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => new Promise((ready) => socket.once('connect', ready))));
  await alive(server);
  for (const socket of sockets) socket.destroy();
});

test('more than can be served in time is refused with Retry-After, and health is still answered', async () => {
  const server = await serve({ limits: { inFlight: 1 } });
  const half = connect(server.port, '127.0.0.1', () => half.write(predict(server).slice(0, -5)));
  await expect.poll(() => server.inFlight()).toBe(1);
  const reply = await ask(server, '/v1/models/spam/predict', { instances: ['a'] });
  expect(reply).toMatchObject({ status: 503, body: { code: 'E_OVERLOADED' } });
  expect(reply.headers.get('retry-after')).toBe('1');
  expect((await ask(server, '/healthz')).status).toBe(200);
  half.destroy();
  await expect.poll(() => server.inFlight()).toBe(0);
  await alive(server);
});

test('a server that ends finishes what is in flight and takes no more', async () => {
  const server = await serve();
  const first = raw(server, `${predict(server).slice(0, -5)}`, 3000);
  const socket = connect(server.port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.write(predict(server).slice(0, -5));
  });
  await expect.poll(() => server.inFlight()).toBe(2);
  const started = performance.now();
  const closed = server.close();
  await wait(100);
  socket.write(body.slice(-5));
  expect(statusOf(await answer)).toBe(200);
  await closed;
  expect(performance.now() - started).toBeLessThan(atMost(2000));
  expect(await first).toBe('');
  await expect(fetch(server.url)).rejects.toThrow();
});

test('answers contain neither stack nor path, and a bug is logged once under a name', async () => {
  const store = new MemoryStore();
  const broken = Object.assign(Object.create(store), {
    list: () => {
      throw new Error('/secret/path');
    },
  });
  const server = await serve({ store: broken });
  const reply = await ask(server, '/v1/models', undefined, { headers: { 'x-request-id': 'mine-1' } });
  expect(reply).toMatchObject({ status: 500, body: { code: 'E_INTERNAL', requestId: 'mine-1' } });
  expect(JSON.stringify(reply.body)).not.toContain('secret');
  expect(server.events.filter(({ event }) => event === 'bug')).toMatchObject([{ facts: { requestId: 'mine-1' } }]);
  expect(
    (await ask(server, '/healthz', undefined, { headers: { 'x-request-id': 'a b\tc' } })).headers.get('x-request-id'),
  ).not.toContain(' ');
});
