import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { refusal } from '../../../test/engines/laws.ts';
import { openClickHouse } from './index.ts';

/** A request to the server: the statement and its settings. */
interface Asked {
  readonly sql: string;
  readonly settings: URLSearchParams;
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A test server with ClickHouse's protocol, for failures that a real one rarely shows. */
async function serve(
  answer: (asked: Asked, response: ServerResponse) => void,
  profile: Readonly<Record<string, string>> = {},
): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const heard = async (request: IncomingMessage, response: ServerResponse) => {
    let sql = '';
    for await (const chunk of request) sql += chunk;
    const each = { sql, settings: new URL(`http://host${request.url}`).searchParams };
    asked.push(each);
    if (sql === 'SELECT 1') response.end();
    else if (sql.includes('system.settings')) {
      const names = Object.keys(profile);
      response.end(names.length > 0 ? texts(names, Object.values(profile)) : '');
    } else answer(each, response);
  };
  server = createServer((request, response) => void heard(request, response));
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return { url: `clickhouse://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Columns of text in the Native format. */
function texts(...columns: string[][]): Buffer {
  const field = (value: string) => Buffer.concat([Buffer.from([Buffer.byteLength(value)]), Buffer.from(value)]);
  const parts = columns.flatMap((cells) => [field('c'), field('String'), ...cells.map(field)]);
  return Buffer.concat([Buffer.from([columns.length, columns[0].length]), ...parts]);
}

/** One column `n` of Float64 with one row: 1. */
const ONE = Buffer.from('0101016e07466c6f61743634000000000000f03f', 'hex');

async function all(batches: AsyncIterable<unknown>): Promise<unknown[]> {
  const found = [];
  for await (const batch of batches) found.push(batch);
  return found;
}

test('every statement requires every shard, and every response is buffered by the server', async () => {
  const { url, asked } = await serve((_, response) => response.end(ONE));
  const engine = await openClickHouse(url, {});
  expect(await all(engine.query('SELECT n FROM t'))).toMatchObject([{ rows: 1, columns: [new Float64Array([1])] }]);
  await engine.execute('CREATE TABLE u AS t');
  for (const { settings } of asked) expect(settings.get('skip_unavailable_shards')).toBe('0');
  expect(asked.find(({ sql }) => sql.includes('FORMAT Native'))?.settings.get('wait_end_of_query')).toBe('1');
  await engine.close();
  await engine.close();
});

test('settings of a profile that would truncate a result are overridden, others are not', async () => {
  const profile = { read_overflow_mode: 'break', limit: '10', use_query_cache: '1', sort_overflow_mode: 'throw' };
  const { url, asked } = await serve((_, response) => response.end(ONE), profile);
  const engine = await openClickHouse(url, {});
  await all(engine.query('SELECT n FROM t'));
  const { settings } = asked.find(({ sql }) => sql.startsWith('SELECT n FROM')) as Asked;
  const sent = ['read_overflow_mode', 'limit', 'use_query_cache', 'sort_overflow_mode'].map((name) =>
    settings.get(name),
  );
  expect(sent).toEqual(['throw', '0', '0', null]);
  await engine.close();
});

test('a truncated response is a lost query', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write(ONE);
    setTimeout(() => response.destroy(), 50);
  });
  const engine = await openClickHouse(url, {});
  expect((await refusal(all(engine.query('SELECT n FROM t')))).code).toBe('E_ENGINE_QUERY');
  await engine.close();
});

test('errors have the message of the server, old or new, without the query', async () => {
  const messages = new Map([
    [
      'Code: 47. DB::Exception: Unknown expression identifier `zz` in scope SELECT zz FROM t. (UNKNOWN_IDENTIFIER) (version 26.7)',
      'Unknown expression identifier `zz` (code 47)',
    ],
    [
      'Code: 47, e.displayText() = DB::Exception: Unknown identifier: zz, e.what() = DB::Exception',
      'Unknown identifier: zz (code 47)',
    ],
    [
      'Code: 62. DB::Exception: Syntax error: failed at position 3 (zz): SELECT zz. (SYNTAX_ERROR)',
      'Syntax error (code 62)',
    ],
    ['something else', 'something else'],
  ]);
  for (const [message, sentence] of messages) {
    const { url } = await serve((_, response) => response.writeHead(500).end(message));
    const engine = await openClickHouse(url, {});
    const refused = await refusal(all(engine.query('SELECT zz FROM t')));
    expect(refused).toMatchObject({
      code: 'E_ENGINE_QUERY',
      message: expect.stringContaining(JSON.stringify(sentence)),
    });
    await engine.close();
  }
});

test('an abort kills the running query', async () => {
  const asking = new AbortController();
  const { url, asked } = await serve(({ sql }, response) => {
    if (sql.startsWith('KILL')) response.end();
    else if (sql.startsWith('SELECT slow')) asking.abort();
  });
  const engine = await openClickHouse(url, {});
  const { code } = await refusal(all(engine.query('SELECT slow', { signal: asking.signal })));
  expect(code).toBe('E_CANCELLED');
  const killed = () => asked.find(({ sql }) => sql.startsWith('KILL QUERY'))?.sql;
  const id = asked.find(({ sql }) => sql.startsWith('SELECT slow'))?.settings.get('query_id');
  await expect.poll(killed).toContain(`query_id = '${id}'`);
  expect((await refusal(engine.execute('SELECT 2', { signal: AbortSignal.abort() }))).code).toBe('E_CANCELLED');
  await engine.close();
});

test('tables and columns come from the catalog', async () => {
  const types = ['UInt8', 'Nullable(Float32)', 'LowCardinality(Nullable(String))', 'Bool', 'Decimal(9, 2)', 'Date'];
  const { url } = await serve(({ sql }, response) => {
    if (sql.startsWith('DESCRIBE')) response.end(texts(['a', 'b', 'c', 'd', 'e', 'f'], types));
    else response.end(sql.includes('SELECT name') ? texts(['near']) : texts(['other'], ['far']));
  });
  const engine = await openClickHouse(url, {});
  const kinds = (await engine.describe('t')).map(({ name, kind }) => [name, kind]);
  expect(kinds).toEqual(Object.entries({ a: 'integer', b: 'real', c: 'text', d: 'boolean', e: 'real', f: 'date' }));
  expect(await engine.tables()).toEqual([['near'], ['other', 'far']]);
  await engine.close();
});

test('a query whose connection is lost before a response is sent again, and a statement is not', async () => {
  let asked = 0;
  const { url } = await serve((_, response) => {
    if (++asked % 3 !== 0) response.socket?.destroy();
    else response.end(ONE);
  });
  const engine = await openClickHouse(url, {});
  expect((await refusal(all(engine.query('SELECT a')))).code).toBe('E_ENGINE_QUERY');
  expect(asked).toBe(2);
  expect(await all(engine.query('SELECT b'))).toHaveLength(1);
  expect((await refusal(engine.execute('CREATE TABLE t'))).code).toBe('E_ENGINE_QUERY');
  expect(asked).toBe(4);
  await engine.close();
});

test('an address without a server and a rejected user are reported without the password', async () => {
  const { url } = await serve((_, response) => response.end());
  server?.closeAllConnections();
  server?.close();
  for (const address of [url, 'clickhouse://ann:secret-word@127.0.0.1:1']) {
    const { code, message } = await refusal(openClickHouse(address, {}));
    expect(code).toBe('E_ENGINE_UNAVAILABLE');
    expect(message).not.toContain('secret-word');
  }
  const closed = createServer((_, response) =>
    response.writeHead(403).end('Code: 516. DB::Exception: ann: Authentication failed (X)'),
  );
  server = closed;
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
  const address = `clickhouse://ann:secret-word@127.0.0.1:${(closed.address() as AddressInfo).port}`;
  const { code, message } = await refusal(openClickHouse(address, {}));
  expect(code).toBe('E_ENGINE_UNAVAILABLE');
  expect(message).toContain('CLICKHOUSE_USER');
  expect(message).not.toContain('secret-word');
});
