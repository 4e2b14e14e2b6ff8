import type { WordCounts } from '../text/word-counts.ts';
import { type MergedWords, mergeWordCounts } from '../text/word-merge.ts';
import { FileHash, HASHED_AT_ONCE } from './file-hash.ts';
import { RangeCounter } from './word-ranges.ts';
import { countTasks, type RangeRows, type WordAnswer, type Words, type WordTasks } from './word-tasks.ts';

/**
 * Answers questions: first one about all rows, and then perhaps one about some of them with their words. Whoever else has to be heard on
 * this thread is, between two pieces of a file.
 */
export class WordReader {
  private ranges: RangeCounter | undefined;
  private hash: FileHash | undefined;
  private begun: Counting | undefined;

  /** A file whose SHA-256 will be wanted: it is worked at when nothing else is to be done. */
  constructor(path?: string) {
    this.hash = path === undefined ? undefined : new FileHash(path);
  }

  /** Begins what it is likely to be asked for, when nothing else is to be done. */
  begin(tasks: WordTasks): void {
    this.begun = new Counting(new RangeCounter(tasks.plan, tasks.borders.at(-1)), tasks);
  }

  /** Does a little of what will be wanted, and tells whether anything is left. */
  idle(): boolean {
    return this.begun && this.advance(this.begun) ? true : this.hashSome(1);
  }

  async sha256(path: string): Promise<string> {
    if (this.hash?.path !== path) this.hash = new FileHash(path);
    const { hash } = this;
    while (hash.step()) await turn();
    return hash.finish();
  }

  /** Counts what is left. */
  async count(tasks: WordTasks, note: (bytes: number) => void): Promise<WordAnswer> {
    const counting = this.taken(tasks);
    const { counter } = counting.ranges;
    const known = counter.size;
    for (let left = true; left; ) {
      left = this.advance(counting);
      const bytes = counting.takeBytes();
      if (bytes > 0) note(bytes);
      if (left) await turn();
    }
    const rows = counting.rows();
    const counts = tasks.rows || tasks.keeps ? undefined : counter.counts();
    return { counts, later: counter.words(tasks.rows ? known : counter.size), rows, cells: counter.cells() };
  }

  /** Adds what others have counted. */
  add(others: readonly WordCounts[]): MergedWords {
    return mergeWordCounts(this.ranges!.counter, others);
  }

  /** The numbers of words here. */
  numbersOf(words: Words): Uint32Array {
    return this.ranges!.counter.kernel.idsOf(words);
  }

  /** Counts a range, and hashes as much: whoever counts half of a file has then hashed half, and the others the less to wait for. */
  private advance(counting: Counting): boolean {
    const left = counting.step();
    if (left) this.hashSome(counting.stepped);
    return left;
  }

  /** Hashes some bytes more, and tells whether any are left. */
  private hashSome(bytes: number): boolean {
    try {
      let left = this.hash !== undefined;
      for (let done = 0; left && done < bytes; done += HASHED_AT_ONCE) left = this.hash!.step();
      return left;
    } catch {
      this.hash = undefined; // who asks for it is told why
      return false;
    }
  }

  /** What was begun where it is that, and otherwise something new. */
  private taken(tasks: WordTasks): Counting {
    const { begun } = this;
    this.begun = undefined;
    if (begun && tasks.begun && !tasks.rows) {
      this.ranges = begun.ranges;
      return begun;
    }
    begun?.ranges.counter.release();
    this.ranges ??= new RangeCounter(tasks.plan, tasks.borders.at(-1)! / 2); // the one who asks counts, too
    return new Counting(this.ranges, tasks);
  }
}

/** Lets others have their turn. */
const turn = (): Promise<void> => new Promise((now) => setImmediate(now));

/** Ranges that are counted, one at a time. */
class Counting {
  readonly ranges: RangeCounter;
  private readonly steps: Generator<number, RangeRows[]>;
  private found: RangeRows[] | undefined;
  private refusal: { readonly cause: unknown } | undefined;
  private bytes = 0;
  /** The bytes of the last range. */
  stepped = 0;

  constructor(ranges: RangeCounter, tasks: WordTasks) {
    this.ranges = ranges;
    this.steps = countTasks(ranges, tasks);
  }

  /** Counts a range, where there is one left; a refusal is kept for who asks. */
  step(): boolean {
    if (this.found || this.refusal) return false;
    try {
      const { done, value } = this.steps.next();
      if (done) this.found = value;
      else this.bytes += this.stepped = value;
      return !done;
    } catch (cause) {
      this.refusal = { cause };
      return false;
    }
  }

  /** The bytes of ranges since the last time. */
  takeBytes(): number {
    const { bytes } = this;
    this.bytes = 0;
    return bytes;
  }

  rows(): RangeRows[] {
    if (this.refusal) throw this.refusal.cause;
    return this.found!;
  }
}
