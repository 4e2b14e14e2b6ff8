import { bagsCounts, bagsIds } from './bags';
import { give, take } from './memory';

/**
 * Scores bags by rows of weights: one row per term, one weight per class. places[id] is the row number of a term: 0 if
 * the host has not provided it yet. Row 1 belongs to terms without weights.
 */

const UNASKED: u32 = 0;
const NO_WEIGHTS: u32 = 1;

let unasked: usize = 0; // terms without a row, u32 each
let count: u32 = 0;
let room: u32 = 0;

/** The terms that `findUnasked` found, and their number. */
export function unaskedTerms(): usize {
  return unasked;
}

export function unaskedCount(): u32 {
  return count;
}

/** The first entry of bag k; bag k ends before entry ends[k]. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function startOf(ends: usize, k: u32): u32 {
  return k == 0 ? 0 : load<u32>(ends + (usize(k - 1) << 2));
}

/**
 * Finds the terms of bags from … to − 1 that have no row, and gives them row 1. Stops before a bag that would exceed
 * `most` terms, and returns its number.
 */
export function findUnasked(places: usize, ends: usize, from: u32, to: u32, most: u32): u32 {
  const ids = bagsIds();
  const entries = startOf(ends, to) - startOf(ends, from);
  if (entries > room) {
    give(unasked, usize(room) << 2);
    room = max(entries, max(room * 2, u32(1024)));
    unasked = take(usize(room) << 2);
  }
  count = 0;
  for (let k = from; k < to; k++) {
    const before = count;
    const end = ids + (usize(startOf(ends, k + 1)) << 2);
    for (let at = ids + (usize(startOf(ends, k)) << 2); at < end; at += 4) {
      const id = load<u32>(at);
      const place = places + (usize(id) << 2);
      if (load<u32>(place) != UNASKED) continue;
      store<u32>(place, NO_WEIGHTS);
      store<u32>(unasked + (usize(count++) << 2), id);
    }
    if (count <= most) continue;
    for (; count > before; count--) {
      store<u32>(places + (usize(load<u32>(unasked + (usize(count - 1) << 2))) << 2), UNASKED);
    }
    return k;
  }
  return to;
}

/**
 * The scores of bags from … to − 1, consecutively: out[c] = start[c] + Σ n · rows[places[id] · width + c] over the
 * terms of a bag, in its order; n is 1 with `presence`. The bags are consumed. `width` is the number of classes rounded
 * up, to an even number below eight and otherwise to a multiple of eight, so that the weights of eight classes are one
 * cache line; the sums of sixteen stay in registers.
 */
export function scoreBags(
  places: usize,
  rows: usize,
  width: u32,
  presence: bool,
  start: usize,
  ends: usize,
  from: u32,
  to: u32,
  out: usize,
): void {
  const size = usize(width) << 3;
  for (let k = from; k < to; k++, out += size) {
    const first = bagsIds() + (usize(startOf(ends, k)) << 2);
    const end = bagsIds() + (usize(startOf(ends, k + 1)) << 2);
    const counts = bagsCounts() - bagsIds(); // from an id to its count
    for (let at = first; at < end; at += 4) {
      store<u32>(at, u32(rows + usize(load<u32>(places + (usize(load<u32>(at)) << 2))) * size));
      if (presence) store<u32>(at + counts, 1);
    }
    if (width < 8) {
      for (let c: usize = 0; c < size; c += 16) scoreTwo(first, end, counts, c, start + c, out + c);
    } else {
      let c: usize = 0;
      for (; c + 128 <= size; c += 128) scoreSixteen(first, end, counts, c, start + c, out + c);
      if (c < size) scoreEight(first, end, counts, c, start + c, out + c);
    }
  }
}

// @ts-ignore
@inline
function scoreTwo(first: usize, end: usize, counts: usize, c: usize, start: usize, out: usize): void {
  let sum = v128.load(start);
  for (let at = first; at < end; at += 4) {
    const n = f64x2.splat(f64(load<u32>(at + counts)));
    sum = f64x2.add(sum, f64x2.mul(n, v128.load(usize(load<u32>(at)) + c)));
  }
  v128.store(out, sum);
}

// @ts-ignore
@inline
function scoreSixteen(first: usize, end: usize, counts: usize, c: usize, start: usize, out: usize): void {
  let s0 = v128.load(start);
  let s1 = v128.load(start, 16);
  let s2 = v128.load(start, 32);
  let s3 = v128.load(start, 48);
  let s4 = v128.load(start, 64);
  let s5 = v128.load(start, 80);
  let s6 = v128.load(start, 96);
  let s7 = v128.load(start, 112);
  for (let at = first; at < end; at += 4) {
    const n = f64x2.splat(f64(load<u32>(at + counts)));
    const row = usize(load<u32>(at)) + c;
    s0 = f64x2.add(s0, f64x2.mul(n, v128.load(row)));
    s1 = f64x2.add(s1, f64x2.mul(n, v128.load(row, 16)));
    s2 = f64x2.add(s2, f64x2.mul(n, v128.load(row, 32)));
    s3 = f64x2.add(s3, f64x2.mul(n, v128.load(row, 48)));
    s4 = f64x2.add(s4, f64x2.mul(n, v128.load(row, 64)));
    s5 = f64x2.add(s5, f64x2.mul(n, v128.load(row, 80)));
    s6 = f64x2.add(s6, f64x2.mul(n, v128.load(row, 96)));
    s7 = f64x2.add(s7, f64x2.mul(n, v128.load(row, 112)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
  v128.store(out, s4, 64);
  v128.store(out, s5, 80);
  v128.store(out, s6, 96);
  v128.store(out, s7, 112);
}

// @ts-ignore
@inline
function scoreEight(first: usize, end: usize, counts: usize, c: usize, start: usize, out: usize): void {
  let s0 = v128.load(start);
  let s1 = v128.load(start, 16);
  let s2 = v128.load(start, 32);
  let s3 = v128.load(start, 48);
  for (let at = first; at < end; at += 4) {
    const n = f64x2.splat(f64(load<u32>(at + counts)));
    const row = usize(load<u32>(at)) + c;
    s0 = f64x2.add(s0, f64x2.mul(n, v128.load(row)));
    s1 = f64x2.add(s1, f64x2.mul(n, v128.load(row, 16)));
    s2 = f64x2.add(s2, f64x2.mul(n, v128.load(row, 32)));
    s3 = f64x2.add(s3, f64x2.mul(n, v128.load(row, 48)));
  }
  v128.store(out, s0);
  v128.store(out, s1, 16);
  v128.store(out, s2, 32);
  v128.store(out, s3, 48);
}
