import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, extname, join } from 'node:path';
import { commonHeaders } from '../../server/http/entry.ts';
import { Guard } from '../../server/http/guard.ts';
import { listen } from '../../server/http/listen.ts';
import { type Forward, forwarder } from './studio-forward.ts';

/** What is served: the built page, and the files it opens with. */
export interface StudioFiles {
  /** The folder of the built page; that of the library is next to it. */
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
  ...commonHeaders,
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
};

const HOST = '127.0.0.1';
const COOKIE = 'polya_studio';

/** Serves the studio on loopback, on the first free port from the one that is wanted. */
export async function serveStudio(files: StudioFiles, port: number, strict: boolean): Promise<ServedStudio> {
  const session = randomBytes(24).toString('base64url');
  const tickets = new Set<string>();
  const forward = forwarder();
  let guard: Guard;
  const server = createServer((request, response) =>
    answer(request, response, { files, session, tickets, guard, forward }),
  );
  const own = await listen(server, HOST, port, strict);
  guard = new Guard({ host: HOST, port: own });
  return {
    port: own,
    url() {
      const ticket = randomBytes(18).toString('base64url');
      tickets.add(ticket);
      return `http://${HOST}:${own}/?ticket=${ticket}`;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** What a request is answered with. */
interface Session {
  readonly files: StudioFiles;
  /** The value of the cookie of the browser that is admitted. */
  readonly session: string;
  readonly tickets: Set<string>;
  readonly guard: Guard;
  /** Passes requests on to the server that the page is connected to. */
  readonly forward: Forward;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { files, session, tickets, guard, forward }: Session,
): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const [path, query] = (request.url ?? '/').split('?', 2); // a URL would take //name for another host
  const ticket = new URLSearchParams(query).get('ticket');
  try {
    guard.requireHost(request); // another host means DNS rebinding, another origin a page of another site
  } catch (error) {
    end(response, 403, `${(error as Error).message}\n`);
    return;
  }
  if (/^\/server(\/|$)/.test(path)) {
    if (knows(request.headers.cookie, session)) void forward(request, response);
    else end(response, 403, 'This page is not open.\n');
  } else if (request.method !== 'GET' && request.method !== 'HEAD') {
    end(response, 405, 'Only GET and HEAD are allowed.\n');
  } else if (ticket !== null && tickets.delete(ticket)) admit(response, session);
  else if (knows(request.headers.cookie, session)) give(request, response, fileFor(path, files));
  else end(response, 403, 'This address was already used. Press o in the terminal of polya studio for a new one.\n');
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

/** The file of a path, or the names of the given files; only built files and the two given files are served. */
function fileFor(path: string, { root, data, model }: StudioFiles): string | object | undefined {
  if (path === '/given.json')
    return { ...(data && { data: basename(data) }), ...(model && { model: basename(model) }) };
  if (path === '/given/data') return data;
  if (path === '/given/model') return model;
  if (path === '/') return join(root, 'index.html');
  const [name] = /^\/(assets\/[\w.-]+|keep\.js|files\.json|lib\/[\w-]+\.js)$/.exec(path) ?? [];
  const file = name === undefined ? undefined : join(root, name.startsWith('/lib/') ? `..${name}` : name);
  return file !== undefined && existsSync(file) && statSync(file).isFile() ? file : undefined;
}
