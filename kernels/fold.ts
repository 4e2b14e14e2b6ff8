import { foldBlock, foreign, spaces } from './letters';
import { give, take, takeZeros } from './memory';

/**
 * Lower-cases a document and marks its word characters or its white space. ASCII is processed sixty-four bytes at a
 * time; other characters are looked up in pages of 256 code points that the host fills on demand, because it has the
 * Unicode tables.
 */

/** The host resolves every status and then folds the document again from its beginning. */
export const FOLDED: i32 = 0;
const PAGE_MISSING: i32 = 1;
/** A character whose lower case depends on its neighbours or has several characters. */
const SPECIAL: i32 = 2;
const NOT_UTF8: i32 = 3;

// An entry of a page: the lower-case code point, and these bits.
const IS_WORD: u32 = 1 << 24;
const IS_SPACE: u32 = 1 << 25;
const IS_SPECIAL: u32 = 1 << 26;

const PAGES: usize = 0x1100;

let pages: usize = 0; // by page: its entries, u32 each; 0 if the host has not filled it
let folded: usize = 0;
let bits: usize = 0; // one bit per folded byte
let room: usize = 0;
let size: usize = 0;
let ascii: bool = true;
let marked: u32 = IS_WORD; // which characters are marked
let lowercase: bool = true;
let stuck: usize = 0; // the missing page, or the byte that is not UTF-8

export function foldedText(): usize {
  return folded;
}

export function foldedSize(): usize {
  return size;
}

/** Whether all folded bytes are ASCII. */
export function isAscii(): bool {
  return ascii;
}

export function stuckAt(): usize {
  return stuck;
}

/** A bit for every folded byte of a marked character. */
export function markBits(): usize {
  return bits;
}

/** Whether documents are lower-cased; the entries of pages must agree. */
export function setLowercase(yes: bool): void {
  lowercase = yes;
}

/** Marks white space instead of word characters. */
export function markSpaces(): void {
  marked = IS_SPACE;
}

/** The entries of a page, to be filled by the host. */
export function newPage(page: u32): usize {
  if (pages == 0) pages = takeZeros(PAGES << 2);
  const at = take(256 << 2);
  store<u32>(pages + (usize(page) << 2), u32(at));
  return at;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function putBits(at: usize, own: u64): void {
  const place = bits + ((at >> 6) << 3);
  const shift = u64(at & 63);
  if (shift == 0) {
    store<u64>(place, own);
    return;
  }
  store<u64>(place, load<u64>(place) | (own << shift));
  store<u64>(place, own >> (64 - shift), 8);
}

/** Folds the document at[0 … length), or only marks it with `keepCase`; 64 bytes after it must be readable. */
export function fold(at: usize, length: usize, keepCase: bool): i32 {
  const caseBit = i8x16.splat(lowercase && !keepCase ? 0x20 : 0);
  if (length * 2 > room) {
    give(folded, room);
    give(bits, room >> 3);
    room = max(length * 2, max(room * 2, usize(1 << 14)));
    folded = take(room);
    bits = take(room >> 3);
  }
  let from: usize = 0;
  let to: usize = 0;
  ascii = true;
  store<u64>(bits, 0);
  while (from < length) {
    let own = foldBlock(at + from, folded + to, caseBit);
    if (marked == IS_SPACE) own = spaces(at + from);
    let others = foreign(at + from);
    let count = length - from;
    if (count < 64) {
      const valid = (u64(1) << u64(count)) - 1;
      own &= valid;
      others &= valid;
    } else count = 64;
    if (others) {
      count = usize(ctz(others));
      own &= (u64(1) << u64(count)) - 1;
    }
    putBits(to, own);
    from += count;
    to += count;
    if (!others) continue;
    ascii = false;
    while (from < length && load<u8>(at + from) >= 0x80) {
      const first = u32(load<u8>(at + from));
      const many: usize = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      const point = decode(at + from, first, many);
      if (first < 0xc2 || first > 0xf4 || from + many > length || point == 0xffffffff) {
        stuck = from;
        return NOT_UTF8;
      }
      const page = pages == 0 ? 0 : usize(load<u32>(pages + (usize(point >> 8) << 2)));
      if (page == 0) {
        stuck = point >> 8;
        return PAGE_MISSING;
      }
      const entry = load<u32>(page + (usize(point & 255) << 2));
      if (!keepCase && entry & IS_SPECIAL) return SPECIAL;
      const size = encode(folded + to, keepCase ? point : entry & 0x1fffff);
      putBits(to, entry & marked ? (u64(1) << u64(size)) - 1 : 0);
      to += size;
      from += many;
    }
  }
  size = to;
  return FOLDED;
}

/** The code point of a sequence; all ones if it is malformed, overlong, a surrogate, or beyond Unicode. */
function decode(at: usize, first: u32, many: usize): u32 {
  let point = many == 2 ? first & 0x1f : many == 3 ? first & 0x0f : first & 0x07;
  for (let k: usize = 1; k < many; k++) {
    const byte = u32(load<u8>(at + k));
    if ((byte & 0xc0) != 0x80) return 0xffffffff;
    point = (point << 6) | (byte & 0x3f);
  }
  if (many == 3 && (point < 0x800 || point >= 0xd800 && point < 0xe000)) return 0xffffffff;
  if (many == 4 && (point < 0x10000 || point > 0x10ffff)) return 0xffffffff;
  return point;
}

// @ts-ignore
@inline
function encode(at: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(at, u8(point));
    return 1;
  }
  if (point < 0x800) {
    store<u8>(at, u8(0xc0 | (point >> 6)));
    store<u8>(at, u8(0x80 | (point & 0x3f)), 1);
    return 2;
  }
  if (point < 0x10000) {
    store<u8>(at, u8(0xe0 | (point >> 12)));
    store<u8>(at, u8(0x80 | ((point >> 6) & 0x3f)), 1);
    store<u8>(at, u8(0x80 | (point & 0x3f)), 2);
    return 3;
  }
  store<u8>(at, u8(0xf0 | (point >> 18)));
  store<u8>(at, u8(0x80 | ((point >> 12) & 0x3f)), 1);
  store<u8>(at, u8(0x80 | ((point >> 6) & 0x3f)), 2);
  store<u8>(at, u8(0x80 | (point & 0x3f)), 3);
  return 4;
}
