import { blockRows, KIND_SHIFT, MISSING, NULL, NUMBER, PLACE, rowCount, STRING, text } from './block';
import { countLines } from './cut';
import { nearest, ODD } from './decimal';
import { intern, Lexicon } from './lexicon';
import { take } from './memory';
import { trimEnd, trimStart } from './utf8';

/** Queries on cells. They are `count` spans of block.ts, `step` bytes apart. */

const MISSING_NUMBER: u64 = 0x7ff8000000000000;

let powers: usize = 0; // 10^0 … 10^22 as f64, all exact

function setPowers(): void {
  powers = take(24 << 3) + 8;
  store<f64>(powers - 8, 1); // for numbers without a point, whose position is one too far
  store<f64>(powers, 1);
  for (let k: usize = 8; k < 23 << 3; k += 8) store<f64>(powers + k, load<f64>(powers + k - 8) * 10);
}

/** Whether eight bytes, each xor 0x30, are digits. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function areDigits(word: u64): bool {
  return (((word + 0x7676767676767676) | word) & 0x8080808080808080) == 0;
}

/** Eight digits, minus 0x30 each, the first in the lowest byte, as a number. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function eightDigits(word: u64): u64 {
  const pairs = word * 10 + (word >> 8);
  return ((pairs & 0x000000ff000000ff) * 0x000f424000000064 + ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
}

/**
 * Parses the cells of several columns into f64, row by row. The cells of a row are `places` (u32 each) bytes after its
 * first, and rows are `step` bytes apart. A missing or blank cell is NaN. A plain decimal of at most 19 digits becomes
 * the nearest double, with few exceptions (see decimal.ts); any other cell is left to the host as the NaN with payload
 * 1. Returns the number of those. The largest magnitude is written after the numbers.
 */
export function parseNumbers(cells: usize, step: usize, rows: u32, places: usize, columns: u32, out: usize): u32 {
  if (powers == 0) setPowers();
  let odd: u32 = 0;
  let largest: u64 = 0; // as bits, which are in the order of the numbers
  const tens = powers;
  const origin = text();
  const last = places + (usize(columns) << 2);
  for (; rows != 0; rows--, cells += step) {
    for (let place = places; place < last; place += 4, out += 8) {
      const span = cells + usize(load<u32>(place));
      const start = load<u32>(span);
      const kind = start >> KIND_SHIFT;
      if (kind > NUMBER) {
        const missing = kind == MISSING || kind == NULL;
        store<u64>(out, missing ? MISSING_NUMBER : ODD);
        if (!missing) odd++;
        continue;
      }
      let at = origin + (start & PLACE);
      const end = origin + load<u32>(span, 4);
      const sign = load<u8>(at);
      const negative = u32(sign == 0x2d); // branchless, because signs are unpredictable
      at += usize(negative);
      if (end - at - 1 < 8) {
        // Eight characters at once: most numbers are short, and loops over their digits are unpredictable.
        let word = (load<u64>(at) ^ 0x3030303030303030) << ((8 - u64(end - at)) << 3);
        const points = word ^ 0x1e1e1e1e1e1e1e1e;
        const point = u64(ctz((points - 0x0101010101010101) & ~points & 0x8080808080808080)) & ~7; // 64 if there is none
        if (point < 64) word = ((word & ((u64(1) << point) - 1)) << 8) | (word & (u64(-256) << point));
        if (areDigits(word) && (point != 56 || end - at > 1)) {
          // signed, because converting unsigned numbers needs branches
          const value = reinterpret<u64>(f64(i32(eightDigits(word))) / load<f64>(tens + 56 - usize(point)));
          store<u64>(out, value | (u64(negative) << 63));
          largest = max(largest, value);
          continue;
        }
      }
      const bits = parseLong(origin + (start & PLACE), end);
      if (bits == ODD) odd++;
      if ((bits & MISSING_NUMBER) != MISSING_NUMBER) largest = max(largest, bits & i64.MAX_VALUE);
      store<u64>(out, bits);
    }
  }
  store<u64>(out, largest);
  return odd;
}

/** The bits of a number of any length, with white space around it. */
function parseLong(at: usize, end: usize): u64 {
  if (at < end && isOutside(load<u8>(at))) at = trimStart(at, end);
  if (at < end && isOutside(load<u8>(end - 1))) end = trimEnd(at, end);
  if (at == end) return MISSING_NUMBER;
  const negative = load<u8>(at) == 0x2d;
  if (negative || load<u8>(at) == 0x2b) at++;
  let digits: u64 = 0;
  const first = at;
  let digit: u32 = 0;
  while (at < end && (digit = u32(load<u8>(at)) - 0x30) < 10) {
    digits = digits * 10 + digit;
    at++;
  }
  let many = at - first;
  let scale: i32 = 0;
  if (at < end && load<u8>(at) == 0x2e) {
    const fraction = ++at;
    for (; at + 8 <= end; at += 8) {
      const word = load<u64>(at) ^ 0x3030303030303030;
      if (!areDigits(word)) break;
      digits = digits * 100000000 + eightDigits(word);
    }
    while (at < end && (digit = u32(load<u8>(at)) - 0x30) < 10) {
      digits = digits * 10 + digit;
      at++;
    }
    scale = -i32(at - fraction);
    many += at - fraction;
  }
  if (many > 0 && at < end && (load<u8>(at) | 0x20) == 0x65) {
    at++;
    const minus = at < end && load<u8>(at) == 0x2d;
    if (minus || (at < end && load<u8>(at) == 0x2b)) at++;
    let exponent: i32 = 0;
    const begin = at;
    while (at < end && at - begin < 4 && (digit = u32(load<u8>(at)) - 0x30) < 10) {
      exponent = exponent * 10 + i32(digit);
      at++;
    }
    if (at == begin) many = 0;
    scale += minus ? -exponent : exponent;
  }
  if (at != end || many == 0) return ODD;
  for (let k = first; many > 19; k++) {
    // leading zeros do not count
    const byte = load<u8>(k);
    if (byte == 0x30) many--;
    else if (byte != 0x2e) return ODD;
  }
  const sign = u64(negative) << 63;
  if (scale != 0 && (digits > u64(1) << 53 || scale > 22 || scale < -22)) {
    const bits = nearest(digits, scale);
    return bits == ODD ? ODD : bits | sign;
  }
  // The digits and the power of ten are exact, or there is no power: one rounding (Clinger 1990, section 3).
  let value = f64(digits);
  if (scale <= 0) value /= load<f64>(powers + (usize(-scale) << 3));
  else value *= load<f64>(powers + (usize(scale) << 3));
  return reinterpret<u64>(value) | sign;
}

/** Whether a byte may belong to white space. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function isOutside(byte: u8): bool {
  return byte <= 0x20 || byte >= 0x80;
}

/** Writes the indices of odd numbers, u32 each. */
export function findOdd(numbers: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++, numbers += 8) {
    if (load<u64>(numbers) != ODD) continue;
    store<u32>(out, i);
    out += 4;
  }
}

/** A cache of short texts: eight bytes, the length and the id, by a hash of the bytes. */
const RECENT: u32 = 256;
let recent: usize = 0;

/**
 * Writes the ids of texts of at most `longest` bytes, i32 each; −1 for a longer one, −1 − kind for a cell that is not a
 * text. Returns the number of cells without an id.
 */
export function internCells(lexicon: Lexicon, spans: usize, step: usize, count: u32, longest: u32, out: usize): u32 {
  if (recent == 0) recent = take(usize(RECENT) << 4);
  memory.fill(recent, 0xff, usize(RECENT) << 4);
  const origin = text();
  let without: u32 = 0;
  for (; count != 0; count--, spans += step, out += 4) {
    const start = load<u32>(spans);
    const kind = start >> KIND_SHIFT;
    const length = load<u32>(spans, 4) - start;
    if (kind != STRING || length > longest) {
      store<i32>(out, kind != STRING ? -1 - i32(kind) : -1);
      without++;
    } else if (length - 1 < 8) {
      const word = load<u64>(origin + start) & (u64(-1) >> ((8 - u64(length)) << 3));
      const slot = recent + (usize((word * 0x9e3779b97f4a7c15) >> 56) << 4);
      if (load<u64>(slot) != word || load<u32>(slot, 8) != length) {
        store<u64>(slot, word);
        store<u32>(slot, length, 8);
        store<i32>(slot, intern(lexicon, origin + start, length, true), 12);
      }
      store<i32>(out, load<i32>(slot, 12));
    } else store<i32>(out, intern(lexicon, origin + start, length, true));
  }
  return without;
}

/** Writes the spans of trimmed texts, u32 each; other cells unchanged. */
export function trimCells(spans: usize, step: usize, count: u32, out: usize): void {
  const origin = text();
  for (; count != 0; count--, spans += step, out += 8) {
    const start = load<u32>(spans);
    let from = origin + start;
    let to = origin + load<u32>(spans, 4);
    if (start >> KIND_SHIFT != STRING) {
      store<u64>(out, load<u64>(spans));
      continue;
    }
    if (from < to && isOutside(load<u8>(from))) from = trimStart(from, to);
    if (from < to && isOutside(load<u8>(to - 1))) to = trimEnd(from, to);
    store<u32>(out, u32(from - origin));
    store<u32>(out, u32(to - origin), 4);
  }
}

/**
 * Replaces hashes, u32 each, by the hashes of the cells, using the hashes as seeds; a missing cell is an empty text.
 * Numbers in another notation than JavaScript's are left to the host. Returns their number and lists their indices, u32
 * each.
 */
export function hashCells(spans: usize, step: usize, count: u32, hashes: usize, left: usize): u32 {
  const origin = text();
  let many: u32 = 0;
  for (let i: u32 = 0; i < count; i++, spans += step, hashes += 4) {
    const start = load<u32>(spans);
    const kind = start >> KIND_SHIFT;
    const at = origin + (start & PLACE);
    const length = kind == NULL || kind == MISSING ? 0 : load<u32>(spans, 4) - (start & PLACE);
    if (kind == NUMBER && !isCanonical(at, at + length)) store<u32>(left + (usize(many++) << 2), i);
    else store<u32>(hashes, murmur3(at, length, load<u32>(hashes)));
  }
  return many;
}

/**
 * Whether a JSON number is in JavaScript's notation, decided for numbers without exponent: at most 15 significant
 * digits, no trailing zero in a fraction, at least 10^-6, and not minus zero.
 */
function isCanonical(at: usize, end: usize): bool {
  if (load<u8>(at) == 0x2d) {
    at++;
    if (end - at == 1 && load<u8>(at) == 0x30) return false;
  }
  const first = at;
  while (at < end && load<u8>(at) - 0x30 < 10) at++;
  if (at == end) return end - first <= 15;
  if (load<u8>(at) != 0x2e || end - first > 16 || load<u8>(end - 1) == 0x30) return false;
  const fraction = ++at;
  while (at < end && load<u8>(at) - 0x30 < 10) at++;
  return at == end && (load<u8>(first) != 0x30 || (load<u64>(fraction) & 0xffffffffffff) != 0x303030303030);
}

// @ts-ignore
@inline
function scramble(block: u32): u32 {
  return rotl(block * 0xcc9e2d51, 15) * 0x1b873593;
}

/** MurmurHash3 x86 32-bit. Appleby, github.com/aappleby/smhasher, MurmurHash3.cpp. */
function murmur3(at: usize, length: u32, seed: u32): u32 {
  let hash = seed;
  for (const end = at + (length & ~3); at < end; at += 4) hash = rotl(hash ^ scramble(load<u32>(at)), 13) * 5 + 0xe6546b64;
  if ((length & 3) != 0) hash ^= scramble(load<u32>(at) & ((1 << ((length & 3) << 3)) - 1));
  hash ^= length;
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return hash ^ (hash >> 16);
}

/** Writes the lines of rows of delimited text. */
export function findLines(): void {
  const rows = blockRows();
  const origin = text();
  let place: u32 = 0;
  let line: u32 = 0;
  for (let at = rows, end = rows + (usize(rowCount()) << 4); at < end; at += 16) {
    const start = load<u32>(at);
    line += countLines(origin + place, start - place);
    store<u32>(at, line, 4);
    place = start;
  }
}
