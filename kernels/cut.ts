import { matchesAt } from './cells';
import { give, take } from './memory';

/**
 * Splits a stream into blocks of whole records. A line end outside quotes ends a record. A quote opens a quoted cell
 * only as the first byte of a cell, so only quotes and line ends are visited.
 */

const QUOTE: u8 = 0x22;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

let bytes: usize = 0;
let room: usize = 0;
let size: usize = 0;
let scanned: usize = 0;
let boundary: usize = 0; // the end of the last whole record
let quoted: bool = false;
let closed: usize = 0; // the byte after the last closing quote, as a position plus one

/** The address for `more` bytes after the pending ones. */
export function reserveInput(more: u32): usize {
  const wanted = size + usize(more) + 64;
  if (wanted > room) {
    const to = take(max(wanted, room * 2));
    memory.copy(to, bytes, size);
    give(bytes, room);
    bytes = to;
    room = max(wanted, room * 2);
  }
  return bytes + size;
}

export function waiting(): u32 {
  return u32(size);
}

export function waitingAt(): usize {
  return bytes;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function isOpening(at: usize, delimiter: u8): bool {
  if (at == bytes || at - bytes == closed) return true;
  const before = load<u8>(at - 1);
  return before == delimiter || before == LF || before == CR;
}

/**
 * Takes `more` bytes as written and returns the end of the last whole record. Without a delimiter (0), quotes have no
 * meaning.
 */
export function scanInput(more: u32, delimiter: u32): u32 {
  size += usize(more);
  const end = bytes + size;
  for (let at = bytes + scanned; at < end; at += 64) {
    const within = at + 64 > end ? (u64(1) << u64(end - at)) - 1 : u64(-1);
    let ends = (matchesAt(at, LF) | matchesAt(at, CR)) & within;
    let quotes = delimiter == 0 ? 0 : matchesAt(at, QUOTE) & within;
    while (quotes != 0) {
      const bit = ctz(quotes);
      const below = (u64(1) << bit) - 1;
      const place = at + usize(bit);
      if (quoted) {
        quoted = false;
        closed = place + 1 - bytes;
      } else {
        const before = ends & below;
        if (before != 0) boundary = at + 64 - usize(clz(before)) - bytes;
        quoted = isOpening(place, u8(delimiter));
      }
      ends &= ~below;
      quotes &= quotes - 1;
    }
    if (!quoted && ends != 0) boundary = at + 64 - usize(clz(ends)) - bytes;
  }
  scanned = size;
  return u32(boundary);
}

/** Drops the first `length` bytes, which end with a record. */
export function dropInput(length: u32): void {
  size -= usize(length);
  memory.copy(bytes, bytes + length, size);
  scanned = size;
  boundary -= usize(length);
  closed = closed > usize(length) ? closed - length : 0;
}

/** The number of line ends; CR LF is one. */
export function countLines(at: usize, length: u32): u32 {
  let lines: u32 = 0;
  let after: u64 = 0; // whether the block before ended with CR
  for (const end = at + length; at < end; at += 64) {
    const within = at + 64 > end ? (u64(1) << u64(end - at)) - 1 : u64(-1);
    const feeds = matchesAt(at, LF) & within;
    const returns = matchesAt(at, CR) & within;
    lines += u32(popcnt(feeds));
    if ((returns | after) != 0) {
      lines += u32(popcnt(returns)) - u32(popcnt(feeds & ((returns << 1) | after)));
      after = returns >> 63;
    }
  }
  return lines;
}
