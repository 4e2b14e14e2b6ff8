import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PolyaError } from '../../errors.ts';
import type { Guard } from './guard.ts';
import type { Limits } from './limits.ts';

/** Headers of every response: it is not run, framed, sniffed or cached. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Addresses that are answered however busy the server is. */
const vital: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics', '/v2/health/live', '/v2/health/ready']);

/** Milliseconds between two checks of the event loop and of slow bodies. */
const INTERVAL = 50;

/** How many checks in a row must be late. One stall, such as loading a model to replace another, is no overload. */
const WINDOW = 4;

/** Milliseconds after which the connection of a slow client is closed once its error was sent. */
const CLOSE_AFTER = 100;

/** What every request passes before it is routed: headers, host, origin, token, length of the address, load, time of the body. */
export class Entry {
  /** Known once the port is. */
  guard: Guard | undefined;
  /** Requests that are being handled. */
  inFlight = 0;
  private readonly limits: Limits;
  private readonly delays: number[] = Array(WINDOW).fill(0);
  /** Open requests with a body, in no order. The earlier tables of a `Map` would keep ended requests alive and slow down collections. */
  private readonly bodies: Body[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(limits: Limits) {
    this.limits = limits;
    let due = performance.now() + INTERVAL;
    this.timer = setInterval(() => {
      const now = performance.now();
      this.delays.push(now - due);
      this.delays.shift();
      due = now + INTERVAL;
      this.cutSlowBodies(now);
    }, INTERVAL).unref();
  }

  /** Sets the headers that every response has and throws a refusal. Returns whether the response was sent already. */
  admit(request: FastifyRequest, reply: FastifyReply): boolean {
    const { raw } = request;
    reply.headers(commonHeaders).header('x-request-id', request.id);
    const { guard } = this;
    if (!guard) throw new PolyaError('E_OVERLOADED', 'the server is starting');
    guard.requireHost(raw);
    const origin = guard.allowedOrigin(raw.headers);
    if (origin !== undefined && allowOrigin(request, reply, origin)) return true;
    guard.requireToken(raw);
    const url = raw.url ?? '';
    if (url.length > this.limits.addressLength) throw new PolyaError('E_BAD_REQUEST', 'the address is too long');
    if (this.isOverloaded() && !vital.has(url)) {
      throw new PolyaError('E_OVERLOADED', 'the server has more requests than it can serve in time; try again');
    }
    return false;
  }

  /** A request that was admitted and routed: it counts as long as its response is open. */
  begin({ raw }: FastifyRequest, reply: FastifyReply, note: (status: number, milliseconds: number) => void): void {
    const started = performance.now();
    const hasBody = raw.headers['content-length'] !== undefined || raw.headers['transfer-encoding'] !== undefined;
    const body = hasBody ? this.expect(raw, reply, started + this.limits.requestTime) : undefined;
    this.inFlight++;
    reply.raw.on('close', () => {
      this.inFlight--;
      if (body) this.drop(body);
      note(reply.raw.statusCode, performance.now() - started);
    });
  }

  /** Gives a stream more time whenever data arrives. */
  prolong(request: IncomingMessage): void {
    const body = this.bodies.find((own) => own.request === request);
    if (!body) return;
    request.on('data', () => {
      body.deadline = performance.now() + this.limits.requestTime;
    });
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private isOverloaded(): boolean {
    return this.inFlight >= this.limits.inFlight || Math.min(...this.delays) > this.limits.lateness;
  }

  private expect(request: IncomingMessage, reply: FastifyReply, deadline: number): Body {
    const body = { request, reply, deadline, place: this.bodies.length };
    this.bodies.push(body);
    return body;
  }

  /** The last body takes the place of one that is dropped. */
  private drop(body: Body): void {
    const last = this.bodies.pop();
    if (last === undefined || last === body) return;
    this.bodies[body.place] = last;
    last.place = body.place;
  }

  private cutSlowBodies(now: number): void {
    for (const body of [...this.bodies]) {
      const { request, reply, deadline } = body;
      if (request.complete || now <= deadline) continue;
      body.deadline = Number.POSITIVE_INFINITY;
      if (!reply.sent) reply.send(new PolyaError('E_TIMEOUT', 'the body of the request took too long'));
      setTimeout(() => request.socket.destroy(), CLOSE_AFTER).unref();
    }
  }
}

/** The body of a request, when it must be complete, and its index in the list. */
interface Body {
  readonly request: IncomingMessage;
  readonly reply: FastifyReply;
  deadline: number;
  place: number;
}

/** Lets a page of a listed origin call. Returns whether the request was a CORS preflight, which is then answered. */
function allowOrigin({ headers, method }: FastifyRequest, reply: FastifyReply, origin: string): boolean {
  reply.headers({
    'access-control-allow-origin': origin,
    vary: 'origin',
    'access-control-expose-headers': 'etag, x-request-id, retry-after, location',
  });
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  reply.headers({
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    'access-control-allow-headers': 'content-type, authorization, idempotency-key, if-match, if-none-match',
  });
  reply.code(204).send();
  return true;
}
