/** Runs as short as this are sorted by comparing. */
const FEW = 24;
/** The bytes of a key. */
const KEY = 8;

/**
 * The numbers of words by code point, which is the order of their bytes in UTF-8; the words, all different and without zeros, lie one
 * after another. The first bytes of each and its number make one key of eight bytes, which the runtime sorts as a whole number: no
 * loop of one's own is as fast when it runs once. Words that are alike in these bytes are sorted by the next ones.
 */
export function orderOfWords(bytes: Uint8Array, ends: Uint32Array): Uint32Array {
  const order = new Uint32Array(ends.length);
  for (let k = 0; k < order.length; k++) order[k] = k;
  sortRun(bytes, ends, order, 0);
  return order;
}

/** Sorts words that are alike before `depth`. */
function sortRun(bytes: Uint8Array, ends: Uint32Array, order: Uint32Array, depth: number): void {
  if (order.length <= FEW) {
    insert(bytes, ends, order, 0, order.length, depth);
    return;
  }
  const wide = order.length > 2 ** 24 ? 4 : 3; // bytes of a number
  const keys = keysOf(bytes, ends, order, depth, wide);
  keys.sort();
  const halves = new Uint32Array(keys.buffer);
  const before = order.slice();
  const mask = wide === 4 ? 0xffffffff : 0xffffff;
  for (let k = 0; k < order.length; k++) order[k] = before[(halves[2 * k + LOW] & mask) >>> 0];
  const next = depth + KEY - wide;
  for (let start = 0; start < order.length; ) {
    const end = alikeFrom(halves, start, ~mask);
    if (end - start > FEW) sortRun(bytes, ends, order.subarray(start, end), next);
    else if (end - start > 1) insert(bytes, ends, order, start, end, next);
    start = end;
  }
}

/** Of each word the bytes from `depth` on, as many as there is room for beside its place. */
function keysOf(bytes: Uint8Array, ends: Uint32Array, order: Uint32Array, depth: number, wide: number): BigUint64Array {
  const keys = new BigUint64Array(order.length);
  const halves = new Uint32Array(keys.buffer);
  for (let k = 0; k < order.length; k++) {
    const at = (order[k] === 0 ? 0 : ends[order[k] - 1]) + depth;
    const end = ends[order[k]];
    halves[2 * k + HIGH] = keyAt(bytes, at, end);
    halves[2 * k + LOW] = wide === 4 ? k : (at + 4 < end ? bytes[at + 4] << 24 : 0) | k;
  }
  return keys;
}

/** Where the halves of a key lie, which depends on the machine. */
const LOW = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 0 : 1;
const HIGH = 1 - LOW;

/** Behind the last key that has the bytes of the one at this place. */
function alikeFrom(halves: Uint32Array, start: number, same: number): number {
  const first = halves[2 * start + HIGH];
  const second = halves[2 * start + LOW] & same;
  let end = start + 1;
  const size = halves.length >> 1;
  while (end < size && halves[2 * end + HIGH] === first && (halves[2 * end + LOW] & same) === second) end++;
  return end;
}

/** Four bytes as a number of the same order; zeros behind the end. */
function keyAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 4 <= end) return ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
  let key = 0;
  for (let k = 0; k < 4; k++) key = (key << 8) | (at + k < end ? bytes[at + k] : 0);
  return key >>> 0;
}

function insert(bytes: Uint8Array, ends: Uint32Array, order: Uint32Array, from: number, to: number, depth: number) {
  for (let k = from + 1; k < to; k++) {
    const word = order[k];
    let place = k;
    for (; place > from && isBefore(bytes, ends, word, order[place - 1], depth); place--)
      order[place] = order[place - 1];
    order[place] = word;
  }
}

/** Whether a word comes before another, from `depth` on. */
function isBefore(bytes: Uint8Array, ends: Uint32Array, a: number, b: number, depth: number): boolean {
  let at = (a === 0 ? 0 : ends[a - 1]) + depth;
  let other = (b === 0 ? 0 : ends[b - 1]) + depth;
  const end = ends[a];
  const last = ends[b];
  for (; at < end && other < last; at++, other++) if (bytes[at] !== bytes[other]) return bytes[at] < bytes[other];
  return end - at < last - other;
}
