import { Lexicon } from './lexicon';
import { enlarge, giveBlock, take, takeBlock } from './memory';
import { found, foundCount } from './scan';

/**
 * Words by class: how many documents a class has, in how many documents each word occurs, and how often in those of each class.
 * Class by class, because common words have low numbers: what is counted most lies close together. Counts are u32; the host takes
 * them away before they can overflow.
 */

let classes: u32 = 0; // for which there is room
let tables: usize = 0; // by class: where its counts begin, u32
let tableSizes: usize = 0; // by class: k, where they take 2^k bytes, u32
let sizes: usize = 0; // by class: its documents
let room: u32 = 0; // words for which there is room below
let documentsOf: usize = 0; // by word: its documents, and the last one it was seen in
let seen: u32 = 0;
let again: usize = 0; // by word: occurrences that presence leaves out

let keeping: bool = false;
let placesOf: usize = 0; // by word: its latest entry among those kept
let kept: usize = 0; // numbers of words, u32
let keptTimes: usize = 0; // how often each occurs, u8; a word that occurs more often has several entries
let keptRoom: u32 = 0;
let keptEnd: u32 = 0;

const SMALLEST: u32 = 12; // a class begins with 2^12 bytes

/** Makes room for that many words. */
function widen(words: u32): void {
  if (words <= room) return;
  const before = room;
  room = max(words, max(room * 2, u32(4096)));
  documentsOf = enlarge(documentsOf, usize(before) << 3, usize(room) << 3);
  again = enlarge(again, usize(before) << 2, usize(room) << 2);
  placesOf = enlarge(placesOf, usize(before) << 2, usize(room) << 2);
}

/** The counts of a class, with room for that many words. */
function tableOf(label: u32, words: u32): usize {
  if (label >= classes) {
    const before = usize(classes) << 2;
    classes = max(label + 1, classes * 2);
    sizes = enlarge(sizes, before, usize(classes) << 2);
    tables = enlarge(tables, before, usize(classes) << 2);
    tableSizes = enlarge(tableSizes, before, usize(classes) << 2);
  }
  const entry = usize(label) << 2;
  const own = usize(load<u32>(tables + entry));
  const k = load<u32>(tableSizes + entry);
  const wanted = usize(words) << 2;
  if (own != 0 && wanted <= usize(1) << k) return own;
  let next = max(k, SMALLEST);
  while (usize(1) << next < wanted) next++;
  const wider = takeBlock(next);
  const used = own == 0 ? 0 : usize(1) << k;
  memory.copy(wider, own, used);
  memory.fill(wider + used, 0, (usize(1) << next) - used);
  if (own != 0) giveBlock(own, k);
  store<u32>(tables + entry, u32(wider));
  store<u32>(tableSizes + entry, next);
  return wider;
}

/** The counts of all words in a class. */
export function tallyOf(lexicon: Lexicon, label: u32): usize {
  return tableOf(label, lexicon.count);
}

/** How many documents a class has. */
export function tallySize(label: u32): u32 {
  return label < classes ? load<u32>(sizes + (usize(label) << 2)) : 0;
}

/** By word the number of its documents, as they are now. */
export function tallyFrequencies(lexicon: Lexicon): usize {
  widen(lexicon.count);
  const own = take(usize(lexicon.count) << 2);
  for (let id: usize = 0, end = usize(lexicon.count); id < end; id++) {
    store<u32>(own + (id << 2), load<u32>(documentsOf + (id << 3)));
  }
  return own;
}

/** By word the occurrences in a document after the first, where presence counts. */
export function tallyAgain(lexicon: Lexicon): usize {
  widen(lexicon.count);
  return again;
}

/** From now on the words of every document are kept, each with its number of occurrences. */
export function keepWords(): void {
  keeping = true;
}

export function keptWords(): usize {
  return kept;
}

export function keptCounts(): usize {
  return keptTimes;
}

export function keptSize(): u32 {
  return keptEnd;
}

export function clearKept(): void {
  keptEnd = 0;
}

function reserveKept(more: u32): void {
  if (keptEnd + more <= keptRoom) return;
  keptRoom = max(keptEnd + more, max(keptRoom * 2, u32(1 << 16)));
  const ids = take(usize(keptRoom) << 2);
  const times = take(keptRoom);
  memory.copy(ids, kept, usize(keptEnd) << 2);
  memory.copy(times, keptTimes, keptEnd);
  kept = ids;
  keptTimes = times;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function keepWord(id: u32, first: bool): void {
  const place = placesOf + (usize(id) << 2);
  const entry = keptTimes + load<u32>(place);
  if (!first && load<u8>(entry) < 255) {
    store<u8>(entry, load<u8>(entry) + 1);
    return;
  }
  store<u32>(place, keptEnd);
  store<u32>(kept + (usize(keptEnd) << 2), id);
  store<u8>(keptTimes + keptEnd, 1);
  keptEnd++;
}

/** Counts the words of the document that was read last, for a class; a word once a document where only presence counts. The
 * first `stops` words and unknown ones are left out. */
export function tally(lexicon: Lexicon, label: u32, stops: i32, presence: bool): void {
  widen(lexicon.count);
  const own = tableOf(label, lexicon.count);
  seen++;
  const size = sizes + (usize(label) << 2);
  store<u32>(size, load<u32>(size) + 1);
  const numbers = found();
  if (keeping) reserveKept(foundCount());
  const end = numbers + (usize(foundCount()) << 2);
  if (!keeping && !presence) return countAll(own, numbers, end, stops);
  for (let at = numbers; at < end; at += 4) {
    const id = load<i32>(at);
    if (id < stops) continue;
    const place = documentsOf + (usize(id) << 3);
    const both = load<u64>(place);
    const first = u32(both >> 32) != seen;
    if (keeping) keepWord(id, first);
    if (first) store<u64>(place, u64(u32(both) + 1) | (u64(seen) << 32));
    else if (presence) {
      const more = again + (usize(id) << 2);
      store<u32>(more, load<u32>(more) + 1);
      continue;
    }
    const cell = own + (usize(id) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
}

/** Counts every occurrence. Whether a document has had the word before cannot be foretold, so nothing branches on it. */
function countAll(own: usize, at: usize, end: usize, stops: i32): void {
  const mark = u64(seen) << 32;
  for (; at < end; at += 4) {
    const id = load<i32>(at);
    if (id < stops) continue;
    const place = documentsOf + (usize(id) << 3);
    const both = load<u64>(place);
    store<u64>(place, u64(u32(both) + u32(u32(both >> 32) != seen)) | mark);
    const cell = own + (usize(id) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
}
