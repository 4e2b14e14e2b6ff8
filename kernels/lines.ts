import { addRow, KIND_SHIFT, markRow, moveDown, NULL, reserveCells, text, textSize } from './block';
import { matchesAt } from './cells';
import { equal } from './memory';
import { trimStart } from './utf8';

/** Splits text with one record per line. */

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
const SPACE: u8 = 0x20;

/** The line end at or after a position; the text is followed by line feeds. */
export function lineEnd(at: usize): usize {
  let block = at & ~63;
  let ends = (matchesAt(block, LF) | matchesAt(block, CR)) & (u64(-1) << u64(at & 63));
  while (ends == 0) {
    block += 64;
    ends = matchesAt(block, LF) | matchesAt(block, CR);
  }
  return block + usize(ctz(ends));
}

/** The first byte of the line after a line end. */
// @ts-ignore: decorators of functions are AssemblyScript's
@inline
export function lineAfter(end: usize): usize {
  return end + (load<u8>(end) == CR && load<u8>(end, 1) == LF ? 2 : 1);
}

/** Makes each non-blank line a row of one cell. Returns whether no line is longer than `longest`. */
export function splitLines(longest: u32): bool {
  const origin = text();
  const stop = origin + textSize();
  let line: u32 = 0;
  for (let at = origin; at < stop; line++) {
    const end = lineEnd(at);
    if (end - at > usize(longest)) return false;
    if (trimStart(at, end) < end) {
      const place = addCells(8, line, at - origin);
      store<u32>(place, u32(at - origin));
      store<u32>(place, u32(end - origin), 4);
    }
    at = lineAfter(end);
  }
  return true;
}

let used: usize = 0;

/** Adds a row with this many bytes of cells and returns their address. */
function addCells(wanted: usize, line: u32, start: usize): usize {
  const row = addRow(u32(start), line, 0);
  if (row == 0) used = 0;
  const place = reserveCells(used, used + wanted) + used;
  used += wanted;
  return place;
}

// @ts-ignore
@inline
function isBlank(byte: u8): bool {
  return byte == SPACE || byte == 0x09 || byte == 0x0b || byte == 0x0c;
}

/**
 * Splits lines of fastText into a label and a text. A line whose label does not come first, or with a second one, is
 * left to the host: the row is marked. `prefix` is the beginning of a label. Returns whether no line is longer than
 * `longest`.
 */
export function splitLabelled(prefix: usize, prefixSize: u32, longest: u32): bool {
  const origin = text();
  const stop = origin + textSize();
  let line: u32 = 0;
  for (let at = origin; at < stop; line++) {
    const start = at;
    const end = lineEnd(at);
    if (end - at > usize(longest)) return false;
    let label = start;
    let labelEnd: usize = 0;
    let from: usize = 0; // the text: its first byte and its end
    let to: usize = 0;
    let host = false;
    while (true) {
      while (at < end && isBlank(load<u8>(at))) at++;
      if (at == end) break;
      const word = at;
      while (at < end && !isBlank(load<u8>(at))) at++;
      if (at - word >= usize(prefixSize) && equal(word, prefix, prefixSize)) {
        if (labelEnd != 0 || from != 0) {
          host = true;
          break;
        }
        label = word + prefixSize;
        labelEnd = at;
        continue;
      }
      if (from == 0) from = to = word;
      else store<u8>(to++, SPACE);
      if (to != word) moveDown(to, word, at - word);
      to += at - word;
    }
    if (labelEnd != 0 || from != 0) {
      const place = addCells(16, line, start - origin);
      if (host) markRow();
      const kind = labelEnd == 0 ? NULL << KIND_SHIFT : 0;
      store<u32>(place, u32(label - origin) | kind);
      store<u32>(place, u32(max(labelEnd, label) - origin), 4);
      store<u32>(place, u32(max(from, origin) - origin), 8);
      store<u32>(place, u32(max(to, origin) - origin), 12);
    }
    at = lineAfter(end);
  }
  return true;
}
