import { take } from './memory';

/**
 * Rows of a table of text (RFC 4180) as the bounds of their cells. Sixty-four bytes at a time are told apart; the delimiters, quotes
 * and line ends are walked by counting zeros. Whatever the reader on the host would refuse (a NUL, text behind a closing quote,
 * another number of cells than the first row has, a quote that never closes) is called strange and left to it.
 */

const QUOTE: u8 = 0x22;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

const CUT: i32 = 0; // all rows are read, but perhaps one that goes on behind the end
const ROW: i32 = 1;
const STRANGE: i32 = 2;

let delimiter: u8 = 0x2c;
let width: u32 = 0; // cells of a row
let cells: usize = 0; // by cell: where its text begins and ends, u32 both
let doubled: usize = 0; // by cell: whether quotes in its text are doubled, u8

let block: usize = 0; // where the sixty-four bytes begin whose signs are in `signs`
let signs: u64 = 0; // those that were not yet walked
let stop: usize = 0;
let row: usize = 0;
let next: usize = 0; // behind the row that was read last
let foreign: bool = false;

/** Rows have so many cells, with this byte between them. */
export function askFields(byte: u32, count: u32): void {
  delimiter = u8(byte);
  width = count;
  cells = take(usize(count) << 3);
  doubled = take(usize(count));
}

/** Goes on with the row that begins at `at`; behind `end`, 64 bytes can be read. */
export function goToRow(at: usize, end: usize): void {
  row = at;
  next = at;
  stop = end;
  block = at;
  foreign = false;
  signs = at < end ? signsAt(at) : 0;
}

/** Where the row begins that was read last, or cannot be read. */
export function rowStart(): usize {
  return row;
}

/** Where the bounds of cells lie: begin and end of the text of each, u32 both. Quotes around the text are outside. */
export function fieldBounds(): usize {
  return cells;
}

/** Where it is told of each cell, by a byte, whether quotes in its text are doubled. */
export function fieldQuotes(): usize {
  return doubled;
}

/** Whether there was a byte beyond ASCII since `goToRow`: then the host looks whether all is UTF-8. */
export function fieldsForeign(): bool {
  return foreign;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function isSign(v: v128): v128 {
  const ends = v128.or(i8x16.eq(v, i8x16.splat(LF)), i8x16.eq(v, i8x16.splat(CR)));
  const parts = v128.or(i8x16.eq(v, i8x16.splat(delimiter)), i8x16.eq(v, i8x16.splat(QUOTE)));
  return v128.or(v128.or(ends, parts), i8x16.eq(v, i8x16.splat(0)));
}

function signsAt(at: usize): u64 {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  if (v128.any_true(v128.and(v128.or(v128.or(a, b), v128.or(c, d)), i8x16.splat(-128)))) foreign = true;
  const found =
    u64(u32(i8x16.bitmask(isSign(a)))) |
    (u64(u32(i8x16.bitmask(isSign(b)))) << 16) |
    (u64(u32(i8x16.bitmask(isSign(c)))) << 32) |
    (u64(u32(i8x16.bitmask(isSign(d)))) << 48);
  return at + 64 > stop ? found & ((u64(1) << u64(stop - at)) - 1) : found;
}

/** The next sign, which is passed; the end where there is none. */
// @ts-ignore
@inline
function nextSign(): usize {
  while (signs == 0) {
    block += 64;
    if (block >= stop) return stop;
    signs = signsAt(block);
  }
  const at = block + usize(ctz(signs));
  signs &= signs - 1;
  return at;
}

/** Goes to the next row that is not blank: 1 where it was read, 0 where it is cut off, 2 where it is strange. */
export function nextRow(last: bool): i32 {
  let start = blankPassed();
  row = start;
  if (start >= stop) return CUT;
  let count: u32 = 0;
  while (true) {
    let at: usize;
    let from = start;
    let to: usize;
    let twice: u8 = 0;
    if (load<u8>(start) == QUOTE && start < stop) {
      nextSign();
      from = start + 1;
      at = nextSign();
      while (true) {
        while (at < stop && load<u8>(at) != QUOTE && load<u8>(at) != 0) at = nextSign();
        if (at >= stop) return last ? STRANGE : CUT;
        if (load<u8>(at) == 0) return STRANGE;
        if (at + 1 >= stop && !last) return CUT;
        if (at + 1 >= stop || load<u8>(at + 1) != QUOTE) break;
        twice = 1;
        nextSign();
        at = nextSign();
      }
      to = at;
      at = blanksPassed(at + 1);
      if (at >= stop && !last) return CUT;
      if (at < stop && nextSign() != at) return STRANGE;
    } else {
      at = nextSign();
      while (at < stop && load<u8>(at) == QUOTE) at = nextSign();
      if (at >= stop && !last) return CUT;
      to = at;
    }
    if (count == width) return STRANGE;
    const place = cells + (usize(count) << 3);
    store<u32>(place, u32(from));
    store<u32>(place, u32(to), 4);
    store<u8>(doubled + usize(count), twice);
    count++;
    const byte = at < stop ? load<u8>(at) : LF;
    if (byte == delimiter) {
      start = at + 1;
      continue;
    }
    next = min(at + 1, stop);
    return (byte == LF || byte == CR) && count == width ? ROW : STRANGE;
  }
  return STRANGE;
}

/** Where the next row that is not blank begins. */
// @ts-ignore
@inline
function blankPassed(): usize {
  let at = next;
  while (at < stop && (load<u8>(at) == LF || load<u8>(at) == CR)) {
    nextSign();
    at++;
  }
  return at;
}

/** Behind the blanks that may follow a closing quote. */
// @ts-ignore
@inline
function blanksPassed(at: usize): usize {
  while (at < stop && load<u8>(at) != delimiter && (load<u8>(at) == 0x20 || load<u8>(at) == 0x09)) at++;
  return at;
}
