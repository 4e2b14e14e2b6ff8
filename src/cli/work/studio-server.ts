import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { type Forward, forwarder } from './studio-forward.ts';

/** What is served: the built page, and the files it opens with. */
export interface StudioFiles {
  /** The folder of the built page. */
  readonly root: string;
  readonly data?: string | undefined;
  readonly model?: string | undefined;
}

/** A studio that is being served. */
export interface ServedStudio {
  readonly port: number;
  /** An address that opens the page once; every call makes a new one. */
  url(): string;
  close(): Promise<void>;
}

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.wasm', 'application/wasm'],
]);

/** Only scripts and styles of the page itself; the library needs WebAssembly. */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const COOKIE = 'polya_studio';

/** Serves the studio on loopback, on the first free port from the one that is wanted. */
export async function serveStudio(files: StudioFiles, port: number, strict: boolean): Promise<ServedStudio> {
  const session = randomBytes(24).toString('base64url');
  const tickets = new Set<string>();
  const forward = forwarder();
  const server = createServer((request, response) => answer(request, response, files, session, tickets, forward));
  const own = await listen(server, port, strict);
  return {
    port: own,
    url() {
      const ticket = randomBytes(18).toString('base64url');
      tickets.add(ticket);
      return `http://127.0.0.1:${own}/?ticket=${ticket}`;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, port: number, strict: boolean): Promise<number> {
  for (let wanted = port; ; wanted++) {
    try {
      await new Promise<void>((ready, refused) => {
        server.once('error', refused);
        server.listen(wanted, '127.0.0.1', () => {
          server.removeListener('error', refused);
          ready();
        });
      });
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!taken || strict || wanted >= Math.min(65535, port + 100)) throw error;
    }
  }
}

/** Another name in `Host` means DNS rebinding by a foreign page. */
const isLocal = (host: string | undefined): boolean => /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host ?? '');

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  files: StudioFiles,
  session: string,
  tickets: Set<string>,
  forward: Forward,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const [path, query] = (request.url ?? '/').split('?', 2); // a URL would take //name for another host
  const ticket = new URLSearchParams(query).get('ticket');
  const isForwarded = /^\/server(\/|$)/.test(path);
  const refused = refusalOf(request, isForwarded);
  if (refused) end(response, ...refused);
  else if (isForwarded) {
    if (knows(request.headers.cookie, session)) void forward(request, response);
    else end(response, 403, 'This page is not open.\n');
  } else if (ticket !== null && tickets.delete(ticket)) admit(response, session);
  else if (knows(request.headers.cookie, session)) give(request, response, fileFor(path, files));
  else end(response, 403, 'This address was already used. Press o in the terminal of polya studio for a new one.\n');
}

/** Why a request is rejected, whatever its path. */
function refusalOf(
  { method, headers: asked }: IncomingMessage,
  isForwarded: boolean,
): [status: number, text: string] | undefined {
  if (!isLocal(asked.host)) return [403, 'Only this machine can open this page.\n'];
  if (!isForwarded && method !== 'GET' && method !== 'HEAD') return [405, 'Only GET and HEAD are allowed.\n'];
  const site = asked['sec-fetch-site'];
  const known = site === undefined || site === 'same-origin' || site === 'none';
  return known ? undefined : [403, 'Cross-site requests are not allowed.\n'];
}

function give({ method }: IncomingMessage, response: ServerResponse, file: string | object | undefined): void {
  if (typeof file === 'object') end(response, 200, JSON.stringify(file), '.json');
  else if (file === undefined) end(response, 404, 'Not found.\n');
  else {
    response.setHeader('content-type', types.get(extname(file)) ?? 'application/octet-stream');
    response.setHeader('content-length', statSync(file).size);
    if (method === 'HEAD') response.end();
    else
      createReadStream(file)
        .on('error', () => response.destroy())
        .pipe(response);
  }
}

function end(response: ServerResponse, status: number, text: string, type = '.txt'): void {
  response.writeHead(status, { 'content-type': types.get(type) ?? 'text/plain; charset=utf-8' });
  response.end(text);
}

/** A ticket works once; from then on the cookie of this browser opens the page. */
function admit(response: ServerResponse, session: string): void {
  const cookie = `${COOKIE}=${session}; HttpOnly; SameSite=Strict; Path=/`;
  response.writeHead(303, { location: '/', 'set-cookie': cookie });
  response.end();
}

function knows(cookies: string | undefined, session: string): boolean {
  const wanted = Buffer.from(session);
  return (cookies ?? '').split(/;\s*/).some((cookie) => {
    const [name, value = ''] = cookie.split('=', 2);
    const given = Buffer.from(value);
    return name === COOKIE && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** The file of a path, or the names of the given files; only built assets and the two given files are served. */
function fileFor(path: string, { root, data, model }: StudioFiles): string | object | undefined {
  if (path === '/given.json')
    return { ...(data && { data: basename(data) }), ...(model && { model: basename(model) }) };
  if (path === '/given/data') return data;
  if (path === '/given/model') return model;
  if (path === '/') return join(root, 'index.html');
  const [name] = /^\/(assets\/[\w.-]+|keep\.js|files\.json)$/.exec(path) ?? [];
  const file = name === undefined ? undefined : join(root, name);
  return file !== undefined && existsSync(file) && statSync(file).isFile() ? file : undefined;
}
