import { createLexicon, intern, Lexicon } from './lexicon';
import { cellCount, cellPlace, noteCells } from './lines';
import { enlarge, equal, take } from './memory';
import { keptSize } from './tally';

/**
 * What is known of each line besides its words: a hash of its text and the numbers of its other cells, each in a list of its own,
 * as they are written. A row is the hash, 16 bytes, and a u32 for every column; that of the text tells where its kept words end.
 * A blank text has the hash 0.
 */

let columns: u32 = 0;
let textColumn: u32 = 0;
let names: usize = 0; // by column: where its name begins, and its length, both u32
let lexicons: usize = 0;
let rows: usize = 0;
let rowRoom: u32 = 0;
let rowCount: u32 = 0;
let hash1: u64 = 0;
let hash2: u64 = 0;

/** Asks for the rows of lines whose cells have these names in this order; all others are strange. */
export function askRows(count: u32, namesAt: usize, text: u32): void {
  columns = count;
  names = namesAt;
  textColumn = text;
  lexicons = take(usize(count) << 2);
  for (let k: u32 = 0; k < count; k++) store<u32>(lexicons + (usize(k) << 2), u32(changetype<usize>(createLexicon())));
  noteCells(count);
}

/** The list of the different cells of a column. */
export function cellsOf(column: u32): Lexicon {
  return changetype<Lexicon>(usize(load<u32>(lexicons + (usize(column) << 2))));
}

/** Whether the line has the cells that are asked for. */
export function fits(): bool {
  if (columns == 0) return true;
  if (cellCount() != columns) return false;
  for (let k: u32 = 0; k < columns; k++) {
    const cell = cellPlace(k);
    const name = names + (usize(k) << 3);
    const length = load<u32>(name, 4);
    if (load<u32>(cell, 4) != length || !equal(load<u32>(cell), load<u32>(name), length)) return false;
  }
  return true;
}

/** Notes the line that was read last. */
export function noteLine(): void {
  if (columns == 0) return;
  for (let k: u32 = 0; k < columns; k++) {
    const cell = cellPlace(k);
    const at = usize(load<u32>(cell, 8));
    const length = usize(load<u32>(cell, 12));
    if (k == textColumn) noteText(at + 1, length - 2);
    else noteNumber(k, intern(cellsOf(k), at, length, true));
  }
  endRow();
}

/** Where the number of a cell of the row in hand stands. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function slot(row: u32, column: u32): usize {
  return rows + usize(row) * (16 + (usize(columns) << 2)) + 16 + (usize(column) << 2);
}

/** Notes the number of a cell. */
export function noteNumber(column: u32, id: u32): void {
  if (rowCount == rowRoom) {
    const size = 16 + (usize(columns) << 2);
    rowRoom = max(rowRoom * 2, u32(1024));
    rows = enlarge(rows, usize(rowCount) * size, usize(rowRoom) * size);
  }
  store<u32>(slot(rowCount, column), id);
}

/** Notes a text as it is written in JSON, without its quotes. */
export function noteText(at: usize, length: usize): void {
  let end = at + length;
  for (let step = spaceAt(at, end); step > 0; step = spaceAt(at, end)) at += step;
  for (let step = spaceBefore(at, end); step > 0; step = spaceBefore(at, end)) end -= step;
  hash(at, end - at);
}

/** Ends the row in hand. */
export function endRow(): void {
  noteNumber(textColumn, keptSize());
  const place = slot(rowCount++, 0) - 16;
  store<u64>(place, hash1);
  store<u64>(place, hash2, 8);
}

export function rowsAt(): usize {
  return rows;
}

export function rowsNoted(): u32 {
  return rowCount;
}

export function clearRows(): void {
  rowCount = 0;
}

// @ts-ignore
@inline
function isSpaceLetter(letter: u8): bool {
  return letter == 0x6e || letter == 0x74 || letter == 0x72 || letter == 0x66; // \n \t \r \f
}

/** The bytes of a space of three, as Unicode has them. */
function isWideSpace(a: u8, b: u8, c: u8): bool {
  if (a == 0xe2 && b == 0x80) return c <= 0x8a || c == 0xa8 || c == 0xa9 || c == 0xaf;
  return a == 0xe2 && b == 0x81 && c == 0x9f || a == 0xe3 && b == 0x80 && c == 0x80 || a == 0xe1 && b == 0x9a && c == 0x80 ||
    a == 0xef && b == 0xbb && c == 0xbf;
}

/** How many bytes a space has that begins here; 0 where there is none. */
function spaceAt(at: usize, end: usize): usize {
  if (at >= end) return 0;
  const byte = load<u8>(at);
  if (byte == 0x20) return 1;
  if (byte == 0x5c) return isSpaceLetter(load<u8>(at, 1)) ? 2 : 0;
  if (byte == 0xc2) return load<u8>(at, 1) == 0xa0 ? 2 : 0;
  return byte > 0xe0 && end - at > 2 && isWideSpace(byte, load<u8>(at, 1), load<u8>(at, 2)) ? 3 : 0;
}

/** How many bytes a space has that ends here; 0 where there is none. */
function spaceBefore(at: usize, end: usize): usize {
  if (at >= end) return 0;
  const byte = load<u8>(end - 1);
  if (byte == 0x20) return 1;
  if (end - at < 2) return 0;
  const before = load<u8>(end - 2);
  if (before == 0x5c && isSpaceLetter(byte)) {
    let first = end - 2; // an even number of backslashes is a text of backslashes, and the letter is one
    while (first > at && load<u8>(first - 1) == 0x5c) first--;
    return (end - 1 - first) & 1 ? 2 : 0;
  }
  if (before == 0xc2) return byte == 0xa0 ? 2 : 0;
  return end - at > 2 && isWideSpace(load<u8>(end - 3), before, byte) ? 3 : 0;
}

const FIRST: u64 = 0x9e3779b97f4a7c15;
const SECOND: u64 = 0xd6e8feb86659fd93;

// @ts-ignore
@inline
function mix(value: u64): u64 {
  value = (value ^ (value >> 32)) * SECOND;
  value = (value ^ (value >> 29)) * FIRST;
  return value ^ (value >> 32);
}

/** 128 bits of some bytes: two lanes of eight bytes that are stirred into each other. */
function hash(at: usize, length: usize): void {
  hash1 = hash2 = 0;
  if (length == 0) return;
  let one = FIRST ^ u64(length);
  let two = SECOND + u64(length);
  let k: usize = 0;
  for (; k + 16 <= length; k += 16) {
    one = rotl((one ^ load<u64>(at + k)) * FIRST, 31) + two;
    two = rotl((two ^ load<u64>(at + k, 8)) * SECOND, 29) ^ one;
  }
  const rest = length - k;
  const low = rest >= 8 ? u64(-1) : rest == 0 ? 0 : u64(-1) >> u64(64 - (rest << 3));
  const high = rest <= 8 ? 0 : u64(-1) >> u64(64 - ((rest - 8) << 3));
  one = rotl((one ^ (load<u64>(at + k) & low)) * FIRST, 31) + two;
  two = rotl((two ^ (load<u64>(at + k, 8) & high)) * SECOND, 29) ^ one;
  hash1 = mix(one + two) | 1; // never that of a blank
  hash2 = mix(two ^ rotl(one, 32));
}
