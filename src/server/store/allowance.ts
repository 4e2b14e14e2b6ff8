/** Rows that are judged in a second, and at most at once. */
const RATE = 250;
const MOST = 1000;

/**
 * How many rows are predicted before they are learned: all of them as long as there are no more than 250 a second, and so many
 * of more. A prediction costs twice what learning does, and the latest thousand rows are what the scores look back on.
 */
export class Allowance {
  private left = MOST;
  private since = 0;

  /** How many of some rows are judged, at a time in milliseconds. */
  take(rows: number, now: number): number {
    this.left = Math.min(MOST, this.left + ((now - this.since) * RATE) / 1000);
    this.since = now;
    const taken = Math.min(rows, Math.floor(this.left));
    this.left -= taken;
    return taken;
  }
}
