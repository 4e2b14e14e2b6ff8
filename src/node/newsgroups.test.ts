import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tar } from '../../test/tar.ts';
import type { PolyaError } from '../errors.ts';
import { fetch20newsgroups, type NewsgroupsOptions } from '../node.ts';
import { dataFolder } from './cache.ts';

let folder = '';
const servers: Server[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'polya-news-'));
});
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
  await rm(folder, { recursive: true });
});

const groups = ['alt.atheism', 'comp.graphics', 'sci.med', 'soc.religion.christian'];
const postOf = (group: string, part: string, number: number) =>
  `From: ${number}@example.org\nSubject: about ${group}\n\nIn article <1> someone writes:\n> quoted\n${part} post ${number} caf\xe9\n--\nme ${number}`;

/** Besides the groups that are read, the archive has a file beside the parts, and empty folders. */
function members() {
  const posts = ['train', 'test'].flatMap((part) =>
    groups.flatMap((group) =>
      [9, 10, 51].map((number) => ({
        name: `20news-bydate-${part}/${group}/${number}`,
        content: Buffer.from(postOf(group, part, number), 'latin1'),
      })),
    ),
  );
  const folders = ['train', 'test'].map((part) => ({ name: `20news-bydate-${part}/`, type: '5' }));
  return [...folders, ...posts];
}

// A body that does not compress, so that a download has many pieces.
const filler = {
  name: 'README',
  content: Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i * 2654435761) % 251)),
};
const archive = gzipSync(tar([filler, ...members()]));
const sha256 = createHash('sha256').update(archive).digest('hex');

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/5975967`;
}

/** Responds with the requested range of the archive. */
const whole: RequestListener = (request, response) => {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const body = archive.subarray(start);
  const range = { 'content-range': `bytes ${start}-${archive.length - 1}/${archive.length}` };
  response.writeHead(start > 0 ? 206 : 200, { 'content-length': body.length, ...(start > 0 && range) });
  response.end(body);
};

let count = 0;
const options = (url: string, more: NewsgroupsOptions = {}): NewsgroupsOptions => ({
  ...{ url, sha256, cache: join(folder, `cache-${count++}`), retry: { retryDelay: 1, idleTimeout: 60_000 } },
  ...more,
});

const refusal = (asked: NewsgroupsOptions) =>
  fetch20newsgroups(asked).then(
    () => expect.fail('it was fetched'),
    (error: PolyaError) => ({ code: error.code, message: error.message, ...error.details }),
  );

test('the archive is downloaded once, checked, read and cached', async () => {
  let requests = 0;
  const url = await serve((request, response) => {
    requests++;
    whole(request, response);
  });
  const asked = options(url);
  const seen: string[] = [];
  const news = await fetch20newsgroups({ ...asked, onProgress: ({ phase }) => seen.push(phase) });
  expect(news.targetNames).toEqual(groups);
  expect(news.data.length).toBe(12);
  expect(news.filenames.slice(0, 3)).toEqual(
    ['10', '51', '9'].map((name) => `20news-bydate-train/alt.atheism/${name}`),
  );
  expect(news.data[0]).toBe(postOf('alt.atheism', 'train', 10));
  expect(news.target).toEqual(news.labels.map((label) => groups.indexOf(label)));
  expect([...new Set(seen)]).toEqual(['download', 'read']);
  expect(await readdir(asked.cache!)).toEqual(['20news-bydate.tar.gz']);
  expect(await fetch20newsgroups(asked)).toEqual(news);
  expect(requests).toBe(1);
});

test('subset, categories, remove and shuffle are respected', async () => {
  const from = join(folder, 'own.tar.gz');
  await writeFile(from, archive);
  expect((await fetch20newsgroups({ from, subset: 'test' })).data[0]).toContain('test post');
  const all = await fetch20newsgroups({
    from,
    subset: 'all',
    categories: ['sci.med', 'comp.graphics'],
    remove: ['headers', 'quotes', 'footers'],
  });
  expect(all.targetNames).toEqual(['comp.graphics', 'sci.med']);
  expect(all.data.length).toBe(12);
  expect(all.data[0]).toBe('train post 10 café');
  expect(all.labels.filter((label) => label === 'sci.med').length).toBe(6);
  const mixed = await fetch20newsgroups({ from, shuffle: true, seed: 3 });
  expect(mixed.filenames).not.toEqual((await fetch20newsgroups({ from })).filenames);
  expect(mixed).toEqual(await fetch20newsgroups({ from, shuffle: true, seed: 3 }));
  expect([...mixed.filenames].sort()).toEqual([...(await fetch20newsgroups({ from })).filenames].sort());
  expect(await refusal({ from, categories: ['sci.medicine'] })).toMatchObject({ code: 'E_PARAM', known: groups });
  expect(await refusal({ from, subset: 'dev' as 'test' })).toMatchObject({ code: 'E_PARAM', option: 'subset' });
  expect(await refusal({ from, remove: ['body' as 'quotes'] })).toMatchObject({ code: 'E_PARAM', option: 'remove' });
  expect(await refusal({ from, categories: [] })).toMatchObject({ code: 'E_PARAM' });
});

test('it works offline from a folder, packed or unpacked, and from POLYA_DATA', async () => {
  const packed = join(folder, 'packed');
  const unpacked = join(folder, 'unpacked');
  await mkdir(packed);
  await writeFile(join(packed, '20news-bydate.tar.gz'), archive);
  for (const { name, content } of members().filter((member) => 'content' in member) as {
    name: string;
    content: Buffer;
  }[]) {
    await mkdir(dirname(join(unpacked, '20news-bydate', name)), { recursive: true });
    await writeFile(join(unpacked, '20news-bydate', name), content);
  }
  const expected = await fetch20newsgroups({ from: packed, subset: 'all' });
  expect(await fetch20newsgroups({ from: unpacked, subset: 'all' })).toEqual(expected);
  expect(await fetch20newsgroups({ from: join(unpacked, '20news-bydate'), subset: 'all' })).toEqual(expected);
  vi.stubEnv('POLYA_DATA', unpacked);
  try {
    expect(await fetch20newsgroups({ subset: 'all' })).toEqual(expected);
    vi.stubEnv('POLYA_DATA', packed);
    expect(await refusal({})).toMatchObject({ code: 'E_CHECKSUM' }); // not the original archive, and no checksum was given
    expect(await fetch20newsgroups({ subset: 'all', sha256 })).toEqual(expected);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(await refusal({ cache: join(folder, 'nowhere'), offline: true })).toMatchObject({ code: 'E_PATH' });
  expect(await refusal({ from: folder })).toMatchObject({ code: 'E_PATH' });
  expect(await refusal({ from: join(folder, 'none') })).toMatchObject({ code: 'E_PATH' });
});

test('a broken connection is resumed', async () => {
  const ranges: (string | undefined)[] = [];
  let cut = { at: 0, now: () => {} };
  const url = await serve((request, response) => {
    ranges.push(request.headers.range);
    if (ranges.length === 5) return whole(request, response);
    const start = Number(/\d+/.exec(request.headers.range ?? '0')![0]);
    const headers = {
      'content-length': archive.length - start,
      'content-range': `bytes ${start}-${archive.length - 1}/${archive.length}`,
    };
    response.writeHead(start > 0 ? 206 : 200, start > 0 ? headers : { 'content-length': archive.length });
    cut = { at: start + 20_000, now: () => response.destroy() };
    response.write(archive.subarray(start, start + 20_000));
  });
  const onProgress = ({ done }: { done: number }) => done === cut.at && cut.now();
  expect((await fetch20newsgroups(options(url, { onProgress }))).data.length).toBe(12);
  expect(ranges[0]).toBeUndefined();
  const starts = ranges.slice(1).map((range) => Number(/^bytes=(\d+)-$/.exec(range!)![1]));
  expect(starts.every((start, i) => start > (starts[i - 1] ?? 0))).toBe(true);
});

test('an aborted download is resumed by the next call', async () => {
  const ranges: (string | undefined)[] = [];
  let release: () => void = () => undefined;
  const url = await serve((request, response) => {
    ranges.push(request.headers.range);
    if (ranges.length > 1) return whole(request, response);
    response.writeHead(200, { 'content-length': archive.length });
    response.write(archive.subarray(0, 30_000));
    release = () => response.destroy();
  });
  const controller = new AbortController();
  const asked = options(url, { signal: controller.signal });
  const first = refusal({ ...asked, onProgress: ({ done }) => done === 30_000 && controller.abort() });
  expect(await first).toMatchObject({ code: 'E_CANCELLED' });
  release();
  expect(await readdir(asked.cache!)).toEqual(['20news-bydate.tar.gz.part']);
  const { signal: _, ...again } = asked;
  expect((await fetch20newsgroups(again)).data.length).toBe(12);
  expect(ranges[1]).toBe('bytes=30000-');
  expect(archive.equals(await readFile(join(asked.cache!, '20news-bydate.tar.gz')))).toBe(true);
});

test('a partial file of another version is discarded, and servers without ranges work', async () => {
  const url = await serve(whole);
  const asked = options(url);
  await mkdir(asked.cache!);
  await writeFile(join(asked.cache!, '20news-bydate.tar.gz.part'), 'something else');
  expect((await fetch20newsgroups(asked)).data.length).toBe(12);
  const plain = await serve((_, response) => {
    response.writeHead(200, { 'content-length': archive.length });
    response.end(archive);
  });
  const other = options(plain);
  await mkdir(other.cache!);
  await writeFile(join(other.cache!, '20news-bydate.tar.gz.part'), archive.subarray(0, 100));
  expect((await fetch20newsgroups(other)).data.length).toBe(12);
});

test('a wrong checksum, a wrong status, a dead server and an endless file are errors, and nothing is cached', async () => {
  const url = await serve(whole);
  const wrong = options(url, { sha256: '0'.repeat(64) });
  expect(await refusal(wrong)).toMatchObject({ code: 'E_CHECKSUM', expected: '0'.repeat(64) });
  expect(await readdir(wrong.cache!)).toEqual([]);
  const missing = await serve((_, response) => response.writeHead(404).end('no'));
  expect(await refusal(options(missing))).toMatchObject({ code: 'E_IO', status: 404 });
  const busy = await serve((_, response) => response.writeHead(503).end());
  expect(await refusal(options(busy, { retry: { retries: 2, retryDelay: 1 } }))).toMatchObject({
    code: 'E_IO',
    attempts: 3,
  });
  const offline = fetch20newsgroups(options(busy, { retry: { retries: 0 } }));
  await expect(offline).rejects.toThrow('put 20news-bydate.tar.gz into a folder and set POLYA_DATA to that folder');
  const silent = await serve(() => undefined);
  expect(await refusal(options(silent, { retry: { retries: 1, retryDelay: 1, idleTimeout: 100 } }))).toMatchObject({
    code: 'E_IO',
  });
  const endless = await serve((_, response) => {
    const piece = Buffer.alloc(1 << 20);
    const more = () => response.write(piece, () => setImmediate(more));
    more();
  });
  expect(await refusal(options(endless))).toMatchObject({ code: 'E_LIMIT' });
  const huge = await serve((_, response) => response.writeHead(200, { 'content-length': 2 ** 40 }).write('x'));
  expect(await refusal(options(huge))).toMatchObject({ code: 'E_LIMIT' });
});

test('redirects are followed and checked like the first URL', async () => {
  const target = await serve(whole);
  const redirect = (location: string) => serve((_, response) => response.writeHead(302, { location }).end());
  expect((await fetch20newsgroups(options(await redirect(target)))).data.length).toBe(12);
  expect((await fetch20newsgroups(options(await redirect(await redirect(target))))).data.length).toBe(12);
  for (const location of [
    'http://10.0.0.1/x',
    'file:///etc/passwd',
    'http://example.org/',
    'https://169.254.169.254/',
    'gopher://x/',
    '//[fe80::1]/x',
  ]) {
    expect([location, await refusal(options(await redirect(location)))]).toMatchObject([
      location,
      { code: 'E_URL_BLOCKED' },
    ]);
  }
  const circle: string = await serve((_, response) => response.writeHead(301, { location: circle }).end());
  expect(await refusal(options(circle))).toMatchObject({ code: 'E_IO', limit: 5 });
  expect(await refusal(options('http://example.org/x'))).toMatchObject({ code: 'E_URL_BLOCKED' });
});

test('a public name that resolves to a loopback address is blocked before a byte is sent', async () => {
  let asked = 0;
  const port = new URL(await serve(() => asked++)).port;
  const resolve = (_: string, done: (error: null, addresses: { address: string; family: number }[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]);
  expect(await refusal(options(`https://data.example:${port}/x`, { retry: { resolve } }))).toMatchObject({
    code: 'E_URL_BLOCKED',
  });
  expect(asked).toBe(0);
});

test('malicious archives are rejected by member, bombs by their growth', async () => {
  const place = '20news-bydate-train/sci.med';
  const hostile = [
    [{ name: `${place}/../../../x`, content: 'x' }],
    [{ name: `${place}/l`, type: '2', link: '/etc/passwd' }],
    [{ name: `${place}/1` }, { name: `${place}/1` }],
  ];
  for (const [k, bad] of hostile.entries()) {
    const from = join(folder, `hostile-${k}.tar.gz`);
    await writeFile(from, gzipSync(tar([...members(), ...bad])));
    expect(await refusal({ from })).toMatchObject({ code: 'E_ARCHIVE', entry: expect.stringContaining('sci.med') });
  }
  const bomb = join(folder, 'bomb.tar.gz');
  await writeFile(bomb, gzipSync(tar([{ name: 'zeros', content: Buffer.alloc(15e6) }])));
  expect(await refusal({ from: bomb })).toMatchObject({ code: 'E_LIMIT' });
  const other = join(folder, 'other.tar.gz');
  await writeFile(other, gzipSync(tar([{ name: 'a/b', content: 'x' }])));
  expect(await refusal({ from: other })).toMatchObject({ code: 'E_PATH' });
});

test('two fetches at once both succeed', async () => {
  const url = await serve(whole);
  const asked = options(url);
  const [first, second] = await Promise.all([fetch20newsgroups(asked), fetch20newsgroups(asked)]);
  expect(first).toEqual(second);
  expect(await readdir(asked.cache!)).toEqual(['20news-bydate.tar.gz']);
});

test('datasets are stored in the system cache folder, or in POLYA_DATA', () => {
  expect(dataFolder({ POLYA_DATA: '/data', XDG_CACHE_HOME: '/x' })).toBe('/data');
  expect(dataFolder({ XDG_CACHE_HOME: '/x' })).toBe(join('/x', 'polya'));
  expect(dataFolder({}, 'linux')).toMatch(/\.cache.polya$/);
  expect(dataFolder({}, 'darwin')).toMatch(/Caches.polya$/);
  expect(dataFolder({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'polya', 'cache'));
});
