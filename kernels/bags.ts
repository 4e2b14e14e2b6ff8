import { Lexicon } from './lexicon';
import { enlarge, take } from './memory';
import { found, foundCount } from './scan';

/**
 * Documents as rows: the columns of their words in ascending order, each with its count. A cell is a u64, the column in its upper
 * half, so that cells sort as they are.
 */

let latest: usize = 0; // by word: its latest cell, which is looked at before it is believed
let known: u32 = 0;
let cells: usize = 0;
let room: u32 = 0;
let size: u32 = 0;

/**
 * Adds the document that was read last as a row; words without a number are left out. The columns of the words are given by their
 * numbers, as u32. Answers how many cells there are now.
 */
export function addBag(lexicon: Lexicon, columns: usize): u32 {
  if (lexicon.count > known) {
    latest = enlarge(latest, usize(known) << 2, usize(lexicon.count) << 2);
    known = lexicon.count;
  }
  reserve(foundCount());
  const start = size;
  const numbers = found();
  const end = numbers + (usize(foundCount()) << 2);
  for (let at = numbers; at < end; at += 4) {
    const id = load<i32>(at);
    if (id < 0) continue;
    const place = latest + (usize(id) << 2);
    const cell = load<u32>(place);
    const column = load<u32>(columns + (usize(id) << 2));
    if (cell >= start && cell < size && u32(get(cell) >> 32) == column) {
      put(cell, get(cell) + 1);
    } else {
      store<u32>(place, size);
      put(size++, (u64(column) << 32) | 1);
    }
  }
  sort(start, size);
  return size;
}

export function bagCells(): usize {
  return cells;
}

export function clearBags(): void {
  size = 0;
}

function reserve(more: u32): void {
  if (size + more <= room) return;
  room = max(size + more, max(room * 2, u32(1 << 14)));
  const wider = take(usize(room) << 3);
  memory.copy(wider, cells, usize(size) << 3);
  cells = wider;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function get(k: u32): u64 {
  return load<u64>(cells + (usize(k) << 3));
}

// @ts-ignore
@inline
function put(k: u32, cell: u64): void {
  store<u64>(cells + (usize(k) << 3), cell);
}

/** Quicksort of cells, all different; short runs by insertion. */
function sort(from: u32, to: u32): void {
  while (to - from > 24) {
    const a = get(from);
    const b = get((from + to) >> 1);
    const c = get(to - 1);
    const pivot = max(min(a, b), min(max(a, b), c));
    let low = from;
    let high = to - 1;
    while (true) {
      while (get(low) < pivot) low++;
      while (get(high) > pivot) high--;
      if (low >= high) break;
      const cell = get(low);
      put(low++, get(high));
      put(high--, cell);
    }
    sort(from, low);
    from = low;
  }
  for (let k = from + 1; k < to; k++) {
    const cell = get(k);
    let place = k;
    for (; place > from && get(place - 1) > cell; place--) put(place, get(place - 1));
    put(place, cell);
  }
}
