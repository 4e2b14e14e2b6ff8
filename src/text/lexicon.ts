const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/** Bytes that stand for themselves. */
export const IDENTITY: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** FNV-1a: the hash of bytes so far, with one more. Fowler, Noll & Vo, RFC 9923. */
export const mix = (hash: number, byte: number): number => Math.imul(hash ^ byte, PRIME);

/** The hash of no bytes. */
export const EMPTY_HASH: number = SEED | 0;

/** A typed array with at least the wanted length and the same content; grown by doubling. */
export function grown<T extends Uint8Array | Int32Array | Uint32Array | Float64Array>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** So many searches cost as much as a table of all words, which is made then. */
const SEARCHES = 4096;

/**
 * Byte strings, each kept once and numbered in order of arrival: one pool of bytes, and an open-addressing hash table of
 * numbers. Finding a word that is known allocates nothing. Words that came sorted are searched for, and enter the table when
 * they are found: whoever asks for few of them pays for few.
 */
export class Lexicon {
  size = 0;
  private sorted = 0; // how many words came sorted and may not be in the table yet
  private searches = 0;
  private pool: Uint8Array = new Uint8Array(256);
  /** Per word its hash and where it starts in the pool, side by side because they are read together. */
  private entries: Int32Array = new Int32Array(130);
  private slots: Int32Array = new Int32Array(128); // id + 1, or 0 where nothing is
  private scratch: Uint8Array = new Uint8Array(32);

  /** The number of the word bytes[from … from + length), each byte read through `fold`; unknown words get one, or −1. */
  intern(bytes: Uint8Array, from: number, length: number, hash: number, fold: Uint8Array, add: boolean): number {
    const { slots, entries, pool } = this;
    const mask = slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let entry = slots[slot]; entry !== 0; entry = slots[(slot = (slot + 1) & mask)]) {
      const at = entry * 2 - 2;
      if (entries[at] !== hash) continue;
      const start = entries[at + 1];
      if (entries[at + 3] - start !== length) continue;
      let k = 0;
      while (k < length && pool[start + k] === fold[bytes[from + k]]) k++;
      if (k === length) return entry - 1;
    }
    if (this.sorted > 0) return this.search(bytes, from, length, hash, fold, add);
    return add ? this.append(bytes, from, length, hash, fold, slot) : -1;
  }

  /** Takes over sorted words as the first of all; the bytes must not change any more. False where it knows words already. */
  adopt(bytes: Uint8Array, ends: Uint32Array): boolean {
    if (this.size > 0) return false;
    this.size = ends.length;
    this.sorted = ends.length;
    this.pool = bytes;
    this.entries = new Int32Array(ends.length * 2 + 2);
    for (let id = 0; id < ends.length; id++) this.entries[id * 2 + 3] = ends[id];
    let slots = this.slots.length;
    while (ends.length * 2 > slots) slots *= 2;
    this.slots = new Int32Array(slots);
    return true;
  }

  /** The number of a word that the table does not have, but the sorted words may. */
  private search(
    bytes: Uint8Array,
    from: number,
    length: number,
    hash: number,
    fold: Uint8Array,
    add: boolean,
  ): number {
    if (add || ++this.searches > SEARCHES) {
      this.tabulate();
      return this.intern(bytes, from, length, hash, fold, add);
    }
    for (let low = 0, high = this.sorted; low < high; ) {
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
    const start = this.entries[id * 2 + 1];
    const own = this.entries[id * 2 + 3] - start;
    for (let k = 0; k < own && k < length; k++) {
      const order = this.pool[start + k] - fold[bytes[from + k]];
      if (order !== 0) return order;
    }
    return own - length;
  }

  /** Puts a word into the table, and returns its number. */
  private enter(id: number, hash: number): number {
    this.entries[id * 2] = hash;
    enter(this.slots, id, hash);
    return id;
  }

  /** All words into the table. */
  private tabulate(): void {
    const { entries, pool, size } = this;
    this.sorted = 0;
    this.slots.fill(0);
    for (let id = 0; id < size; id++) {
      let hash = EMPTY_HASH;
      for (let k = entries[id * 2 + 1]; k < entries[id * 2 + 3]; k++) hash = mix(hash, pool[k]);
      this.enter(id, hash);
    }
  }

  /** The number of a word given as a string. */
  internText(word: string, add: boolean): number {
    const ascii = this.copyAscii(word);
    const bytes = ascii ? this.scratch : encoder.encode(word);
    const length = ascii ? word.length : bytes.length;
    let hash = EMPTY_HASH;
    for (let k = 0; k < length; k++) hash = mix(hash, bytes[k]);
    return this.intern(bytes, 0, length, hash, IDENTITY, add);
  }

  /** Plain ASCII into a buffer that is used again, which costs a quarter of an encoder; false where a word is more. */
  private copyAscii(word: string): boolean {
    this.scratch = grown(this.scratch, word.length);
    for (let k = 0; k < word.length; k++) {
      const unit = word.charCodeAt(k);
      if (unit >= 0x80) return false;
      this.scratch[k] = unit;
    }
    return true;
  }

  /** Makes room for that many words. */
  reserve(words: number): void {
    while (words * 2 > this.slots.length) this.spread();
  }

  /** The word with this number. */
  text(id: number): string {
    return decoder.decode(this.pool.subarray(this.entries[id * 2 + 1], this.entries[id * 2 + 3]));
  }

  private append(b: Uint8Array, from: number, length: number, hash: number, fold: Uint8Array, slot: number): number {
    const id = this.size++;
    const start = this.entries[id * 2 + 1];
    this.pool = grown(this.pool, start + length);
    this.entries = grown(this.entries, id * 2 + 4);
    for (let k = 0; k < length; k++) this.pool[start + k] = fold[b[from + k]];
    this.entries[id * 2] = hash;
    this.entries[id * 2 + 3] = start + length; // where the next one starts
    this.slots[slot] = id + 1;
    if (this.size * 2 > this.slots.length) this.spread();
    return id;
  }

  /** Twice the slots, so that at most half of them are taken. */
  private spread(): void {
    const slots = new Int32Array(this.slots.length * 2);
    for (let id = 0; id < this.size; id++) enter(slots, id, this.entries[id * 2]);
    this.slots = slots;
  }
}

/** Puts a number into the first free slot for its hash. */
function enter(slots: Int32Array, id: number, hash: number): void {
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = id + 1;
}
