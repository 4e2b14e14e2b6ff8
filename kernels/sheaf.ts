import { enlarge, take } from './memory';
import { found, foundCount } from './scan';

/**
 * One document as a row of counts, its columns in ascending order, without sorting: every column has a count and a bit, and every
 * sixty-four columns have a bit above them; whoever walks along the bits meets the columns in order and leaves everything zero.
 */

let counts: usize = 0; // by column, u32
let bits: usize = 0; // by column
let above: usize = 0; // by sixty-four columns
let known: u32 = 0; // columns there is room for
let cells: usize = 0; // count and column of each cell, u32 both
let room: u32 = 0;

function reserve(features: u32, most: u32): void {
  if (features > known) {
    known = (features + 4095) & ~4095;
    counts = enlarge(0, 0, usize(known) << 2);
    bits = enlarge(0, 0, usize(known) >> 3);
    above = enlarge(0, 0, usize(known) >> 9);
  }
  if (most > room) {
    room = max(most, max(room * 2, u32(1 << 10)));
    cells = take(usize(room) << 3);
  }
}

/**
 * Makes a row of the document that was read last; words without a number are left out. The columns of the words are given by their
 * numbers, as u32, and are below `features`. Answers how many cells there are.
 */
export function makeSheaf(columns: usize, features: u32): u32 {
  reserve(features, foundCount());
  const end = found() + (usize(foundCount()) << 2);
  for (let at = found(); at < end; at += 4) {
    const id = load<i32>(at);
    if (id < 0) continue;
    const column = load<u32>(columns + (usize(id) << 2));
    lay(column, 1);
  }
  return bind(features);
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function lay(column: u32, times: u32): void {
  const place = counts + (usize(column) << 2);
  store<u32>(place, load<u32>(place) + times);
  const word = bits + (usize(column >> 6) << 3);
  store<u64>(word, load<u64>(word) | (u64(1) << u64(column & 63)));
  const top = above + (usize(column >> 12) << 3);
  store<u64>(top, load<u64>(top) | (u64(1) << u64((column >> 6) & 63)));
}

/**
 * Makes rows of cells in no order, of which several may have one column: columns as u32 and times as u8, row k before ends[k]. A column
 * moves to where it is told, or is left out where that is −1. The columns of the rows are put to `indices`, as u32, their counts to `data`,
 * as f64, and where each row ends in the place of its own end. Answers how many cells there are.
 */
export function makeSheaves(
  columns: usize,
  times: usize,
  ends: usize,
  rows: u32,
  moves: usize,
  features: u32,
  indices: usize,
  data: usize,
): u32 {
  let size: usize = 0;
  let from: u32 = 0;
  for (let row: usize = 0; row < usize(rows); row++) {
    const end = load<u32>(ends + (row << 2));
    reserve(features, end - from);
    for (; from < end; from++) {
      const column = load<i32>(moves + (usize(load<u32>(columns + (usize(from) << 2))) << 2));
      if (column >= 0) lay(column, load<u8>(times + usize(from)));
    }
    const own = usize(bind(features));
    for (let k: usize = 0; k < own; k++, size++) {
      store<u32>(indices + (size << 2), load<u32>(cells + (k << 3), 4));
      store<f64>(data + (size << 3), f64(load<u32>(cells + (k << 3))));
    }
    store<u32>(ends + (row << 2), u32(size));
  }
  return u32(size);
}

/** Where the cells of the row stand: count and column of each, u32 both. */
export function sheafCells(): usize {
  return cells;
}

function bind(features: u32): u32 {
  let to = cells;
  for (let block: u32 = 0; block << 12 < features; block++) {
    let words = load<u64>(above + (usize(block) << 3));
    if (words == 0) continue;
    store<u64>(above + (usize(block) << 3), 0);
    while (words) {
      const word = (block << 6) | u32(ctz(words));
      words &= words - 1;
      let own = load<u64>(bits + (usize(word) << 3));
      store<u64>(bits + (usize(word) << 3), 0);
      while (own) {
        const column = (word << 6) | u32(ctz(own));
        own &= own - 1;
        const place = counts + (usize(column) << 2);
        store<u32>(to, load<u32>(place));
        store<u32>(to, column, 4);
        store<u32>(place, 0);
        to += 8;
      }
    }
  }
  return u32((to - cells) >> 3);
}
