import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DuckDbOptions, openDuckDb } from '../../../src/engines/duckdb/index.ts';
import { CategoricalNB } from '../../../src/index.ts';
import { fitFromEngine } from '../../../src/warehouse/fit.ts';
import { expectSameCounts, refusal } from '../laws.ts';
import { startedServers } from '../servers.ts';

const { home, iceberg } = startedServers<{ home: string; iceberg?: string }>();
process.env.HOME = home; // where DuckDB looks for installed extensions

const SECRET = 'hush-hush';
const rows = Array.from({ length: 60 }, (_, i) => ({ y: i % 3 ? 'a' : 'b', c: `v${i % 4}` }));
const halves = [rows.slice(0, 30), rows.slice(30)];
const files = new Map(
  halves.map((own, k) => [`part-${k}.csv`, Buffer.from(`y,c\n${own.map(({ y, c }) => `${y},${c}\n`).join('')}`)]),
);
files.set('other.csv', Buffer.from('y,c\na,v0\n'));
const expected = new CategoricalNB().fit(rows.map(({ c }) => ({ c })), rows.map(({ y }) => y)); // biome-ignore format: one line

let server: Server;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'polya-objects-'));
/** The authorization of each request to the bucket. */
const signed: (string | undefined)[] = [];

/** Files below `/`, and the same ones as objects of the bucket `shop` for those who sign with the key `ann`. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://host');
    const isBucket = pathname.startsWith('/shop/');
    const { authorization, range } = request.headers;
    if (isBucket) signed.push(authorization);
    if (isBucket && !authorization?.includes('Credential=ann/')) return void response.writeHead(403).end();
    if (searchParams.has('list-type')) {
      const listed = Array.from(files, ([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`); // biome-ignore format: one line
      return void response.end(
        `<ListBucketResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListBucketResult>`,
      );
    }
    const body = files.get(pathname.slice(pathname.lastIndexOf('/') + 1));
    if (!body) return void response.writeHead(404).end();
    const [from, to] = (/bytes=(\d+)-(\d+)/.exec(range ?? '') ?? []).slice(1).map(Number);
    const part = from === undefined ? body : body.subarray(from, to + 1);
    response.setHeader('Content-Length', part.length);
    if (range) response.setHeader('Content-Range', `bytes ${from}-${from + part.length - 1}/${body.length}`);
    response.writeHead(range ? 206 : 200).end(request.method === 'HEAD' ? undefined : part);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const store = (key: string) => ({ AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: SECRET, AWS_REGION: 'north', AWS_ENDPOINT_URL: url }); // biome-ignore format: one line

async function fitted(options: DuckDbOptions): Promise<CategoricalNB> {
  const engine = await openDuckDb({ environment: {}, ...options });
  try {
    return await fitFromEngine(new CategoricalNB(), { engine, target: 'y', features: ['c'] });
  } finally {
    await engine.close();
  }
}

test('files of a web server are counted, and no other address is read', async () => {
  const addresses = ['part-0.csv', 'part-1.csv'].map((name) => `${url}/${name}`);
  expectSameCounts(await fitted({ files: addresses, extensions: ['httpfs'] }), expected);
  const engine = await openDuckDb({ files: addresses, extensions: ['httpfs'] });
  for (const address of [`${url}/other.csv`, 's3://shop/other.csv', '/etc/passwd']) {
    expect((await refusal(engine.execute(`SELECT * FROM read_csv('${address}')`))).code).toBe('E_ENGINE_QUERY');
  }
  await engine.close();
});

test('the objects of a bucket that match a pattern are counted, with the credentials of the environment', async () => {
  signed.length = 0;
  const options = { files: 's3://shop/part-*.csv', extensions: ['httpfs'] as const, environment: store('ann') };
  const model = await fitted(options);
  expectSameCounts(model, expected);
  expect(signed.length).toBeGreaterThan(0);
  expect(Buffer.from(model.toBytes()).includes(SECRET)).toBe(false);
  const engine = await openDuckDb(options);
  const refused = await refusal(engine.execute("SELECT * FROM read_csv('s3://shop/other.csv')"));
  expect(refused.code).toBe('E_ENGINE_QUERY');
  await engine.close();
});

test('a stranger to the bucket, an object that is not there and a server that is not there are errors without secrets', async () => {
  const extensions = ['httpfs'] as const;
  for (const options of [
    { files: 's3://shop/part-*.csv', environment: store('eve') },
    { files: `${url}/absent.csv` },
    { files: 's3://shop/part-*.csv', environment: { ...store('ann'), AWS_ENDPOINT_URL: 'http://127.0.0.1:1' } },
  ]) {
    const { code, message } = await refusal(fitted({ ...options, extensions }));
    expect(['E_ENGINE_QUERY', 'E_PATH'], message).toContain(code);
    expect(message).not.toContain(SECRET);
  }
});

test('a table of Delta is counted', async () => {
  const lake = join(folder, 'orders');
  mkdirSync(join(lake, '_delta_log'), { recursive: true });
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const values = rows.map(({ y, c }) => `('${y}', '${c}')`).join(', ');
  await connection.run(`COPY (SELECT * FROM (VALUES ${values}) AS t(y, c)) TO '${join(lake, 'part.parquet')}'`);
  connection.closeSync();
  const fields = ['y', 'c'].map((name) => ({ name, type: 'string', nullable: true, metadata: {} }));
  const log = [
    { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
    { metaData: { id: '0', format: { provider: 'parquet', options: {} }, schemaString: JSON.stringify({ type: 'struct', fields }), partitionColumns: [], configuration: {} } }, // biome-ignore format: one line
    { add: { path: 'part.parquet', partitionValues: {}, size: statSync(join(lake, 'part.parquet')).size, modificationTime: 0, dataChange: true } }, // biome-ignore format: one line
  ];
  writeFileSync(
    join(lake, '_delta_log', '00000000000000000000.json'),
    log.map((line) => JSON.stringify(line)).join('\n'),
  );
  expectSameCounts(await fitted({ files: lake, format: 'delta', extensions: ['delta'] }), expected);
});

test.skipIf(iceberg === undefined)(
  'a table of Iceberg is counted without its deleted rows, by its metadata file or by its folder',
  async () => {
    const metadata = iceberg as string;
    const [format, extensions] = ['iceberg', ['iceberg']] as const;
    expectSameCounts(await fitted({ files: metadata, format, extensions }), expected);
    const lake = dirname(dirname(metadata));
    const { message } = await refusal(fitted({ files: lake, format, extensions }));
    expect(message).toContain('version'); // a catalog knows the current version, and this folder does not
    copyFileSync(metadata, join(lake, 'metadata', 'v9.metadata.json'));
    writeFileSync(join(lake, 'metadata', 'version-hint.text'), '9');
    expectSameCounts(await fitted({ files: lake, format, extensions }), expected);
    const engine = await openDuckDb({ files: metadata, format, extensions });
    const outside = join(lake, '..', '..', '..', 'rows.csv');
    expect((await refusal(engine.execute(`SELECT * FROM read_csv('${outside}')`))).code).toBe('E_ENGINE_QUERY');
    await engine.close();
  },
);
