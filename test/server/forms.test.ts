import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../src/server/memory-store.ts';
import type { RunningServer } from '../../src/server/server.ts';
import { type Description, type MadeUp, requestsFor } from './fuzz-requests.ts';
import { ask, models, serve } from './harness.ts';

const REQUESTS = 1_500;
/** Streams without an end, and requests whose answer depends on those before. */
const leftOut = new Set(
  'watchJob startJob listJobs uploadModel uploadDataset removeModel rollback merge decay metrics openPredictions'.split(
    ' ',
  ),
);

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that belong to the connection or to the moment. */
const ofConnection = new Set(['date', 'connection', 'keep-alive', 'x-request-id']);

/** The answers in what a server sent; `methods` are those of the requests. */
function parse(text: string, methods: readonly string[]): Answer[] {
  const answers: Answer[] = [];
  let rest = text;
  for (const method of methods) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const [line, ...lines] = rest.slice(0, end).split('\r\n');
    const headers: Record<string, string> = Object.fromEntries(
      lines.map((own) =>
        own
          .toLowerCase()
          .split(/: (.*)/s)
          .slice(0, 2),
      ),
    );
    const status = Number(line.split(' ')[1]);
    rest = rest.slice(end + 4);
    if (method !== 'HEAD' && status !== 204 && status !== 304) {
      if (headers['transfer-encoding'] === 'chunked') {
        for (let size = -1; size !== 0; ) {
          const at = rest.indexOf('\r\n');
          size = Number.parseInt(rest.slice(0, at), 16);
          rest = rest.slice(at + 2 + size + 2);
        }
      } else rest = rest.slice(Number(headers['content-length'] ?? 0));
    }
    const kept = Object.entries(headers).filter(([name]) => !ofConnection.has(name));
    answers.push({ status, headers: Object.fromEntries(kept) });
  }
  return answers;
}

/** Sends text and returns all that comes back until the server closes. */
function exchange({ port }: RunningServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    const pieces: Buffer[] = [];
    socket.setTimeout(20_000, () => reject(new Error(`no answer to ${text.slice(0, 300)}`)));
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(pieces).toString('latin1')));
  });
}

type Form = 'close' | 'keep-alive' | 'chunked';

/** A request of the fuzzer on the wire. */
function write({ port }: RunningServer, { verb, url, headers, body }: MadeUp, form: Form): string {
  const bytes = body === undefined ? undefined : Buffer.from(body).toString('latin1');
  const lines = [`${verb.toUpperCase()} ${url} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'X-Request-Id: same'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (form === 'close') lines.push('Connection: close');
  if (bytes === undefined) return `${lines.join('\r\n')}\r\n\r\n`;
  if (form !== 'chunked') return `${lines.join('\r\n')}\r\nContent-Length: ${bytes.length}\r\n\r\n${bytes}`;
  const half = bytes.length >> 1;
  const chunks = [bytes.slice(0, half), bytes.slice(half)].filter(({ length }) => length > 0);
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return `${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`;
}

/** Every eleventh request comes from a page of another site, every twelfth has a body of another type. */
function disturbed(made: MadeUp, k: number): MadeUp {
  const more = k % 11 === 0 ? { origin: 'http://evil.example' } : k % 12 === 0 ? { 'content-type': 'text/plain' } : {};
  return { ...made, headers: { ...made.headers, ...more } };
}

const security = [
  'x-content-type-options',
  'cache-control',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
];

test('every request of the fuzzer has one status and one set of headers, alone, pipelined and in chunks', {
  timeout: 300_000,
}, async () => {
  const server = await serve({ store: new MemoryStore(models()) });
  const { body: description } = (await ask(server, '/openapi.json')) as { body: Description };
  const known = {
    model: ['spam', 'records', 'bells', 'none'],
    id: ['d-000000000000000000', 'j-000000000000000000'],
    feature: ['free', 'text', '0', 'x1'],
    'if-match': ['"1"', '"2"', '*'],
    'idempotency-key': ['one', 'two', 'three'],
  };
  const requests = fc.sample(requestsFor(description, known, leftOut), { seed: 7, numRuns: REQUESTS });
  const health = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n`;
  const statuses = new Set<number>();
  let chunked = 0;
  let next = 0;
  const client = async () => {
    while (next < requests.length) {
      const made = disturbed(requests[next], next++);
      const method = made.verb.toUpperCase();
      const [alone] = parse(await exchange(server, write(server, made, 'close')), [method]);
      const what = `${method} ${made.url} ${JSON.stringify(made.headers)} ${made.body?.slice(0, 200) ?? ''}`;
      expect(alone, what).toBeDefined();
      for (const name of security) expect(alone.headers, `${what} → ${alone.status}`).toHaveProperty(name);
      statuses.add(alone.status);
      const line = `${health}\r\n${write(server, made, 'keep-alive')}${health}Connection: close\r\n\r\n`;
      const piped = parse(await exchange(server, line), ['GET', method, 'GET']);
      expect(piped[1], `pipelined: ${what}`).toEqual(alone);
      expect(piped[2]?.status, `behind: ${what}`).toBe(200);
      if (made.body === undefined) continue;
      chunked++;
      const text = await exchange(server, `${write(server, made, 'chunked')}${health}Connection: close\r\n\r\n`);
      expect(parse(text, [method])[0], `chunked: ${what}`).toEqual(alone);
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  expect(chunked).toBeGreaterThan(REQUESTS / 4);
  for (const status of [200, 400, 403, 404, 409, 415, 422]) expect(statuses).toContain(status);
});
