import { equal, take } from './memory';
import { scanQuoted } from './quoted';

/**
 * One line of JSON Lines at a time: an object whose values are texts, whole numbers, true, false and null. A text and a label
 * are asked for by name; the label is given as it is written, quotes and all, so that 1 and "1" stay apart. Whatever is not as
 * simple as that (an escape in a name, an object inside, one of the two twice, bytes beyond ASCII outside the text, anything
 * wrong) is called strange and left to the host, which reads every kind of line and knows how to refuse one.
 */

const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;

let textKey: usize = 0;
let textKeyLength: usize = 0;
let labelKey: usize = 0;
let labelKeyLength: usize = 0;

let textAt: usize = 0;
let textLength: usize = 0;
let labelAt: usize = 0;
let labelLength: usize = 0;
let clean: usize = 0;
let cleanRoom: usize = 0;
let escaped: bool = false;
let foreign: bool = false;
let scanned: bool = false;

let wanted: u32 = 0; // cells of a line that are noted; 0: none
let cells: usize = 0; // by cell: where its name and its value begin, and their lengths, all u32
let cellsFound: u32 = 0;

/** Names the text and the label; the names are given as bytes. */
export function ask(text: usize, textSize: usize, label: usize, labelSize: usize): void {
  textKey = text;
  textKeyLength = textSize;
  labelKey = label;
  labelKeyLength = labelSize;
}

/** Asks for the places of all cells, of which a line has no more than so many. They may hold anything but lists and objects. */
export function noteCells(count: u32): void {
  wanted = count;
  cells = take(usize(count) << 4);
}

/** How many cells the line has. */
export function cellCount(): u32 {
  return cellsFound;
}

/** Where a cell is noted: begin and length of its name, begin and length of its value as it is written. */
export function cellPlace(k: u32): usize {
  return cells + (usize(k) << 4);
}

/** Whether the words of the text are noted, but for their numbers. */
export function lineScanned(): bool {
  return scanned;
}

export function lineText(): usize {
  return textAt;
}

export function lineTextLength(): usize {
  return textLength;
}

export function lineLabel(): usize {
  return labelAt;
}

export function lineLabelLength(): usize {
  return labelLength;
}

// @ts-ignore: decorators of functions are AssemblyScript's
@inline
function skipSpace(at: usize): usize {
  while (load<u8>(at) == 0x20 || load<u8>(at) == 0x09 || load<u8>(at) == 0x0d) at++;
  return at;
}

/** Where the text that begins at `at` has its closing quote; 0 where it has none or holds what a text may not hold. */
function closing(at: usize, end: usize): usize {
  escaped = false;
  foreign = false;
  while (at < end) {
    const v = v128.load(at);
    const control = i8x16.lt_u(v, i8x16.splat(0x20));
    const marks = v128.or(i8x16.eq(v, i8x16.splat(0x22)), i8x16.eq(v, i8x16.splat(0x5c)));
    const mask = i8x16.bitmask(v128.or(control, marks));
    const high = i8x16.bitmask(v);
    if (mask == 0) {
      foreign = foreign || high != 0;
      at += 16;
      continue;
    }
    foreign = foreign || (high & ((mask & -mask) - 1)) != 0;
    at += ctz(mask);
    if (at >= end) return 0;
    const byte = load<u8>(at);
    if (byte == QUOTE) return at;
    if (byte != BACKSLASH) return 0;
    escaped = true;
    at += 2;
  }
  return 0;
}

/** Behind a number, true, false or null; 0 for anything else. */
function literal(at: usize): usize {
  const start = at;
  while (true) {
    const byte = load<u8>(at);
    const plain = byte >= 0x30 && byte <= 0x39 || byte >= 0x61 && byte <= 0x7a;
    if (!plain) break;
    at++;
  }
  const length = at - start;
  if (length == 0 || length > 15) return 0;
  const first = load<u8>(start);
  if (first == 0x74) return length == 4 && load<u32>(start) == 0x65757274 ? at : 0; // true
  if (first == 0x6e) return length == 4 && load<u32>(start) == 0x6c6c756e ? at : 0; // null
  if (first == 0x66) return length == 5 && load<u32>(start + 1) == 0x65736c61 ? at : 0; // false
  if (first == 0x30 && length > 1) return 0;
  for (let k: usize = 0; k < length; k++) if (load<u8>(start + k) > 0x39) return 0; // plain whole numbers alone
  return at;
}

/** Behind a value that is no text, list or object and that the host will read; 0 where there is none. */
function anyLiteral(at: usize): usize {
  const start = at;
  while (true) {
    const byte = load<u8>(at);
    const lower = byte | 0x20;
    const plain = byte >= 0x30 && byte <= 0x39 || lower >= 0x61 && lower <= 0x7a || byte == 0x2b || byte == 0x2d || byte == 0x2e;
    if (!plain) break;
    at++;
  }
  return at == start ? 0 : at;
}

function noteCell(key: usize, keyLength: usize, at: usize, length: usize): bool {
  if (cellsFound == wanted) return false;
  const place = cellPlace(cellsFound++);
  store<u32>(place, u32(key));
  store<u32>(place, u32(keyLength), 4);
  store<u32>(place, u32(at), 8);
  store<u32>(place, u32(length), 12);
  return true;
}

/** Reads the line that begins at `at`; answers where the next one begins, or 0 for a strange one. */
export function line(at: usize, end: usize): usize {
  textAt = labelAt = 0;
  cellsFound = 0;
  at = skipSpace(at);
  if (load<u8>(at++) != 0x7b) return 0;
  while (true) {
    at = skipSpace(at);
    if (load<u8>(at++) != QUOTE) return 0;
    const key = at;
    const keyEnd = closing(at, end);
    if (keyEnd == 0 || escaped || foreign) return 0;
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at++) != 0x3a) return 0;
    at = skipSpace(at);
    const start = at;
    at = value(at, end, key, keyEnd - key);
    if (at == 0 || wanted > 0 && !noteCell(key, keyEnd - key, start, at - start)) return 0;
    at = skipSpace(at);
    const byte = load<u8>(at++);
    if (byte == 0x2c) continue;
    if (byte != 0x7d) return 0;
    break;
  }
  at = skipSpace(at);
  if (at < end && load<u8>(at) != 0x0a || textAt == 0 || labelAt == 0) return 0;
  return at + 1;
}

/** Reads the value of a name; answers what is behind it, or 0 for a strange one. */
function value(at: usize, end: usize, key: usize, keyLength: usize): usize {
  const isText = keyLength == textKeyLength && equal(key, textKey, keyLength);
  const isLabel = keyLength == labelKeyLength && equal(key, labelKey, keyLength);
  if (isLabel) {
    if (labelAt != 0 || load<u8>(at) == 0x6e) return 0; // twice, or null
    labelAt = at;
  }
  if (load<u8>(at) != QUOTE) {
    const behind = isText ? 0 : wanted > 0 ? anyLiteral(at) : literal(at);
    if (isLabel) labelLength = behind - at;
    return behind;
  }
  if (isText) return text(at + 1, end);
  const close = closing(at + 1, end);
  if (close == 0) return 0;
  if (wanted == 0 && (escaped || foreign)) {
    return 0;
  } else if (isLabel) {
    labelLength = close + 1 - at;
  }
  return close + 1;
}

/** Reads the text whose opening quote is behind; answers what is behind its closing one, or 0 for a strange one. */
function text(at: usize, end: usize): usize {
  if (textAt != 0) return 0;
  textAt = at;
  const quote = scanQuoted(at, end, wanted == 0);
  scanned = quote != 0;
  const close = scanned ? quote : closing(at, end);
  if (close == 0) return 0;
  textLength = close - at;
  return scanned || !escaped || unescape() ? close + 1 : 0;
}

// @ts-ignore
@inline
function hexDigit(letter: u8): u8 {
  return letter <= 0x39 ? letter - 0x30 : letter - 0x57;
}

/** Whether four digits are those of a control character that has no other escape, as they are always written; \u000b, a space, is not
 * among them. */
function isControl(at: usize): bool {
  if (load<u16>(at) != 0x3030) return false;
  const high = load<u8>(at, 2);
  const low = load<u8>(at, 3);
  if (low < 0x30 || low > 0x39 && low < 0x61 || low > 0x66) return false;
  return high == 0x31 || high == 0x30 && (low <= 0x37 || low == 0x65 || low == 0x66);
}

/** Puts the text without its escapes into a place of its own; tells whether it could. */
function unescape(): bool {
  if (textLength > cleanRoom) {
    cleanRoom = max(textLength, max(cleanRoom * 2, usize(1 << 16)));
    clean = take(cleanRoom + 64);
  }
  let from = textAt;
  const end = from + textLength;
  let to = clean;
  while (from < end) {
    const v = v128.load(from);
    v128.store(to, v);
    const mask = i8x16.bitmask(i8x16.eq(v, i8x16.splat(0x5c)));
    const many = mask == 0 ? usize(16) : usize(ctz(mask));
    from += many;
    to += many;
    if (mask == 0 || from >= end) continue;
    const letter = load<u8>(from, 1);
    from += 2;
    let byte: u8 = 0;
    if (letter == 0x6e) byte = 0x0a;
    else if (letter == 0x74) byte = 0x09;
    else if (letter == 0x72) byte = 0x0d;
    else if (letter == QUOTE || letter == BACKSLASH || letter == 0x2f && wanted == 0) byte = letter;
    else if (letter == 0x62) byte = 0x08;
    else if (letter == 0x66) byte = 0x0c;
    else if (letter == 0x75 && isControl(from)) {
      byte = u8((load<u8>(from, 2) - 0x30) << 4) | hexDigit(load<u8>(from, 3));
      from += 4;
    } else return false; // where rows are noted, each letter is to have one form
    store<u8>(to++, byte);
  }
  textAt = clean;
  textLength = to - clean - (from - end);
  return true;
}
