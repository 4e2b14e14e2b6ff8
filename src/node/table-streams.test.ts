import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DataRow } from '../data/cells.ts';
import { textEncodings } from '../data/encoding.ts';
import { PolyaError } from '../errors.ts';
import { type OpenTableOptions, openTable, readTable, type TableSource, tableFormats } from '../node.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-table-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function refusal(source: TableSource, options: OpenTableOptions = {}) {
  const error = await readTable(source, options).then(
    () => expect.fail('it was read'),
    (error: PolyaError) => error,
  );
  return { code: error.code, message: error.message, ...error.details };
}

const plain = (rows: readonly DataRow[]) => rows.map((row) => ({ ...row }));

test('any bytes give a table or a PolyaError', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'a,b\n',
      '"',
      '{"a":1}\n',
      '[',
      '__label__x ',
      'From a Tue 10:00 2019\nX: y\n\n',
      '\r',
      '\t',
      '\u{1b}[2J',
      '=?utf-8?b?',
      '<p>',
    ),
    fc.constantFrom(
      'Content-Type: multipart/mixed; boundary=b\n\n--b\n',
      'Content-Transfer-Encoding: base64\n',
      'PAR1',
      '\x1f\x8b\x08',
    ),
    fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  );
  const bytes = fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1'));
  const formats = fc.constantFrom(undefined, ...tableFormats.filter((format) => format !== 'folder'));
  await fc.assert(
    fc.asyncProperty(
      bytes,
      formats,
      fc.constantFrom(...textEncodings),
      fc.nat(2),
      async (source, format, encoding, maxBadRows) => {
        const options = { encoding, maxBadRows, ...(format && { format }) };
        const result = await readTable(source, options).catch((error: unknown) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(PolyaError);
      },
    ),
    { numRuns: 1500 },
  );
});

test('the standard input is read, plain and compressed, and named in errors', () => {
  const entry = new URL('../node.ts', import.meta.url).href;
  const program = `import { readTable } from '${entry}';
    const result = await readTable('-').then(({ name, format, rows }) => [name, format, rows.length], (error) => [error.code, error.message]);
    console.log(JSON.stringify(result));`;
  const run = (input: string | Uint8Array) =>
    JSON.parse(
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { input }).toString(),
    );
  expect(run('a,b\n1,2\n3,4\n')).toEqual(['stdin', 'csv', 2]);
  expect(run(gzipSync('{"a":1}\n'))).toEqual(['stdin', 'jsonl', 1]);
  expect(run('')).toEqual(['E_EMPTY_INPUT', 'stdin is empty']);
});

test('rows of a live stream are returned as they arrive', async () => {
  const stream = new PassThrough();
  stream.write('hi\n');
  const table = await openTable(stream, { live: true, name: 'stdin' });
  expect(table).toMatchObject({ format: 'text', name: 'stdin' });
  const batches = table.batches();
  expect(plain((await batches.next()).value!)).toEqual([{ text: 'hi' }]);
  const next = batches.next();
  stream.write('free entry, call now\n');
  expect(plain((await next).value!)).toEqual([{ text: 'free entry, call now' }]);
  stream.end('no line end');
  expect(plain((await batches.next()).value!)).toEqual([{ text: 'no line end' }]);
  expect((await batches.next()).done).toBe(true);
  const csv = await openTable(['a,b\n1,2\n', '3,4\n'], { live: true, format: 'csv' });
  const sizes: number[] = [];
  for await (const rows of csv.batches()) sizes.push(rows.length);
  expect(sizes).toEqual([1, 1]);
});

test('aborting ends reading, also while waiting, and closes the file', async () => {
  const endless = async function* () {
    yield 'a,b\n1,2\n3,4\n';
    await new Promise(() => undefined);
  };
  const controller = new AbortController();
  const table = await openTable(endless(), { signal: controller.signal, live: true, format: 'csv' });
  const batches = table.batches();
  await batches.next();
  const waiting = batches.next();
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toMatchObject({
    code: 'E_CANCELLED',
    cause: expect.objectContaining({ message: 'enough' }),
  });
  expect(await refusal(await put('plain.csv', 'a\n1\n'), { signal: controller.signal })).toMatchObject({
    code: 'E_CANCELLED',
  });
});

test.runIf(process.platform === 'linux')(
  'files are closed when a table is invalid, left early or never read',
  async () => {
    const text = 'a,b\n1,2\n'.repeat(100_000);
    const paths = [
      await put('left.csv', text),
      await put('left.gz', gzipSync(text)),
      await put('left.bin', 'PK\x03\x04'.repeat(9999)),
    ];
    const parquet = await put(
      'left.parquet',
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'a', data: [1, 2] }] })),
    );
    const openNow = async () => {
      const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      return (await Promise.all(links)).filter((link) => link.startsWith(folder));
    };
    await refusal(paths[2]!);
    for (const path of [paths[0]!, paths[1]!, parquet]) {
      await (await openTable(path)).close();
      for await (const _ of (await openTable(path, { batchRows: 1 })).batches()) break;
    }
    await expect.poll(openNow).toEqual([]);
  },
);
