import { type DateNotation, parseDate, partLevels } from '../../data/cell-date.ts';
import { quoteString, type SqlDialect } from '../../engines/sql/dialect.ts';
import { wordsOf } from '../../engines/sql/words.ts';
import type { PlanDate } from '../inputs.ts';
import type { Cell, QueryBuilder } from './query-builder.ts';
import { groupsOf } from './tokens.ts';
import { BLANKS, cannotSay, trimmed } from './words.ts';

const DAY_MS = 86_400_000;

/** The fields of a date: year, month, day, hour, minute, second, digits of a fraction, `a` or `p`. */
const FIELDS = 8;

/** A pattern in the subset that all engines have: without backreferences, flags and shorthands. */
function patternsOf({ pattern: { source } }: DateNotation): string[] {
  const separators = source.includes('\\2') ? ['-', '/', '\\.'] : [''];
  return separators.map((own) =>
    source
      .replace('([-/.])', `(${own})`)
      .replaceAll('\\2', own)
      .replace(/\\d|\\s|\\.|\[[^\]]+\]|[a-z]/gi, (part) => {
        if (part === '\\d') return '[0-9]';
        if (part === '\\s') return `[${BLANKS}]`;
        if (part.startsWith('\\')) return part;
        const cases = part.toLowerCase() + part.toUpperCase();
        return part.startsWith('[') ? (/[a-z]/.test(part) ? cases.replace('][', '') : part) : `[${cases}]`;
      }),
  );
}

/** The fields of a date with bars between them, NULL for a text that is no date in the notations of the library. */
function fieldsOf({ dialect }: QueryBuilder, text: string, { order }: PlanDate): string {
  const { matches } = wordsOf(dialect);
  const cases = parseDate.notations.flatMap((notation) => {
    const { date, swaps, time } = notation;
    const [year, month, day] = swaps && order === 'month-first' ? [date[0], date[2], date[1]] : date;
    const groups = [year, month, day, ...Array.from({ length: FIELDS - 3 }, (_, k) => time + k)];
    return patternsOf(notation).map((pattern) => {
      const isDate = matches(text, quoteString(dialect, pattern));
      return `WHEN ${isDate} THEN ${groupsOf(dialect, text, pattern, groups.flatMap((group) => [group, '|']))}`; // biome-ignore format: one line
    });
  });
  const fits = matches(text, quoteString(dialect, `^[^|]{6,${parseDate.longest}}$`));
  return `CASE WHEN ${fits} THEN CASE ${cases.join(' ')} END END`;
}

/** Field k of fields with bars behind them, as a text. */
function fieldOf(dialect: SqlDialect, fields: string, k: number): string {
  return groupsOf(dialect, fields, `^${'([^|]*)[|]'.repeat(FIELDS)}$`, [k + 1]);
}

/** The number of a month by its number or its name. */
function monthOf(builder: QueryBuilder, month: Cell): Cell {
  const names = parseDate.months.map((name, k) => {
    const words = [name, name.slice(0, 3), ...(name === 'september' ? ['sept'] : [])];
    const listed = words.map((word) => quoteString(builder.dialect, word)).join(', ');
    return builder.cell`WHEN lower(${month}) IN (${listed}) THEN ${k + 1} `.text;
  });
  return builder.cell`CASE ${names.join('')}WHEN NOT ${isWord(builder, month)} THEN ${numberOf(builder, month)} END`;
}

const isWord = ({ dialect }: QueryBuilder, { text }: Cell): string =>
  wordsOf(dialect).matches(text, quoteString(dialect, '[a-zA-Z]'));

/** A field as a number; 0 if it is empty. */
const numberOf = (builder: QueryBuilder, field: Cell): Cell =>
  builder.cell`CASE WHEN ${field} <> '' THEN ${wordsOf(builder.dialect).parsed(field.text)} ELSE ${0} END`;

/**
 * A part of the date that a cell spells, as `parseDate` reads it: days since 1970, or the place of weekday, month or hour among their
 * levels; NULL for a cell that spells no date.
 */
export function datePart(builder: QueryBuilder, from: Cell, date: PlanDate): Cell {
  if (builder.dialect === 'snowflake') {
    cannotSay('dates for Snowflake', 'its patterns have groups that capture only; make numbers of the dates first');
  }
  const keep = (cell: Cell) => builder.keep({ ...cell, nullable: true, simple: false });
  const derived = (cell: Cell, text: string) => keep({ ...cell, text });
  const text = derived(from, trimmed(builder.dialect, from.text));
  const fields = derived(text, fieldsOf(builder, text.text, date));
  const field = (k: number) => derived(fields, fieldOf(builder.dialect, fields.text, k));
  const number = (k: number) => keep(numberOf(builder, field(k)));
  const short = number(0);
  const year = keep(
    builder.cell`CASE WHEN ${field(0)} LIKE '__' THEN ${short} + CASE WHEN ${short} < ${parseDate.firstShortYear} THEN ${2000} ELSE ${1900} END ELSE ${short} END`,
  );
  const month = keep(monthOf(builder, field(1)));
  const [day, given, minute, second] = [number(2), number(3), number(4), number(5)];
  const half = field(7);
  const isHalf = builder.cell`${half} <> ''`.text;
  const noon = builder.cell`CASE WHEN ${half} IN ('p', 'P') THEN ${12} ELSE ${0} END`;
  const hour = keep(
    builder.cell`CASE WHEN ${isHalf} AND (${given} < ${1} OR ${given} > ${12}) THEN ${24} WHEN ${isHalf} THEN ${given} - ${12} * floor(${given} / ${12}) + ${noon} ELSE ${given} END`,
  );
  const multiple = (n: number) => builder.cell`${n} * floor(${year} / ${n}) = ${year}`.text;
  const february = builder.cell`CASE WHEN ${multiple(400)} OR (${multiple(4)} AND NOT ${multiple(100)}) THEN ${29} ELSE ${28} END`;
  const last = builder.cell`CASE WHEN ${month} = ${2} THEN ${february} WHEN ${month} IN (${builder.cell`${4}, ${6}, ${9}, ${11}`}) THEN ${30} ELSE ${31} END`;
  const isDay = builder.cell`${year} >= ${1000} AND ${month} >= ${1} AND ${month} <= ${12} AND ${day} >= ${1} AND ${day} <= ${last}`;
  const isTime = builder.cell`${hour} <= ${23} AND ${minute} <= ${59} AND ${second} <= ${59}`;
  // the days of the civil calendar, with years that begin in March
  const [y, m] = [
    keep(builder.cell`CASE WHEN ${month} <= ${2} THEN ${year} - ${1} ELSE ${year} END`),
    builder.cell`(CASE WHEN ${month} <= ${2} THEN ${month} + ${9} ELSE ${month} - ${3} END)`,
  ];
  const count = builder.cell`${day} + floor((${153} * ${m} + ${2}) / ${5}) + ${365} * ${y} + floor(${y} / ${4}) - floor(${y} / ${100}) + floor(${y} / ${400}) - ${719469}`;
  const days = keep(builder.cell`CASE WHEN ${isDay} AND ${isTime} THEN ${count} END`);
  const known = (cell: Cell) => builder.cell`CASE WHEN ${days} IS NOT NULL THEN ${cell} END`;
  if (date.part === 'hour') return keep(known(hour));
  if (date.part === 'month') return keep(known(builder.cell`${month} - ${1}`));
  if (date.part === 'weekday') {
    const { length } = partLevels.weekday;
    return keep(builder.cell`${days} + ${4} - ${length} * floor((${days} + ${4}) / ${length})`);
  }
  const digits = builder.cell`CASE WHEN ${field(6)} <> '' THEN ${wordsOf(builder.dialect).parsed(groupsOf(builder.dialect, field(6).text, '^(.*)$', ['0.', 1]))} ELSE ${0} END`;
  const milliseconds = builder.cell`${3_600_000} * ${hour} + ${60_000} * ${minute} + ${1000} * ${second} + floor(${digits} * ${1000})`;
  return keep(builder.cell`(${days} * ${DAY_MS} + ${milliseconds}) / ${DAY_MS}`);
}
