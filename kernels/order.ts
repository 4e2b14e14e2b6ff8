import { Lexicon, wordLength, wordStart } from './lexicon';
import { take } from './memory';

/**
 * The words of a lexicon by their bytes, which for UTF-8 is the order of code points. Eight bytes of each word are one number, and the
 * numbers are sorted byte by byte, the last byte first; words that are alike in these are sorted by their next eight.
 */

const FEW: u32 = 24; // as few as this are sorted by comparing

let keys: usize = 0; // by place: eight bytes of a word, and its number, u64 both
let spare: usize = 0; // as large
let tallies: usize = 0; // by byte of a key, and by its value: how many keys have it, u32

/** The numbers of all words in their order, as u32. */
export function orderWords(lexicon: Lexicon): usize {
  const count = lexicon.count;
  keys = take(usize(count) << 4);
  spare = take(usize(count) << 4);
  if (tallies == 0) tallies = take(8 << 10);
  for (let k: u32 = 0; k < count; k++) store<u64>(keys + (usize(k) << 4), k, 8);
  sortRun(lexicon, 0, count, 0);
  const order = spare;
  for (let k: u32 = 0; k < count; k++) store<u32>(order + (usize(k) << 2), wordAt(k));
  return order;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function wordAt(place: u32): u32 {
  return load<u32>(keys + (usize(place) << 4), 8);
}

/** Eight bytes of a word as a number of the same order; zeros behind its end. */
// @ts-ignore
@inline
function keyOf(lexicon: Lexicon, id: u32, depth: u32): u64 {
  return depth < wordLength(lexicon, id) ? bswap(load<u64>(wordStart(lexicon, id) + depth)) : 0;
}

/** Sorts words that are alike before `depth`. */
function sortRun(lexicon: Lexicon, from: u32, to: u32, depth: u32): void {
  if (to - from <= FEW) return insert(lexicon, from, to, depth);
  let longest: u32 = 0;
  for (let k = from; k < to; k++) {
    const id = wordAt(k);
    longest = max(longest, wordLength(lexicon, id));
    store<u64>(keys + (usize(k) << 4), keyOf(lexicon, id, depth));
  }
  if (longest <= depth) return insert(lexicon, from, to, depth); // they differ by zeros alone
  sortKeys(from, to);
  while (from < to) {
    const key = load<u64>(keys + (usize(from) << 4));
    let end = from + 1;
    while (end < to && load<u64>(keys + (usize(end) << 4)) == key) end++;
    if (end - from > 1) sortRun(lexicon, from, end, depth + 8);
    from = end;
  }
}

/** Sorts by the keys; a byte in which all are alike is passed over. */
function sortKeys(from: u32, to: u32): void {
  const count = to - from;
  let source = keys + (usize(from) << 4);
  let target = spare + (usize(from) << 4);
  memory.fill(tallies, 0, 8 << 10);
  for (let at = source, end = source + (usize(count) << 4); at < end; at += 16) {
    let key = load<u64>(at);
    for (let byte: usize = 0; byte < 8; byte++, key >>= 8) {
      const tally = tallies + (byte << 10) + (usize(key & 255) << 2);
      store<u32>(tally, load<u32>(tally) + 1);
    }
  }
  let moved = false;
  for (let byte: usize = 0; byte < 8; byte++) {
    const own = tallies + (byte << 10);
    if (load<u32>(own + (usize((load<u64>(source) >> (u64(byte) << 3)) & 255) << 2)) == count) continue;
    sortByte(source, target, count, own, u64(byte) << 3);
    const before = source;
    source = target;
    target = before;
    moved = !moved;
  }
  if (moved) memory.copy(target, source, usize(count) << 4);
}

function sortByte(source: usize, target: usize, count: u32, own: usize, shift: u64): void {
  let sum: u32 = 0;
  for (let value: usize = 0; value < 256; value++) {
    const many = load<u32>(own + (value << 2));
    store<u32>(own + (value << 2), sum);
    sum += many;
  }
  for (let at = source, end = source + (usize(count) << 4); at < end; at += 16) {
    const place = own + (usize((load<u64>(at) >> shift) & 255) << 2);
    const to = load<u32>(place);
    store<u32>(place, to + 1);
    v128.store(target + (usize(to) << 4), v128.load(at));
  }
}

function insert(lexicon: Lexicon, from: u32, to: u32, depth: u32): void {
  for (let k = from + 1; k < to; k++) {
    const id = wordAt(k);
    let place = k;
    for (; place > from && isBefore(lexicon, id, wordAt(place - 1), depth); place--) {
      store<u32>(keys + (usize(place) << 4), wordAt(place - 1), 8);
    }
    store<u32>(keys + (usize(place) << 4), id, 8);
  }
}

/** Whether a word comes before another, from `depth` on. */
function isBefore(lexicon: Lexicon, a: u32, b: u32, depth: u32): bool {
  const length = wordLength(lexicon, a);
  const otherLength = wordLength(lexicon, b);
  for (const end = max(length, otherLength); depth < end; depth += 8) {
    const key = keyOf(lexicon, a, depth);
    const other = keyOf(lexicon, b, depth);
    if (key != other) return key < other;
  }
  return length < otherLength;
}
