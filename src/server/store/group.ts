import { refuse } from '../../errors.ts';
import type { Change } from './journal.ts';

/** Something that waits to be written: a line for the block, or a change of what the store knows. */
export interface Pending {
  /** How many bytes it will be, about. */
  readonly size: number;
  /** Called when it is about to be written into a block; answers its line, or undefined where it is not a record. */
  stage(block: number): string | undefined;
  /** It is on stable storage. */
  done(): void;
  /** It is not, and nothing of it is. */
  fail(cause: unknown): void;
}

/** What makes a group of lines and changes durable. */
export interface Writer {
  /** What is to be written for a group; `manifest` when something else than records has changed. */
  change(lines: readonly string[], manifest: boolean): Change;
  commit(change: Change): Promise<void>;
  /** All that was waiting has been refused. */
  failed(cause: unknown): void;
  /** A group is on stable storage. */
  written(lines: number): void;
  readonly block: number;
}

/** Where several clients learn at once, a group waits for those that were there before, so many milliseconds at most: a sync costs the same for one and for fifty. */
const GATHER = 4;

/** So much may wait at once. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Group commit: while the disk is busy with one group, the next one gathers, and one sync serves all of it. When a group fails, so
 * does all that waits behind it, because it was done on top of what is not there.
 */
export class Group {
  private readonly writer: Writer;
  private queue: Pending[] = [];
  private bytes = 0;
  private running: Promise<void> | undefined;
  /** How many learned at once a moment ago, and when that was. */
  private usual = 0;
  private ended = 0;
  /** Called when as many have come. */
  private gathered: (() => void) | undefined;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Refuses where too much is waiting already. */
  requireRoom(): void {
    if (this.bytes > MOST_BYTES)
      refuse('E_OVERLOADED', 'the disk does not keep up with what is learned; try again later');
  }

  /** Takes something that is to be written. */
  add(pending: Pending): void {
    this.queue.push(pending);
    this.bytes += pending.size;
    if (this.gathered && this.queue.length >= this.usual) this.gathered();
    this.running ??= this.run();
  }

  /** Is done when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    await new Promise(setImmediate); // what arrives in the same turn goes into one group
    while (this.queue.length > 0) {
      if (this.queue.length < this.usual && performance.now() - this.ended < GATHER) await this.gather();
      const { length } = this.queue;
      await this.writeGroup();
      this.usual = length + this.queue.length;
      this.ended = performance.now();
    }
    this.running = undefined;
  }

  /** Waits until as many have come as there were before, but not for long. */
  private gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER);
      this.gathered = () => resolve(clearTimeout(timer));
    });
  }

  private async writeGroup(): Promise<void> {
    const group = this.take();
    const { writer } = this;
    try {
      const staged = group.map((own) => own.stage(writer.block));
      const lines = staged.filter((line) => line !== undefined);
      await writer.commit(writer.change(lines, lines.length < staged.length));
      writer.written(lines.length);
      for (const own of group) own.done();
    } catch (cause) {
      const all = [...group, ...this.take()];
      writer.failed(cause);
      for (const own of all) own.fail(cause);
    }
  }

  private take(): Pending[] {
    this.gathered = undefined;
    const group = this.queue;
    this.queue = [];
    this.bytes = 0;
    return group;
  }
}
