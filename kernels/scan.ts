import { foreign, letters } from './letters';
import { intern, Lexicon } from './lexicon';
import { take } from './memory';

/**
 * From the bytes of a document to the numbers of its words: two or more ASCII letters, digits or underscores in a row. First a bit
 * for every letter, then the runs of bits, and then one look-up after the other, so that none waits for the text and the processor can
 * begin the next ones early.
 */

let folded: usize = 0;
let bits: usize = 0; // of letters, a u64 for sixty-four bytes
let numbers: usize = 0; // by word: where it ends, and then its number
let places: usize = 0; // by word: where it begins
let room: usize = 0;
let count: u32 = 0;

/** Begins a document of at most this many bytes. */
export function begin(length: usize): void {
  count = 0;
  if (length <= room) return;
  reserve(max(length, max(room * 2, usize(1 << 16))));
}

function reserve(bytes: usize): void {
  room = bytes;
  folded = take(room + 64);
  bits = take((room >> 3) + 64);
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
    const oldNumbers = numbers;
    const oldPlaces = places;
    reserve(room * 2);
    memory.copy(numbers, oldNumbers, usize(count) << 2);
    memory.copy(places, oldPlaces, usize(count) << 2);
  }
  put(count++, id, place);
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function put(at: u32, id: i32, place: u32): void {
  store<u32>(places + (usize(at) << 2), place);
  store<i32>(numbers + (usize(at) << 2), id);
}

/** Notes the letters of a block of the document. */
// @ts-ignore
@inline
export function putLetters(block: usize, own: u64): void {
  store<u64>(bits + (block >> 3), own);
}

/** The words are the runs of two or more letters in [from … to); the first block begins at `from`, and one that is open ends at `to`. */
export function walk(from: usize, to: usize): void {
  let open: u64 = 0;
  let start: u32 = 0;
  let many = count;
  for (let block = from; block < to; block += 64) {
    const own = load<u64>(bits + ((block - from) >> 3));
    let edges = own ^ ((own << 1) | open);
    while (edges) {
      const place = u32(block) + u32(ctz(edges));
      edges &= edges - 1;
      if (!open) start = place;
      else {
        put(many, place, start);
        many += u32(place - start > 1);
      }
      open ^= 1;
    }
  }
  if (open && u32(to) - start > 1) put(many++, u32(to), start);
  count = many;
}

/** Puts the numbers of the words from the `from`-th on in the place of their ends. */
export function resolve(lexicon: Lexicon, from: u32, add: bool): void {
  const end = usize(count) << 2;
  for (let k = usize(from) << 2; k < end; k += 4) {
    const start = usize(load<u32>(places + k));
    store<i32>(numbers + k, intern(lexicon, folded + start, usize(load<u32>(numbers + k)) - start, add));
  }
}

/** Where the folded bytes of the document stand. */
// @ts-ignore
@inline
export function foldedAt(): usize {
  return folded;
}

/** Reads at[from … length) and answers `length`, or where the first byte stands that is not ASCII; no word has begun before it. */
export function scan(lexicon: Lexicon, at: usize, from: usize, length: usize, add: bool): usize {
  const first = count;
  let end = length;
  for (let block = from; block < end; block += 64) {
    let own = letters(at + block, folded + block);
    let others = foreign(at + block);
    if (block + 64 > length) {
      const valid = (u64(1) << u64(length - block)) - 1;
      own &= valid;
      others &= valid;
    }
    if (others) end = block + usize(ctz(others));
    putLetters(block - from, others ? own & ((others & -others) - 1) : own);
  }
  walk(from, end);
  if (end < length && count > first && load<u32>(numbers + (usize(count - 1) << 2)) == u32(end)) count--; // it goes on
  resolve(lexicon, first, add);
  return end;
}
