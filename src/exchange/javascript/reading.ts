import { makeDateParser, partLevels } from '../../data/cell-date.ts';
import { truthWords } from '../../data/cell-format.ts';
import { makeNumberParser } from '../../data/cell-number.ts';
import { type Piece, piece } from './piece.ts';

/** How the exported module reads cells. `undefined` for a fallback means that the cell is refused. */
export const readingPieces: Readonly<Record<string, Piece>> = {
  isList: piece(`
const isList = (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));`),

  isAbsent: piece(`
const isAbsent = (cell) => cell === null || cell === undefined || Number.isNaN(cell);`),

  instead: piece(`
/** What stands for a cell that is missing or unknown. */
function instead(fallback, name, what) {
  if (fallback === undefined) throw new RangeError("column " + JSON.stringify(name) + ": " + what);
  return fallback;
}`),

  cellOf: piece(
    `
/** The cell of a column, by its own name or by its place. */
function cellOf(row, name, column) {
  if (isList(row)) return row[column];
  if (typeof row !== "object" || row === null) throw new TypeError("a row is an object or a list of cells");
  return Object.hasOwn(row, name) ? row[name] : undefined;
}`,
    'isList',
  ),

  nestedCell: piece(
    `
/** The cell of a column whose name may lead through nested objects, or by its place. */
function nestedCell(row, name, column) {
  if (isList(row)) return row[column];
  if (typeof row !== "object" || row === null) throw new TypeError("a row is an object or a list of cells");
  if (Object.hasOwn(row, name)) return row[name];
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const outer = Object.hasOwn(row, name.slice(0, dot)) ? row[name.slice(0, dot)] : undefined;
    const nested = typeof outer === "object" && outer !== null && !isList(outer) && !(outer instanceof Date);
    const cell = nested ? nestedCell(outer, name.slice(dot + 1)) : undefined;
    if (cell !== undefined) return cell;
  }
  return undefined;
}`,
    'isList',
  ),

  parseNumber: piece(`const parseNumber = (${makeNumberParser})();`),

  writtenOf: piece(
    `
/** The number that a cell is or spells, signs and separators included, or what stands for a missing one. */
function writtenOf(cell, style, name, least, missing) {
  return spelledOf(typeof cell === "string" ? parseNumber(cell, style) : cell, name, least, missing);
}`,
    'parseNumber',
    'spelledOf',
  ),

  parseDate: piece(`const parseDate = (${makeDateParser})();`),

  momentOf: piece(
    `
const momentOf = (cell, order) =>
  typeof cell === "string" ? parseDate(cell, order) : cell instanceof Date ? cell.getTime() : NaN;`,
    'parseDate',
  ),

  dayOf: piece(
    `
/** The days of a date since 1970, or what stands for a missing one. */
function dayOf(cell, order, name, missing) {
  const moment = momentOf(cell, order);
  return Number.isNaN(moment) ? instead(missing, name, "the cell is missing") : moment / 86400000;
}`,
    'momentOf',
    'instead',
  ),

  datePart: piece(
    `
/** The weekday, the month or the hour of a date, as a word. */
function datePart(cell, order, part) {
  const moment = momentOf(cell, order);
  if (Number.isNaN(moment)) return undefined;
  const date = new Date(moment);
  if (part === "weekday") return ${JSON.stringify(partLevels.weekday)}[date.getUTCDay()];
  return String(part === "month" ? date.getUTCMonth() + 1 : date.getUTCHours());
}`,
    'momentOf',
  ),

  listCell: piece(
    `
function listCell(row, column) {
  if (!isList(row)) throw new TypeError("a row is a list of cells");
  return row[column];
}`,
    'isList',
  ),

  numberOf: piece(
    `
function numberOf(cell, name, least, most, missing) {
  if (isAbsent(cell)) return instead(missing, name, "the cell is missing");
  if (typeof cell !== "number" || !(cell >= least && cell <= most)) {
    throw new RangeError("column " + JSON.stringify(name) + " holds no number that the model takes: " + String(cell));
  }
  return cell;
}`,
    'isAbsent',
    'instead',
  ),

  bitOf: piece(
    `
function bitOf(cell, name, missing) {
  if (isAbsent(cell)) return instead(missing, name, "the cell is missing");
  if (cell === true || cell === 1) return 1;
  if (cell === false || cell === 0) return 0;
  throw new RangeError("column " + JSON.stringify(name) + " holds 0 and 1, got " + String(cell));
}`,
    'isAbsent',
    'instead',
  ),

  spelledOf: piece(
    String.raw`
/** The number that a cell is or spells, or what stands for a missing one. */
function spelledOf(cell, name, least, missing) {
  if (typeof cell === "bigint") return Number(cell);
  const text = typeof cell === "string" ? cell.trim() : "";
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : cell;
  if (typeof value !== "number" || !Number.isFinite(value)) return instead(missing, name, "the cell is missing");
  if (value < least) throw new RangeError("column " + JSON.stringify(name) + " holds no negative numbers");
  return value;
}`,
    'instead',
  ),

  flagOf: piece(
    `
/** true and false, also as words, are 1 and 0. */
function flagOf(cell, name, least, missing) {
  const word = wordOf(cell);
  if (${JSON.stringify(truthWords.yes)}.includes(word)) return 1;
  return ${JSON.stringify(truthWords.no)}.includes(word) ? 0 : spelledOf(cell, name, least, missing);
}`,
    'wordOf',
    'spelledOf',
  ),

  numbersOf: piece(
    `
/** So many cells from one place of a list on. */
function numbersOf(cells, from, width, read) {
  if (!isList(cells) || cells.length !== from + width) {
    throw new TypeError("a list of " + (from + width) + " cells is expected");
  }
  return Array.from({ length: width }, (_, k) => read(cells[from + k]));
}`,
    'isList',
  ),

  listOf: piece(
    `
/** A cell that is a list; where it is missing, all of its elements are. */
const listOf = (cell, width, read) =>
  isAbsent(cell) ? Array.from({ length: width }, () => read(undefined)) : numbersOf(cell, 0, width, read);`,
    'isAbsent',
    'numbersOf',
  ),

  elementOf: piece(
    `
const elementOf = (cell, k) => (isList(cell) ? cell[k] : undefined);`,
    'isList',
  ),

  wordOf: piece(`
function wordOf(cell) {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : cell.toISOString();
  return typeof cell === "object" && cell !== null ? JSON.stringify(cell) : String(cell).trim();
}`),

  wholeOf: piece(
    `
/** A level that is a whole number. */
function wholeOf(cell, name, levels, missing, unknown) {
  if (isAbsent(cell)) return instead(missing, name, "the cell is missing");
  if (!Number.isInteger(cell) || cell < 0) throw new TypeError("column " + JSON.stringify(name) + " holds whole numbers");
  return cell < levels ? cell : instead(unknown, name, cell + " was never learned");
}`,
    'isAbsent',
    'instead',
  ),

  levelOf: piece(
    `
/** The number of a level. */
function levelOf(cell, name, levels, missing, unknown) {
  if (isAbsent(cell)) return instead(missing, name, "the cell is missing");
  return levels.get(cell) ?? instead(unknown, name, String(cell) + " was never learned");
}`,
    'isAbsent',
    'instead',
  ),

  asWord: piece(`
/** true and false are words, numbers are none. */
function asWord(cell, name) {
  if (typeof cell === "number" && !Number.isNaN(cell)) throw new TypeError("column " + JSON.stringify(name) + " holds words");
  return typeof cell === "boolean" ? String(cell) : cell;
}`),

  trimmed: piece(
    `
const trimmed = (cell) => (isAbsent(cell) || (typeof cell === "string" && cell.trim() === "") ? undefined : wordOf(cell));`,
    'isAbsent',
    'wordOf',
  ),

  textOf: piece(`
function textOf(text) {
  if (typeof text !== "string") throw new TypeError("a text is a string");
  if (text.isWellFormed?.() === false) throw new RangeError("the text holds half a surrogate pair");
  return text;
}`),

  looseText: piece(
    `
const looseText = (cell) => textOf(cell === null || cell === undefined ? "" : wordOf(cell));`,
    'wordOf',
    'textOf',
  ),
};
