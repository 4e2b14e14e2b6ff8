import type { FastifyReply, FastifyRequest } from 'fastify';
import { PolyaError } from '../../errors.ts';
import type { Guard } from './guard.ts';
import type { Limits } from './limits.ts';
import type { Pressure } from './pressure.ts';
import type { SlowBodies } from './slow-bodies.ts';

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

/** What every request passes before it is routed: headers, host, origin, token, length of the address, load. */
export class Entry {
  readonly pressure: Pressure;
  readonly slow: SlowBodies;
  /** Known once the port is. */
  guard: Guard | undefined;
  private readonly limits: Limits;

  constructor(limits: Limits, pressure: Pressure, slow: SlowBodies) {
    this.limits = limits;
    this.pressure = pressure;
    this.slow = slow;
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
    guard.requireKnown(raw);
    const url = raw.url ?? '';
    if (url.length > this.limits.addressLength) throw new PolyaError('E_BAD_REQUEST', 'the address is too long');
    if (this.pressure.tooMuch && !vital.has(url)) throw busy();
    this.count(request, reply);
    return false;
  }

  /** Counts a request as in flight until its connection is done with it, and limits the time of its body. */
  private count({ raw }: FastifyRequest, reply: FastifyReply): void {
    this.pressure.inFlight++;
    this.slow.watch(raw, reply);
    reply.raw.once('close', () => {
      this.pressure.inFlight--;
      this.slow.forget(raw);
    });
  }
}

const busy = (): PolyaError =>
  new PolyaError('E_OVERLOADED', 'the server has more requests than it can serve in time; try again');

/** Lets a page of a listed origin call. Returns whether the request was a CORS preflight, which is then answered. */
function allowOrigin({ headers, method }: FastifyRequest, reply: FastifyReply, origin: string): boolean {
  reply.headers({
    'access-control-allow-origin': origin,
    vary: 'origin',
    'access-control-expose-headers': 'etag, x-request-id, retry-after, location',
  });
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  const allowed = 'content-type, authorization, idempotency-key, if-match, if-none-match';
  reply.headers({
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    'access-control-allow-headers': allowed,
  });
  reply.code(204).send();
  return true;
}
