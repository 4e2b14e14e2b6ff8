/** Lets one task after the other have what they share, such as a connection that answers one query at a time. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Waits until the tasks before are done; the next one waits until the returned function is called. */
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
