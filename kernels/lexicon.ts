import { give, resize, take, takeZeros } from './memory';

/**
 * An interning hash table of byte strings; ids are given in order of arrival. A slot has sixteen bytes: a key (the string itself up to
 * eight bytes, otherwise its hash), the id, and the length plus one. A known short string costs one access; only a long one is compared
 * with its stored bytes.
 */
@unmanaged
export class Lexicon {
  slots: usize;
  records: usize; // by id: offset of its bytes in the pool and their number, u32 each
  pool: usize; // strings, each padded with zeros to a multiple of eight
  mask: u32;
  room: u32;
  poolRoom: u32;
  poolUsed: u32;
  count: u32;
}

const GOLDEN: u64 = 0x9e3779b97f4a7c15;
const SHORT: usize = 8;
const MARK: usize = 12; // offset in a slot of the length plus one; 0 if the slot is empty

export function createLexicon(): Lexicon {
  const lexicon = changetype<Lexicon>(takeZeros(offsetof<Lexicon>()));
  lexicon.mask = 255;
  lexicon.slots = takeZeros(256 << 4);
  lexicon.room = 128;
  lexicon.records = take(128 << 3);
  lexicon.poolRoom = 1 << 12;
  lexicon.pool = take(1 << 12);
  return lexicon;
}

/** Gives the memory of a lexicon back. */
export function dropLexicon(lexicon: Lexicon): void {
  give(lexicon.slots, usize(lexicon.mask + 1) << 4);
  give(lexicon.records, usize(lexicon.room) << 3);
  give(lexicon.pool, lexicon.poolRoom);
  give(changetype<usize>(lexicon), offsetof<Lexicon>());
}

/** The strings one after another, each padded to a multiple of eight bytes. */
export function poolStart(lexicon: Lexicon): usize {
  return lexicon.pool;
}

/** By id: the offset of its string in the pool and its length, u32 each. */
export function recordsStart(lexicon: Lexicon): usize {
  return lexicon.records;
}

export function poolUsed(lexicon: Lexicon): u32 {
  return lexicon.poolUsed;
}

export function size(lexicon: Lexicon): u32 {
  return lexicon.count;
}

export function wordStart(lexicon: Lexicon, id: u32): usize {
  return lexicon.pool + load<u32>(lexicon.records + (usize(id) << 3));
}

export function wordLength(lexicon: Lexicon, id: u32): u32 {
  return load<u32>(lexicon.records + (usize(id) << 3), 4);
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function slotOf(key: u64, mask: u32): u32 {
  return u32((key * GOLDEN) >> 32) & mask;
}

/** The first `count` bytes at a place, at least one and at most eight. */
// @ts-ignore
@inline
function bytesAt(at: usize, count: usize): u64 {
  return load<u64>(at) & (u64(-1) >> (64 - (u64(count) << 3)));
}

/** The id of the string at[0 … length); eight bytes behind it must be readable. An unknown one is added, or −1. */
// @ts-ignore
@inline
export function intern(lexicon: Lexicon, at: usize, length: usize, add: bool): i32 {
  if (length - 1 >= SHORT) return internLong(lexicon, at, length, add); // the empty string too
  const key = bytesAt(at, length);
  const mark = u32(length) + 1;
  let slot = slotOf(key, lexicon.mask);
  while (true) {
    const place = lexicon.slots + (usize(slot) << 4);
    if (load<u64>(place) == key && load<u32>(place, MARK) == mark) return load<i32>(place, 8);
    if (load<u32>(place, MARK) == 0) return add ? append(lexicon, at, length, key, place) : -1;
    slot = (slot + 1) & lexicon.mask;
  }
  return -1;
}

function internLong(lexicon: Lexicon, at: usize, length: usize, add: bool): i32 {
  let key = u64(length);
  let head: usize = 0;
  for (; head + 8 < length; head += 8) {
    key = (key ^ load<u64>(at + head)) * GOLDEN;
    key ^= key >> 29;
  }
  const last = length == 0 ? 0 : bytesAt(at + head, length - head);
  key = (key ^ last) * GOLDEN;
  key ^= key >> 32;
  const mark = u32(length) + 1;
  let slot = slotOf(key, lexicon.mask);
  while (true) {
    const place = lexicon.slots + (usize(slot) << 4);
    if (load<u64>(place) == key && load<u32>(place, MARK) == mark) {
      const id = load<i32>(place, 8);
      if (same(wordStart(lexicon, id), at, head, last)) return id;
    }
    if (load<u32>(place, MARK) == 0) return add ? append(lexicon, at, length, key, place) : -1;
    slot = (slot + 1) & lexicon.mask;
  }
  return -1;
}

// @ts-ignore
@inline
function same(own: usize, at: usize, head: usize, last: u64): bool {
  if (load<u64>(own + head) != last) return false;
  for (let k: usize = 0; k < head; k += 8) if (load<u64>(own + k) != load<u64>(at + k)) return false;
  return true;
}

function append(lexicon: Lexicon, at: usize, length: usize, key: u64, place: usize): i32 {
  const id = lexicon.count++;
  const used = lexicon.poolUsed;
  const padded = max((u32(length) + 7) & ~7, 8);
  if (used + padded > lexicon.poolRoom) {
    const room = max(lexicon.poolRoom * 2, used + padded);
    lexicon.pool = resize(lexicon.pool, lexicon.poolRoom, room);
    lexicon.poolRoom = room;
  }
  const own = lexicon.pool + used;
  store<u64>(own + padded - 8, 0);
  memory.copy(own, at, length);
  if (id == lexicon.room) {
    lexicon.records = resize(lexicon.records, usize(id) << 3, usize(id) << 4);
    lexicon.room <<= 1;
  }
  store<u64>(lexicon.records + (usize(id) << 3), u64(used) | (u64(length) << 32));
  lexicon.poolUsed = used + padded;
  store<u64>(place, key);
  store<u64>(place, u64(id) | ((u64(length) + 1) << 32), 8);
  if (lexicon.count > (lexicon.mask >> 2) * 3) spread(lexicon);
  return id;
}

/** Doubles the slots, so that at most three in four are taken: a small table stays in the cache. */
function spread(lexicon: Lexicon): void {
  const old = lexicon.slots;
  const end = old + (usize(lexicon.mask + 1) << 4);
  const mask = lexicon.mask * 2 + 1;
  const slots = takeZeros(usize(mask + 1) << 4);
  for (let at = old; at < end; at += 16) {
    if (load<u32>(at, MARK) == 0) continue;
    let slot = slotOf(load<u64>(at), mask);
    while (load<u32>(slots + (usize(slot) << 4), MARK) != 0) slot = (slot + 1) & mask;
    v128.store(slots + (usize(slot) << 4), v128.load(at));
  }
  give(old, usize(lexicon.mask + 1) << 4);
  lexicon.mask = mask;
  lexicon.slots = slots;
}
