/** Weights of terms in every class. Equal rows are kept once: those of term j begin at weights[rows[j] · classes]. */
export interface TermTable {
  readonly rows: Uint32Array;
  readonly weights: Float64Array;
}

/** A hash of one row, by its bits. */
function hashOf(bits: Uint32Array, from: number, width: number): number {
  let hash = 0;
  for (let k = from; k < from + width; k++) hash = Math.imul(hash ^ bits[k], 0x9e3779b1) ^ (hash >>> 15);
  return hash >>> 0;
}

function isSame(bits: Uint32Array, one: number, other: number, width: number): boolean {
  for (let k = 0; k < width; k++) if (bits[one + k] !== bits[other + k]) return false;
  return true;
}

/**
 * A table of weights, term by term, with equal rows kept once, bit for bit. Most terms of a text are rare, and rare terms that
 * were met in the same classes weigh the same.
 */
export function tableOf(weights: Float64Array, classes: number): TermTable {
  const terms = weights.length / classes;
  const width = 2 * classes;
  const bits = new Uint32Array(weights.buffer, weights.byteOffset, 2 * weights.length);
  const mask = 2 ** Math.ceil(Math.log2(2 * terms + 2)) - 1;
  const slots = new Int32Array(mask + 1).fill(-1); // the first term that has the row
  const rows = new Uint32Array(terms);
  const kept: number[] = [];
  for (let j = 0; j < terms; j++) {
    let slot = hashOf(bits, j * width, width) & mask;
    while (slots[slot] >= 0 && !isSame(bits, slots[slot] * width, j * width, width)) slot = (slot + 1) & mask;
    if (slots[slot] < 0) {
      slots[slot] = j;
      rows[j] = kept.push(j) - 1;
    } else rows[j] = rows[slots[slot]];
  }
  const table = new Float64Array(kept.length * classes);
  kept.forEach((j, row) => {
    table.set(weights.subarray(j * classes, (j + 1) * classes), row * classes);
  });
  return { rows, weights: table };
}
