import { EMPTY_HASH, enter, IDENTITY, type Lexicon, mix, type Unread } from './lexicon.ts';

/** So many searches cost as much as a table of all words, which is made then. */
const SEARCHES = 4096;

/** Different words one after another in the order of their bytes, each with its end: what a file tells of a vocabulary. */
export class SortedTerms {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;

  /** Takes the arrays as they are; they must not change any more. */
  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends;
  }

  /** The numbers of the words in a lexicon, which takes them over at once where it knows none yet. */
  enter(lexicon: Lexicon): Uint32Array {
    const { bytes, ends } = this;
    const ids = new Uint32Array(ends.length);
    for (let j = 0; j < ids.length; j++) ids[j] = j;
    if (lexicon.size === 0) {
      lexicon.unread = new Search(lexicon, this);
      return ids;
    }
    while (ends.length * 2 > lexicon.slots.length) lexicon.spread();
    return ids.map((j) => {
      const from = j > 0 ? ends[j - 1] : 0;
      return lexicon.intern(bytes, from, ends[j] - from, hashOf(bytes, from, ends[j]), IDENTITY, true);
    });
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = EMPTY_HASH;
  for (let k = from; k < to; k++) hash = mix(hash, bytes[k]);
  return hash;
}

/** Words that came sorted are searched for, and enter the table when they are found: whoever asks for few of them pays for few. */
class Search implements Unread {
  private readonly lexicon: Lexicon;
  private searches = 0;

  constructor(lexicon: Lexicon, { bytes, ends }: SortedTerms) {
    this.lexicon = lexicon;
    lexicon.size = ends.length;
    lexicon.pool = bytes;
    lexicon.entries = new Int32Array(ends.length * 2 + 2);
    for (let id = 0; id < ends.length; id++) lexicon.entries[id * 2 + 3] = ends[id];
    let slots = lexicon.slots.length;
    while (ends.length * 2 > slots) slots *= 2;
    lexicon.slots = new Int32Array(slots);
  }

  find(bytes: Uint8Array, from: number, length: number, hash: number, fold: Uint8Array, add: boolean): number {
    if (add || ++this.searches > SEARCHES) {
      this.tabulate();
      return this.lexicon.intern(bytes, from, length, hash, fold, add);
    }
    for (let low = 0, high = this.lexicon.size; low < high; ) {
      const id = (low + high) >> 1;
      const order = this.compare(id, bytes, from, length, fold);
      if (order === 0) return this.enter(id, hash);
      if (order < 0) low = id + 1;
      else high = id;
    }
    return -1;
  }

  /** Below 0 where the word with a number comes before another, above 0 where it comes after. */
  private compare(id: number, bytes: Uint8Array, from: number, length: number, fold: Uint8Array): number {
    const { entries, pool } = this.lexicon;
    const start = entries[id * 2 + 1];
    const own = entries[id * 2 + 3] - start;
    for (let k = 0; k < own && k < length; k++) {
      const order = pool[start + k] - fold[bytes[from + k]];
      if (order !== 0) return order;
    }
    return own - length;
  }

  /** Puts a word into the table, and returns its number. */
  private enter(id: number, hash: number): number {
    this.lexicon.entries[id * 2] = hash;
    enter(this.lexicon.slots, id, hash);
    return id;
  }

  /** All words into the table. */
  private tabulate(): void {
    const { entries, pool, size, slots } = this.lexicon;
    this.lexicon.unread = undefined;
    slots.fill(0);
    for (let id = 0; id < size; id++) this.enter(id, hashOf(pool, entries[id * 2 + 1], entries[id * 2 + 3]));
  }
}
