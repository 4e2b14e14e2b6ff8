import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { refuse } from '../../errors.ts';
import { journalThread } from './journal-thread.ts';

/** Values by number that are written together, and a range of numbers that are not needed any more: they are removed with them, or a little later. */
export interface Change {
  readonly puts: readonly (readonly [key: number, bytes: Uint8Array])[];
  readonly remove?: readonly [from: number, to: number] | undefined;
}

/** The name of the file in its folder. */
export const JOURNAL_FILE = 'journal.mdb';

/** Address space, not disk: the file is as long as what is in it. */
const MAP_SIZE = 2 ** 32;

/** Megabytes for what the thread makes and drops: a commit makes little. */
const YOUNG = 4;

interface Waiting {
  resolve(done: unknown): void;
  reject(cause: unknown): void;
}

/** Values by number in LMDB, in a thread that waits for the disk. What `commit` has answered is on stable storage. */
export class Journal {
  private readonly thread: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private lost: unknown;

  private constructor(thread: Worker) {
    this.thread = thread;
    thread.on('message', ({ id, done, failed }: { id: number; done?: unknown; failed?: object }) => {
      const own = this.waiting.get(id);
      this.waiting.delete(id);
      if (failed) own?.reject(Object.assign(new Error('the journal failed'), failed));
      else own?.resolve(done);
    });
    thread.on('error', (cause) => this.lose(cause));
    thread.on('exit', () => this.lose(new Error('the thread of the journal has ended')));
  }

  /** Opens the journal in a folder, or makes one. */
  static async open(folder: string): Promise<Journal> {
    const workerData = { lmdb: findLmdb(), path: join(folder, JOURNAL_FILE), mapSize: MAP_SIZE };
    const journal = new Journal(
      new Worker(journalThread, { eval: true, workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG } }),
    );
    await journal.ask('open');
    return journal;
  }

  /** All of the change is on stable storage, or nothing of it is there. Its bytes are handed over. */
  commit(change: Change): Promise<void> {
    const bytes = change.puts.map(([, value]) => value.buffer as ArrayBuffer);
    return this.ask('commit', change, bytes) as Promise<void>;
  }

  /** The values from one number up to but not including another, in order. */
  read(from: number, to: number): Promise<[key: number, bytes: Uint8Array][]> {
    return this.ask('read', { from, to }) as Promise<[number, Uint8Array][]>;
  }

  /** The highest number; −1 where there is none. */
  last(): Promise<number> {
    return this.ask('last') as Promise<number>;
  }

  async close(): Promise<void> {
    await this.ask('close');
    await this.thread.terminate();
  }

  private ask(act: string, given?: unknown, handedOver: ArrayBuffer[] = []): Promise<unknown> {
    const id = this.asked++;
    if (this.lost) return Promise.reject(this.lost);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.thread.postMessage({ id, act, given }, handedOver);
    });
  }

  private lose(cause: unknown): void {
    this.lost ??= cause;
    for (const own of this.waiting.values()) own.reject(cause);
    this.waiting.clear();
  }
}

/** Where the package is that users install themselves. */
function findLmdb(): string {
  try {
    return createRequire(import.meta.url).resolve('lmdb');
  } catch (cause) {
    return refuse(
      'E_ENGINE_UNAVAILABLE',
      'learning needs the package lmdb; install it with npm install lmdb',
      {},
      cause,
    );
  }
}
