import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { refusal } from '../../../test/engines/laws.ts';
import type { ColumnBatch } from '../engine.ts';
import { openPostgres } from './index.ts';

/** A message of PostgreSQL's protocol: its letter, its length and its content. */
function message(letter: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int32 = (value: number) => Buffer.from(Int32Array.of(value).buffer).reverse();
const int16 = (value: number) => Buffer.from(Int16Array.of(value).buffer).reverse();
const zeroEnded = (value: string) => Buffer.from(`${value}\0`);

const FLOAT8 = 701;
const TEXT = 25;

const described = (...types: number[]) =>
  message(
    'T',
    int16(types.length),
    ...types.flatMap((type, j) => [
      zeroEnded(`c${j}`),
      int32(0),
      int16(0),
      int32(type),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );

const row = (...cells: (string | null)[]) =>
  message(
    'D',
    int16(cells.length),
    ...cells.map((cell) =>
      cell === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(cell)), Buffer.from(cell)]),
    ),
  );

const done = Buffer.concat([message('C', zeroEnded('SELECT')), message('Z', Buffer.from('I'))]);

const fault = (code: string, text: string) =>
  message('E', zeroEnded('SERROR'), zeroEnded(`C${code}`), zeroEnded(`M${text}`), Buffer.from([0]));

let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
});

/** A test server with PostgreSQL's protocol, for failures that a real one rarely shows. */
async function serve(
  answer: (sql: string, socket: Socket) => void,
  greeting = [message('R', int32(0)), message('K', int32(42), int32(7)), message('Z', Buffer.from('I'))],
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const heard = (socket: Socket) => {
    sockets.add(socket);
    let greeted = false;
    let rest = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      if (!greeted) {
        greeted = true;
        rest = Buffer.alloc(0);
        socket.write(Buffer.concat(greeting));
      }
      while (rest.length >= 5 && rest.length >= rest.readInt32BE(1) + 1) {
        const end = rest.readInt32BE(1) + 1;
        const sql = rest.toString('utf8', 5, end - 1);
        const letter = String.fromCharCode(rest[0]);
        rest = rest.subarray(end);
        if (letter === 'X') return void socket.end();
        asked.push(`${letter} ${sql}`);
        if (sql.startsWith('SET ')) socket.write(done);
        else if (letter === 'Q') answer(sql, socket);
        else if (letter === 'S') socket.write(done); // the end of a bound query, or of a cancel request
      }
    });
  };
  const own = createServer(heard);
  server = own;
  await new Promise<void>((ready) => own.listen(0, '127.0.0.1', ready));
  return { url: `postgres://127.0.0.1:${(own.address() as { port: number }).port}/db`, asked };
}

async function all(batches: AsyncIterable<ColumnBatch>): Promise<ColumnBatch[]> {
  const found = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

test('rows become columns, in batches that wait for their reader', async () => {
  const { url } = await serve((_, socket) => {
    const rows = Array.from({ length: 50_000 }, (_, i) =>
      row(i % 10 === 0 ? null : String(i / 8), i % 3 === 0 ? null : `w${i}`),
    );
    socket.write(Buffer.concat([described(FLOAT8, TEXT), ...rows, done]));
  });
  const engine = await openPostgres(url, { PGUSER: 'ann' });
  let rows = 0;
  for await (const { rows: count, columns } of engine.query('SELECT x, t')) {
    const [numbers, texts] = columns as [Float64Array, (string | null)[]];
    expect([numbers.length, texts.length]).toEqual([count, count]);
    for (let i = 0; i < count; i++, rows++) {
      if (!Object.is(numbers[i], rows % 10 === 0 ? NaN : rows / 8)) expect(numbers[i]).toBe(rows / 8);
      if (texts[i] !== (rows % 3 === 0 ? null : `w${rows}`)) expect(texts[i]).toBe(`w${rows}`);
    }
    await new Promise((next) => setTimeout(next, 1));
  }
  expect(rows).toBe(50_000);
  await engine.close();
  await engine.close();
});

test('the session is configured before the first query', async () => {
  const { url, asked } = await serve(
    (_, socket) => void socket.write(Buffer.concat([described(TEXT), row('a'), done])),
  );
  const engine = await openPostgres(url, { PGUSER: 'ann' });
  expect(asked[0]).toContain('standard_conforming_strings = on');
  expect(await all(engine.query('SELECT t'))).toEqual([{ rows: 1, columns: [['a']] }]);
  await engine.close();
});

test('columns have the kinds from the catalog, and tables the parts of their names', async () => {
  const { url } = await serve((sql, socket) => {
    const types = [
      ['bigint', 'N'],
      ['numeric(5,2)', 'N'],
      ['boolean', 'B'],
      ['mood', 'E'],
      ['uuid', 'U'],
      ['date', 'D'],
    ];
    if (sql.includes('LIMIT 0')) socket.write(Buffer.concat([described(20, 1700, 16, 99999, 2950, 1082), done]));
    else if (sql.includes('format_type'))
      socket.write(Buffer.concat([described(TEXT, TEXT), ...types.map((cells) => row(...cells)), done]));
    else
      socket.write(
        Buffer.concat([described(TEXT, TEXT, TEXT), row('public', 'near', 't'), row('other', 'far', 'f'), done]),
      );
  });
  const engine = await openPostgres(url, { PGUSER: 'ann' });
  const kinds = (await engine.describe('t')).map(({ kind }) => kind);
  expect(kinds).toEqual(['integer', 'real', 'boolean', 'text', 'text', 'date']);
  expect(await engine.tables()).toEqual([['near'], ['other', 'far']]);
  await engine.close();
});

test('an error, and a broken connection, lose the query', async () => {
  const { url } = await serve((sql, socket) => {
    if (sql === 'SELECT wrong')
      socket.write(Buffer.concat([fault('42703', 'no such column'), message('Z', Buffer.from('I'))]));
    else socket.write(Buffer.concat([described(TEXT), row('a')]), () => socket.destroy());
  });
  const engine = await openPostgres(url, { PGUSER: 'ann' });
  expect(await refusal(all(engine.query('SELECT wrong')))).toMatchObject({
    code: 'E_ENGINE_QUERY',
    message: 'PostgreSQL refused or lost a query: "no such column"',
  });
  expect((await refusal(all(engine.query('SELECT cut')))).code).toBe('E_ENGINE_QUERY');
  expect((await refusal(all(engine.query('SELECT after')))).code).toBe('E_ENGINE_QUERY');
  await engine.close();
});

test('an abort cancels the query from a second connection, and so does ending the iteration', async () => {
  let running: Socket | undefined;
  const asking = new AbortController();
  const { url, asked } = await serve((sql, socket) => {
    running = socket;
    socket.write(described(FLOAT8));
    if (sql === 'SELECT many') socket.write(Buffer.concat(Array.from({ length: 5000 }, (_, i) => row(String(i)))));
    else asking.abort();
    const cancelled = setInterval(() => {
      if (!asked.some((each) => each.includes('pg_cancel_backend'))) return;
      clearInterval(cancelled);
      running?.write(Buffer.concat([fault('57014', 'canceling statement'), message('Z', Buffer.from('I'))]));
    }, 10);
  });
  const engine = await openPostgres(url, { PGUSER: 'ann' });
  expect((await refusal(all(engine.query('SELECT slow', { signal: asking.signal })))).code).toBe('E_CANCELLED');
  asked.length = 0;
  for await (const { rows } of engine.query('SELECT many')) {
    expect(rows).toBe(4096);
    break;
  }
  expect(asked.some((each) => each.includes('pg_cancel_backend'))).toBe(true);
  expect((await refusal(all(engine.query('SELECT no', { signal: AbortSignal.abort() })))).code).toBe('E_CANCELLED');
  expect(asked).not.toContain('Q SELECT no');
  await engine.close();
});

test('a rejected user and an unreachable server are reported without the password', async () => {
  for (const [code, advice] of [
    ['28P01', 'PGUSER'],
    ['3D000', 'no database'],
    ['53300', 'too many connections'],
    ['XX000', 'opens no session'],
  ]) {
    const { url } = await serve(() => {}, [fault(code, 'no')]);
    const refused = await refusal(openPostgres(url.replace('//', '//ann:secret-word@'), {}));
    expect(refused).toMatchObject({ code: 'E_ENGINE_UNAVAILABLE', message: expect.stringContaining(advice) });
    expect(refused.message).not.toContain('secret-word');
    server?.close();
  }
  const unreachable = await refusal(openPostgres('postgres://ann:secret-word@127.0.0.1:1/db', {}));
  expect(unreachable).toMatchObject({
    code: 'E_ENGINE_UNAVAILABLE',
    message: expect.stringContaining('nothing responds'),
  });
  expect(unreachable.message).not.toContain('secret-word');
  const wrong = await refusal(openPostgres('mysql://ann:secret-word@host/db', {}));
  expect(wrong.code).toBe('E_PARAM');
  expect(wrong.message).not.toContain('secret-word');
});
