import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedStudio, serveStudio } from '../../src/cli/work/studio-server.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
let served: ServedStudio;

beforeAll(async () => {
  const root = join(path, 'page');
  mkdirSync(join(root, 'assets'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(root, 'assets', 'main-1.js'), 'export {};');
  mkdirSync(join(path, 'lib'));
  writeFileSync(join(path, 'lib', 'index.js'), 'export {};');
  writeFileSync(join(path, 'lib', 'types.d.ts'), 'secret');
  writeFileSync(join(path, 'secret.txt'), 'secret');
  writeFileSync(join(path, 'rows.csv'), 'a,label\n1,x\n');
  served = await serveStudio({ root, data: join(path, 'rows.csv') }, 0, false);
});
afterAll(async () => {
  await served.close();
  remove();
});

interface Got {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A request as it is written, without what a client would tidy up. */
function ask(target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: served.port, path: target, method, headers, setHost: !('host' in headers) },
      (answer) => {
        let body = '';
        answer.on('data', (piece) => {
          body += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body }));
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

/** Uses up a ticket; answers with the cookie. */
async function admitted(): Promise<string> {
  const { pathname, search } = new URL(served.url());
  const { status, headers } = await ask(pathname + search);
  expect(status).toBe(303);
  const [cookie] = headers['set-cookie'] as string[];
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
  return cookie.split(';')[0];
}

test('an address opens the page once; then the cookie does', async () => {
  const { search } = new URL(served.url());
  expect((await ask(`/${search}`)).status).toBe(303);
  expect((await ask(`/${search}`)).status).toBe(403);
  const cookie = await admitted();
  expect((await ask('/', { cookie })).body).toContain('<title>page');
  expect((await ask('/', { cookie: `${cookie}x` })).status).toBe(403);
  expect((await ask('/')).status).toBe(403);
});

test('names of this machine alone are answered, and other pages are not', async () => {
  const cookie = await admitted();
  for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '']) {
    expect((await ask('/', { cookie, host })).status, host).toBeGreaterThanOrEqual(400);
  }
  expect((await ask('/', { cookie, host: `localhost:${served.port}` })).status).toBe(200);
  expect((await ask('/', { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await ask('/', { cookie }, 'POST')).status).toBe(405);
  expect((await ask('/', { cookie }, 'HEAD')).body).toBe('');
});

test('nothing outside of the page and the given files is served', async () => {
  const cookie = await admitted();
  for (const target of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/secret.txt',
    '//secret.txt',
    '/given/model',
    '/assets/',
    '/assets/missing.js',
    '/lib/types.d.ts',
    '/lib/../secret.txt',
    '/lib/missing.js',
  ]) {
    const { status, body } = await ask(target, { cookie });
    expect([target, status, body.includes('secret')]).toEqual([target, 404, false]);
  }
  for (const script of ['/assets/main-1.js', '/lib/index.js']) {
    expect((await ask(script, { cookie })).headers['content-type']).toContain('text/javascript');
  }
  expect((await ask('/given.json', { cookie })).body).toBe('{"data":"rows.csv"}');
  expect((await ask('/given/data', { cookie })).body).toContain('label');
});

test('every answer carries the strict headers', async () => {
  const cookie = await admitted();
  for (const [target, own] of [
    ['/', { cookie }],
    ['/nothing', { cookie }],
    ['/', {}],
  ] as const) {
    const { headers } = await ask(target, own);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|'unsafe-eval'/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
});

test('a taken port leads to the next, unless --strict-port is given', async () => {
  const taken = createServer();
  await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', ready));
  const { port } = taken.address() as { port: number };
  const next = await serveStudio({ root: path }, port, false);
  expect(next.port).toBeGreaterThan(port);
  await next.close();
  await expect(serveStudio({ root: path }, port, true)).rejects.toMatchObject({
    details: { reason: 'EADDRINUSE' },
  });
  const { code, err } = await polya(['studio', '--port', String(port), '--strict-port'], { cwd: path });
  expect([code, err.includes(`127.0.0.1:${port}`)]).toEqual([5, true]);
  taken.close();
});

/** Keys as they are pressed, a little apart. */
async function* pressed(...keys: string[]): AsyncGenerator<Uint8Array> {
  for (const key of keys) {
    await new Promise((later) => setTimeout(later, 20));
    yield new TextEncoder().encode(key);
  }
}

test('the command prints an address, hears h and q, and names files that are not there', async () => {
  const world = { cwd: path, tty: { in: true }, stdin: pressed('h', 'x', 'q') };
  const { code, out, err } = await polya(['studio', 'rows.csv', '--port', '0'], world);
  expect(code).toBe(0);
  expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?ticket=[\w-]{20,}\n$/);
  expect(err).toContain('h these keys');
  const json = await polya(['studio', '--port', '0', '--json'], { ...world, stdin: pressed('q') });
  expect(JSON.parse(json.out)).toMatchObject({ schema: 'polya/studio@1' });
  const interrupted = await polya(['studio', '--port', '0'], { ...world, stdin: pressed('\u0003') });
  expect(interrupted.code).toBe(130);
  const missing = await polya(['studio', 'row.csv'], { cwd: path });
  expect(missing.code).toBe(5);
  expect(missing.err).toContain('polya studio rows.csv');
});

/** A request with a body. */
async function send(method: string, target: string, cookie: string, body = '', more: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${served.port}${target}`, {
    method,
    headers: { cookie, ...more },
    ...(body !== '' && { body }),
  });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
}

test('requests below /server go to the server that the page has named, with its token and nothing else of the page', async () => {
  const heard: { method: string | undefined; url: string | undefined; headers: object; body: string }[] = [];
  const target = createHttpServer((asked, answer) => {
    let body = '';
    asked.on('data', (piece) => {
      body += piece;
    });
    asked.on('end', () => {
      heard.push({ method: asked.method, url: asked.url, headers: asked.headers, body });
      answer.writeHead(201, { 'content-type': 'application/json', etag: '"3"', 'set-cookie': 'x=1', 'x-other': 'y' });
      answer.end('{"ok":true}');
    });
  });
  await new Promise<void>((ready) => target.listen(0, '127.0.0.1', ready));
  const { port } = target.address() as { port: number };
  try {
    const cookie = await admitted();
    expect((await send('GET', '/server/v1/models', cookie)).status).toBe(409); // none is named
    const named = JSON.stringify({ url: `http://127.0.0.1:${port}/base/`, token: 'secret' });
    expect((await send('PUT', '/server', '', named)).status).toBe(403);
    expect((await send('PUT', '/server', cookie, named, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    for (const wrong of ['{', '{"url":"file:///etc/passwd"}', '{"url":1}']) {
      expect((await send('PUT', '/server', cookie, wrong)).status).toBe(400);
    }
    expect((await send('PUT', '/server', cookie, named)).status).toBe(204);
    const sent = await send('POST', '/server/v1/models/spam/learn?a=1', cookie, '{"examples":[]}', {
      'content-type': 'application/json',
      'if-match': '"2"',
      authorization: 'Bearer forged',
    });
    expect(sent).toMatchObject({ status: 201, body: '{"ok":true}' });
    expect(sent.headers.get('etag')).toBe('"3"');
    expect([sent.headers.get('set-cookie'), sent.headers.get('x-other')]).toEqual([null, null]);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ method: 'POST', url: '/base/v1/models/spam/learn?a=1', body: '{"examples":[]}' });
    expect(heard[0].headers).toMatchObject({ authorization: 'Bearer secret', 'if-match': '"2"' });
    expect(heard[0].headers).not.toHaveProperty('cookie');
    expect((await send('GET', '/server/v1/models', '')).status).toBe(403);
    expect((await send('DELETE', '/server', cookie)).status).toBe(405);
    target.closeAllConnections();
    await new Promise((closed) => target.close(closed));
    expect((await send('GET', '/server/v1/models', cookie)).status).toBe(502);
  } finally {
    target.close();
  }
});
