import type { SqlDialect } from '../../engines/sql/dialect.ts';
import { WHITE_SPACE } from '../../text/characters.ts';
import { PACKED } from '../../text/segment.ts';

/** First and last code points of runs. */
type Ranges = readonly (readonly [number, number])[];

const LAST = 0x10ffff;
const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;

/** The code points that a JavaScript pattern matches, as this engine's Unicode has them. */
function rangesOf(pattern: RegExp): Ranges {
  const ranges: [number, number][] = [];
  for (let point = 1; point <= LAST; point++) {
    if (isSurrogate(point) || !pattern.test(String.fromCodePoint(point))) continue;
    const last = ranges.at(-1);
    if (last && last[1] === point - 1) last[1] = point;
    else ranges.push([point, point]);
  }
  return ranges;
}

const sets = {
  word: /^[\p{L}\p{N}_]$/u,
  /** A letter with case that case mapping does not ignore. */
  cased: /^(?!\p{Case_Ignorable})\p{Cased}$/u,
  ignorable: /^\p{Case_Ignorable}$/u,
  /** Letters whose words need a dictionary; first and later characters of words in other scripts. */
  packed: new RegExp(`^(?:${PACKED})$`, 'u'),
  first: new RegExp(`^(?!${PACKED})[\\p{L}\\p{N}_]$`, 'u'),
  rest: new RegExp(`^(?!${PACKED})[\\p{L}\\p{M}\\p{N}_\\u200c\\u200d]$`, 'u'),
  blank: new RegExp(`^[${WHITE_SPACE}]$`, 'u'),
  any: /^.$/su,
} as const;

/** A set of characters that is listed character by character for every engine. */
export type LetterSet = keyof typeof sets;

const known = new Map<LetterSet, Ranges>();

function pointText(dialect: SqlDialect, point: number): string {
  const digits = point.toString(16);
  // The patterns of Snowflake have no numbers for letters, and signs of their own are escaped.
  if (dialect === 'snowflake') return String.fromCodePoint(point).replace(/[\\\]^.:'`-]/, '\\$&');
  if (dialect !== 'postgres') return `\\x{${digits}}`;
  return point > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`;
}

/**
 * The inside of a character class with exactly the letters that JavaScript has. `\w` and `\p{L}` differ between engines and their
 * versions: 9,661 code points are word characters in JavaScript and not in DuckDB 1.5.
 */
export function letters(dialect: SqlDialect, set: LetterSet): string {
  return runs(dialect, rangesIn(set));
}

function rangesIn(set: LetterSet): Ranges {
  let ranges = known.get(set);
  if (!ranges) known.set(set, (ranges = rangesOf(sets[set])));
  return ranges;
}

function runs(dialect: SqlDialect, ranges: Ranges): string {
  return ranges
    .map(([first, last]) => pointText(dialect, first) + (last > first ? `-${pointText(dialect, last)}` : ''))
    .join('');
}

/**
 * The letters of a set as a character class. Java tries the ranges of a class one after the other, 779 of them for the letters of
 * words; so for Spark they stand in groups of groups, each behind its span, which is 140 times as fast.
 */
export function letterClass(dialect: SqlDialect, set: LetterSet): string {
  if (dialect !== 'spark') return `[${letters(dialect, set)}]`;
  const ranges = rangesIn(set);
  const ascii = ranges.filter(([first]) => first < 0x80);
  const others = grouped(ranges.slice(ascii.length));
  return ascii.length > 0 ? `[[${runs(dialect, ascii)}]${others}]` : others;
}

/** Ranges in one group, and groups on one level. */
const FEW = 6;
const GROUPS = 4;

/** Ranges as groups of groups, each an intersection with its span, so that one comparison excludes what is outside. */
function grouped(ranges: Ranges): string {
  if (ranges.length <= FEW) return `[${runs('spark', ranges)}]`;
  const size = Math.ceil(ranges.length / GROUPS);
  const groups = Array.from({ length: GROUPS }, (_, k) => ranges.slice(k * size, (k + 1) * size)).filter(
    ({ length }) => length > 0,
  );
  const span = runs('spark', [[ranges[0][0], ranges[ranges.length - 1][1]]]);
  return `[${span}&&[${groups.map(grouped).join('')}]]`;
}

/** Ranges of Unicode with letters that have case since 2018; an engine may not know them yet. */
const YOUNG: Ranges = [
  [0x1c89, 0x1cbf],
  [0x2c2f, 0x2c2f],
  [0xa7b8, 0xa7ff],
  [0x10570, 0x10fff],
  [0x16e00, 0x16fff],
  [0x1e900, 0x1efff],
];

/** Capital letters and the small ones that they become, one for one: all of them, or those that an engine may not know. */
export function capitals(which: 'all' | 'young'): { readonly from: string; readonly to: string } {
  let [from, to] = ['', ''];
  for (const [first, last] of which === 'all' ? [[0x41, LAST] as const] : YOUNG) {
    for (let point = first; point <= last; point++) {
      const letter = isSurrogate(point) || point === DOTTED_I ? '' : String.fromCodePoint(point);
      const small = letter.toLowerCase();
      if (small === letter || [...small].length !== 1) continue;
      from += letter;
      to += small;
    }
  }
  return { from, to };
}

/** İ, the one letter that becomes two. */
export const DOTTED_I = 0x130;
