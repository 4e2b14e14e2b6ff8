import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { RunningServer } from '../../src/server/server.ts';
import { openStore } from '../../src/server/store/index.ts';
import { models, serve } from './harness.ts';
import { newFolder } from './store/subjects.ts';

/** An answer as it came over the wire. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A connection that collects answers. */
class Wire {
  readonly socket: Socket;
  private text = '';
  private readonly answers: Answer[] = [];
  private wake: () => void = () => undefined;
  closed = false;

  constructor({ port }: RunningServer) {
    this.socket = connect(port, '127.0.0.1').setNoDelay(true);
    this.socket.on('data', (piece) => this.read(piece.toString('latin1')));
    this.socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
    this.socket.on('error', () => undefined);
    onTestFinished(() => void this.socket.destroy());
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  /** The next answers, in the order in which they came. */
  async next(count: number): Promise<Answer[]> {
    while (this.answers.length < count && !this.closed) await new Promise<void>((wake) => (this.wake = wake));
    return this.answers.splice(0, count);
  }

  private read(piece: string): void {
    this.text += piece;
    for (let end = this.text.indexOf('\r\n\r\n'); end >= 0; end = this.text.indexOf('\r\n\r\n')) {
      const [line, ...rest] = this.text.slice(0, end).split('\r\n');
      const headers = Object.fromEntries(
        rest.map((own) =>
          own
            .toLowerCase()
            .split(/: (.*)/s)
            .slice(0, 2),
        ),
      );
      const to = end + 4 + Number(headers['content-length']);
      if (this.text.length < to) break;
      this.answers.push({ status: Number(line.split(' ')[1]), headers, body: this.text.slice(end + 4, to) });
      this.text = this.text.slice(to);
    }
    this.wake();
  }
}

const ask = ({ port }: RunningServer, body: string, { verb = 'predict', more = [] as readonly string[] } = {}) =>
  [
    `POST /v1/models/spam/${verb} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...more,
    '',
    body,
  ].join('\r\n');
const one = (text: string) => JSON.stringify({ instances: [text] });
const exampleBody = (text: string, label = 'spam') => JSON.stringify({ examples: [{ text, label }] });
const learning = async () => serve({ store: await openStore(newFolder(), models()) });

test('however a stream of requests is cut into pieces, each is answered once and in order', async () => {
  const server = await learning();
  const kinds = fc.constantFrom(
    () => ask(server, one('free prize')),
    () => ask(server, one('call')),
    () => ask(server, '{"instances":"no"}'),
    () => ask(server, exampleBody('a new word'), { verb: 'learn' }),
    () => ask(server, one('free'), { more: ['X-Other: 1'] }),
    () => `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`,
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(kinds, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(400), { maxLength: 6 }),
      async (asks, cuts) => {
        const wire = new Wire(server);
        let text = asks.map((own) => own()).join('');
        for (const cut of cuts) {
          wire.send(text.slice(0, cut));
          text = text.slice(cut);
          await wait(1);
        }
        const answers = await wire.send(text).next(asks.length);
        const expected = asks.map((own) => {
          const sent = own();
          if (sent.startsWith('GET')) return [200, '{"status":"ok"}'];
          return sent.includes('"no"')
            ? [400, '{"type"']
            : [200, sent.includes('learn HTTP') ? '{"model"' : '{"predictions"'];
        });
        expect(answers.map(({ status, body }, k) => [status, body.slice(0, String(expected[k][1]).length)])).toEqual(
          expected,
        );
        wire.socket.destroy();
      },
    ),
    { numRuns: 60 },
  );
  expect(server.inFlight()).toBe(0);
});

test('a request behind one that is being learned sees what was learned', async () => {
  const server = await learning();
  const answers = await new Wire(server)
    .send(ask(server, exampleBody('zebra zebra'), { verb: 'learn' }) + ask(server, one('zebra')))
    .next(2);
  expect(answers.map(({ body }) => JSON.parse(body).version)).toEqual([2, 2]);
  expect(JSON.parse(answers[1].body).predictions[0].label).toBe('spam');
});

test('keys and versions count over one connection', async () => {
  const server = await learning();
  const wire = new Wire(server);
  const send = async (more: string[], text = 'zebra') =>
    (await wire.send(ask(server, exampleBody(text), { verb: 'learn', more })).next(1))[0];
  expect(await send(['Idempotency-Key: k1'])).toMatchObject({ status: 200, headers: { etag: '"2"' } });
  expect(JSON.parse((await send(['Idempotency-Key: k1'])).body)).toMatchObject({ version: 2, repeated: true });
  expect((await send(['Idempotency-Key: k1'], 'other')).status).toBe(409);
  expect((await send(['If-Match: "1"'])).status).toBe(409);
  expect((await send(['If-Match: nonsense'])).status).toBe(400);
});

test('a client that does not read its answers is not asked more, and the others are served', async () => {
  const server = await serve();
  const deaf = connect(server.port, '127.0.0.1');
  onTestFinished(() => void deaf.destroy());
  deaf.pause();
  const before = process.memoryUsage.rss();
  const many = ask(server, one('free prize')).repeat(200);
  let sent = 0;
  while (sent < 500 && deaf.write(many)) sent++;
  for (let k = 0; k < 100 && sent < 500; k++) {
    await wait(5);
    while (sent < 500 && deaf.writableLength < 2 ** 20) {
      deaf.write(many);
      sent++;
    }
  }
  expect(sent).toBeLessThan(500);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100 * 2 ** 20);
  expect((await new Wire(server).send(ask(server, one('free'))).next(1))[0].status).toBe(200);
});

test('a client that hangs up in the middle leaves nothing behind', async () => {
  const server = await learning();
  for (let k = 0; k < 20; k++) {
    const wire = new Wire(server);
    wire.send(k % 2 ? ask(server, one('free')).slice(0, -k - 1) : ask(server, exampleBody('a'), { verb: 'learn' }));
    await wait(k % 3);
    wire.socket.destroy();
  }
  await expect.poll(() => server.inFlight()).toBe(0);
});

test('a slow body is cut off, and an idle connection is closed', async () => {
  const server = await serve({ limits: { headersTime: 700, requestTime: 700, idleTime: 1000 } });
  const slow = new Wire(server).send(ask(server, one('free prize')).slice(0, -3));
  const silent = new Wire(server);
  const idle = new Wire(server).send(ask(server, one('free prize')));
  const [answer] = await slow.next(1);
  expect(answer.status).toBe(408);
  expect((await idle.next(1))[0].status).toBe(200);
  await idle.next(1);
  expect(idle.closed).toBe(true);
  expect((await silent.next(1))[0]?.status ?? 408).toBe(408);
  await silent.next(1);
  expect(silent.closed).toBe(true);
});

test('more than can be served is refused at once, and the connection goes on', async () => {
  const server = await serve({ limits: { inFlight: 1 } });
  const half = new Wire(server).send(ask(server, one('free prize')).slice(0, -3));
  await expect.poll(() => server.inFlight()).toBe(1);
  const wire = new Wire(server);
  const [refused] = await wire.send(ask(server, one('free'))).next(1);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(JSON.parse(refused.body).code).toBe('E_OVERLOADED');
  half.socket.destroy();
  await expect.poll(() => server.inFlight()).toBe(0);
  expect((await wire.send(ask(server, one('free'))).next(1))[0].status).toBe(200);
});

test('a server that ends answers what is whole and closes what is idle', async () => {
  const server = await learning();
  const idle = new Wire(server).send(ask(server, one('free')));
  await idle.next(1);
  const busy = new Wire(server).send(ask(server, exampleBody('last words'), { verb: 'learn' }));
  await wait(2);
  const closed = server.close();
  const [answer] = await busy.next(1);
  expect(answer?.status ?? 200).toBe(200);
  await closed;
  await idle.next(1);
  expect(idle.closed).toBe(true);
});

/** Blocks the event loop, as loading a large model does on a busy machine. */
function block(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; ) Math.sqrt(2);
}

test('one long stall of the event loop refuses no request, a lasting one does', async () => {
  const server = await serve({ limits: { lateness: 100 } });
  const wires = Array.from({ length: 20 }, () => new Wire(server));
  for (const wire of wires) wire.send(ask(server, one('free prize')));
  await Promise.all(wires.map((wire) => wire.next(1)));
  for (const wire of wires) wire.send(ask(server, one('free prize')));
  block(1000);
  for (const wire of wires) expect(await wire.next(1)).toMatchObject([{ status: 200 }]);
  let refused = 0;
  for (let k = 0; k < 20 && refused === 0; k++) {
    wires[0].send(ask(server, one('free prize')));
    block(250);
    const [answer] = await wires[0].next(1);
    if (answer.status === 503) refused++;
  }
  expect(refused).toBe(1);
});
