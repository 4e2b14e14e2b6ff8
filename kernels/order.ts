import { intern, Lexicon, wordLength, wordStart } from './lexicon';
import { take } from './memory';

/** Words by code point, which is the order of their bytes in UTF-8: quicksort by eight bytes at a time. Bentley & Sedgewick 1997. */

let order: usize = 0;
let words: Lexicon = changetype<Lexicon>(0);

/** The numbers of all words, sorted. */
export function sortWords(lexicon: Lexicon): usize {
  words = lexicon;
  order = take(usize(lexicon.count) << 2);
  for (let id: u32 = 0; id < lexicon.count; id++) put(id, id);
  sort(0, i32(lexicon.count), 0);
  return order;
}

/** The words with these numbers one after another, and where each ends; the ends come first, as u32. */
export function writeWords(lexicon: Lexicon, ids: usize, count: u32): usize {
  let size: usize = 0;
  for (let k: u32 = 0; k < count; k++) size += wordLength(lexicon, load<u32>(ids + (usize(k) << 2)));
  const ends = take((usize(count) << 2) + size);
  const bytes = ends + (usize(count) << 2);
  let at = bytes;
  for (let k: u32 = 0; k < count; k++) {
    const id = load<u32>(ids + (usize(k) << 2));
    const start = wordStart(lexicon, id);
    const length = usize(wordLength(lexicon, id));
    for (let done: usize = 0; done < length; done += 8) store<u64>(at + done, load<u64>(start + done));
    at += length;
    store<u32>(ends + (usize(k) << 2), u32(at - bytes));
  }
  return ends;
}

/** The numbers of words that lie one after another, in the place of their ends. */
export function internAll(lexicon: Lexicon, bytes: usize, ends: usize, count: u32): void {
  let start: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const place = ends + (usize(k) << 2);
    const end = load<u32>(place);
    store<u32>(place, intern(lexicon, bytes + start, end - start, true));
    start = end;
  }
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function get(k: i32): u32 {
  return load<u32>(order + (usize(k) << 2));
}

// @ts-ignore
@inline
function put(k: i32, id: u32): void {
  store<u32>(order + (usize(k) << 2), id);
}

/** The eight bytes of a word from `depth` on, as a number of the same order; zero behind its end. */
// @ts-ignore
@inline
function key(id: u32, depth: u32): u64 {
  return depth >= wordLength(words, id) ? 0 : bswap(load<u64>(wordStart(words, id) + depth));
}

function sort(from: i32, to: i32, depth: u32): void {
  while (to - from > 1) {
    if (to - from < 12) return insert(from, to, depth);
    const pivot = middle(key(get(from), depth), key(get((from + to) >> 1), depth), key(get(to - 1), depth));
    let less = from;
    let more = to;
    for (let k = from; k < more; ) {
      const id = get(k);
      const own = key(id, depth);
      if (own < pivot) {
        put(k++, get(less));
        put(less++, id);
      } else if (own > pivot) {
        put(k, get(--more));
        put(more, id);
      } else {
        k++;
      }
    }
    sort(from, less, depth);
    if (pivot != 0) sort(less, more, depth + 8);
    from = more;
  }
}

function middle(a: u64, b: u64, c: u64): u64 {
  return max(min(a, b), min(max(a, b), c));
}

function insert(from: i32, to: i32, depth: u32): void {
  for (let k = from + 1; k < to; k++) {
    const id = get(k);
    let place = k;
    for (; place > from && before(id, get(place - 1), depth); place--) put(place, get(place - 1));
    put(place, id);
  }
}

function before(a: u32, b: u32, depth: u32): bool {
  while (true) {
    const own = key(a, depth);
    const other = key(b, depth);
    if (own != other) return own < other;
    if (own == 0) return false;
    depth += 8;
  }
  return false;
}
