import { truthWords } from '../../data/cell-format.ts';
import { quoteString } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import { codesOf } from '../inputs.ts';
import type { Fallback, LevelInput, NumberInput, PlanInput } from '../plan.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import { cannotSay, trimmed } from './words.ts';

/** A column of the table that is scored, as a cell of the first stage. */
export type Column = (name: string) => Cell;

/** The numbers of an input, in order: one, or with `whole` those of a row that is a list of numbers. */
export function inputCells(builder: QueryBuilder, input: PlanInput, column: Column, whole = false): Cell[] {
  if (input.kind === 'text') return cannotSay(`the text ${input.name} among numbers`, 'it has to be counted first');
  if (input.date) return cannotSay(`the dates in ${input.name}`, 'make numbers of them first, or export as JavaScript');
  if (input.kind === 'number' && input.spelling)
    return cannotSay(`the numbers in ${input.name}`, 'they have signs or separators; fit a model to plain numbers');
  if (input.kind === 'level') return [levelCell(builder, input, column(input.name))];
  if (input.list) return cannotSay('a column of lists', 'give every element a column of its own');
  if (!whole) return [numberCell(builder, input, column(input.name))];
  return Array.from({ length: input.width }, (_, j) =>
    numberCell(builder, input, column(`${input.name}${input.column + j}`)),
  );
}

/** The replacement of an absent cell: NULL if missing, a number, or NULL in a row without result. */
const fallbackText = (builder: QueryBuilder, rule: Fallback) =>
  typeof rule === 'number' ? builder.cell`${rule}`.text : 'NULL';

/** A valid number; NULL if it is missing or invalid, so that nothing is computed with it. */
function numberCell(builder: QueryBuilder, input: NumberInput, from: Cell): Cell {
  const { missing, least, most, bits, lenient } = input;
  const words = wordsOf(builder.dialect);
  const raw = lenient
    ? spelled(builder, from, bits)
    : builder.keep({ ...from, simple: false, text: (bits ? words.bit : words.double)(from.text) });
  const bounded = builder.cell`${raw} >= ${least} AND ${raw} <= ${most}`;
  const range = bits && !lenient ? builder.cell`(${raw} = ${0} OR ${raw} = ${1})` : bounded;
  if (missing === 'refuse') {
    const kept = builder.keep(builder.cell`CASE WHEN ${range} THEN ${raw} END`);
    builder.require(builder.cell`${kept} IS NOT NULL`);
    return { ...kept, nullable: false };
  }
  const absent = `(${raw.text} IS NULL OR ${words.isNaN(raw.text)})`;
  const gap = fallbackText(builder, missing);
  const value = lenient
    ? builder.cell`CASE WHEN ${range} THEN ${raw} ELSE ${gap} END`
    : builder.cell`CASE WHEN ${absent} THEN ${gap} WHEN ${range} THEN ${raw} END`;
  if (!lenient) builder.require(builder.cell`(${absent} OR (${range}))`);
  return { ...builder.keep(value), nullable: missing === 'missing' };
}

/** What a number looks like in a record. */
const NUMBER = '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$';

/** The number that a value is or spells, NULL for everything else; with `bits` the words true and false are 1 and 0. */
function spelled(builder: QueryBuilder, from: Cell, bits: boolean): Cell {
  const words = wordsOf(builder.dialect);
  const text = builder.keep({ ...from, simple: false, text: trimmed(builder.dialect, from.text) });
  const listed = (all: readonly string[]) => all.map((word) => quoteString(builder.dialect, word)).join(', ');
  const truth = bits
    ? builder.cell`WHEN ${text} IN (${listed(truthWords.yes)}) THEN ${1} WHEN ${text} IN (${listed(truthWords.no)}) THEN ${0} `
        .text
    : '';
  const isNumber = words.matches(text.text, quoteString(builder.dialect, NUMBER));
  return builder.keep(
    builder.cell`CASE ${truth}WHEN ${isNumber} THEN ${{ ...text, simple: false, text: words.parsed(text.text) }} END`,
  );
}

function levelCell(builder: QueryBuilder, input: LevelInput, from: Cell): Cell {
  if (input.element !== undefined) return cannotSay('a column of lists', 'give every element a column of its own');
  const { missing, unknown } = input;
  const nullable = missing === 'missing' || unknown === 'missing';
  const code =
    typeof input.levels === 'number' ? numbered(builder, input, input.levels, from) : listed(builder, input, from);
  return { ...builder.keep(code), nullable };
}

/** Whole numbers from 0: the level is its own number. */
function numbered(builder: QueryBuilder, { missing, unknown }: LevelInput, levels: number, from: Cell): Cell {
  const words = wordsOf(builder.dialect);
  const raw = builder.keep({ ...from, simple: false, text: words.double(from.text) });
  const absent = `(${raw.text} IS NULL OR ${words.isNaN(raw.text)})`;
  const whole = builder.cell`${raw} >= ${0} AND ${raw} = floor(${raw})`;
  const known = unknown === 'refuse' ? builder.cell`${whole} AND ${raw} < ${levels}` : whole;
  builder.require(
    missing === 'refuse'
      ? builder.cell`COALESCE(NOT ${absent} AND ${known}, FALSE)`
      : builder.cell`(${absent} OR (${known}))`,
  );
  return builder.cell`CASE WHEN ${absent} THEN ${fallbackText(builder, missing)} WHEN ${raw} < ${levels} THEN ${raw} ELSE ${fallbackText(builder, unknown)} END`;
}

/** Levels on a list: words are compared as texts, numbers as numbers. */
function listed(builder: QueryBuilder, input: LevelInput, from: Cell): Cell {
  const { dialect } = builder;
  const { missing, unknown, match, absent: absentWords = [] } = input;
  const words = wordsOf(dialect);
  const codes = [...codesOf(input)];
  const numbers = codes.filter(([level]) => typeof level === 'number').length;
  const numeric = match !== 'trimmed' && numbers > 0;
  if (numeric && numbers < codes.length) {
    return cannotSay(
      `the column ${input.name}`,
      'its levels are numbers and words, and a column of a table has one type',
    );
  }
  const plain = numeric ? words.double(from.text) : words.text(from.text);
  const text = match === 'trimmed' ? trimmed(dialect, from.text) : plain;
  const bare = builder.keep({ ...from, simple: false, text });
  const none = ['', ...absentWords].map((word) => quoteString(dialect, word)).join(', ');
  const absent = match === 'trimmed' ? `(${bare.text} IS NULL OR ${bare.text} IN (${none}))` : `(${bare.text} IS NULL)`;
  const literals = codes.map(([level]) =>
    numeric ? builder.cell`${level as number}`.text : quoteString(dialect, String(level)),
  );
  const isKnown = literals.length > 0 ? `${bare.text} IN (${literals.join(', ')})` : 'FALSE';
  const allowed = [
    missing === 'refuse' ? `NOT ${absent}` : undefined,
    unknown === 'refuse' ? `(${absent} OR ${isKnown})` : undefined,
  ];
  for (const condition of allowed) if (condition) builder.require({ ...bare, simple: false, text: condition });
  const cases = codes.map(([, code], k) => `WHEN ${bare.text} = ${literals[k]} THEN ${builder.cell`${code}`.text}`);
  return builder.cell`CASE WHEN ${absent} THEN ${fallbackText(builder, missing)} ${{ ...bare, simple: false, text: cases.join(' ') }} ELSE ${fallbackText(builder, unknown)} END`;
}
