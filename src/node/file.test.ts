import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../data/csv.ts';
import { rowsOf } from '../data/table.ts';
import { type FileOptions, gunzip, openFile } from '../node.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-file-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function put(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}

const refusal = (path: string | URL, options?: FileOptions) => expect(textOf(openFile(path, options))).rejects;
const table = `id,text\n${Array.from({ length: 60_000 }, (_, i) => `${(i * 7919) % 60_013},Pólya ${i}\n`).join('')}`;

test('a file is read completely, by path or URL', async () => {
  const path = await put('plain.csv', table);
  expect(await textOf(openFile(path))).toBe(table);
  expect(await textOf(openFile(pathToFileURL(path)))).toBe(table);
  expect(await textOf(openFile(await put('empty.csv', '')))).toBe('');
  expect(await textOf(openFile(await put('one.csv', 'a')))).toBe('a');
});

test('gzip is detected by content, not by name', async () => {
  expect(await textOf(openFile(await put('packed.csv', gzipSync(table))))).toBe(table);
  expect(await textOf(openFile(await put('plain.csv.gz', table)))).toBe(table);
  const members = Buffer.concat([gzipSync('id\n1\n'), gzipSync('2\n')]);
  expect(await textOf(openFile(await put('two.gz', members)))).toBe('id\n1\n2\n');
  const packed = gzipSync('a');
  expect(await textOf(openFile(await put('kept.gz', packed), { unpack: false }))).toBe(packed.toString());
});

test('gzip is detected when its magic number arrives byte by byte', async () => {
  const single = async function* () {
    for (const byte of gzipSync('hello')) yield Uint8Array.of(byte);
  };
  expect(await textOf(gunzip(single()))).toBe('hello');
});

test('a compressed table is read directly', async () => {
  const path = await put('table.gz', gzipSync('a,b\n1,"2\n3"\n'));
  for await (const chunk of readCsv(openFile(path))) expect(rowsOf(chunk)).toEqual([['1', '2\n3']]);
});

test('a missing file and a folder are reported by name, without their path', async () => {
  await refusal(join(folder, 'none.csv')).toMatchObject({
    code: 'E_PATH',
    message: '"none.csv" does not exist',
    details: { reason: 'ENOENT' },
  });
  await refusal(folder).toMatchObject({ code: 'E_PATH', message: expect.not.stringContaining(tmpdir()) });
  await refusal(join(await put('file', ''), 'inside.csv')).toMatchObject({
    code: 'E_PATH',
    details: { reason: 'ENOTDIR' },
  });
  await refusal(join(folder, 'a'.repeat(300))).toMatchObject({ code: 'E_PATH' });
  await refusal('a\0b').toMatchObject({ code: 'E_PATH' });
  await refusal(7 as unknown as string).toMatchObject({ code: 'E_PATH' });
  await refusal(new URL('https://example.org/a.csv')).toMatchObject({ code: 'E_PATH' });
});

test('an unreadable file and a loop of links are errors', async () => {
  const circle = join(folder, 'circle');
  await symlink(circle, circle);
  await refusal(circle).toMatchObject({ code: 'E_PATH', details: { reason: 'ELOOP' } });
  const locked = await put('locked.csv', 'a');
  await chmod(locked, 0);
  if (process.getuid?.() !== 0) await refusal(locked).toMatchObject({ code: 'E_PATH' });
});

test.runIf(process.platform === 'linux')('a system error is an I/O error', async () => {
  await refusal('/proc/self/mem').toMatchObject({ code: 'E_IO', details: { reason: 'EIO' } });
});

test('damaged or truncated gzip is a format error', async () => {
  const packed = gzipSync(table);
  const damaged = Uint8Array.from(packed);
  damaged[packed.length - 6]! ^= 1;
  await refusal(await put('damaged.gz', damaged)).toMatchObject({ code: 'E_FORMAT' });
  await refusal(await put('cut.gz', packed.subarray(0, packed.length - 20))).toMatchObject({ code: 'E_FORMAT' });
  await refusal(await put('mark.gz', Uint8Array.of(0x1f, 0x8b))).toMatchObject({ code: 'E_FORMAT' });
});

test('a gzip bomb stops at the ratio limit and at the size limit', async () => {
  const bomb = await put('bomb.gz', gzipSync(new Uint8Array(50_000_000)));
  await refusal(bomb).toMatchObject({ code: 'E_LIMIT', details: { limit: 300 } });
  await refusal(bomb, { maxRatio: 2000, maxOutputBytes: 10_000_000 }).toMatchObject({
    code: 'E_LIMIT',
    details: { limit: 10_000_000 },
  });
  expect((await textOf(openFile(bomb, { maxRatio: 2000 }))).length).toBe(50_000_000);
  await refusal(bomb, { maxRatio: 0 }).toMatchObject({ code: 'E_PARAM' });
});

test('a failing source under gzip is an I/O error, and a PolyaError passes unchanged', async () => {
  const failing = async function* () {
    yield gzipSync(table).subarray(0, 100);
    throw new Error('the cable broke');
  };
  await expect(textOf(gunzip(failing()))).rejects.toMatchObject({ code: 'E_IO' });
});

test.runIf(process.platform === 'linux')('the file is closed when reading stops early', async () => {
  const bytes = randomBytes(4_000_000); // more than one read, also when compressed
  const paths = [await put('early.bin', bytes), await put('early.gz', gzipSync(bytes))];
  const openNow = async () => {
    const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return (await Promise.all(links)).filter((link) => paths.includes(link));
  };
  for (const path of paths) {
    for await (const _ of openFile(path)) {
      expect(await openNow()).toEqual([path]);
      break;
    }
    await expect.poll(openNow).toEqual([]);
  }
});
