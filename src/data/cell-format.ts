import { type DateOrder, type DatePart, dateParts, detectDates, parseDate, partOf } from './cell-date.ts';
import { detectNumbers, hasLeadingZero, type NumberStyle } from './cell-number.ts';
import { isBlank, isMarker, missingWords, numberOf, wordOf } from './cells.ts';
import type { CodedColumn } from './packed-columns.ts';

/**
 * How the cells of a column are parsed, as stored in the model file. Without a format, cells are parsed as in version
 * 0.1.
 */
export interface CellFormat {
  /** The notation of numbers, unless it is plain. */
  readonly numbers?: Exclude<NumberStyle, 'plain'>;
  /** The order of day and month, in a column of dates. */
  readonly dates?: DateOrder;
  /** What is derived from the dates. */
  readonly parts?: readonly DatePart[];
  /** The words for true and false; other spellings are recognized too. */
  readonly truth?: readonly [yes: string, no: string];
  /** Words that mean a missing cell, in a category. */
  readonly missing?: readonly string[];
}

/** The number of occurrences of each raw value of a column, in order of appearance. */
export type CellCounts = readonly (readonly [cell: unknown, count: number])[];

/** The type of a column according to its cells, before its name is considered. */
export interface FoundCells {
  readonly kind: 'number' | 'code' | 'date' | 'boolean' | 'word' | 'empty';
  readonly format: CellFormat;
  /** A remark about how the cells are parsed, as part of a sentence. */
  readonly note?: string;
  /** If the cells are ambiguous: how they are parsed, as part of a sentence. */
  readonly ambiguous?: string;
}

/** Known conventions of the input. */
export interface FormatOptions {
  /** The decimal mark of all columns. Default: detected. */
  readonly decimal?: 'auto' | 'point' | 'comma' | undefined;
  /** The order of day and month for all ambiguous columns. Default: detected. */
  readonly dateOrder?: 'auto' | DateOrder | undefined;
}

/** Detects the format of the non-blank cells of a column. */
export function detectCells(cells: CellCounts, options: FormatOptions = {}): FoundCells {
  const said = cells.filter(([cell]) => !isMarker(cell));
  if (said.length === 0) return cells.length === 0 ? { kind: 'empty', format: {} } : detectWords(cells);
  return detectNumeric(said, options) ?? detectMoments(said, options) ?? detectWords(cells);
}

function detectNumeric(cells: CellCounts, { decimal = 'auto' }: FormatOptions): FoundCells | undefined {
  const texts: string[] = [];
  for (const [cell] of cells) {
    if (typeof cell === 'string') texts.push(cell);
    else if (Number.isNaN(numberOf(cell))) return undefined;
  }
  const found = decimal === 'auto' ? detectNumbers(texts) : givenMark(texts, decimal);
  if (!found) return undefined;
  const { style, ambiguous } = found;
  if (areCodes(cells)) return { kind: 'code', format: { missing: missingWords } };
  if (style === 'plain') return { kind: 'number', format: {} };
  const format = { numbers: style };
  if (ambiguous !== undefined) {
    const remark = `${JSON.stringify(ambiguous)} is read as ${numberOf(ambiguous, style)}; a decimal comma is possible too`;
    return { kind: 'number', format, ambiguous: remark };
  }
  if (decimal !== 'auto') return { kind: 'number', format };
  return { kind: 'number', format, note: style === 'comma' ? 'with decimal commas' : 'with signs or separators' };
}

function givenMark(texts: readonly string[], decimal: 'point' | 'comma'): ReturnType<typeof detectNumbers> {
  const are = (style: NumberStyle) => texts.every((text) => !Number.isNaN(numberOf(text, style)));
  if (decimal === 'point' && are('plain')) return { style: 'plain' };
  return are(decimal) ? { style: decimal } : undefined;
}

/** In a column of integers of different lengths, fewer leading zeros than this are considered typos. */
const LEAST_CODES = 0.01;

/**
 * Whether digits are codes such as 08713: some have a leading zero, and either all have the same length or many have
 * one.
 */
function areCodes(cells: CellCounts): boolean {
  let [zeros, all, length] = [0, 0, -1];
  let equal = true;
  for (const [cell, count] of cells) {
    if (typeof cell !== 'string') return false;
    const text = cell.trim();
    if (!/^\d+$/.test(text)) return false;
    if (length < 0) length = text.length;
    equal &&= text.length === length;
    if (hasLeadingZero(text)) zeros += count;
    all += count;
  }
  return zeros > 0 && (equal || zeros >= LEAST_CODES * all);
}

function detectMoments(cells: CellCounts, { dateOrder = 'auto' }: FormatOptions): FoundCells | undefined {
  const texts: string[] = [];
  for (const [cell] of cells) {
    if (typeof cell === 'string') texts.push(cell);
    else if (!(cell instanceof Date)) return undefined;
  }
  const found = detectDates(texts);
  if (!found) return undefined;
  const { ambiguous } = found;
  const asked = ambiguous !== undefined && dateOrder !== 'auto';
  const order = asked ? dateOrder : found.order;
  const parts = variedParts(cells.map(([cell]) => momentOf(cell, order)));
  const date: FoundCells = { kind: 'date', format: { dates: order, parts } };
  if (ambiguous === undefined || asked) return date;
  const remark = `${JSON.stringify(ambiguous)} is read ${order.replace('-', ' ')}; the other order is possible too`;
  return { ...date, ambiguous: remark };
}

const DAY_MS = 86_400_000;
/** A part is more informative than the number of days only if it recurs. */
const PERIODS: Readonly<Record<Exclude<DatePart, 'days'>, number>> = { hour: 1, weekday: 7, month: 366 };

/** The parts in which these times differ. */
function variedParts(all: readonly number[]): DatePart[] {
  const moments = all.filter((moment) => !Number.isNaN(moment));
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const moment of moments) {
    if (moment < least) least = moment;
    if (moment > most) most = moment;
  }
  const days = (most - least) / DAY_MS;
  return dateParts.filter((part) => {
    if (part === 'days') return true;
    if (days < PERIODS[part]) return false;
    const first = partOf(least, part);
    return moments.some((moment) => partOf(moment, part) !== first);
  });
}

/** Spellings of true and false. */
const truths: readonly (readonly [yes: readonly string[], no: readonly string[]])[] = [
  [spellings('true', 't'), spellings('false', 'f')],
  [spellings('yes', 'y'), spellings('no', 'n')],
  [spellings('on'), spellings('off')],
];

function spellings(...words: string[]): string[] {
  return words.flatMap((word) => [...new Set([word, word.toUpperCase(), word[0].toUpperCase() + word.slice(1)])]);
}

/** All spellings of true and false in a boolean column: those of all pairs, and 1 and 0. */
export const truthWords: { readonly yes: readonly string[]; readonly no: readonly string[] } = {
  yes: [...truths.flatMap(([yes]) => yes), '1'],
  no: [...truths.flatMap(([, no]) => no), '0'],
};
const truthByWord: ReadonlyMap<string, boolean> = new Map([
  ...truthWords.yes.map((word) => [word, true] as const),
  ...truthWords.no.map((word) => [word, false] as const),
]);

/** Whether a word means true or false; undefined if neither. */
export const truthOf = (word: string): boolean | undefined => truthByWord.get(word);

function detectWords(cells: CellCounts): FoundCells {
  const counts = new Map<string, number>();
  for (const [cell, count] of cells) {
    const word = wordOf(cell);
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  const { missing, note } = missingIn(counts);
  for (const word of missing) counts.delete(word);
  const truth = detectTruth(counts);
  if (truth) return { kind: 'boolean', format: { truth, missing } };
  return { kind: 'word', format: { missing }, ...(note !== undefined && { note }) };
}

/**
 * The words that mean a missing cell in a category. If "+" is a value, so is "-"; and if there is only one other value,
 * such a word is the second.
 */
function missingIn(counts: ReadonlyMap<string, number>): { missing: readonly string[]; note?: string } {
  const found = missingWords.filter((word) => counts.has(word));
  if (found.length === 0) return { missing: missingWords };
  if (found.includes('-') && counts.has('+')) return { missing: missingWords.filter((word) => word !== '-') };
  if (counts.size - found.length !== 1) return { missing: missingWords };
  const listed = found.map((word) => JSON.stringify(word)).join(', ');
  return {
    missing: missingWords.filter((word) => !found.includes(word)),
    note: `${listed} counts as a value, since there is only one other`,
  };
}

/** The most frequent words for true and false, if all words belong to one pair and both occur. */
function detectTruth(counts: ReadonlyMap<string, number>): readonly [string, string] | undefined {
  const pair = truths.find(([yes, no]) => [...counts.keys()].every((word) => yes.includes(word) || no.includes(word)));
  const most = (words: readonly string[]) =>
    words.reduce<string | undefined>(
      (best, word) => ((counts.get(word) ?? 0) > (counts.get(best ?? '') ?? 0) ? word : best),
      undefined,
    );
  const [yes, no] = [pair && most(pair[0]), pair && most(pair[1])];
  return yes !== undefined && no !== undefined ? [yes, no] : undefined;
}

/** The time of a date cell in milliseconds; NaN if it is not a date. */
export function momentOf(cell: unknown, order: DateOrder): number {
  if (typeof cell === 'string') return parseDate(cell, order);
  return cell instanceof Date ? cell.getTime() : Number.NaN;
}

/** The level of a cell; undefined if it is missing. */
export type LevelReader = (cell: unknown) => string | undefined;

/** Creates the parser of a categorical column. */
export function levelReader({ truth, missing }: CellFormat = {}): LevelReader {
  const absent = new Set(missing);
  return (cell) => {
    if (isBlank(cell)) return undefined;
    const word = wordOf(cell);
    if (absent.has(word)) return undefined;
    const value = truth && truthOf(word);
    return truth && value !== undefined ? truth[value ? 0 : 1] : word;
  };
}

/** The levels of cells; null if missing. */
export function readWords(cells: CodedColumn, format?: CellFormat): CodedColumn<string | null> {
  const read = levelReader(format);
  return cells.map((cell) => read(cell) ?? null);
}

/** Whether a value from a model file is a format. */
export function isFormat(value: unknown): value is CellFormat {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { numbers, dates, parts, truth, missing, ...others } = value as Record<string, unknown>;
  const areWords = (list: unknown): boolean => Array.isArray(list) && list.every((word) => typeof word === 'string');
  return (
    Object.keys(others).length === 0 &&
    (numbers === undefined || numbers === 'point' || numbers === 'comma') &&
    (dates === undefined || dates === 'day-first' || dates === 'month-first') &&
    (dates === undefined) === (parts === undefined) &&
    (parts === undefined || (Array.isArray(parts) && parts.every((part) => dateParts.includes(part)))) &&
    (truth === undefined || (areWords(truth) && (truth as unknown[]).length === 2)) &&
    (missing === undefined || areWords(missing))
  );
}

/** The format for cells of a requested type: the one that parses the most cells. */
export function formatFor(kind: string, cells: CellCounts, options: FormatOptions = {}): CellFormat {
  if (kind === 'number') {
    const styles: readonly NumberStyle[] =
      options.decimal === 'comma'
        ? ['comma']
        : options.decimal === 'point'
          ? ['plain', 'point']
          : ['plain', 'point', 'comma'];
    const style = mostRead(cells, styles, numberOf);
    return style === 'plain' ? {} : { numbers: style };
  }
  if (kind === 'date') {
    const found = detectMoments(
      cells.filter(([cell]) => !isMarker(cell)),
      options,
    );
    if (found) return found.format;
    const orders: readonly DateOrder[] =
      options.dateOrder === 'day-first' ? ['day-first', 'month-first'] : ['month-first', 'day-first'];
    const order = mostRead(cells, orders, momentOf);
    return { dates: order, parts: variedParts(cells.map(([cell]) => momentOf(cell, order))) };
  }
  if (kind !== 'boolean' && kind !== 'category') return {};
  const { truth, missing } = detectWords(cells).format;
  return { ...(kind === 'boolean' && truth && { truth }), ...(missing && { missing }) };
}

/** The first of the formats that parse the most cells. */
function mostRead<W>(cells: CellCounts, ways: readonly W[], read: (cell: unknown, way: W) => number): W {
  const counts = ways.map((way) => cells.filter(([cell]) => !Number.isNaN(read(cell, way))).length);
  return ways[counts.indexOf(Math.max(...counts))];
}
