import { HASH_WORDS } from '../text/corpus-rows.ts';
import { grown } from '../text/grown.ts';

/** Numbers texts by their hashes, in order of arrival; −1 for blank ones. */
export class TextNumbers {
  private readonly places = new Map<number, number>();
  private hashes = new Uint32Array(HASH_WORDS * 1024);
  private size = 0;

  numberOf(records: Uint32Array, at: number): number {
    if (records[at] === 0 && records[at + 1] === 0) return -1;
    for (let key = records[at] * 2 ** 21 + (records[at + 2] >>> 11); ; key++) {
      const number = this.places.get(key);
      if (number === undefined) {
        this.places.set(key, this.size);
        return this.add(records, at);
      }
      if (this.isSame(number, records, at)) return number;
    }
  }

  private isSame(number: number, records: Uint32Array, at: number): boolean {
    for (let k = 0; k < HASH_WORDS; k++) if (this.hashes[number * HASH_WORDS + k] !== records[at + k]) return false;
    return true;
  }

  private add(records: Uint32Array, at: number): number {
    this.hashes = grown(this.hashes, (this.size + 1) * HASH_WORDS);
    for (let k = 0; k < HASH_WORDS; k++) this.hashes[this.size * HASH_WORDS + k] = records[at + k];
    return this.size++;
  }
}
