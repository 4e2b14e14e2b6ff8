import { bagEntries, bagIds, bagSize, closeBag, makeBag, moveEntry, openBag, renameEntries, swapBag } from './bag';
import { wordLength, wordStart } from './lexicon';
import { give, take, takeZeros } from './memory';
import { ownAt, reservePlaces, setPlace, setSpan, sortRun } from './order';
import { orderTerms } from './order-terms';
import { documentSize, documentTerms, hasRuns, lexicon, runTexts, termsKnown } from './terms';

/**
 * Creates bags whose entries are in an order of terms. The ranks of the terms of a document are marked in a bitmap and
 * counted; the marks, read in order, are the entries. So nothing is compared.
 */

/** An order of terms. */
@unmanaged
export class Order {
  ranks: usize; // by term: its rank, u32; NONE if it is left out
  known: u32; // the number of terms with an entry there
  terms: usize; // by rank: its term, u32
  count: u32; // number of ranks
  isPlain: bool; // whether the rank of each term is its id
}

const NONE: u32 = -1;

// While a document is read, by rank: a bit (u64 for 64 ranks) and a count (u32); by 64 ranks: a bit if one of them is marked.
let marks: usize = 0;
let groups: usize = 0;
let counts: usize = 0;
let room: u32 = 0; // capacity in ranks, a multiple of 4096

let unknown: u32 = 0; // occurrences without an id
let late: u32 = 0; // occurrences of terms that were unknown when terms were ranked

let spans: usize = 0; // of the strings of the document, while they are sorted
let spanRoom: u32 = 0;

let byText: Order = changetype<Order>(0);
let compared: u32 = 0; // entries sorted by comparing texts since terms were last ranked

/**
 * An order of the first `count` of `ids`, u32 each, consecutively; other terms are left out. Its bags have ranks
 * instead of ids.
 */
export function createOrder(ids: usize, count: u32): Order {
  const order = changetype<Order>(takeZeros(offsetof<Order>()));
  const terms = take(usize(count) << 2);
  memory.copy(terms, ids, usize(count) << 2);
  rank(order, terms, count);
  return order;
}

export function dropOrder(order: Order): void {
  give(order.ranks, usize(order.known) << 2);
  give(order.terms, usize(order.count) << 2);
  give(changetype<usize>(order), offsetof<Order>());
}

/** The order of all terms by code point, including terms added later. */
export function textOrder(): Order {
  if (changetype<usize>(byText) == 0) byText = changetype<Order>(takeZeros(offsetof<Order>()));
  return byText;
}

/** Sets the ranks of terms, which are their positions in `terms`. */
function rank(order: Order, terms: usize, count: u32): void {
  order.terms = terms;
  order.count = count;
  order.known = termsKnown();
  order.ranks = take(usize(order.known) << 2);
  memory.fill(order.ranks, 0xff, usize(order.known) << 2);
  order.isPlain = count == order.known;
  for (let k: u32 = 0; k < count; k++) {
    const term = load<u32>(terms + (usize(k) << 2));
    store<u32>(order.ranks + (usize(term) << 2), k);
    order.isPlain = order.isPlain && term == k;
  }
}

/** Ranks all terms by their texts. */
function rankTexts(): void {
  give(byText.ranks, usize(byText.known) << 2);
  give(byText.terms, usize(byText.count) << 2);
  rank(byText, orderTerms(), termsKnown());
  compared = 0;
}

/**
 * Creates the bag of the document in an order, and returns its size. With `textOrder`, it must have been read without
 * adding terms.
 */
export function makeOrderedBag(order: Order): u32 {
  const sortsTexts = order == byText;
  // Ranking all terms takes about as long as comparing the same number of entries.
  if (sortsTexts && termsKnown() > order.known && compared >= order.known) rankTexts();
  reserveMarks(order.count);
  mark(order);
  const ids = openBag();
  closeBag(u32((listMarks(order, ids) - ids) >> 2), counts, unknown);
  if (sortsTexts && late > 0) sortTexts();
  else if (sortsTexts && !order.isPlain) renameEntries(order.terms);
  return bagSize();
}

/** Marks and counts the ranks of the document. */
function mark(order: Order): void {
  const known = order.known;
  const ranks = order.ranks;
  const isPlain = order.isPlain;
  const from = documentTerms();
  unknown = 0;
  late = 0;
  for (let at = from, end = from + (usize(documentSize()) << 2); at < end; at += 4) {
    const id = load<u32>(at);
    if (id >= known) {
      if (i32(id) < 0) unknown++;
      else late++;
      continue;
    }
    const rank = isPlain ? id : load<u32>(ranks + (usize(id) << 2));
    if (rank == NONE) continue;
    const count = counts + (usize(rank) << 2);
    store<u32>(count, load<u32>(count) + 1);
    const bits = marks + (usize(rank >> 6) << 3);
    store<u64>(bits, load<u64>(bits) | (u64(1) << u64(rank & 63)));
    const group = groups + (usize(rank >> 12) << 3);
    store<u64>(group, load<u64>(group) | (u64(1) << u64((rank >> 6) & 63)));
  }
}

/** Writes the marked ranks in order, removes the marks, and returns the end. One more rank may be written after it. */
function listMarks(order: Order, to: usize): usize {
  for (let first: u32 = 0; first < order.count; first += 1 << 12) {
    const group = groups + (usize(first >> 12) << 3);
    for (let left = load<u64>(group); left != 0; left &= left - 1) {
      const from = first + (u32(ctz(left)) << 6);
      const place = marks + (usize(from >> 6) << 3);
      let bits = load<u64>(place);
      store<u64>(place, 0);
      const end = to + (usize(popcnt(bits)) << 2);
      for (; to < end; to += 8) {
        // two at a time, because a branch after each would be unpredictable
        store<u32>(to, from + u32(ctz(bits)));
        bits &= bits - 1;
        store<u32>(to, from + u32(ctz(bits)), 4);
        bits &= bits - 1;
      }
      to = end;
    }
    store<u64>(group, 0);
  }
  return to;
}

/** Creates the bag again and sorts it by comparing texts. */
function sortTexts(): void {
  const size = makeBag();
  const ids = bagIds();
  const ofRuns = hasRuns();
  if (size > spanRoom) {
    give(spans, usize(spanRoom) << 3);
    spanRoom = max(size, max(spanRoom * 2, u32(1024)));
    spans = take(usize(spanRoom) << 3);
  }
  if (ofRuns) runTexts(bagEntries(), size, spans);
  reservePlaces(size);
  for (let k: u32 = 0; k < size; k++) {
    const id = load<u32>(ids + (usize(k) << 2));
    if (!ofRuns) setSpan(spans, k, wordStart(lexicon(), id), wordLength(lexicon(), id));
    setPlace(k, k, k);
  }
  sortRun(spans, 0, size, 0);
  for (let k: u32 = 0; k < size; k++) moveEntry(ownAt(k), k);
  swapBag();
  compared += size;
}

/** Reserves capacity for the marks of `count` ranks. */
function reserveMarks(count: u32): void {
  if (count <= room) return;
  give(marks, usize(room) >> 3);
  give(groups, usize(room) >> 9);
  give(counts, usize(room) << 2);
  room = (max(count, room * 2) + 4095) & ~4095;
  marks = takeZeros(usize(room) >> 3);
  groups = takeZeros(usize(room) >> 9);
  counts = takeZeros(usize(room) << 2);
}
