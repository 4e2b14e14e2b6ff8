import { PolyaError } from '../../errors.ts';
import { encodeBlock, sealJson } from './block.ts';
import { writeFailure } from './files.ts';
import { Group, type Pending, type Writer } from './group.ts';
import type { Change, Journal } from './journal.ts';
import { FIRST_BLOCK, KEYS, MANIFEST, type Manifest, PROBE } from './manifest.ts';
import { type Recovered, recover } from './recover.ts';
import type { Shelf } from './shelf.ts';

/** How a store keeps its books. */
export interface LedgerOptions {
  readonly keys: number;
  /** Called when so many rows or bytes have come since the last files that it is time for others. */
  readonly onFull: () => void;
  readonly onWarning: (text: string) => void;
}

/** The journal becomes shorter when it has this many bytes. */
const LONG = 64 * 2 ** 20;

/** How often a full disk is tried, and with how much. */
const TRY_AGAIN = 500;
const TRY_BYTES = 64 * 1024;

/** What a store knows, in memory and in the journal, and how the two are kept together. */
export class Ledger implements Writer {
  /** Learning goes on, or why it does not. */
  state: 'ready' | 'read-only' | 'disk-full' = 'ready';
  known: Recovered;
  readonly journal: Journal;
  private readonly shelf: Shelf;
  private readonly options: LedgerOptions;
  private readonly group: Group = new Group(this);
  private reloading: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(shelf: Shelf, journal: Journal, known: Recovered, options: LedgerOptions) {
    this.shelf = shelf;
    this.journal = journal;
    this.known = known;
    this.options = options;
  }

  /** The number of the block that is written next. */
  get block(): number {
    return this.known.next;
  }

  /** Refuses what cannot be written now. */
  requireReady(): void {
    this.group.requireRoom();
    if (this.state === 'disk-full') throw writeFailure({ code: 'ENOSPC' });
    if (this.state === 'read-only') throw readonlyFailure();
  }

  /** Writes a record with those of others; what cannot be written is undone before it is told. */
  append(pending: Pending): void {
    const { fail } = pending;
    this.group.add({
      size: pending.size,
      stage: pending.stage,
      done: pending.done,
      fail: (cause) => {
        this.settled().then(() => fail(failureOf(cause)));
      },
    });
  }

  /** Changes what the store knows: done when it is on stable storage; refused when it is not, and then it is undone. */
  write(stage: () => undefined): Promise<void> {
    return new Promise((done, fail) => this.append({ size: 0, stage, done, fail }));
  }

  change(lines: readonly string[], manifest: boolean): Change {
    const { known } = this;
    const puts: [number, Uint8Array][] = [];
    if (lines.length > 0) {
      const block = encodeBlock(lines, known.next, known.before);
      puts.push([known.next, block]);
      const sum = block.readUInt32LE(4);
      known.sums.set(known.next, sum);
      this.known = { ...known, next: known.next + 1, before: sum, bytes: known.bytes + block.length };
    }
    return manifest ? { puts: [...puts, ...this.summary()], remove: this.shorten() } : { puts };
  }

  commit(change: Change): Promise<void> {
    return this.journal.commit(change);
  }

  written(): void {
    if (this.known.bytes > LONG) this.options.onFull();
  }

  failed(cause: unknown): void {
    const full = writeFailure(cause).code === 'E_DISK_FULL';
    if (this.state !== 'read-only') this.state = full ? 'disk-full' : 'read-only';
    this.options.onWarning(
      full
        ? 'the disk is full: nothing is learned until there is space'
        : 'a write failed: nothing is learned until a restart',
    );
    this.reloading ??= this.reload().finally(() => {
      this.reloading = undefined;
    });
  }

  /** Is done when nothing waits to be written. */
  async idle(): Promise<void> {
    await this.group.idle();
    await this.reloading;
  }

  async close(): Promise<void> {
    await this.idle();
    clearTimeout(this.retry);
    this.state = 'read-only';
    await this.journal.close();
  }

  /** The first block, and the one behind the last. */
  get blocks(): readonly [from: number, to: number] {
    return [this.known.first, this.known.next];
  }

  /** What failed has been undone. */
  private async settled(): Promise<void> {
    await this.reloading;
  }

  /** Goes back to what is on stable storage. Numbers of versions that were seen are not given again. */
  private async reload(): Promise<void> {
    const { models } = this.known;
    const judged = new Map(Array.from(models, ([name, own]) => [name, own.judged]));
    try {
      const known = await recover(this.shelf, this.journal, { keys: this.options.keys, judged });
      for (const [name, own] of known.models) own.highest = Math.max(own.highest, models.get(name)?.highest ?? 0);
      this.known = known;
    } catch (cause) {
      this.state = 'read-only';
      this.options.onWarning(`the store cannot be read: ${(cause as Error).message}`);
    }
    if (this.state === 'disk-full') this.tryAgain();
  }

  /** Looks from time to time whether there is space again. */
  private tryAgain(): void {
    this.retry = setTimeout(async () => {
      try {
        await this.journal.commit({ puts: [[PROBE, new Uint8Array(TRY_BYTES)]] });
        await this.journal.commit({ puts: [], remove: [PROBE, PROBE + 1] });
        if (this.state === 'disk-full') this.state = 'ready';
        this.options.onWarning('there is space again: learning goes on');
      } catch (cause) {
        if (writeFailure(cause).code === 'E_DISK_FULL') this.tryAgain();
        else this.state = 'read-only';
      }
    }, TRY_AGAIN).unref();
  }

  /** The list of models and the list of keys. */
  private summary(): [number, Uint8Array][] {
    const { models, removed, keys } = this.known;
    const first = this.firstNeeded();
    const manifest: Manifest = {
      format: 1,
      first,
      before: this.known.sums.get(first - 1) ?? 0,
      models: [...Array.from(models.values(), ({ entry }) => entry), ...removed.values()],
    };
    return [
      [MANIFEST, sealJson(manifest)],
      [KEYS, sealJson(keys.save())],
    ];
  }

  /** Blocks that no model needs any more. */
  private shorten(): readonly [number, number] | undefined {
    const { first, sums } = this.known;
    const needed = this.firstNeeded();
    if (needed === first) return undefined;
    for (let block = first - 1; block < needed - 1; block++) sums.delete(block);
    this.known = { ...this.known, first: needed, bytes: 0 };
    return [FIRST_BLOCK, needed]; // a crash may have left some that are older
  }

  private firstNeeded(): number {
    let needed = this.known.next;
    for (const { firstBlock } of this.known.models.values()) needed = Math.min(needed, firstBlock);
    return needed;
  }
}

/** What the client of a request is told whose record could not be written. */
function failureOf(cause: unknown): PolyaError {
  if (cause instanceof PolyaError) return cause;
  const failure = writeFailure(cause);
  return failure.code === 'E_DISK_FULL' ? failure : readonlyFailure(cause);
}

function readonlyFailure(cause?: unknown): PolyaError {
  const sentence = 'a write to the store failed, and it accepts no others; restart the server';
  return new PolyaError('E_STORE_READONLY', sentence, {}, cause);
}
