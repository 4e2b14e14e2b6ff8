import { give, resize, take } from './memory';
import { documentSize, documentTerms, termsKnown } from './terms';

/** A document as its distinct terms, with the number of occurrences of each. */

let latest: usize = 0; // by term: its entry in the bag; valid only if that entry has this term
let known: u32 = 0;
let ids: usize = 0;
let counts: usize = 0; // u32 each
let sortedIds: usize = 0; // space for a bag in another order
let sortedCounts: usize = 0;
let room: u32 = 0;
let size: u32 = 0;
let unknown: u32 = 0;

export function bagIds(): usize {
  return ids;
}

export function bagCounts(): usize {
  return counts;
}

export function bagSize(): u32 {
  return size;
}

/** By id of a term in the bag: its entry, while the bag is in order of first occurrence. */
export function bagEntries(): usize {
  return latest;
}

/** The number of occurrences without an id. */
export function bagUnknown(): u32 {
  return unknown;
}

/** Reserves capacity for the entries of the document, and empties the bag. */
function clearBag(): void {
  const length = documentSize();
  if (length > room) {
    give(ids, usize(room) << 2);
    give(counts, usize(room) << 2);
    give(sortedIds, usize(room) << 2);
    give(sortedCounts, usize(room) << 2);
    room = max(length, max(room * 2, u32(1024)));
    ids = take(usize(room) << 2);
    counts = take(usize(room) << 2);
    sortedIds = take(usize(room) << 2);
    sortedCounts = take(usize(room) << 2);
  }
  size = 0;
  unknown = 0;
}

/** Creates the bag of the document and returns its size. */
export function makeBag(): u32 {
  const terms = termsKnown();
  if (terms > known) {
    const more = max(terms, max(known * 2, u32(1024)));
    latest = resize(latest, usize(known) << 2, usize(more) << 2);
    known = more;
  }
  clearBag();
  const from = documentTerms();
  for (let at = from, end = from + (usize(documentSize()) << 2); at < end; at += 4) {
    const id = load<i32>(at);
    if (id < 0) {
      unknown++;
      continue;
    }
    const place = latest + (usize(id) << 2);
    const entry = load<u32>(place);
    if (entry < size && load<i32>(ids + (usize(entry) << 2)) == id) {
      const counted = counts + (usize(entry) << 2);
      store<u32>(counted, load<u32>(counted) + 1);
      continue;
    }
    store<u32>(place, size);
    store<i32>(ids + (usize(size) << 2), id);
    store<u32>(counts + (usize(size) << 2), 1);
    size++;
  }
  return size;
}

/**
 * Begins a bag whose ids the caller writes, at most as many as the document has, plus one beyond its end; returns their
 * address.
 */
export function openBag(): usize {
  clearBag();
  return ids;
}

/** Ends a bag of `entries` entries: their counts are moved from `from`, by id, and set to zero there. */
export function closeBag(entries: u32, from: usize, without: u32): void {
  size = entries;
  unknown = without;
  let to = counts;
  for (let at = ids, end = ids + (usize(entries) << 2); at < end; at += 4, to += 4) {
    const place = from + (usize(load<u32>(at)) << 2);
    store<u32>(to, load<u32>(place));
    store<u32>(place, 0);
  }
}

/** Replaces the ids of all entries. */
export function renameEntries(names: usize): void {
  for (let at = ids, end = ids + (usize(size) << 2); at < end; at += 4) {
    store<u32>(at, load<u32>(names + (usize(load<u32>(at)) << 2)));
  }
}

/** Moves entry `from` to index `to` of the bag in another order; `swapBag` then makes that the order of the bag. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
export function moveEntry(from: u32, to: u32): void {
  store<u32>(sortedIds + (usize(to) << 2), load<u32>(ids + (usize(from) << 2)));
  store<u32>(sortedCounts + (usize(to) << 2), load<u32>(counts + (usize(from) << 2)));
}

export function swapBag(): void {
  let before = ids;
  ids = sortedIds;
  sortedIds = before;
  before = counts;
  counts = sortedCounts;
  sortedCounts = before;
}
