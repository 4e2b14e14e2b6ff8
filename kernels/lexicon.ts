import { equal, give, resize, roomFor, take, takeZeros } from './memory';

/**
 * An interning hash table of byte strings; ids are assigned in order of arrival. A slot has only an id. The key of an
 * id has sixteen bytes: a string of at most fifteen bytes followed by its length, or the hash of a longer one and its
 * position in the pool. Keys are in order of arrival, and frequent words arrive early, so the compared keys stay in the
 * cache.
 */
@unmanaged
export class Lexicon {
  slots: usize; // ids plus one, u32 each; 0 for an empty slot
  keys: usize; // by id
  pool: usize; // strings of more than fifteen bytes: their lengths, u64, and bytes, padded to a multiple of eight
  mask: u32;
  room: u32;
  poolRoom: u32;
  poolUsed: u32;
  count: u32;
}

const GOLDEN: u64 = 0x9e3779b97f4a7c15;
const OTHER: u64 = 0xc2b2ae3d27d4eb4f;
const SHORT: usize = 15;
const LONG: u64 = u64(0xff) << 56; // the last byte of the key of a long string

/** By length up to fifteen: sixteen bytes that select that many. They are below the allocated memory. */
const SELECTIONS: usize = 512;

export function createLexicon(): Lexicon {
  for (let length: usize = 0; length <= SHORT; length++) {
    memory.fill(SELECTIONS + (length << 4), 0xff, length);
  }
  const lexicon = changetype<Lexicon>(takeZeros(offsetof<Lexicon>()));
  lexicon.mask = 255;
  lexicon.slots = takeZeros(256 << 2);
  lexicon.room = 128;
  lexicon.keys = take(128 << 4);
  return lexicon;
}

/** Frees the memory of a lexicon. */
export function dropLexicon(lexicon: Lexicon): void {
  give(lexicon.slots, usize(lexicon.mask + 1) << 2);
  give(lexicon.keys, usize(lexicon.room) << 4);
  give(lexicon.pool, lexicon.poolRoom);
  give(changetype<usize>(lexicon), offsetof<Lexicon>());
}

export function size(lexicon: Lexicon): u32 {
  return lexicon.count;
}

/** The bytes of a string; at least eight are readable from its last multiple of eight on. */
export function wordStart(lexicon: Lexicon, id: u32): usize {
  const key = lexicon.keys + (usize(id) << 4);
  return load<u64>(key, 8) >= LONG ? lexicon.pool + load<u32>(key, 8) + 8 : key;
}

export function wordLength(lexicon: Lexicon, id: u32): u32 {
  const key = lexicon.keys + (usize(id) << 4);
  return load<u64>(key, 8) >= LONG ? load<u32>(lexicon.pool + load<u32>(key, 8)) : u32(load<u8>(key, 15));
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function slotOf(low: u64, high: u64, mask: u32): u32 {
  return u32(((low ^ (high * OTHER)) * GOLDEN) >> 32) & mask;
}

/**
 * The id of the string at[0 … length); sixteen bytes from `at` on must be readable. An unknown string is added, or
 * gives −1.
 */
// @ts-ignore
@inline
export function intern(lexicon: Lexicon, at: usize, length: usize, add: bool): i32 {
  if (length > SHORT) return internLong(lexicon, at, length, add);
  const key = v128.and(v128.load(at), v128.load(SELECTIONS + (length << 4)));
  const low = u64(i64x2.extract_lane(key, 0));
  const high = u64(i64x2.extract_lane(key, 1)) | (u64(length) << 56);
  let slot = slotOf(low, high, lexicon.mask);
  while (true) {
    const place = lexicon.slots + (usize(slot) << 2);
    const next = load<u32>(place);
    if (next == 0) return add ? append(lexicon, low, high, place) : -1;
    const known = lexicon.keys + (usize(next) << 4);
    if (((load<u64>(known - 16) ^ low) | (load<u64>(known - 8) ^ high)) == 0) return i32(next) - 1;
    slot = (slot + 1) & lexicon.mask;
  }
  return -1;
}

function internLong(lexicon: Lexicon, at: usize, length: usize, add: bool): i32 {
  let low = u64(length);
  let head: usize = 0;
  for (; head + 8 < length; head += 8) {
    low = (low ^ load<u64>(at + head)) * GOLDEN;
    low ^= low >> 29;
  }
  low = (low ^ (load<u64>(at + head) & (u64(-1) >> (64 - (u64(length - head) << 3))))) * GOLDEN;
  low ^= low >> 32;
  let slot = slotOf(low, LONG, lexicon.mask);
  while (true) {
    const place = lexicon.slots + (usize(slot) << 2);
    const next = load<u32>(place);
    if (next == 0) return add ? append(lexicon, low, LONG | u64(addToPool(lexicon, at, length)), place) : -1;
    const id = next - 1;
    const known = lexicon.keys + (usize(id) << 4);
    if (load<u64>(known) == low && load<u64>(known, 8) >= LONG && usize(wordLength(lexicon, id)) == length) {
      if (equal(wordStart(lexicon, id), at, length)) return i32(id);
    }
    slot = (slot + 1) & lexicon.mask;
  }
  return -1;
}

/** Writes a string to the pool and returns its position. */
function addToPool(lexicon: Lexicon, at: usize, length: usize): u32 {
  const used = lexicon.poolUsed;
  const wanted = used + 8 + ((u32(length) + 7) & ~7);
  if (wanted > lexicon.poolRoom) {
    const room = roomFor(wanted, lexicon.poolRoom);
    lexicon.pool = lexicon.poolRoom == 0 ? take(room) : resize(lexicon.pool, lexicon.poolRoom, room);
    lexicon.poolRoom = room;
  }
  store<u64>(lexicon.pool + used, u64(length));
  memory.copy(lexicon.pool + used + 8, at, length);
  lexicon.poolUsed = wanted;
  return used;
}

function append(lexicon: Lexicon, low: u64, high: u64, place: usize): i32 {
  const id = lexicon.count++;
  if (id == lexicon.room) {
    const room = roomFor(id + 1, id);
    lexicon.keys = resize(lexicon.keys, usize(id) << 4, usize(room) << 4);
    lexicon.room = room;
  }
  const key = lexicon.keys + (usize(id) << 4);
  store<u64>(key, low);
  store<u64>(key, high, 8);
  store<u32>(place, id + 1);
  if (lexicon.count > (lexicon.mask >> 2) * 3) spread(lexicon);
  return id;
}

/** Doubles the slots, so that at most three in four are used: a small table stays in the cache. */
function spread(lexicon: Lexicon): void {
  give(lexicon.slots, usize(lexicon.mask + 1) << 2);
  const mask = lexicon.mask * 2 + 1;
  const slots = takeZeros(usize(mask + 1) << 2);
  for (let id: u32 = 0; id < lexicon.count; id++) {
    const key = lexicon.keys + (usize(id) << 4);
    let slot = slotOf(load<u64>(key), min(load<u64>(key, 8), LONG), mask);
    while (load<u32>(slots + (usize(slot) << 2)) != 0) slot = (slot + 1) & mask;
    store<u32>(slots + (usize(slot) << 2), id + 1);
  }
  lexicon.mask = mask;
  lexicon.slots = slots;
}

/** The size in bytes of the strings from id `first` on. */
export function wordBytes(lexicon: Lexicon, first: u32): u32 {
  let sum: u32 = 0;
  for (let id = first; id < lexicon.count; id++) sum += wordLength(lexicon, id);
  return sum;
}

/** Writes the strings from id `first` on to `out`, consecutively, and the end of each, u32 each. */
export function writeWords(lexicon: Lexicon, first: u32, out: usize, ends: usize): void {
  let to = out;
  for (let id = first; id < lexicon.count; id++, ends += 4) {
    const length = wordLength(lexicon, id);
    memory.copy(to, wordStart(lexicon, id), length);
    to += length;
    store<u32>(ends, u32(to - out));
  }
}
