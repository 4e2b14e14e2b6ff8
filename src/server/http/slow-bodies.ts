import type { IncomingMessage } from 'node:http';
import type { FastifyReply } from 'fastify';
import { PolyaError } from '../../errors.ts';
import type { Limits } from './limits.ts';

interface Watched {
  readonly reply: FastifyReply;
  /** When the body must be complete. */
  deadline: number;
}

/** Milliseconds after which the connection of a slow client is closed, once it has been told. */
const LAST_WORD = 100;

/** Cuts off requests whose bodies take too long. A stream may be long, as long as data keep coming. */
export class SlowBodies {
  private readonly watched = new Map<IncomingMessage, Watched>();
  private readonly limits: Limits;
  private readonly timer: NodeJS.Timeout;

  constructor(limits: Limits) {
    this.limits = limits;
    this.timer = setInterval(() => this.sweep(performance.now()), Math.min(500, limits.requestTime)).unref();
  }

  /** Watches a request that has a body. */
  watch(request: IncomingMessage, reply: FastifyReply): void {
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    this.watched.set(request, { reply, deadline: performance.now() + this.limits.requestTime });
  }

  /** Gives a stream more time: data came. */
  prolong(request: IncomingMessage): void {
    const own = this.watched.get(request);
    if (own) own.deadline = performance.now() + this.limits.requestTime;
  }

  forget(request: IncomingMessage): void {
    this.watched.delete(request);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sweep(now: number): void {
    for (const [request, { reply, deadline }] of this.watched) {
      if (request.complete) this.watched.delete(request);
      else if (now > deadline) {
        this.watched.delete(request);
        if (!reply.sent) reply.send(new PolyaError('E_TIMEOUT', 'the body of the request took too long'));
        setTimeout(() => request.socket.destroy(), LAST_WORD).unref();
      }
    }
  }
}
