import { Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js';
import { Float64, Int32, tableFromArrays, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { afterEach, expect, test } from 'vitest';
import { refusal } from '../../../test/engines/laws.ts';
import type { ColumnBatch } from '../engine.ts';
import { openSpark } from './index.ts';
import { decodeMessage, encodeMessage } from './protobuf.ts';

type Call = ServerWritableStream<Buffer, Buffer>;

/** The fields of a message, by number; `text` follows a path of fields to a text. */
const text = (bytes: Buffer, ...path: number[]): string | undefined => {
  const [first, ...rest] = path;
  for (const [field, value] of decodeMessage(bytes)) {
    if (field === first && typeof value !== 'number') return rest.length > 0 ? text(value, ...rest) : value.toString();
  }
  return undefined;
};

let server: Server | undefined;
afterEach(() => server?.forceShutdown());

/** A test server with Spark Connect's protocol, for failures that a real one rarely shows. */
async function serve(
  answer: (sql: string, call: Call) => void,
): Promise<{ url: string; requests: [string, Buffer][] }> {
  const requests: [string, Buffer][] = [];
  const same = (bytes: Buffer) => bytes;
  const unary = { requestStream: false, responseStream: false, requestSerialize: same, requestDeserialize: same };
  const method = { ...unary, responseSerialize: same, responseDeserialize: same };
  const own = new Server();
  server = own;
  const path = (name: string) => ({ ...method, path: `/spark.connect.SparkConnectService/${name}` });
  const heard =
    (name: string) =>
    ({ request }: { request: Buffer }, done: (error: null, answer: Buffer) => void) => {
      requests.push([name, request]);
      done(null, Buffer.alloc(0));
    };
  own.addService(
    {
      ExecutePlan: { ...path('ExecutePlan'), responseStream: true },
      Interrupt: path('Interrupt'),
      ReleaseSession: path('ReleaseSession'),
    },
    {
      ExecutePlan(call: Call) {
        requests.push(['ExecutePlan', call.request]);
        const sql = text(call.request, 3, 1, 10, 1) ?? text(call.request, 3, 2, 5, 1) ?? '';
        if (sql === 'SELECT 1') call.end();
        else answer(sql, call);
      },
      Interrupt: heard('Interrupt'),
      ReleaseSession: heard('ReleaseSession'),
    } as never,
  );
  const port = await new Promise<number>((done, fail) => {
    own.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? fail(error) : done(bound),
    );
  });
  return { url: `sc://127.0.0.1:${port}/;user_id=ann`, requests };
}

const batch = (columns: Parameters<typeof tableFromArrays>[0], rows: number, start?: number) =>
  encodeMessage([
    [
      2,
      encodeMessage([
        [1, rows],
        [2, tableToIPC(tableFromArrays(columns), 'stream')],
        [3, start],
      ]),
    ],
  ]);

async function all(batches: AsyncIterable<ColumnBatch>): Promise<ColumnBatch[]> {
  const found = [];
  for await (const each of batches) found.push(each);
  return found;
}

test('Arrow becomes numbers, where NULL is NaN, and texts', async () => {
  const { url } = await serve((_, call) => {
    call.write(encodeMessage([[7, 'a schema']]));
    call.write(
      batch(
        {
          x: vectorFromArray([1.5, null, -0], new Float64()),
          t: vectorFromArray(['ünï', null, '🎉'], new Utf8()),
          n: vectorFromArray([7, null, 9], new Int32()),
          b: vectorFromArray([true, false, null]),
        } as never,
        3,
        0,
      ),
    );
    call.write(batch({ x: vectorFromArray([2, 3], new Float64()) } as never, 2, 3));
    call.end();
  });
  const spark = await openSpark(url, {});
  expect(await all(spark.query('SELECT all'))).toEqual([
    {
      rows: 3,
      columns: [
        new Float64Array([1.5, NaN, -0]),
        ['ünï', null, '🎉'],
        new Float64Array([7, NaN, 9]),
        ['true', 'false', null],
      ],
    },
    { rows: 2, columns: [new Float64Array([2, 3])] },
  ]);
  await spark.close();
});

test('a session has one id, each query its own; commands are sent as commands, and closing releases the session', async () => {
  const { url, requests } = await serve((_, call) => call.end());
  const spark = await openSpark(url, {});
  await all(spark.query('SELECT x'));
  await spark.execute('CREATE TABLE t (x INT)');
  await spark.close();
  await spark.close();
  const [, query, command, release] = requests.map(([, bytes]) => bytes);
  expect(new Set(requests.map(([, bytes]) => text(bytes, 1))).size).toBe(1);
  expect(new Set(requests.map(([, bytes]) => text(bytes, 2, 1)))).toEqual(new Set(['ann']));
  expect(text(query, 6)).not.toBe(text(command, 6));
  expect(text(query, 3, 1, 10, 1)).toBe('SELECT x');
  expect(text(command, 3, 2, 5, 1)).toBe('CREATE TABLE t (x INT)');
  expect(text(command, 3, 2, 5, 6, 10, 1)).toBe('CREATE TABLE t (x INT)');
  expect(requests.map(([name]) => name)).toEqual(['ExecutePlan', 'ExecutePlan', 'ExecutePlan', 'ReleaseSession']);
  expect(text(release, 3)).toBe('polya');
});

test('tables and columns come from Spark', async () => {
  const rows = (...columns: string[][]) =>
    batch(
      Object.fromEntries(columns.map((cells, j) => [`c${j}`, vectorFromArray(cells, new Utf8())])) as never,
      columns[0].length,
    );
  const answers: Record<string, Buffer> = {
    'DESCRIBE QUERY SELECT * FROM t': rows(
      ['a', 'b', 'c', 'd', 'e'],
      ['bigint', 'decimal(9,2)', 'varchar(9)', 'boolean', 'date'],
    ),
    'SELECT current_schema()': rows(['home']),
    'SHOW SCHEMAS': rows(['away', 'home']),
    'SHOW TABLES IN `home`': rows(['home', ''], ['near', 'view']),
    'SHOW TABLES IN `away`': rows(['away', ''], ['far', 'view']),
  };
  const { url } = await serve((sql, call) => void call.write(answers[sql], () => call.end()));
  const spark = await openSpark(url, {});
  const kinds = (await spark.describe('t')).map(({ name, kind }) => [name, kind]);
  expect(kinds).toEqual(Object.entries({ a: 'integer', b: 'real', c: 'text', d: 'boolean', e: 'date' }));
  expect(await spark.tables()).toEqual([['near'], ['view'], ['away', 'far'], ['view']]);
  await spark.close();
});

test('an error, a truncated stream and a gap between batches are lost queries, reported in one line', async () => {
  const { url } = await serve((sql, call) => {
    if (sql === 'SELECT wrong') {
      call.emit('error', { code: status.INTERNAL, details: '[WRONG] No such thing.\n== SQL ==\nSELECT wrong' });
    } else if (sql === 'SELECT cut') {
      call.write(batch({ x: vectorFromArray([1], new Float64()) } as never, 1, 0), () => server?.forceShutdown());
    } else {
      call.write(batch({ x: vectorFromArray([1], new Float64()) } as never, 1, 5));
      call.end();
    }
  });
  const spark = await openSpark(url, {});
  expect(await refusal(all(spark.query('SELECT wrong')))).toMatchObject({
    code: 'E_ENGINE_QUERY',
    message: 'Spark refused or lost a query: "[WRONG] No such thing."',
  });
  expect((await refusal(all(spark.query('SELECT gap')))).message).toContain('starts at row 5 where 0 was due');
  expect((await refusal(all(spark.query('SELECT cut')))).code).toBe('E_ENGINE_QUERY');
  await spark.close();
});

test('a query whose connection is lost before a response is sent again, a statement is not', async () => {
  let asked = 0;
  const { url } = await serve((_, call) => {
    if (++asked % 3 !== 0) call.emit('error', { code: status.UNAVAILABLE, details: 'connection reset' });
    else call.write(batch({ x: vectorFromArray([1], new Float64()) } as never, 1, 0), () => call.end());
  });
  const spark = await openSpark(url, {});
  expect((await refusal(all(spark.query('SELECT a')))).code).toBe('E_ENGINE_QUERY');
  expect(asked).toBe(2);
  expect(await all(spark.query('SELECT b'))).toHaveLength(1);
  expect((await refusal(spark.execute('CREATE TABLE t'))).code).toBe('E_ENGINE_QUERY');
  expect(asked).toBe(4);
  await spark.close();
});

test('progress is reported, and an abort interrupts the running operation', async () => {
  const stage = (tasks: number, done: number) =>
    encodeMessage([
      [1, 0],
      [2, tasks],
      [3, done],
    ]);
  const { url, requests } = await serve((_, call) => {
    call.write(encodeMessage([[18, encodeMessage([[2, 0]])]]));
    call.write(
      encodeMessage([
        [
          18,
          encodeMessage([
            [1, stage(6, 3)],
            [1, stage(2, 0)],
          ]),
        ],
      ]),
    );
  });
  const spark = await openSpark(url, {});
  const asking = new AbortController();
  const shares: number[] = [];
  const onShare = (share: number) => shares.push(share) === 2 && asking.abort();
  const query = spark.query('SELECT slow', { signal: asking.signal, onShare });
  expect((await refusal(all(query))).code).toBe('E_CANCELLED');
  expect(shares).toEqual([0, 3 / 8]);
  const interrupted = () => requests.find(([name]) => name === 'Interrupt')?.[1];
  await expect.poll(interrupted).toBeDefined();
  expect(text(interrupted()!, 6)).toBe(text(requests[1][1], 6));
  expect((await refusal(all(spark.query('SELECT 2', { signal: AbortSignal.abort() })))).code).toBe('E_CANCELLED');
  await spark.close();
});

test('a result that is not read to its end is interrupted', async () => {
  const { url, requests } = await serve((_, call) => {
    for (let k = 0; k < 20; k++) call.write(batch({ x: vectorFromArray([k], new Float64()) } as never, 1, k));
  });
  const spark = await openSpark(url, {});
  for await (const each of spark.query('SELECT many')) {
    expect(each.rows).toBe(1);
    break;
  }
  await expect.poll(() => requests.some(([name]) => name === 'Interrupt')).toBe(true);
  await spark.close();
});

test('an address without a server and a rejected token are reported without the token', async () => {
  for (const address of ['sc://127.0.0.1:1', 'sc://127.0.0.1:1/;token=secret-word']) {
    const { code, message } = await refusal(openSpark(address, {}));
    expect(code).toBe('E_ENGINE_UNAVAILABLE');
    expect(message).not.toContain('secret-word');
  }
  const stranger = new Server(); // another gRPC service
  server = stranger;
  const port = await new Promise<number>((done) =>
    stranger.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => done(bound)),
  );
  expect((await refusal(openSpark(`sc://127.0.0.1:${port}`, {}))).code).toBe('E_ENGINE_UNAVAILABLE');
});

test('a server that rejects the token is reported', async () => {
  const { url } = await serve((_, call) => call.emit('error', { code: status.UNAUTHENTICATED, details: 'token' }));
  const spark = await openSpark(url, {});
  expect(await refusal(all(spark.query('SELECT x')))).toMatchObject({
    code: 'E_ENGINE_UNAVAILABLE',
    message: expect.stringContaining('SPARK_CONNECT_TOKEN'),
  });
  await spark.close();
});
