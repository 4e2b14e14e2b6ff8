import { askFields, fieldBounds, fieldQuotes, nextRow } from './fields';
import { createLexicon, intern, Lexicon } from './lexicon';
import { enlarge, take } from './memory';

/**
 * Rows of a table of text, counted: how often every text of every column stands in a row of every class. A class is a text of the
 * column of labels. Columns have a lexicon and a table each; a table has a line for every text and in it a cell for every class.
 */

const QUOTE: u8 = 0x22;

let width: u32 = 0;
let target: u32 = 0;
let lexicons: usize = 0; // by column
let tables: usize = 0; // by column: where its table begins, and how many texts it has room for, u32 both
let classRoom: u32 = 16; // cells of a line
let clean: usize = 0; // a text without the doubling of its quotes
let cleanRoom: usize = 0;
let rows: u32 = 0;

/** Rows have so many cells with this byte between them; the label is in column `label`. */
export function askLevels(byte: u32, columns: u32, label: u32): void {
  askFields(byte, columns);
  width = columns;
  target = label;
  lexicons = take(usize(columns) << 2);
  tables = take(usize(columns) << 3);
  for (let j: u32 = 0; j < columns; j++) {
    store<u32>(lexicons + (usize(j) << 2), u32(changetype<usize>(createLexicon())));
    store<u32>(tables + (usize(j) << 3), u32(enlarge(0, 0, (usize(classRoom) << 2) << 4)));
    store<u32>(tables + (usize(j) << 3), 16, 4);
  }
}

export function lexiconOf(column: u32): Lexicon {
  return changetype<Lexicon>(usize(load<u32>(lexicons + (usize(column) << 2))));
}

/** Where the table of a column begins: u32 by text and class, `classCells` to a line. */
export function levelTable(column: u32): usize {
  return usize(load<u32>(tables + (usize(column) << 3)));
}

export function classCells(): u32 {
  return classRoom;
}

export function rowsCounted(): u32 {
  return rows;
}

/** Counts the rows from where `goToRow` was: 0 when all are counted but one that is cut off, 2 at a strange one. */
export function countLevels(last: bool): i32 {
  const bounds = fieldBounds();
  while (true) {
    const state = nextRow(last);
    if (state != 1) return state;
    const label = numberOf(target);
    if (u32(label) >= classRoom) widen();
    for (let j: u32 = 0; j < width; j++) {
      if (j == target) continue;
      const at = usize(load<u32>(bounds + (usize(j) << 3)));
      const end = usize(load<u32>(bounds + (usize(j) << 3), 4));
      const level = load<u8>(fieldQuotes() + usize(j)) ? numberOf(j) : intern(lexiconOf(j), at, end - at, true);
      const table = tables + (usize(j) << 3);
      if (u32(level) >= load<u32>(table, 4)) lengthen(table);
      const cell = usize(load<u32>(table)) + ((usize(level) * usize(classRoom) + usize(label)) << 2);
      store<u32>(cell, load<u32>(cell) + 1);
    }
    rows++;
  }
  return 0;
}

/** The number of a cell among the texts of its column. */
function numberOf(column: u32): i32 {
  const place = fieldBounds() + (usize(column) << 3);
  const at = usize(load<u32>(place));
  const length = usize(load<u32>(place, 4)) - at;
  if (!load<u8>(fieldQuotes() + usize(column))) return intern(lexiconOf(column), at, length, true);
  if (length + 8 > cleanRoom) {
    cleanRoom = max(length + 8, cleanRoom * 2);
    clean = take(cleanRoom);
  }
  let to = clean;
  for (let k: usize = 0; k < length; k++) {
    const byte = load<u8>(at + k);
    store<u8>(to++, byte);
    if (byte == QUOTE) k++;
  }
  return intern(lexiconOf(column), clean, to - clean, true);
}

/** Twice the lines. */
function lengthen(table: usize): void {
  const lines = load<u32>(table, 4);
  const size = (usize(lines) * usize(classRoom)) << 2;
  store<u32>(table, u32(enlarge(usize(load<u32>(table)), size, size << 1)));
  store<u32>(table, lines << 1, 4);
}

/** Twice the cells in every line of every table. */
function widen(): void {
  for (let j: u32 = 0; j < width; j++) {
    const table = tables + (usize(j) << 3);
    const lines = load<u32>(table, 4);
    const from = usize(load<u32>(table));
    const line = usize(classRoom) << 2;
    const to = enlarge(0, 0, (usize(lines) * line) << 1);
    for (let v: u32 = 0; v < lines; v++) memory.copy(to + usize(v) * line * 2, from + usize(v) * line, line);
    store<u32>(table, u32(to));
  }
  classRoom <<= 1;
}
