/** A hash of some 32-bit words. */
function hashOf(words: Uint32Array, from: number, width: number): number {
  let hash = 0;
  for (let k = from; k < from + width; k++) {
    hash = Math.imul(hash ^ words[k], 0x9e3779b1);
    hash ^= hash >>> 15; // integers in float64 differ only in their high bits
  }
  return hash >>> 0;
}

/** Finds equal rows of numbers, bit for bit, among rows of `width` 32-bit words that the caller stores in one array. */
export class RowIndex {
  private readonly width: number;
  private slots: Int32Array = new Int32Array(64).fill(-1);
  private count = 0;

  constructor(width: number) {
    this.width = width;
  }

  /**
   * The number of the stored row that equals words[from … from + width); if there is none, `next`, where the caller
   * must store it.
   */
  place(words: Uint32Array, from: number, kept: Uint32Array, next: number): number {
    if (2 * this.count >= this.slots.length) this.grow(kept);
    const slot = this.slotOf(words, from, kept);
    if (this.slots[slot] >= 0) return this.slots[slot];
    this.slots[slot] = next;
    this.count++;
    return next;
  }

  /** Removes all rows. */
  clear(): void {
    this.slots.fill(-1);
    this.count = 0;
  }

  private slotOf(words: Uint32Array, from: number, kept: Uint32Array): number {
    const { slots, width } = this;
    const mask = slots.length - 1;
    let slot = hashOf(words, from, width) & mask;
    while (slots[slot] >= 0 && !this.isSame(words, from, kept, slots[slot] * width)) slot = (slot + 1) & mask;
    return slot;
  }

  private isSame(words: Uint32Array, from: number, kept: Uint32Array, start: number): boolean {
    for (let k = 0; k < this.width; k++) if (words[from + k] !== kept[start + k]) return false;
    return true;
  }

  private grow(kept: Uint32Array): void {
    const rows = this.slots.filter((row) => row >= 0);
    this.slots = new Int32Array(2 * this.slots.length).fill(-1);
    for (const row of rows) this.slots[this.slotOf(kept, row * this.width, kept)] = row;
  }
}
