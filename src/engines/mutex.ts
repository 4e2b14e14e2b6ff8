/**
 * Gives tasks exclusive access to a shared resource one after the other, such as a connection with one query at a time.
 */
export class Mutex {
  private last: Promise<void> = Promise.resolve();

  /** Waits until the earlier tasks are done; the next one waits until the returned function is called. */
  async acquire(): Promise<() => void> {
    const before = this.last;
    let release = () => {};
    this.last = new Promise((done) => {
      release = done;
    });
    await before;
    return release;
  }
}
