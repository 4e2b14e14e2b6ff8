import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request for `/server…` of the studio. */
export type Forward = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server to which requests are forwarded. */
interface Target {
  readonly url: string;
  readonly token: string | undefined;
}

const MOST_BYTES = 32 * 2 ** 20;
const DEADLINE = 30_000;

/**
 * Forwards requests of the page to one running server: `PUT /server` names it, with `{ url, token }`, and everything below `/server/` goes
 * there. So the page needs no permission to call other sites, the server none for the page, and the page does not keep the token.
 */
export function forwarder(): Forward {
  let target: Target | undefined;
  return async (request, response) => {
    const refuse = (status: number, code: string, detail: string) => {
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ status, code, detail }));
    };
    const body = await bodyOf(request);
    if (body === undefined) return refuse(413, 'E_TOO_LARGE', 'the request is too large');
    const path = (request.url ?? '').slice('/server'.length);
    if (path === '') {
      if (request.method !== 'PUT') return refuse(405, 'E_BAD_REQUEST', 'a server is named with PUT');
      target = targetOf(body);
      if (!target) return refuse(400, 'E_BAD_REQUEST', 'the address of a server starts with http:// or https://');
      response.writeHead(204).end();
      return;
    }
    if (!target) return refuse(409, 'E_CONFLICT', 'no server is connected');
    try {
      await pass(request, response, `${target.url}${path}`, target.token, body);
    } catch {
      refuse(502, 'E_IO', 'the server cannot be reached');
    }
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function targetOf(body: Buffer): Target | undefined {
  try {
    const { url, token } = JSON.parse(body.toString()) as { url?: unknown; token?: unknown };
    const { protocol, origin, pathname } = new URL(String(url));
    if (protocol !== 'http:' && protocol !== 'https:') return undefined;
    return { url: origin + pathname.replace(/\/+$/, ''), token: token ? String(token) : undefined };
  } catch {
    return undefined;
  }
}

/** What goes on to the server, and what comes back. */
const sent = ['accept', 'content-type', 'if-match', 'idempotency-key'] as const;
const returned = ['content-type', 'etag', 'retry-after'] as const;

async function pass(
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  url: string,
  token: string | undefined,
  body: Buffer<ArrayBuffer>,
): Promise<void> {
  const own = sent.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const answer = await fetch(url, {
    method,
    headers: { ...Object.fromEntries(own), ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body.length > 0 && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(DEADLINE),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const back = returned.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)!]] : []));
  response.writeHead(answer.status, Object.fromEntries(back));
  response.end(bytes);
}
