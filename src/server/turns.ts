/** Work that is done one after another, in the order in which it was requested. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** Does some work after all that was requested before, whether that succeeded or not. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    return result;
  }
}
