import { Lexicon, wordLength, wordStart } from './lexicon';
import { give, take } from './memory';

/**
 * Sorts strings by their bytes, which for UTF-8 is the order of code points. Eight bytes of each string form a key;
 * keys are radix-sorted, and strings with equal keys are sorted by their next eight bytes. Strings are spans: an
 * address and a length, u32 each.
 */

const FEW: u32 = 24; // shorter runs are sorted by insertion

let keys: usize = 0; // by index: a key (u64), a string (u32) and a number of the caller (u32)
let spare: usize = 0; // of the same size
let room: u32 = 0; // capacity
let tallies: usize = 0; // by byte of the key and its value: number of keys, u32

/** The sorted ids of all strings, u32 each; a region of 4 bytes per string that the caller frees. */
export function orderWords(lexicon: Lexicon): usize {
  const count = lexicon.count;
  const order = take(usize(count) << 2);
  const spans = take(usize(count) << 3);
  for (let k: u32 = 0; k < count; k++) setSpan(spans, k, wordStart(lexicon, k), wordLength(lexicon, k));
  let sorted: u32 = 1;
  while (sorted < count && !isBefore(spans, sorted, sorted - 1, 0)) sorted++;
  if (sorted >= count) {
    for (let k: u32 = 0; k < count; k++) store<u32>(order + (usize(k) << 2), k); // such as those of a saved vocabulary
  } else {
    reservePlaces(count);
    for (let k: u32 = 0; k < count; k++) setPlace(k, k, 0);
    sortRun(spans, 0, count, 0);
    for (let k: u32 = 0; k < count; k++) store<u32>(order + (usize(k) << 2), wordAt(k));
    dropPlaces();
  }
  give(spans, usize(count) << 3);
  return order;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
export function setSpan(spans: usize, k: u32, start: usize, length: u32): void {
  store<u64>(spans + (usize(k) << 3), u64(start) | (u64(length) << 32));
}

/** Reserves capacity for sorting `count` strings. */
export function reservePlaces(count: u32): void {
  if (count <= room) return;
  dropPlaces();
  room = max(count, 1024);
  keys = take(usize(room) << 4);
  spare = take(usize(room) << 4);
}

function dropPlaces(): void {
  give(keys, usize(room) << 4);
  give(spare, usize(room) << 4);
  keys = 0;
  spare = 0;
  room = 0;
}

/** Sets an item to be sorted: a string, and a number that moves with it. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
export function setPlace(place: u32, word: u32, own: u32): void {
  const at = keys + (usize(place) << 4);
  store<u64>(at, u64(word) | (u64(own) << 32), 8);
}

// @ts-ignore
@inline
export function ownAt(place: u32): u32 {
  return load<u32>(keys + (usize(place) << 4), 12);
}

// @ts-ignore
@inline
function wordAt(place: u32): u32 {
  return load<u32>(keys + (usize(place) << 4), 8);
}

// @ts-ignore
@inline
function lengthOf(spans: usize, id: u32): u32 {
  return load<u32>(spans + (usize(id) << 3), 4);
}

/** Eight bytes of a string as a number with the same order; zeros after its end. */
// @ts-ignore
@inline
function keyOf(spans: usize, id: u32, depth: u32): u64 {
  const length = lengthOf(spans, id);
  if (depth >= length) return 0;
  const key = bswap(load<u64>(usize(load<u32>(spans + (usize(id) << 3))) + depth));
  return length - depth < 8 ? key & (u64(-1) << ((8 - u64(length - depth)) << 3)) : key;
}

/** Sorts strings that are equal before `depth`. */
export function sortRun(spans: usize, from: u32, to: u32, depth: u32): void {
  if (to - from <= FEW) return insert(spans, from, to, depth);
  let longest: u32 = 0;
  for (let k = from; k < to; k++) {
    const id = wordAt(k);
    longest = max(longest, lengthOf(spans, id));
    store<u64>(keys + (usize(k) << 4), keyOf(spans, id, depth));
  }
  if (longest <= depth) return insert(spans, from, to, depth); // they differ only in trailing zero bytes
  sortKeys(from, to);
  while (from < to) {
    const key = load<u64>(keys + (usize(from) << 4));
    let end = from + 1;
    while (end < to && load<u64>(keys + (usize(end) << 4)) == key) end++;
    if (end - from > 1) sortRun(spans, from, end, depth + 8);
    from = end;
  }
}

/** Sorts by key; a byte that is the same in all keys is skipped. */
function sortKeys(from: u32, to: u32): void {
  if (tallies == 0) tallies = take(8 << 10);
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

function insert(spans: usize, from: u32, to: u32, depth: u32): void {
  for (let k = from + 1; k < to; k++) {
    const own = load<u64>(keys + (usize(k) << 4), 8);
    let place = k;
    for (; place > from && isBefore(spans, u32(own), wordAt(place - 1), depth); place--) {
      store<u64>(keys + (usize(place) << 4), load<u64>(keys + (usize(place - 1) << 4), 8), 8);
    }
    store<u64>(keys + (usize(place) << 4), own, 8);
  }
}

/** Whether one string comes before another, from `depth` on. */
function isBefore(spans: usize, a: u32, b: u32, depth: u32): bool {
  const length = lengthOf(spans, a);
  const otherLength = lengthOf(spans, b);
  for (const end = max(length, otherLength); depth < end; depth += 8) {
    const key = keyOf(spans, a, depth);
    const other = keyOf(spans, b, depth);
    if (key != other) return key < other;
  }
  return length < otherLength;
}
