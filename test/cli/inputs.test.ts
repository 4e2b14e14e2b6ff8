import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folder, polya } from './harness.ts';

const place = folder();
const world = { cwd: place.path };
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(place.path, name), content);

const rows = Array.from({ length: 40 }, (_, i) => ({ size: 3 + (i % 2) * 4 + (i % 7) / 10, kind: i % 2 ? 'b' : 'a' }));
const csv = `size,kind\n${rows.map(({ size, kind }) => `${size},${kind}\n`).join('')}`;
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));

const server = createServer((request, response) => {
  if (request.url === '/rows.csv?token=secret') response.end(csv);
  else if (request.url === '/page') response.setHeader('content-type', 'text/html').end('<p>rows</p>');
  else response.writeHead(404).end();
});
let address = '';

beforeAll(async () => {
  write('rows.csv', csv);
  write('rows.json', JSON.stringify(rows, null, 2));
  write('wide.csv', utf16(csv));
  write('wide-be.csv', Buffer.from(utf16(csv)).swap16());
  const header = '@relation rows\n@attribute size real\n@attribute kind {a, b}\n@data\n';
  write('rows.arff', `${header}${rows.map(({ size, kind }) => `${size},${kind}\n`).join('')}`);
  mkdirSync(join(place.path, 'parts/deep'), { recursive: true });
  mkdirSync(join(place.path, 'tables'));
  for (const [k, at] of [0, 20].entries()) {
    const part = `size,kind\n${csv
      .split('\n')
      .slice(1 + at, 21 + at)
      .join('\n')}\n`;
    for (const name of [`parts/p${k}.csv`, `parts/deep/p${k}.csv`, `tables/p${k}.csv`]) write(name, part);
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  place.remove();
});

/** The parameters of a model that was fitted to some data, by which two data sets are the same. */
async function fitted(...names: string[]): Promise<string> {
  const fit = await polya(
    ['fit', ...names, '--model', 'categorical', '--holdout', '0', '-o', 'm.polya', '--force', '-q'],
    world,
  );
  expect(fit.err).toBe('');
  const { out } = await polya(['export', '-m', 'm.polya', '--to', 'json'], world);
  return out;
}

test.each(['rows.json', 'wide.csv', 'wide-be.csv', 'rows.arff', 'tables', 'tables/*.csv', 'parts/deep/p[01].csv'])(
  '%s has the rows of the CSV file',
  async (name) => {
    expect(await fitted(name)).toBe(await fitted('rows.csv'));
  },
);

test('a pattern with ** takes the files of all folders below', async () => {
  expect(await fitted('parts/**/p?.csv')).toBe(await fitted('rows.csv', 'rows.csv'));
});

test('data at an address are fetched, named without their token, and removed afterwards', async () => {
  const before = readdirSync(tmpdir());
  expect(await fitted(`${address}/rows.csv?token=secret`)).toBe(await fitted('rows.csv'));
  const { out } = await polya(['inspect', `${address}/rows.csv?token=secret`], world);
  expect(out).toMatch(/^rows\.csv {2}40 rows/);
  expect(readdirSync(tmpdir()).filter((name) => /^polya-\w{6}$/.test(name) && !before.includes(name))).toEqual([]);
});

test.each([
  ['/none.csv?token=secret', 'E_PATH', 'the server answered 404'],
  ['/page', 'E_FORMAT', 'is a web page, not data'],
])('%s is refused', async (path, code, reason) => {
  const { err } = await polya(['inspect', address + path], world);
  expect(err).toContain(code);
  expect(err).toContain(reason);
  expect(err).not.toContain('secret');
});

test('a pattern without files is refused', async () => {
  const { code, err } = await polya(['inspect', 'no*.csv'], world);
  expect(code).toBe(5);
  expect(err).toContain('no file matches "no*.csv"');
});

test('columns of one name are numbered, with a warning', async () => {
  write('twins.csv', 'x,x,label\n1,5,a\n2,7,b\n4,1,a\n9,3,b\n');
  const { err, out } = await polya(['inspect', 'twins.csv', '--json'], world);
  expect(err).toContain('the later columns are called "x_2"');
  expect(JSON.parse(out).profile.columns.map(({ name }: { name: string }) => name)).toEqual(['x', 'x_2', 'label']);
});

test('a broken element of a JSON array is reported by its number', async () => {
  write('broken.json', '[{"a":1,"b":"x"},\n{"a":2 "b":"y"}]');
  const { err } = await polya(['inspect', 'broken.json'], world);
  expect(err).toContain('broken.json:2:');
  expect(err).toContain('E_FORMAT');
});

test('predict labels rows that are written on the command line', async () => {
  await fitted('rows.csv');
  const { out } = await polya(['predict', '-m', 'm.polya', '--row', 'size=3.2', '--row', 'size=7.4'], world);
  expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['a', 'b', '']);
  const wrong = await polya(['predict', '-m', 'm.polya', '--row', 'sise=3'], world);
  expect(wrong.err).toContain('polya predict -m m.polya --row size=3');
  const form = await polya(['predict', '-m', 'm.polya', '--row', 'size'], world);
  expect(form.err).toContain('--row has the form COLUMN=VALUE,COLUMN=VALUE');
  const both = await polya(['predict', '-m', 'm.polya', '--row', 'size=1', '--text', 'x'], world);
  expect(both.err).toContain('cannot be used together');
});

test('an object store is read by DuckDB', async () => {
  const { readObjects } = await import('../../src/engines/duckdb/objects.ts');
  const found = await readObjects(join(place.path, 'tables/*.csv'), { environment: {}, maxBytes: 1e6 });
  expect(found.map(({ name, bytes }) => [name.slice(-6), new TextDecoder().decode(bytes).split('\n')[0]])).toEqual([
    ['p0.csv', 'size,kind'],
    ['p1.csv', 'size,kind'],
  ]);
  const large = readObjects(join(place.path, 'tables/*.csv'), { environment: {}, maxBytes: 10 });
  await expect(large).rejects.toMatchObject({ code: 'E_LIMIT' });
  const none = readObjects(join(place.path, 'none*.csv'), { environment: {}, maxBytes: 10 });
  await expect(none).rejects.toMatchObject({ code: 'E_PATH' });
});

test('init remembers the data and the model file, also for commands in a folder below', async () => {
  const own = folder();
  const run = (words: readonly string[], below = '') => polya(words, { cwd: join(own.path, below) });
  await run(['datasets', 'iris', '-q']);
  mkdirSync(join(own.path, 'below'));
  expect((await run(['init', 'iris.csv', '--yes'])).err).toContain('→ polya fit   (reads iris.csv, writes iris.polya)');
  const missing = await run(['predict', 'iris.csv']);
  expect(missing.err).toContain('There is no file "iris.polya"');
  const fit = await run(['fit', '--holdout', '0', '--model', 'gaussian'], 'below');
  expect(fit.err).toContain('wrote ../iris.polya');
  const { out } = await run(['predict', '../iris.csv'], 'below');
  expect(out.split('\n')).toHaveLength(151);
  own.remove();
});
