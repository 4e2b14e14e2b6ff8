import { intern, Lexicon } from './lexicon';
import { take } from './memory';

/**
 * From the bytes of a document to the numbers of its words: two or more ASCII letters, digits or underscores in a row. Sixty-four
 * bytes at a time are folded and told apart; the runs are walked by counting zeros.
 */

let folded: usize = 0;
let numbers: usize = 0;
let places: usize = 0;
let room: usize = 0;
let count: u32 = 0;
let caseBit: i8 = 0x20;

export function lowercase(yes: bool): void {
  caseBit = yes ? 0x20 : 0;
}

/** Begins a document of at most this many bytes. */
export function begin(length: usize): void {
  count = 0;
  if (length <= room) return;
  room = max(length, max(room * 2, usize(1 << 16)));
  folded = take(room + 64);
  numbers = take(room * 2 + 64);
  places = take(room * 2 + 64);
}

/** Where the numbers of the words so far stand. */
export function found(): usize {
  return numbers;
}

export function foundCount(): u32 {
  return count;
}

/** Forgets the words that begin at `from` or later. */
export function rewind(from: u32): void {
  while (count > 0 && load<u32>(places + (usize(count - 1) << 2)) >= from) count--;
}

/** Puts a number behind the others, as of a word that begins at `place`. More than one for two bytes are allowed. */
export function push(id: i32, place: u32): void {
  if (usize(count + 1) * 2 > room) {
    const wider = room * 2;
    const oldNumbers = numbers;
    const oldPlaces = places;
    folded = take(wider + 64);
    numbers = take(wider * 2 + 64);
    places = take(wider * 2 + 64);
    memory.copy(numbers, oldNumbers, usize(count) << 2);
    memory.copy(places, oldPlaces, usize(count) << 2);
    room = wider;
  }
  put(count++, id, place);
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function put(at: u32, id: i32, place: u32): void {
  store<u32>(places + (usize(at) << 2), place);
  store<i32>(numbers + (usize(at) << 2), id);
}

// @ts-ignore
@inline
function within(v: v128, first: i8, many: i8): v128 {
  return i8x16.lt_u(i8x16.sub(v, i8x16.splat(first)), i8x16.splat(many));
}

// @ts-ignore
@inline
function isWord(v: v128): v128 {
  const letters = within(v128.or(v, i8x16.splat(0x20)), 0x61, 26);
  return v128.or(v128.or(letters, within(v, 0x30, 10)), i8x16.eq(v, i8x16.splat(0x5f)));
}

// @ts-ignore
@inline
function fold(v: v128): v128 {
  return v128.or(v, v128.and(within(v, 0x41, 26), i8x16.splat(caseBit)));
}

// @ts-ignore
@inline
function join(a: i32, b: i32, c: i32, d: i32): u64 {
  return u64(u32(a)) | (u64(u32(b)) << 16) | (u64(u32(c)) << 32) | (u64(u32(d)) << 48);
}

/** Reads at[from … length) and answers `length`, or where the first byte stands that is not ASCII; no word has begun before it. */
export function scan(lexicon: Lexicon, at: usize, from: usize, length: usize, add: bool): usize {
  let inside: u64 = 0;
  let start: usize = 0;
  let many = count;
  for (let block = from; block < length; block += 64) {
    const p = at + block;
    const a = v128.load(p);
    const b = v128.load(p, 16);
    const c = v128.load(p, 32);
    const d = v128.load(p, 48);
    const q = folded + block;
    v128.store(q, fold(a));
    v128.store(q, fold(b), 16);
    v128.store(q, fold(c), 32);
    v128.store(q, fold(d), 48);
    let words = join(i8x16.bitmask(isWord(a)), i8x16.bitmask(isWord(b)), i8x16.bitmask(isWord(c)), i8x16.bitmask(isWord(d)));
    let foreign = join(i8x16.bitmask(a), i8x16.bitmask(b), i8x16.bitmask(c), i8x16.bitmask(d));
    if (block + 64 > length) {
      const valid = (u64(1) << u64(length - block)) - 1;
      words &= valid;
      foreign &= valid;
    }
    let edges = words ^ ((words << 1) | inside);
    if (foreign) edges &= (foreign & -foreign) - 1;
    while (edges) {
      const place = block + usize(ctz(edges));
      edges &= edges - 1;
      if (!inside) start = place;
      else if (place - start > 1) put(many++, intern(lexicon, folded + start, place - start, add), u32(start));
      inside ^= 1;
    }
    if (foreign) {
      count = many;
      return block + usize(ctz(foreign));
    }
  }
  if (inside && length - start > 1) put(many++, intern(lexicon, folded + start, length - start, add), u32(start));
  count = many;
  return length;
}
