import {
  addRow,
  blockCells,
  blockRows,
  FALSE,
  KIND_SHIFT,
  markRow,
  MISSING,
  moveDown,
  NULL,
  NUMBER,
  reserveCells,
  rowCount,
  STRING,
  text,
  textSize,
  TRUE,
} from './block';
import { createLexicon, dropLexicon, intern, Lexicon, size, wordLength, wordStart } from './lexicon';
import { lineAfter, lineEnd } from './lines';
import { resize, takeZeros } from './memory';

/**
 * Splits JSON Lines into cells with keys. Escapes in strings are removed in place. A line with anything but one flat
 * object of strings, numbers, true, false and null under plain keys is left to the host: its row is marked and has no
 * cells.
 */

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const CELL: usize = 12; // a span of block.ts, and the key

let keys: Lexicon = changetype<Lexicon>(0);
let seen: usize = 0; // by key: the number of the last line that has it, u32
let seenRoom: u32 = 0;
let line: u32 = 0; // the number of lines read so far
let used: usize = 0; // bytes of cells
let textEnd: usize = 0; // of the last string

/** Drops all keys if there are more than `most`, and returns the lexicon. */
export function openKeys(most: u32): Lexicon {
  if (changetype<usize>(keys) != 0 && size(keys) > most) {
    dropLexicon(keys);
    keys = changetype<Lexicon>(0);
  }
  if (changetype<usize>(keys) == 0) keys = createLexicon();
  return keys;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function skipBlanks(at: usize): usize {
  while (load<u8>(at) == 0x20 || load<u8>(at) == 0x09) at++;
  return at;
}

/** Splits the text into rows. Returns whether no line is longer than `longest`. */
export function splitJson(longest: u32): bool {
  const origin = text();
  const stop = origin + textSize();
  let number: u32 = 0;
  let before: usize = 0; // the cells of the previous row
  used = 0;
  for (let at = origin; at < stop; number++) {
    const start = at;
    at = skipBlanks(at);
    const byte = load<u8>(at);
    if (byte != 0x0a && byte != 0x0d) {
      const first = used;
      line++;
      addRow(u32(start - origin), number, u32(first / CELL));
      const end = readObject(at, origin, before, first);
      if (end != 0) {
        before = first;
        at = end;
      } else {
        used = first;
        markRow();
        at = lineEnd(stuck);
      }
    }
    if (at - start > usize(longest)) return false;
    at = lineAfter(at);
  }
  return true;
}

let stuck: usize = 0; // a position in the line that is left to the host; nothing after it was changed

/** Reads a line with an object; returns its end, or 0 if it is left to the host. */
function readObject(at: usize, origin: usize, guess: usize, guessEnd: usize): usize {
  stuck = at;
  if (load<u8>(at) != 0x7b) return 0;
  at = skipBlanks(at + 1);
  if (load<u8>(at) == 0x7d) return closeLine(at + 1);
  while (true) {
    stuck = at;
    if (load<u8>(at) != QUOTE) return 0;
    at++;
    let key: u32 = 0;
    let length: usize = 0;
    if (guess < guessEnd) {
      key = load<u32>(blockCells() + guess, 8);
      length = usize(wordLength(keys, key));
      guess += CELL;
    }
    if (length == 0 || load<u8>(at + length) != QUOTE || !isWord(at, key, length)) {
      length = 0;
      while (load<u8>(at + length) != QUOTE) {
        if (load<u8>(at + length) < 0x20 || load<u8>(at + length) == BACKSLASH) return 0;
        length++;
      }
      key = u32(intern(keys, at, length, true));
      if (key >= seenRoom) growSeen(key);
    }
    const place = seen + (usize(key) << 2);
    if (load<u32>(place) == line) return 0;
    store<u32>(place, line);
    at = skipBlanks(at + length + 1);
    if (load<u8>(at) != 0x3a) return 0;
    at = skipBlanks(at + 1);
    const from = at;
    const byte = load<u8>(at);
    let kind = STRING;
    if (byte == QUOTE) {
      at = readString(at + 1);
      if (at == 0) return 0;
      addCell(u32(from + 1 - origin), u32(textEnd - origin), key);
    } else {
      if (byte == 0x2d || byte - 0x30 < 10) {
        kind = NUMBER;
        at = readNumber(at);
        if (at == 0) return 0;
      } else {
        const word = load<u32>(at);
        if (word == 0x65757274) kind = TRUE;
        else if (word == 0x6c6c756e) kind = NULL;
        else if (word == 0x736c6166 && load<u8>(at, 4) == 0x65) kind = FALSE;
        else return 0;
        at += kind == FALSE ? 5 : 4;
      }
      addCell(u32(from - origin) | (kind << KIND_SHIFT), u32(at - origin), key);
    }
    at = skipBlanks(at);
    stuck = at;
    if (load<u8>(at) == 0x7d) return closeLine(at + 1);
    if (load<u8>(at) != 0x2c) return 0;
    at = skipBlanks(at + 1);
  }
  return 0;
}

function closeLine(at: usize): usize {
  at = skipBlanks(at);
  stuck = at;
  const byte = load<u8>(at);
  return byte == 0x0a || byte == 0x0d ? at : 0;
}

/** Whether the bytes at a position are a key. */
// @ts-ignore
@inline
function isWord(at: usize, key: u32, length: usize): bool {
  let word = wordStart(keys, key);
  while (length > 8) {
    if (load<u64>(at) != load<u64>(word)) return false;
    at += 8;
    word += 8;
    length -= 8;
  }
  return ((load<u64>(at) ^ load<u64>(word)) & (u64(-1) >> (64 - (u64(length) << 3)))) == 0;
}

function growSeen(key: u32): void {
  const more = max(seenRoom * 2, max(key + 1, u32(64)));
  seen = seenRoom == 0 ? takeZeros(usize(more) << 2) : resize(seen, usize(seenRoom) << 2, usize(more) << 2);
  seenRoom = more;
}

// @ts-ignore
@inline
function addCell(start: u32, end: u32, key: u32): void {
  const place = reserveCells(used, used + CELL) + used;
  store<u32>(place, start);
  store<u32>(place, end, 4);
  store<u32>(place, key, 8);
  used += CELL;
}

/** The end of a number; 0 if it is invalid, or so long that it may exceed every double. */
function readNumber(at: usize): usize {
  if (load<u8>(at) == 0x2d) at++;
  if (load<u8>(at) == 0x30) at++;
  else {
    const first = at;
    while (load<u8>(at) - 0x30 < 10) at++;
    if (at - first - 1 >= 200) return 0;
  }
  if (load<u8>(at) == 0x2e) {
    const first = ++at;
    while (load<u8>(at) - 0x30 < 10) at++;
    if (at == first) return 0;
  }
  if ((load<u8>(at) | 0x20) == 0x65) {
    at++;
    if (load<u8>(at) == 0x2b || load<u8>(at) == 0x2d) at++;
    const first = at;
    while (load<u8>(at) - 0x30 < 10) at++;
    if (at - first - 1 >= 2) return 0;
  }
  return at;
}

/**
 * Removes the escapes of the string at a position; returns the byte after its closing quote, or 0. Its text ends at
 * `textEnd`.
 */
function readString(at: usize): usize {
  let to = at;
  let from = at;
  while (true) {
    let special: u32;
    while (true) {
      const v = v128.load(at);
      const ends = v128.or(i8x16.eq(v, i8x16.splat(QUOTE)), i8x16.eq(v, i8x16.splat(BACKSLASH)));
      special = u32(i8x16.bitmask(v128.or(ends, i8x16.lt_u(v, i8x16.splat(0x20)))));
      if (special != 0) break;
      at += 16;
    }
    at += usize(ctz(special));
    stuck = at;
    const byte = load<u8>(at);
    if (byte < 0x20) return 0;
    if (to != from) moveDown(to, from, at - from);
    to += at - from;
    if (byte == QUOTE) {
      textEnd = to;
      return at + 1;
    }
    const letter = load<u8>(at, 1);
    at += 2;
    if (letter == 0x6e) store<u8>(to++, 0x0a);
    else if (letter == QUOTE || letter == BACKSLASH || letter == 0x2f) store<u8>(to++, letter);
    else if (letter == 0x74) store<u8>(to++, 0x09);
    else if (letter == 0x72) store<u8>(to++, 0x0d);
    else if (letter == 0x62) store<u8>(to++, 0x08);
    else if (letter == 0x66) store<u8>(to++, 0x0c);
    else if (letter == 0x75) {
      let point = hex(at);
      if (point < 0) return 0;
      at += 4;
      if ((point & 0xf800) == 0xd800) {
        if (point >= 0xdc00 || load<u16>(at) != 0x755c) return 0;
        const second = hex(at + 2);
        if ((second & ~0x3ff) != 0xdc00) return 0;
        point = 0x10000 + ((point & 0x3ff) << 10) + (second & 0x3ff);
        at += 6;
      }
      to = encode(to, u32(point));
    } else return 0;
    from = at;
  }
  return 0;
}

/** Four hexadecimal digits as a number, or −1. */
function hex(at: usize): i32 {
  let value: i32 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const byte = load<u8>(at + k);
    const letter = (byte | 0x20) - 0x61;
    if (byte - 0x30 < 10) value = (value << 4) | i32(byte - 0x30);
    else if (letter < 6) value = (value << 4) | (i32(letter) + 10);
    else return -1;
  }
  return value;
}

function encode(to: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(to, u8(point));
    return to + 1;
  }
  if (point < 0x800) {
    store<u8>(to, u8(0xc0 | (point >> 6)));
    store<u8>(to, u8(0x80 | (point & 0x3f)), 1);
    return to + 2;
  }
  if (point < 0x10000) {
    store<u8>(to, u8(0xe0 | (point >> 12)));
    store<u8>(to, u8(0x80 | ((point >> 6) & 0x3f)), 1);
    store<u8>(to, u8(0x80 | (point & 0x3f)), 2);
    return to + 3;
  }
  store<u8>(to, u8(0xf0 | (point >> 18)));
  store<u8>(to, u8(0x80 | ((point >> 12) & 0x3f)), 1);
  store<u8>(to, u8(0x80 | ((point >> 6) & 0x3f)), 2);
  store<u8>(to, u8(0x80 | (point & 0x3f)), 3);
  return to + 4;
}

/** Writes the spans of the cells with a key, one for each row, including missing ones. */
export function pickCells(key: u32, out: usize): void {
  const rows = blockRows();
  const cells = blockCells();
  const count = rowCount();
  let guess: usize = 0;
  let from: usize = 0;
  for (let i: u32 = 0; i < count; i++, out += 8) {
    const to = i + 1 < count ? usize(load<u32>(rows + (usize(i + 1) << 4), 8)) * CELL : used;
    let at = from + guess;
    if (at >= to || load<u32>(cells + at, 8) != key) {
      at = from;
      while (at < to && load<u32>(cells + at, 8) != key) at += CELL;
    }
    if (at < to) {
      store<u64>(out, load<u64>(cells + at));
      guess = at - from;
    } else {
      store<u64>(out, u64(MISSING << KIND_SHIFT));
    }
    from = to;
  }
}

/** The number of cells. */
export function jsonCells(): u32 {
  return u32(used / CELL);
}

/** Writes for each key the index of its first cell plus one, or 0 if the block has none; u32 each. */
export function findKeys(out: usize): void {
  memory.fill(out, 0, usize(size(keys)) << 2);
  const cells = blockCells();
  for (let at: usize = 0, number: u32 = 1; at < used; at += CELL, number++) {
    const place = out + (usize(load<u32>(cells + at, 8)) << 2);
    if (load<u32>(place) == 0) store<u32>(place, number);
  }
}
