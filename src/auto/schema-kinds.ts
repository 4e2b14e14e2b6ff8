import { isBlank, isMarker, numberOf, wordOf } from './cells.ts';
import type { ColumnKind } from './schema.ts';

/** What the cells of a column look like. */
export interface Verdict {
  readonly kind: ColumnKind;
  readonly reason: string;
  readonly missing: number;
  /** How often each value occurs, as a word. */
  readonly counts: ReadonlyMap<string, number>;
}

/** With fewer rows than this, values that are all different are nothing remarkable. */
const LEAST_ROWS = 20;
/** Identifiers differ in nearly every row. */
const NEARLY_ALL = 0.95;

const DATE = /^\d{4}-\d{1,2}-\d{1,2}([T ]|$)|^\d{1,2}[./]\d{1,2}[./]\d{2,4}([T ]|$)/;
/** Numbers with a comma before the fraction and points between thousands, if anything. */
const COMMAS = /^[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/;
/** The beginning of the reason where all words of a column are such numbers. */
export const DECIMAL_COMMAS = 'numbers with decimal commas, read as words';
const ID_NAME = /(^|[^a-z])(id|uuid|guid|key|index)$|^(id|uuid|guid|rowid|index)([^a-z]|$)|[a-z]Id$/;
/** Scripts that put no blanks between words: a few signs are a sentence. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** How often each value occurs in a column, as it stands in its cells. */
export type ColumnTally = ReadonlyMap<unknown, number>;

export function tallyCells(cells: Iterable<unknown>): ColumnTally {
  const counts = new Map<unknown, number>();
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return counts;
}

/** Tells the kind of a column by its counted cells, with the reason. */
export function describeTally(name: string, cells: ColumnTally): Verdict {
  const present = [...cells].filter(([cell]) => !isBlank(cell));
  const said = saidNumbers(present);
  if (said) {
    const numbers = tallyBy(said, numberOf);
    return { ...describeNumbers(name, numbers), missing: total(cells) - total(numbers), counts: tallyBy(said, wordOf) };
  }
  const counts = tallyBy(present, wordOf);
  return { ...describeWords(name, counts), missing: total(cells) - total(counts), counts };
}

/** The cells that are no markers, where all of them are numbers. */
function saidNumbers(present: readonly [cell: unknown, count: number][]): [unknown, number][] | undefined {
  const said: [unknown, number][] = [];
  for (const entry of present) {
    if (isMarker(entry[0])) continue;
    if (Number.isNaN(numberOf(entry[0]))) return undefined;
    said.push(entry);
  }
  return said.length > 0 ? said : undefined;
}

/** The same by what values stand for. */
function tallyBy<T>(values: readonly [cell: unknown, count: number][], read: (cell: unknown) => T): Map<T, number> {
  const counts = new Map<T, number>();
  for (const [cell, count] of values) {
    const value = read(cell);
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return counts;
}

function total(counts: ReadonlyMap<unknown, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

type Kind = Pick<Verdict, 'kind' | 'reason'>;

function describeNumbers(name: string, numbers: ReadonlyMap<number, number>): Kind {
  if (numbers.size < 2) return { kind: 'constant', reason: 'always the same number' };
  const values = [...numbers.keys()];
  const cells = total(numbers);
  const whole = values.every(Number.isInteger);
  if (whole && values.length >= NEARLY_ALL * cells && cells >= LEAST_ROWS) {
    const [least, most] = extremes(values);
    const counted = most - least < 1.05 * cells && values.length === cells;
    if (counted) return { kind: 'identifier', reason: 'whole numbers that count the rows' };
    if (ID_NAME.test(name)) return { kind: 'identifier', reason: 'different in nearly every row, and named like one' };
  }
  if (values.length === 2) return { kind: 'category', reason: 'numbers, but only two of them' };
  if (!whole) return { kind: 'number', reason: `numbers, ${values.length} different` };
  return { kind: 'number', reason: `whole numbers, ${values.length} different` };
}

function extremes(numbers: readonly number[]): [least: number, most: number] {
  return numbers.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}

function describeWords(name: string, counts: ReadonlyMap<string, number>): Kind {
  if (counts.size === 0) return { kind: 'constant', reason: 'every cell is missing' };
  if (counts.size < 2) return { kind: 'constant', reason: 'always the same value' };
  const words = [...counts.keys()];
  if (words.every((word) => /^(true|false)$/i.test(word))) return { kind: 'boolean', reason: 'true or false' };
  const cells = total(counts);
  const share = counts.size / cells;
  if (words.every((word) => DATE.test(word))) {
    return share > 0.5
      ? { kind: 'date', reason: 'dates, most of them different' }
      : { kind: 'category', reason: `dates, but only ${counts.size} of them` };
  }
  const commas = words.every((word) => COMMAS.test(word)) && words.some((word) => word.includes(','));
  const length = averageWords(words);
  if (length >= 3 && counts.size >= Math.min(LEAST_ROWS, 0.5 * cells) && share > 0.2) {
    return { kind: 'text', reason: `sentences: ${length.toFixed(0)} words on average, most of them different` };
  }
  const all = share >= NEARLY_ALL && cells >= LEAST_ROWS;
  if (all || (share > 0.5 && ID_NAME.test(name) && cells >= LEAST_ROWS)) {
    return { kind: 'identifier', reason: commas ? DECIMAL_COMMAS : 'words that differ in nearly every row' };
  }
  return {
    kind: 'category',
    reason: commas ? DECIMAL_COMMAS : `words, ${counts.size} different in ${cells} rows`,
  };
}

/** As many different cells tell how long cells are. */
const ENOUGH_CELLS = 1000;

/** Words in a cell on average; where a script has no blanks, two signs count as a word. */
function averageWords(words: readonly string[]): number {
  const some = words.slice(0, ENOUGH_CELLS);
  let sum = 0;
  for (const word of some) sum += isForeign(word) && UNSPACED.test(word) ? word.length / 2 : piecesOf(word);
  return sum / some.length;
}

/** Whether a letter beyond those of Europe is in a text: a loop over its units costs a tenth of the pattern. */
function isForeign(text: string): boolean {
  for (let k = 0; k < text.length; k++) if (text.charCodeAt(k) > 0x0dff) return true;
  return false;
}

/** As many pieces as `text.split(/\s+/)` has, without making them. */
function piecesOf(text: string): number {
  let pieces = 1;
  let inside = false;
  for (let k = 0; k < text.length; k++) {
    const unit = text.charCodeAt(k);
    const blank = unit < 0x80 ? unit === 0x20 || (unit >= 9 && unit <= 13) : SPACE.test(text[k]);
    if (blank && !inside) pieces++;
    inside = blank;
  }
  return pieces;
}

const SPACE = /\s/;
