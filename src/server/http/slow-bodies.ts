import type { IncomingMessage, ServerResponse } from 'node:http';
import { PolyaError } from '../../errors.ts';
import type { Limits } from './limits.ts';

interface Watched {
  readonly response: ServerResponse;
  /** When the body must be whole. */
  deadline: number;
}

/** Cuts requests whose bodies take too long. A stream may be long, as long as lines keep coming. */
export class SlowBodies {
  private readonly watched = new Map<IncomingMessage, Watched>();
  private readonly limits: Limits;
  private readonly timer: NodeJS.Timeout;

  constructor(limits: Limits, cut: (request: IncomingMessage, response: ServerResponse, error: PolyaError) => void) {
    this.limits = limits;
    this.timer = setInterval(
      () => {
        const now = performance.now();
        for (const [request, { response, deadline }] of this.watched) {
          if (request.complete) this.watched.delete(request);
          else if (now > deadline) {
            this.watched.delete(request);
            cut(request, response, new PolyaError('E_TIMEOUT', 'the body of the request took too long'));
          }
        }
      },
      Math.min(500, limits.requestTime),
    );
    this.timer.unref();
  }

  /** Watches a request that has a body. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
    this.watched.set(request, { response, deadline: performance.now() + this.limits.requestTime });
  }

  /** Lets a stream go on for another while: something came. */
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
}
