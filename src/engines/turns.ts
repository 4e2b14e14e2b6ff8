/**
 * Gives tasks exclusive access to a shared resource one after the other, such as a connection with one query at a time.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Waits until the earlier tasks are done; the next one waits until the returned function is called. */
  async take(): Promise<() => void> {
    const before = this.last;
    let leave = () => {};
    this.last = new Promise((done) => {
      leave = done;
    });
    await before;
    return leave;
  }
}
