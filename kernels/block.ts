import { give, resize, take } from './memory';
import { isText } from './utf8';

/**
 * A block of text and the rows found in it. Positions are byte offsets in the text. A cell is a span of eight bytes:
 * its start with its kind in the upper three bits, and its end. Splitting removes quotes and escapes in place, so a
 * span is always the plain text of a cell.
 */

export const STRING: u32 = 0;
export const NUMBER: u32 = 1;
export const TRUE: u32 = 2;
export const FALSE: u32 = 3;
export const NULL: u32 = 4;
export const MISSING: u32 = 5;

export const KIND_SHIFT: u32 = 29;
export const PLACE: u32 = 0x1fffffff;

const PAD: u32 = 64;

let bytes: usize = 0;
let byteRoom: usize = 0;
let size: u32 = 0;

let count: u32 = 0;
let left: u32 = 0;
let rowRoom: u32 = 0;
let rows: usize = 0; // by row: position of its first byte, its line from 0, its first cell, whether it is left to the host, u32 each
let cells: usize = 0;
let cellRoom: usize = 0;

/** The address for a text of this many bytes. */
export function reserveText(length: u32): usize {
  if (usize(length) + PAD > byteRoom) {
    give(bytes, byteRoom);
    byteRoom = usize(length) + PAD;
    bytes = take(byteRoom);
  }
  size = length;
  count = 0;
  left = 0;
  return bytes;
}

/** Ends the text with line feeds; returns whether it is UTF-8 without NUL. */
export function checkText(): bool {
  memory.fill(bytes + size, 0x0a, PAD);
  return isText(bytes, size);
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
export function text(): usize {
  return bytes;
}

// @ts-ignore
@inline
export function textSize(): u32 {
  return size;
}

/** Adds a row and returns its number. */
// @ts-ignore
@inline
export function addRow(start: u32, line: u32, first: u32): u32 {
  if (count == rowRoom) growRows();
  const place = rows + (usize(count) << 4);
  store<u32>(place, start);
  store<u32>(place, line, 4);
  store<u32>(place, first, 8);
  store<u32>(place, 0, 12);
  return count++;
}

/** Leaves the last row to the host. */
export function markRow(): void {
  left++;
  store<u32>(rows + (usize(count - 1) << 4), 1, 12);
}

/** The number of rows left to the host. */
export function rowsLeft(): u32 {
  return left;
}

function growRows(): void {
  const more = max(rowRoom * 2, u32(1024));
  rows = resize(rows, usize(rowRoom) << 4, usize(more) << 4);
  rowRoom = more;
}

/**
 * By row: the position of its first byte, its line from 0, its first cell (for JSON), whether it is left to the host;
 * u32 each.
 */
export function blockRows(): usize {
  return rows;
}

export function rowCount(): u32 {
  return count;
}

export function blockCells(): usize {
  return cells;
}

/** Reserves `wanted` bytes of cells, preserving the first `used`. */
export function reserveCells(used: usize, wanted: usize): usize {
  if (wanted > cellRoom) {
    const more = max(cellRoom * 2, max(wanted, usize(4096)));
    const to = take(more);
    memory.copy(to, cells, used);
    give(cells, cellRoom);
    cells = to;
    cellRoom = more;
  }
  return cells;
}

export function cellsEnd(): usize {
  return cells + cellRoom;
}

/** Moves bytes to a lower address; eight bytes after the end must be readable. */
// @ts-ignore
@inline
export function moveDown(to: usize, from: usize, length: usize): void {
  if (length >= 16) {
    const last = v128.load(from + length - 16);
    const end = to + length - 16;
    for (; to < end; to += 16, from += 16) v128.store(to, v128.load(from));
    v128.store(end, last);
    return;
  }
  for (const end = to + length; to < end; to++, from++) store<u8>(to, load<u8>(from));
}
