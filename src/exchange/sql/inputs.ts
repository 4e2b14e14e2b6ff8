import { truthWords } from '../../data/cell-format.ts';
import { quoteString } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import type { Fallback, LevelInput, NumberInput, PlanInput } from '../plan.ts';
import type { Cell, Sheet } from './sheet.ts';
import { cannotSay, trimmed } from './words.ts';

/** A column of the table that is scored, as a cell of the first stage. */
export type Column = (name: string) => Cell;

/** The numbers of an input, in order: one, or with `whole` those of a row that is a list of numbers. */
export function inputCells(sheet: Sheet, input: PlanInput, column: Column, whole = false): Cell[] {
  if (input.kind === 'text') return cannotSay(`the text ${input.name} among numbers`, 'it has to be counted first');
  if (input.date) return cannotSay(`the dates in ${input.name}`, 'make numbers of them first, or export as JavaScript');
  if (input.kind === 'number' && input.spelling)
    return cannotSay(`the numbers in ${input.name}`, 'they have signs or separators; fit a model to plain numbers');
  if (input.kind === 'level') return [levelCell(sheet, input, column(input.name))];
  if (input.list) return cannotSay('a column of lists', 'give every element a column of its own');
  if (!whole) return [numberCell(sheet, input, column(input.name))];
  return Array.from({ length: input.width }, (_, j) =>
    numberCell(sheet, input, column(`${input.name}${input.column + j}`)),
  );
}

/** What stands for an absent cell: NULL where it is missing, a number, or NULL in a row that is not answered. */
const fallbackText = (sheet: Sheet, rule: Fallback) => (typeof rule === 'number' ? sheet.cell`${rule}`.text : 'NULL');

/** A number that the model takes; NULL where it is missing, and where it is none: nothing is computed with it then. */
function numberCell(sheet: Sheet, input: NumberInput, from: Cell): Cell {
  const { missing, least, most, bits, lenient } = input;
  const words = wordsOf(sheet.dialect);
  const raw = lenient
    ? spelled(sheet, from, bits)
    : sheet.keep({ ...from, simple: false, text: (bits ? words.bit : words.double)(from.text) });
  const bounded = sheet.cell`${raw} >= ${least} AND ${raw} <= ${most}`;
  const range = bits && !lenient ? sheet.cell`(${raw} = ${0} OR ${raw} = ${1})` : bounded;
  if (missing === 'refuse') {
    const kept = sheet.keep(sheet.cell`CASE WHEN ${range} THEN ${raw} END`);
    sheet.require(sheet.cell`${kept} IS NOT NULL`);
    return { ...kept, nullable: false };
  }
  const absent = `(${raw.text} IS NULL OR ${words.isNaN(raw.text)})`;
  const gap = fallbackText(sheet, missing);
  const value = lenient
    ? sheet.cell`CASE WHEN ${range} THEN ${raw} ELSE ${gap} END`
    : sheet.cell`CASE WHEN ${absent} THEN ${gap} WHEN ${range} THEN ${raw} END`;
  if (!lenient) sheet.require(sheet.cell`(${absent} OR (${range}))`);
  return { ...sheet.keep(value), nullable: missing === 'missing' };
}

/** What a number looks like in a record. */
const NUMBER = '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$';

/** The number that a value is or spells, NULL for everything else; with `bits` the words true and false are 1 and 0. */
function spelled(sheet: Sheet, from: Cell, bits: boolean): Cell {
  const words = wordsOf(sheet.dialect);
  const text = sheet.keep({ ...from, simple: false, text: trimmed(sheet.dialect, from.text) });
  const listed = (all: readonly string[]) => all.map((word) => quoteString(sheet.dialect, word)).join(', ');
  const truth = bits
    ? sheet.cell`WHEN ${text} IN (${listed(truthWords.yes)}) THEN ${1} WHEN ${text} IN (${listed(truthWords.no)}) THEN ${0} `
        .text
    : '';
  const isNumber = words.matches(text.text, quoteString(sheet.dialect, NUMBER));
  return sheet.keep(
    sheet.cell`CASE ${truth}WHEN ${isNumber} THEN ${{ ...text, simple: false, text: words.parsed(text.text) }} END`,
  );
}

function levelCell(sheet: Sheet, input: LevelInput, from: Cell): Cell {
  if (input.element !== undefined) return cannotSay('a column of lists', 'give every element a column of its own');
  const { missing, unknown } = input;
  const nullable = missing === 'missing' || unknown === 'missing';
  const code =
    typeof input.levels === 'number'
      ? numbered(sheet, input, input.levels, from)
      : listed(sheet, input, input.levels, from);
  return { ...sheet.keep(code), nullable };
}

/** Whole numbers from 0: the level is its own number. */
function numbered(sheet: Sheet, { missing, unknown }: LevelInput, levels: number, from: Cell): Cell {
  const words = wordsOf(sheet.dialect);
  const raw = sheet.keep({ ...from, simple: false, text: words.double(from.text) });
  const absent = `(${raw.text} IS NULL OR ${words.isNaN(raw.text)})`;
  const whole = sheet.cell`${raw} >= ${0} AND ${raw} = floor(${raw})`;
  const known = unknown === 'refuse' ? sheet.cell`${whole} AND ${raw} < ${levels}` : whole;
  sheet.require(
    missing === 'refuse'
      ? sheet.cell`COALESCE(NOT ${absent} AND ${known}, FALSE)`
      : sheet.cell`(${absent} OR (${known}))`,
  );
  return sheet.cell`CASE WHEN ${absent} THEN ${fallbackText(sheet, missing)} WHEN ${raw} < ${levels} THEN ${raw} ELSE ${fallbackText(sheet, unknown)} END`;
}

/** Levels on a list: words are compared as texts, numbers as numbers. */
function listed(sheet: Sheet, input: LevelInput, levels: readonly (string | number | boolean)[], from: Cell): Cell {
  const { missing, unknown, match, codes, absent: absentWords = [], aliases = [] } = input;
  const words = wordsOf(sheet.dialect);
  const numbers = levels.filter((level) => typeof level === 'number').length;
  const numeric = match !== 'trimmed' && numbers > 0;
  if (numeric && numbers < levels.length) {
    return cannotSay(
      `the column ${input.name}`,
      'its levels are numbers and words, and a column of a table has one type',
    );
  }
  const plain = numeric ? words.double(from.text) : words.text(from.text);
  const text = match === 'trimmed' ? trimmed(sheet.dialect, from.text) : plain;
  const bare = sheet.keep({ ...from, simple: false, text });
  const none = ['', ...absentWords].map((word) => quoteString(sheet.dialect, word)).join(', ');
  const absent = match === 'trimmed' ? `(${bare.text} IS NULL OR ${bare.text} IN (${none}))` : `(${bare.text} IS NULL)`;
  const literals = levels.map((level) =>
    numeric ? sheet.cell`${level as number}`.text : quoteString(sheet.dialect, String(level)),
  );
  const others = aliases.map(([word]) => quoteString(sheet.dialect, word));
  const isKnown = literals.length > 0 ? `${bare.text} IN (${[...literals, ...others].join(', ')})` : 'FALSE';
  const allowed = [
    missing === 'refuse' ? `NOT ${absent}` : undefined,
    unknown === 'refuse' ? `(${absent} OR ${isKnown})` : undefined,
  ];
  for (const condition of allowed) if (condition) sheet.require({ ...bare, simple: false, text: condition });
  const cases = [
    ...literals.map((literal, v) => [literal, v] as const),
    ...aliases.map(([, level], k) => [others[k], levels.indexOf(level)] as const),
  ].map(([literal, v]) => `WHEN ${bare.text} = ${literal} THEN ${sheet.cell`${codes?.[v] ?? v}`.text}`);
  return sheet.cell`CASE WHEN ${absent} THEN ${fallbackText(sheet, missing)} ${{ ...bare, simple: false, text: cases.join(' ') }} ELSE ${fallbackText(sheet, unknown)} END`;
}
