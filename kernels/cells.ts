import { addRow, cellsEnd, moveDown, reserveCells, text, textSize } from './block';

/**
 * Splits delimited text (RFC 4180) into cells. Sixty-four bytes at a time become bit masks: of delimiters and line ends
 * outside quotes, and of quotes. Anything that the strict reader would reject (text after a closing quote, wrong number
 * of cells, unclosed quote) ends the splitting; the host then reads the block with the strict reader, which reports it.
 */

const QUOTE: u8 = 0x22;
const LF: u8 = 0x0a;
const CR: u8 = 0x0d;

/** The size of the spans that a block of sixty-four bytes can end. */
const BLOCK_SPANS: usize = 64 << 3;

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function isMark(v: v128, delimiter: v128): i32 {
  const ends = v128.or(i8x16.eq(v, i8x16.splat(LF)), i8x16.eq(v, i8x16.splat(CR)));
  return i8x16.bitmask(v128.or(ends, i8x16.eq(v, delimiter)));
}

// @ts-ignore
@inline
function join(a: i32, b: i32, c: i32, d: i32): u64 {
  return u64(u32(a)) | (u64(u32(b)) << 16) | (u64(u32(c)) << 32) | (u64(u32(d)) << 48);
}

// @ts-ignore
@inline
function marksAt(at: usize, delimiter: v128): u64 {
  return join(
    isMark(v128.load(at), delimiter),
    isMark(v128.load(at, 16), delimiter),
    isMark(v128.load(at, 32), delimiter),
    isMark(v128.load(at, 48), delimiter),
  );
}

// @ts-ignore
@inline
export function matchesAt(at: usize, byte: u8): u64 {
  const wanted = i8x16.splat(byte);
  return join(
    i8x16.bitmask(i8x16.eq(v128.load(at), wanted)),
    i8x16.bitmask(i8x16.eq(v128.load(at, 16), wanted)),
    i8x16.bitmask(i8x16.eq(v128.load(at, 32), wanted)),
    i8x16.bitmask(i8x16.eq(v128.load(at, 48), wanted)),
  );
}

/** The bits of a 64-byte block from a position on. */
// @ts-ignore
@inline
function from(at: usize): u64 {
  return u64(-1) << u64(at & 63);
}

/**
 * Splits the text into rows of `width` cells, none longer than `longest` bytes; blank lines are skipped. Returns
 * whether it succeeded.
 */
export function splitCells(byte: u32, width: u32, longest: u32): bool {
  const delimiter = u8(byte);
  const splat = i8x16.splat(delimiter);
  const origin = text();
  const stop = origin + textSize();
  const step = usize(width) << 3;
  let cells = reserveCells(0, step);
  let room = cellsEnd();
  let place = cells;
  let full = place + step;
  let start = origin;
  let rowStart = origin;
  let block = origin;
  let marks = marksAt(origin, splat);
  let seen: usize = 0; // the last block that was tried as a whole
  while (start < stop || start != rowStart) {
    let first = start;
    let last: usize;
    let at: usize;
    if (load<u8>(start) == QUOTE) {
      first++;
      let source = first;
      last = first;
      block = first & ~63;
      let quotes = matchesAt(block, QUOTE) & from(first);
      while (true) {
        while (quotes == 0) {
          block += 64;
          if (block > stop) return false;
          quotes = matchesAt(block, QUOTE);
        }
        at = block + usize(ctz(quotes));
        quotes &= quotes - 1;
        if (load<u8>(at, 1) != QUOTE) break;
        const length = at + 1 - source;
        if (last != source) moveDown(last, source, length);
        last += length;
        source = at + 2;
        if ((source & 63) == 1) {
          block += 64;
          quotes = matchesAt(block, QUOTE);
        }
        quotes &= quotes - 1;
      }
      const length = at - source;
      if (last != source) {
        moveDown(last, source, length);
        // remains of the moved text must not count as line ends
        for (let k = last + length; k < at; k++) store<u8>(k, 0);
      }
      last += length;
      at++;
      let byte = load<u8>(at);
      while (byte != delimiter && (byte == 0x20 || byte == 0x09)) byte = load<u8>(++at);
      if (byte != delimiter && byte != LF && byte != CR) return false;
      block = (at + 1) & ~63;
      marks = marksAt(block, splat) & from(at + 1);
    } else {
      while (marks == 0) {
        block += 64;
        marks = marksAt(block, splat);
      }
      if (block != seen) {
        seen = block;
        if (place + BLOCK_SPANS + step > room) {
          const used = place - cells;
          const missing = full - place;
          cells = reserveCells(used, used + BLOCK_SPANS + step);
          room = cellsEnd();
          place = cells + used;
          full = place + missing;
        }
        const others = (matchesAt(block, QUOTE) | matchesAt(block, CR)) & (start > block ? from(start) : u64(-1));
        if (others == 0 && block + 64 <= stop) {
          // Without quotes and carriage returns all cells of the block are known at once, and so are its rows if none
          // is blank or invalid.
          const spans = place;
          for (let left = marks; left != 0; left &= left - 1) {
            at = block + usize(ctz(left));
            store<u64>(place, u64(start - origin) | (u64(at - origin) << 32));
            place += 8;
            start = at + 1;
          }
          let ends = matchesAt(block, LF) & marks;
          for (; ends != 0; ends &= ends - 1) {
            const bit = ctz(ends);
            at = block + usize(bit);
            const isWhole = spans + (usize(popcnt(marks & ((u64(2) << bit) - 1))) << 3) == full;
            if (!isWhole || at == rowStart || at - rowStart > usize(longest)) break;
            addRow(u32(rowStart - origin), 0, 0);
            full += step;
            rowStart = at + 1;
          }
          if (ends == 0 && place <= full) {
            marks = 0;
            continue;
          }
          // From the invalid row on, or if the block began within a row, cell by cell.
          const isLater = rowStart > first;
          start = isLater ? rowStart : first;
          place = isLater ? full - step : spans;
          if (isLater) marks &= from(start);
          continue;
        }
      }
      at = block + usize(ctz(marks));
      marks &= marks - 1;
      last = at;
    }
    if (place == full) return false;
    store<u32>(place, u32(first - origin));
    store<u32>(place, u32(last - origin), 4);
    place += 8;
    start = at + 1;
    if (load<u8>(at) == delimiter) continue;
    if (at == rowStart) {
      place -= 8; // a blank line
    } else {
      if (place != full || at - rowStart > usize(longest)) return false;
      addRow(u32(rowStart - origin), 0, 0);
      full = place + step;
      if (full > room) {
        const used = place - cells;
        cells = reserveCells(used, used + step);
        room = cellsEnd();
        place = cells + used;
        full = place + step;
      }
    }
    rowStart = start;
  }
  return true;
}
