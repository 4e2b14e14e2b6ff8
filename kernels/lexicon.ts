import { enlarge, take } from './memory';

/**
 * Byte strings, each kept once and numbered in order of arrival. The pool holds records: number, length, and the bytes padded with
 * zeros to eight, so that they are compared eight at a time. A slot is a hash and the place of a record in the pool, in units of
 * eight bytes, both u32: a word that is known costs a look at its slot and one at its record.
 */
@unmanaged
export class Lexicon {
  slots: usize;
  records: usize; // by number: the place of its record, in bytes
  pool: usize;
  mask: u32;
  room: u32;
  poolRoom: u32;
  poolUsed: u32;
  count: u32;
}

const GOLDEN: u64 = 0x9e3779b97f4a7c15;
const HEADER: usize = 8;

export function createLexicon(): Lexicon {
  const lexicon = changetype<Lexicon>(enlarge(0, 0, offsetof<Lexicon>()));
  lexicon.mask = 255;
  lexicon.slots = enlarge(0, 0, 256 << 3);
  lexicon.room = 128;
  lexicon.records = take(128 << 2);
  lexicon.poolRoom = 1 << 12;
  lexicon.pool = take(1 << 12);
  lexicon.poolUsed = 8; // no record at 0, which marks an empty slot
  return lexicon;
}

export function size(lexicon: Lexicon): u32 {
  return lexicon.count;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function recordOf(lexicon: Lexicon, id: u32): usize {
  return lexicon.pool + load<u32>(lexicon.records + (usize(id) << 2));
}

export function wordStart(lexicon: Lexicon, id: u32): usize {
  return recordOf(lexicon, id) + HEADER;
}

export function wordLength(lexicon: Lexicon, id: u32): u32 {
  return load<u32>(recordOf(lexicon, id), 4);
}

/** The number of the word at[0 … length); eight bytes behind it can be read. Unknown words get one, or −1. */
export function intern(lexicon: Lexicon, at: usize, length: usize, add: bool): i32 {
  let hash = u64(length);
  let head: usize = 0;
  for (; head + 8 < length; head += 8) {
    hash = (hash ^ load<u64>(at + head)) * GOLDEN;
    hash ^= hash >> 29;
  }
  const rest = u64(length - head) << 3;
  const last = rest == 0 ? 0 : load<u64>(at + head) & (u64(-1) >> (64 - rest));
  hash = (hash ^ last) * GOLDEN;
  const code = u32(hash ^ (hash >> 32));
  let slot = code & lexicon.mask;
  while (true) {
    const place = lexicon.slots + (usize(slot) << 3);
    const found = load<u64>(place);
    if (found == 0) return add ? append(lexicon, at, length, code, place) : -1;
    if (u32(found) == code) {
      const record = lexicon.pool + (usize(found >> 32) << 3);
      if (same(record, at, length, head, last)) return load<i32>(record);
    }
    slot = (slot + 1) & lexicon.mask;
  }
  return -1;
}

// @ts-ignore
@inline
function same(record: usize, at: usize, length: usize, head: usize, last: u64): bool {
  if (load<u32>(record, 4) != u32(length)) return false;
  const own = record + HEADER;
  if (load<u64>(own + head) != last) return false;
  for (let k: usize = 0; k < head; k += 8) if (load<u64>(own + k) != load<u64>(at + k)) return false;
  return true;
}

function append(lexicon: Lexicon, at: usize, length: usize, code: u32, place: usize): i32 {
  const id = lexicon.count++;
  const used = lexicon.poolUsed;
  const padded = u32(HEADER) + max((u32(length) + 7) & ~7, 8);
  if (used + padded > lexicon.poolRoom) {
    lexicon.poolRoom = max(lexicon.poolRoom * 2, used + padded);
    lexicon.pool = enlarge(lexicon.pool, used, lexicon.poolRoom);
  }
  const record = lexicon.pool + used;
  store<u32>(record, id);
  store<u32>(record, u32(length), 4);
  store<u64>(record + padded - 8, 0);
  memory.copy(record + HEADER, at, length);
  if (id == lexicon.room) {
    lexicon.records = enlarge(lexicon.records, usize(id) << 2, usize(id) << 3);
    lexicon.room <<= 1;
  }
  store<u32>(lexicon.records + (usize(id) << 2), used);
  lexicon.poolUsed = used + padded;
  store<u32>(place, code);
  store<u32>(place, used >> 3, 4);
  if (lexicon.count > (lexicon.mask >> 2) * 3) spread(lexicon);
  return id;
}

/** Twice the slots, so that at most three in four are taken: a small table stays in the cache. */
function spread(lexicon: Lexicon): void {
  const old = lexicon.slots;
  const before = lexicon.mask + 1;
  const mask = before * 2 - 1;
  const slots = enlarge(0, 0, usize(before) << 4);
  for (let i: u32 = 0; i < before; i++) {
    const pair = load<u64>(old + (usize(i) << 3));
    if (pair == 0) continue;
    let slot = u32(pair) & mask;
    while (load<u64>(slots + (usize(slot) << 3)) != 0) slot = (slot + 1) & mask;
    store<u64>(slots + (usize(slot) << 3), pair);
  }
  lexicon.mask = mask;
  lexicon.slots = slots;
}
