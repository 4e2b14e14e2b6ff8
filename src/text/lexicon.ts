import { grown } from './grown.ts';

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;

/** Bytes that stand for themselves. */
export const IDENTITY: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** FNV-1a: the hash of bytes so far, with one more. Fowler, Noll & Vo, RFC 9923. */
export const mix = (hash: number, byte: number): number => Math.imul(hash ^ byte, PRIME);

/** The hash of no bytes. */
export const EMPTY_HASH: number = SEED | 0;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Words that a lexicon has without having looked at each: whoever put them there finds them. */
export interface Unread {
  find(bytes: Uint8Array, from: number, length: number, hash: number, fold: Uint8Array, add: boolean): number;
}

/**
 * Byte strings, each kept once and numbered in order of arrival: one pool of bytes, and an open-addressing hash table of
 * numbers. Finding a word that is known allocates nothing.
 */
export class Lexicon {
  size = 0;
  /** Asked for words that the table does not have. */
  unread: Unread | undefined;
  pool: Uint8Array = new Uint8Array(256);
  /** Per word its hash and where it starts in the pool, side by side because they are read together. */
  entries: Int32Array = new Int32Array(130);
  slots: Int32Array = new Int32Array(128); // id + 1, or 0 where nothing is
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
    if (this.unread) return this.unread.find(bytes, from, length, hash, fold, add);
    return add ? this.append(bytes, from, length, hash, fold, slot) : -1;
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
  spread(): void {
    const slots = new Int32Array(this.slots.length * 2);
    for (let id = 0; id < this.size; id++) enter(slots, id, this.entries[id * 2]);
    this.slots = slots;
  }
}

/** Puts a number into the first free slot for its hash. */
export function enter(slots: Int32Array, id: number, hash: number): void {
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = id + 1;
}
