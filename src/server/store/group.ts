import { refuse } from '../../errors.ts';
import type { Change } from './journal.ts';

/** Something that waits to be written: a line for the block, or a change of what the store knows. */
export interface Pending {
  /** Called when it is about to be written into a block; answers its line, or undefined where it is not a record. */
  stage(block: number): string | undefined;
}

interface Waiting extends Pending {
  readonly size: number;
  resolve(): void;
  reject(cause: unknown): void;
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

/** So much may wait at once. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Group commit: while the disk is busy with one group, the next one gathers, and one sync serves all of it. When a group fails, so
 * does all that waits behind it, because it was done on top of what is not there.
 */
export class Group {
  private readonly writer: Writer;
  private waiting: Waiting[] = [];
  private bytes = 0;
  private running: Promise<void> | undefined;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Refuses where too much is waiting already. */
  requireRoom(): void {
    if (this.bytes > MOST_BYTES)
      refuse('E_OVERLOADED', 'the disk does not keep up with what is learned; try again later');
  }

  /** Is done when it is on stable storage. */
  add(pending: Pending, size = 0): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ stage: (block) => pending.stage(block), size, resolve, reject });
      this.bytes += size;
      this.running ??= this.run();
    });
  }

  /** Is done when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.running) await this.running;
  }

  private async run(): Promise<void> {
    await new Promise(setImmediate); // what arrives in the same turn goes into one group
    while (this.waiting.length > 0) await this.writeGroup();
    this.running = undefined;
  }

  private async writeGroup(): Promise<void> {
    const group = this.take();
    const { writer } = this;
    try {
      const staged = group.map((own) => own.stage(writer.block));
      const lines = staged.filter((line) => line !== undefined);
      await writer.commit(writer.change(lines, lines.length < staged.length));
      writer.written(lines.length);
      for (const own of group) own.resolve();
    } catch (cause) {
      const all = [...group, ...this.take()];
      writer.failed(cause);
      for (const own of all) own.reject(cause);
    }
  }

  private take(): Waiting[] {
    const group = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    return group;
  }
}
