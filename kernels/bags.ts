import { bagCounts, bagIds, bagUnknown, makeBag } from './bag';
import { makeOrderedBag, Order } from './bag-order';
import { FOLDED, fold, isAscii } from './fold';
import { resize } from './memory';
import { documentSize, findTerms } from './terms';

/** The bags of many documents, consecutively. */

let ids: usize = 0;
let counts: usize = 0; // u32 each
let room: u32 = 0;
let size: u32 = 0;
let unknown: u32 = 0;
let total: u32 = 0;
let status: i32 = 0;

export function bagsIds(): usize {
  return ids;
}

export function bagsCounts(): usize {
  return counts;
}

/** The number of occurrences without an id. */
export function bagsUnknown(): u32 {
  return unknown;
}

/** The number of occurrences with an id. */
export function bagsTotal(): u32 {
  return total;
}

/** The result of `fold` for the document at which `readBags` stopped; FOLDED if the host must read it. */
export function bagsStatus(): i32 {
  return status;
}

/** Removes all bags. */
export function clearBags(): void {
  size = 0;
  unknown = 0;
  total = 0;
}

/** Adds the bag of the last document, in an order unless that is null, and returns the end of its entries. */
export function keepBag(order: Order): u32 {
  const more = changetype<usize>(order) == 0 ? makeBag() : makeOrderedBag(order);
  if (size + more > room) {
    const wanted = max(size + more, max(room * 2, u32(4096)));
    ids = resize(ids, usize(room) << 2, usize(wanted) << 2);
    counts = resize(counts, usize(room) << 2, usize(wanted) << 2);
    room = wanted;
  }
  memory.copy(ids + (usize(size) << 2), bagIds(), usize(more) << 2);
  memory.copy(counts + (usize(size) << 2), bagCounts(), usize(more) << 2);
  size += more;
  unknown += bagUnknown();
  total += documentSize() - bagUnknown();
  return size;
}

/**
 * Reads documents first … count − 1; document k ends at byte ends[k] after `at`, and ends[k] in `rows` is replaced by
 * the end of its entries. Stops at a document that the host must handle, and returns its number: one that cannot be
 * folded, and with `foreign` one beyond ASCII.
 */
export function readBags(
  at: usize,
  ends: usize,
  rows: usize,
  first: u32,
  count: u32,
  add: bool,
  foreign: bool,
  order: Order,
): u32 {
  for (let k = first; k < count; k++) {
    const start = k == 0 ? 0 : usize(load<u32>(ends + (usize(k - 1) << 2)));
    const end = usize(load<u32>(ends + (usize(k) << 2)));
    status = fold(at + start, end - start, false);
    if (status != FOLDED || (foreign && !isAscii())) return k;
    findTerms(add);
    store<u32>(rows + (usize(k) << 2), keepBag(order));
  }
  return count;
}
