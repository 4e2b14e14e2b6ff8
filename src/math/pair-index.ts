const words = new Uint32Array(2);
const float = new Float64Array(words.buffer);

/** Numbers pairs (a, b) in order of arrival: a is a whole number below 2³², b any number but NaN. */
export class PairIndex {
  private slots: Int32Array;
  private firsts: Float64Array;
  private seconds: Float64Array;
  /** The number of distinct pairs. */
  size = 0;

  /** An index with capacity for this many pairs before it grows. */
  constructor(capacity = 16) {
    let length = 32;
    while (length < 2 * capacity) length *= 2;
    this.slots = new Int32Array(length).fill(-1);
    this.firsts = new Float64Array(length / 2);
    this.seconds = new Float64Array(length / 2);
  }

  /** The number of a pair; −1 if it is unknown. */
  find(a: number, b: number): number {
    return this.slots[this.slotOf(a, b)];
  }

  /** The number of a pair; the next free number if it is new. */
  add(a: number, b: number): number {
    const slot = this.slotOf(a, b);
    if (this.slots[slot] >= 0) return this.slots[slot];
    this.slots[slot] = this.size;
    this.firsts[this.size] = a;
    this.seconds[this.size] = b;
    this.size++;
    if (this.size === this.firsts.length) this.grow();
    return this.size - 1;
  }

  /** The first number of pair k. */
  first(k: number): number {
    return this.firsts[k];
  }

  /** The second number of pair k. */
  second(k: number): number {
    return this.seconds[k];
  }

  private slotOf(a: number, b: number): number {
    const { slots, firsts, seconds } = this;
    const mask = slots.length - 1;
    let [low, high] = [b | 0, 0];
    if (low !== b) {
      // the bits of a fraction or a large number; most are small integers, which need no conversion through memory
      float[0] = b;
      [low, high] = [words[0], words[1]];
    }
    let hash = Math.imul(a ^ Math.imul(low, 0x85ebca6b), 0x9e3779b1) ^ high;
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 13)) & mask;
    for (let k = slots[slot]; k >= 0 && (firsts[k] !== a || seconds[k] !== b); k = slots[slot])
      slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { firsts, seconds, size } = this;
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    this.firsts = new Float64Array(this.slots.length / 2);
    this.seconds = new Float64Array(this.slots.length / 2);
    this.firsts.set(firsts);
    this.seconds.set(seconds);
    for (let k = 0; k < size; k++) this.slots[this.slotOf(firsts[k], seconds[k])] = k;
  }
}
