/** A token bucket: `rate` tokens per second, at most `burst` saved up. */
export class TokenBucket {
  private readonly rate: number;
  private readonly burst: number;
  private tokens: number;
  private updated = 0;

  constructor(rate: number, burst: number) {
    this.rate = rate;
    this.burst = burst;
    this.tokens = burst;
  }

  /** Takes up to `wanted` tokens at a time in milliseconds and returns how many were available. */
  take(wanted: number, now: number): number {
    this.refill(now);
    const taken = Math.min(wanted, Math.floor(this.tokens));
    this.tokens -= taken;
    return taken;
  }

  /** Whether as many tokens are available. */
  has(wanted: number, now: number): boolean {
    this.refill(now);
    return this.tokens >= wanted;
  }

  private refill(now: number): void {
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.updated) * this.rate) / 1000);
    this.updated = now;
  }
}
