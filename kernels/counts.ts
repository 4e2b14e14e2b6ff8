import { FOLDED, fold, isAscii } from './fold';
import { give, resize, roomFor, take, takeZeros } from './memory';
import { documentSize, documentTerms, findTerms, termsKnown } from './terms';

/**
 * Integer counts by term: one byte each, and multiples of 256 as carries. Carries are in pages of 64 terms, which are
 * allocated once a count exceeds 255: few terms are frequent.
 */
@unmanaged
export class Column {
  low: usize;
  room: u32;
  pages: usize; // by 64 terms: their carries, u32 each, or 0
  pageRoom: u32;
}

const PAGE: usize = 64 << 2;

export function createColumn(): Column {
  return changetype<Column>(takeZeros(offsetof<Column>()));
}

export function dropColumn(column: Column): void {
  give(column.low, column.room);
  for (let k: u32 = 0; k < column.pageRoom; k++) give(pageAt(column, k), PAGE);
  give(column.pages, usize(column.pageRoom) << 2);
  give(changetype<usize>(column), offsetof<Column>());
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function pageAt(column: Column, k: u32): usize {
  return k < column.pageRoom ? usize(load<u32>(column.pages + (usize(k) << 2))) : 0;
}

/** Reserves capacity for the ids below `size`. */
export function reserveColumn(column: Column, size: u32): void {
  if (size <= column.room) return;
  const room = roomFor(size, column.room);
  column.low = column.room == 0 ? takeZeros(room) : resize(column.low, column.room, room);
  column.room = room;
}

/** Adds multiples of 256 to a count. */
export function carry(column: Column, id: u32, more: u32): void {
  const k = id >> 6;
  if (k >= column.pageRoom) {
    const before = column.pageRoom;
    const room = roomFor(k + 1, before);
    column.pages = before == 0 ? takeZeros(usize(room) << 2) : resize(column.pages, usize(before) << 2, usize(room) << 2);
    column.pageRoom = room;
  }
  let page = pageAt(column, k);
  if (page == 0) {
    page = takeZeros(PAGE);
    store<u32>(column.pages + (usize(k) << 2), u32(page));
  }
  const place = page + (usize(id & 63) << 2);
  store<u32>(place, load<u32>(place) + more);
}

/** The multiples of 256 in a count. */
export function carryOf(column: Column, id: u32): u32 {
  const page = pageAt(column, id >> 6);
  return page == 0 ? 0 : load<u32>(page + (usize(id & 63) << 2));
}

/** The number of counts above 255. With an output address, lists their terms and carries, u32 each. */
export function listCarries(column: Column, out: usize): u32 {
  let many: u32 = 0;
  for (let k: u32 = 0; k < column.pageRoom; k++) {
    const page = pageAt(column, k);
    if (page == 0) continue;
    for (let j: u32 = 0; j < 64; j++) {
      const carries = load<u32>(page + (usize(j) << 2));
      if (carries == 0) continue;
      if (out != 0) store<u64>(out + (usize(many) << 3), u64((k << 6) | j) | (u64(carries) << 32));
      many++;
    }
  }
  return many;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function addTo(column: Column, id: u32, weight: u32): void {
  const place = column.low + usize(id);
  const sum = u32(load<u8>(place)) + weight;
  store<u8>(place, u8(sum));
  if (sum > 255) carry(column, id, sum >> 8);
}

// @ts-ignore
@inline
function isZero(column: Column, id: u32): bool {
  return load<u8>(column.low + usize(id)) == 0 && carryOf(column, id) == 0;
}

/**
 * Adds the counts of another column, whose term k is term ids[k] here: `lows` bytes at `low`, and at `carries` the
 * terms and carries of `highs` counts. Capacity must suffice. Returns the number of counts that were zero before.
 */
export function mergeColumn(column: Column, low: usize, lows: u32, carries: usize, highs: u32, ids: usize): u32 {
  let fresh: u32 = 0;
  for (let at = carries, end = carries + (usize(highs) << 3); at < end; at += 8) {
    const id = load<u32>(ids + (usize(load<u32>(at)) << 2));
    fresh += u32(isZero(column, id));
    carry(column, id, load<u32>(at, 4));
  }
  for (let k: u32 = 0; k < lows; k++) {
    const more = u32(load<u8>(low + usize(k)));
    if (more == 0) continue;
    const id = load<u32>(ids + (usize(k) << 2));
    fresh += u32(isZero(column, id));
    addTo(column, id, more);
  }
  return fresh;
}

// @ts-ignore
@inline
function countOf(column: Column, id: u32): u64 {
  return id < column.room ? u64(load<u8>(column.low + usize(id))) + (u64(carryOf(column, id)) << 8) : 0;
}

/** Writes the counts of the terms at `ids` to `out`, in `width` bytes each: 1, 2, 4, or 8 for float64. */
export function gatherColumn(column: Column, ids: usize, size: u32, out: usize, width: u32): void {
  for (let k: u32 = 0; k < size; k++) {
    const count = countOf(column, load<u32>(ids + (usize(k) << 2)));
    if (width == 1) store<u8>(out + usize(k), u8(count));
    else if (width == 2) store<u16>(out + (usize(k) << 1), u16(count));
    else if (width == 4) store<u32>(out + (usize(k) << 2), u32(count));
    else store<f64>(out + (usize(k) << 3), f64(count));
  }
}

let fresh: u32 = 0;
let unknown: u32 = 0;
let length: u32 = 0;
let status: i32 = 0;

/** The number of terms without a count before the last call of `countDocuments` or `countDocument`. */
export function freshTerms(): u32 {
  return fresh;
}

/** The number of occurrences without an id. */
export function unknownTerms(): u32 {
  return unknown;
}

/** The number of occurrences added to the class by the last document that the host counted. */
export function countedLength(): u32 {
  return length;
}

/** The result of `fold` for the document at which `countDocuments` stopped; FOLDED if the host must read it. */
export function countStatus(): i32 {
  return status;
}

/** Resets the numbers of earlier documents. */
export function beginCounting(): void {
  fresh = 0;
  unknown = 0;
}

let stamps: usize = 0; // by term: the last document that contains it, u16 each
let stamped: u32 = 0; // the number of terms with a stamp
let document: u32 = 0;
let distinct: usize = 0; // the distinct terms of a document, u32 each
let distinctRoom: u32 = 0;

/**
 * Reserves capacity for the stamps of all terms and for the terms of the document, and returns the number of the next
 * document.
 */
function nextDocument(terms: u32): u16 {
  if (terms > stamped) {
    const more = roomFor(terms, stamped);
    stamps = stamped == 0 ? takeZeros(usize(more) << 1) : resize(stamps, usize(stamped) << 1, usize(more) << 1);
    stamped = more;
  }
  if (documentSize() > distinctRoom) {
    give(distinct, usize(distinctRoom) << 2);
    distinctRoom = max(documentSize(), max(distinctRoom * 2, u32(1024)));
    distinct = take(usize(distinctRoom) << 2);
  }
  if (++document >> 16 != 0) {
    memory.fill(stamps, 0, usize(stamped) << 1);
    document = 1;
  }
  return u16(document);
}

/**
 * Lists the distinct terms of the document, in order of first occurrence, and adds the weight of each occurrence to a
 * column. Occurrences after the first add `again`. Returns the number of distinct terms.
 */
function countOccurrences(own: Column, weight: u32, again: u32): u32 {
  const number = nextDocument(termsKnown());
  let to = distinct;
  let missing: u32 = 0;
  const from = documentTerms();
  for (let at = from, end = from + (usize(documentSize()) << 2); at < end; at += 4) {
    const id = load<i32>(at);
    if (id < 0) {
      missing++;
      continue;
    }
    const stamp = stamps + (usize(id) << 1);
    const isFirst = load<u16>(stamp) != number; // unpredictable, so there is no branch
    store<u16>(stamp, number);
    store<u32>(to, id);
    to += usize(isFirst) << 2;
    addTo(own, id, isFirst ? weight : again);
  }
  unknown += missing;
  length = documentSize() - missing;
  return u32((to - distinct) >> 2);
}

/**
 * Counts the document: `df` counts each of its terms once, `own` every occurrence, or once with `presence`. `tf` counts
 * every occurrence; it is null if it would be the sum of all classes.
 */
export function countDocument(df: Column, tf: Column, own: Column, weight: u32, presence: bool): void {
  const known = termsKnown();
  reserveColumn(df, known);
  reserveColumn(own, known);
  if (changetype<usize>(tf) != 0) {
    reserveColumn(tf, known);
    const from = documentTerms();
    for (let at = from, end = from + (usize(documentSize()) << 2); at < end; at += 4) {
      const id = load<i32>(at);
      if (id >= 0) addTo(tf, id, weight);
    }
  }
  const many = countOccurrences(own, weight, presence ? 0 : weight);
  if (presence) length = many;
  for (let at = distinct, end = distinct + (usize(many) << 2); at < end; at += 4) {
    const id = load<u32>(at);
    fresh += u32(isZero(df, id));
    addTo(df, id, weight);
  }
}

/**
 * Counts documents first … count − 1; document k ends at byte ends[k] after `at`, has the weight weights[k] and is
 * counted in the column owns[k]; lengths[k] becomes the number of occurrences added to its class. Stops at a document
 * that the host must handle, and returns its number: one that cannot be folded, and with `foreign` one beyond ASCII.
 */
export function countDocuments(
  at: usize,
  ends: usize,
  weights: usize,
  owns: usize,
  lengths: usize,
  first: u32,
  count: u32,
  df: Column,
  tf: Column,
  presence: bool,
  add: bool,
  foreign: bool,
): u32 {
  for (let k = first; k < count; k++) {
    const place = usize(k) << 2;
    const start = k == 0 ? 0 : usize(load<u32>(ends + place - 4));
    status = fold(at + start, usize(load<u32>(ends + place)) - start, false);
    if (status != FOLDED || (foreign && !isAscii())) return k;
    findTerms(add);
    const own = changetype<Column>(usize(load<u32>(owns + place)));
    countDocument(df, tf, own, load<u32>(weights + place), presence);
    store<u32>(lengths + place, length);
  }
  return count;
}
