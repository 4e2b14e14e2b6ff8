import type { Limits } from './limits.ts';

const INTERVAL = 50;

/** How busy the server is: requests that are worked on, and how late the event loop is. */
export class Pressure {
  private readonly limits: Limits;
  private timer: NodeJS.Timeout | undefined;
  private late = 0;
  /** Requests that are worked on. */
  inFlight = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Begins to look at the event loop. */
  start(): void {
    let due = performance.now() + INTERVAL;
    this.timer = setInterval(() => {
      const now = performance.now();
      this.late = (this.late + Math.max(0, now - due)) / 2; // one hiccup is no overload
      due = now + INTERVAL;
    }, INTERVAL);
    this.timer.unref();
  }

  /** Whether a further request is more than can be served in time. */
  get tooMuch(): boolean {
    return this.inFlight >= this.limits.inFlight || this.late > this.limits.lateness;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}
