import { take } from './memory';

/** Counts of several counters in one order: each is added where its word has its place. Numbers and counts are u32; −1 is no place. */

let total: f64 = 0;

/** Marks the numbers whose value is not zero; without numbers, values stand by number. */
export function markMet(numbers: usize, values: usize, count: u32, marks: usize): void {
  for (let k: usize = 0, end = usize(count) << 2; k < end; k += 4) {
    const mark = marks + (numbers == 0 ? k : usize(load<u32>(numbers + k)) << 2);
    store<u32>(mark, load<u32>(mark) | load<u32>(values + k));
  }
}

/** Leaves of the words in their order those that are marked, and answers how many they are. */
export function keepMet(order: usize, marks: usize, count: u32): u32 {
  let met: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const id = load<u32>(order + (usize(k) << 2));
    store<u32>(order + (usize(met) << 2), id);
    met += u32(load<u32>(marks + (usize(id) << 2)) > 0);
  }
  return met;
}

/** By number of a word its place in the order. */
export function placesIn(order: usize, met: u32, count: u32): usize {
  const places = take(usize(count) << 2);
  memory.fill(places, 0xff, usize(count) << 2);
  for (let k: u32 = 0; k < met; k++) store<u32>(places + (usize(load<u32>(order + (usize(k) << 2))) << 2), k);
  return places;
}

/** Puts in the place of each number what a table has for it. */
export function follow(table: usize, numbers: usize, count: u32): void {
  for (let at = numbers, end = numbers + (usize(count) << 2); at < end; at += 4) {
    store<u32>(at, load<u32>(table + (usize(load<u32>(at)) << 2)));
  }
}

/** Adds counts to sums and to the sums over all, each at its place; zeros, which most are, are passed over four at a time. Answers the
 * largest sum. */
export function pour(counts: usize, places: usize, count: u32, sums: usize, over: usize): u32 {
  let largest: u32 = 0;
  let beyond = false;
  total = 0;
  for (let four: usize = 0, end = usize(count) << 2; four < end; four += 16) {
    if (!v128.any_true(v128.load(counts + four))) continue;
    for (let k = four; k < min(four + 16, end); k += 4) {
      const more = load<u32>(counts + k);
      const place = load<i32>(places + k);
      if (more == 0 || place < 0) continue;
      const sum = sums + (usize(place) << 2);
      const all = over + (usize(place) << 2);
      store<u32>(sum, load<u32>(sum) + more);
      store<u32>(all, load<u32>(all) + more);
      largest = max(largest, load<u32>(sum));
      total += more;
      if (load<u32>(all) < more) beyond = true;
    }
  }
  if (beyond) total = -1;
  return largest;
}

/** How much was poured the last time; less than zero where a sum over all is beyond u32. */
export function poured(): f64 {
  return total;
}
