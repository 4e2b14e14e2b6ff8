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
const ID_NAME = /(^|[^a-z])(id|uuid|guid|key|index)$|^(id|uuid|guid|rowid|index)([^a-z]|$)|[a-z]Id$/;
/** Scripts that put no blanks between words: a few signs are a sentence. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Tells the kind of a column, with the reason. */
export function describeCells(name: string, cells: readonly unknown[]): Verdict {
  const present = cells.filter((cell) => !isBlank(cell));
  const said = present.filter((cell) => !isMarker(cell));
  const numbers = said.map(numberOf);
  if (said.length > 0 && numbers.every((value) => !Number.isNaN(value))) {
    return { ...describeNumbers(name, numbers), missing: cells.length - said.length, counts: tally(said) };
  }
  const counts = tally(present);
  return { ...describeWords(name, present, counts), missing: cells.length - present.length, counts };
}

function tally(cells: readonly unknown[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const cell of cells) {
    const word = wordOf(cell);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

type Kind = Pick<Verdict, 'kind' | 'reason'>;

function describeNumbers(name: string, numbers: readonly number[]): Kind {
  const values = new Set(numbers);
  if (values.size < 2) return { kind: 'constant', reason: 'always the same number' };
  const whole = numbers.every(Number.isInteger);
  if (whole && values.size >= NEARLY_ALL * numbers.length && numbers.length >= LEAST_ROWS) {
    const [least, most] = extremes(numbers);
    const counted = most - least < 1.05 * numbers.length && values.size === numbers.length;
    if (counted) return { kind: 'identifier', reason: 'whole numbers that count the rows' };
    if (ID_NAME.test(name)) return { kind: 'identifier', reason: 'different in nearly every row, and named like one' };
  }
  if (values.size === 2) return { kind: 'category', reason: 'numbers, but only two of them' };
  if (!whole) return { kind: 'number', reason: `numbers, ${values.size} different` };
  return { kind: 'number', reason: `whole numbers, ${values.size} different` };
}

function extremes(numbers: readonly number[]): [least: number, most: number] {
  return numbers.reduce<[number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );
}

function describeWords(name: string, cells: readonly unknown[], counts: ReadonlyMap<string, number>): Kind {
  if (cells.length === 0) return { kind: 'constant', reason: 'every cell is missing' };
  if (counts.size < 2) return { kind: 'constant', reason: 'always the same value' };
  if ([...counts.keys()].every((word) => /^(true|false)$/i.test(word)))
    return { kind: 'boolean', reason: 'true or false' };
  const words = [...counts.keys()];
  const share = counts.size / cells.length;
  if (words.every((word) => DATE.test(word))) {
    return share > 0.5
      ? { kind: 'date', reason: 'dates, most of them different' }
      : { kind: 'category', reason: `dates, but only ${counts.size} of them` };
  }
  const length = averageWords(words);
  if (length >= 3 && counts.size >= Math.min(LEAST_ROWS, 0.5 * cells.length) && share > 0.2) {
    return { kind: 'text', reason: `sentences: ${length.toFixed(0)} words on average, most of them different` };
  }
  const all = share >= NEARLY_ALL && cells.length >= LEAST_ROWS;
  if (all || (share > 0.5 && ID_NAME.test(name) && cells.length >= LEAST_ROWS)) {
    return { kind: 'identifier', reason: 'words that differ in nearly every row' };
  }
  return { kind: 'category', reason: `words, ${counts.size} different in ${cells.length} rows` };
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
