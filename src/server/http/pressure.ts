import type { Limits } from './limits.ts';

const INTERVAL = 50;

/** How many intervals in a row must be late. One stall, such as a model that is loaded in the place of another, is no overload. */
const WINDOW = 4;

/** How busy the server is: requests in flight, and how late the event loop is. */
export class Pressure {
  private readonly limits: Limits;
  private timer: NodeJS.Timeout | undefined;
  private readonly delays: number[] = Array(WINDOW).fill(0);
  /** Requests that are being handled. */
  inFlight = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Starts to measure the delay of the event loop. */
  start(): void {
    let due = performance.now() + INTERVAL;
    this.timer = setInterval(() => {
      const now = performance.now();
      this.delays.push(now - due);
      this.delays.shift();
      due = now + INTERVAL;
    }, INTERVAL);
    this.timer.unref();
  }

  /** Whether a further request is more than can be served in time. */
  get tooMuch(): boolean {
    return this.inFlight >= this.limits.inFlight || Math.min(...this.delays) > this.limits.lateness;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
