import { Lexicon } from './lexicon';
import { enlarge } from './memory';
import { found, foundCount } from './scan';

/**
 * Words by class: how many documents a class has, in how many documents each word occurs, and how often in those of each class.
 * Class by class, because common
 * words have low numbers: what is counted most lies close together. Counts are u32; the host takes them away before they can
 * overflow.
 */

let classes: u32 = 0;
let room: u32 = 0; // words for which there is room
let table: usize = 0; // class c, word id: table[c * room + id]
let documentsOf: usize = 0; // by word: its documents, and the last one it was seen in
let sizes: usize = 0; // by class: its documents
let seen: u32 = 0;

/** Makes room for that many classes and words. */
function widen(wantedClasses: u32, words: u32): void {
  if (wantedClasses <= classes && words <= room) return;
  const before = room;
  const old = table;
  const oldClasses = classes;
  if (words > room) {
    room = max(words, max(room * 2, u32(4096)));
    documentsOf = enlarge(documentsOf, usize(before) << 3, usize(room) << 3);
  }
  if (wantedClasses > classes) {
    classes = max(wantedClasses, classes * 2);
    sizes = enlarge(sizes, usize(oldClasses) << 2, usize(classes) << 2);
  }
  table = enlarge(0, 0, (usize(room) * classes) << 2);
  for (let c: usize = 0; c < oldClasses; c++) {
    memory.copy(table + ((c * room) << 2), old + ((c * before) << 2), usize(before) << 2);
  }
}

/** The counts of all words in a class. */
export function tallyOf(lexicon: Lexicon, label: u32): usize {
  widen(label + 1, lexicon.count);
  return table + ((usize(label) * room) << 2);
}

/** How many documents a class has. */
export function tallySize(label: u32): u32 {
  return label < classes ? load<u32>(sizes + (usize(label) << 2)) : 0;
}

/** By word the number of its documents, and a mark that means nothing outside. */
export function tallyDocuments(lexicon: Lexicon): usize {
  widen(1, lexicon.count);
  return documentsOf;
}

/** Counts the words of the document that was read last, for a class; a word once a document where only presence counts. The
 * first `stops` words and unknown ones are left out. */
export function tally(lexicon: Lexicon, label: u32, stops: i32, presence: bool): void {
  widen(label + 1, lexicon.count);
  seen++;
  const size = sizes + (usize(label) << 2);
  store<u32>(size, load<u32>(size) + 1);
  const own = table + ((usize(label) * room) << 2);
  const numbers = found();
  const end = numbers + (usize(foundCount()) << 2);
  for (let at = numbers; at < end; at += 4) {
    const id = load<i32>(at);
    if (id < stops) continue;
    const place = documentsOf + (usize(id) << 3);
    const both = load<u64>(place);
    const first = u32(both >> 32) != seen;
    if (first) store<u64>(place, u64(u32(both) + 1) | (u64(seen) << 32));
    else if (presence) continue;
    const cell = own + (usize(id) << 2);
    store<u32>(cell, load<u32>(cell) + 1);
  }
}

/** Sets every count to zero. */
export function clearTally(): void {
  memory.fill(table, 0, (usize(room) * classes) << 2);
  memory.fill(documentsOf, 0, usize(room) << 3);
  memory.fill(sizes, 0, usize(classes) << 2);
  seen = 0;
}
