import { partPlace, partWord } from '../data/cell-date.ts';
import { momentOf, truthOf } from '../data/cell-format.ts';
import { type DataRow, numberOf, wordOf } from '../data/cells.ts';
import { nestedCell } from '../data/flatten.ts';
import { refuse, show } from '../errors.ts';
import { requireWhole } from '../text/documents.ts';
import { isWholeRow } from './names.ts';
import type { Plan } from './plan.ts';
import {
  choices,
  constant,
  described,
  either,
  flag,
  list,
  number,
  numbers,
  optional,
  pair,
  place,
  record,
  type Shape,
  text,
  type ValueOf,
  whole,
} from './shape.ts';

/** How an absent or unknown cell is read: an error, a missing number (NaN), or this number. */
export type Fallback = 'refuse' | 'missing' | number;

const fallbackShape: Shape<Fallback> = described(
  either(choices('refuse', 'missing'), number, (value) => value === 'refuse' || value === 'missing'),
  'What becomes of the cell: a refusal, a missing number (NaN), or this number.',
);

const dateShape = record(
  { order: choices('day-first', 'month-first'), part: choices('days', 'weekday', 'month', 'hour') },
  'A part of a date as written: days since 1970, Sun … Sat, 1 … 12, or 0 … 23. `order` is that of day and month.',
);

/** A part of a date. */
export type PlanDate = ValueOf<typeof dateShape>;

/** The name of a column, its own or x0, x1 … by its place, and its place in rows that are lists. */
const columnEntries = { name: text, column: place };

const numberShape = record(
  {
    kind: constant('number'),
    ...columnEntries,
    width: place,
    list: flag,
    least: number,
    most: number,
    bits: flag,
    missing: fallbackShape,
    lenient: flag,
    spelling: optional(choices('point', 'comma')),
    date: optional(dateShape),
  },
  'A number, or `width` of them: consecutive cells of a row that is a list, or with `list` the elements of one cell. With `bits`, ' +
    'true and false are 1 and 0. With `lenient`, strings that spell numbers are numbers and all else is missing; with `spelling` they may ' +
    'have signs of money or percent, separators between thousands and this decimal mark. With `date` the number is the days of a date.',
);

/** A number, or several: consecutive cells of a row that is a list, or the elements of one cell. */
export type NumberInput = ValueOf<typeof numberShape>;

type Level = string | number | boolean;

const isText = (value: unknown) => typeof value === 'string';
const level: Shape<Level> = {
  ...either(text, either(whole, flag, Number.isFinite), isText),
  schema: { anyOf: [text.schema, { type: 'number' }, flag.schema] },
  read: (json, sizes) =>
    typeof json === 'number' ? json : isText(json) ? text.read(json, sizes) : flag.read(json, sizes),
};

const levelShape = record(
  {
    kind: constant('level'),
    ...columnEntries,
    levels: either(list(level), whole, Array.isArray),
    codes: optional(numbers),
    match: choices('word', 'exact', 'trimmed'),
    missing: fallbackShape,
    unknown: fallbackShape,
    element: optional(place),
    absent: optional(list(text)),
    aliases: optional(list(pair(text))),
    date: optional(dateShape),
  },
  'A level, read as its code or else its place: `levels` in order, or the whole numbers from 0 below this one. `match` word takes true ' +
    'and false for their words, exact asks for the same type, trimmed compares as a string without blanks around it (a blank cell ' +
    'is missing). With `element` the cell is a list and this its place. `absent` are words for a missing cell, `aliases` other words for ' +
    'levels. With `date` the level is a part of a date.',
);

/** One of several levels, read as its number. */
export type LevelInput = ValueOf<typeof levelShape>;

const textShape = record(
  { kind: constant('text'), ...columnEntries, lenient: flag },
  'A text; with `lenient` a missing one is empty.',
);

/** A text. */
export type TextInput = ValueOf<typeof textShape>;

/** How a column is read. */
export type PlanInput = NumberInput | LevelInput | TextInput;

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

const isAbsent = (cell: unknown) => cell === null || cell === undefined || Number.isNaN(cell);

/** The cell of a column in a row: by index in a list, by own property in an object. */
function cellAt({ name, column }: PlanInput, row: unknown, plan: Plan): unknown {
  if (plan.row === 'value') return row;
  if (isList(row)) return row[column];
  if (plan.row === 'list' || typeof row !== 'object' || row === null) {
    return refuse('E_SHAPE', `a row is a ${plan.row} of cells, got ${show(row)}`);
  }
  return nestedCell(row as DataRow, name);
}

/** The replacement of an absent or unknown cell. */
function fallback(rule: Fallback, { name }: PlanInput, what: string): number {
  if (rule === 'refuse') return refuse('E_VALUE_RANGE', `column ${show(name)}: ${what}`, { feature: name });
  return rule === 'missing' ? Number.NaN : rule;
}

/** The number that a cell is or spells; NaN for everything else. */
function spelled(cell: unknown, { bits, spelling }: NumberInput): number {
  const truth = bits ? truthOf(wordOf(cell)) : undefined;
  return truth === undefined ? numberOf(cell, spelling) : Number(truth);
}

const daysOf = (cell: unknown, { date }: NumberInput) =>
  date ? partPlace(momentOf(cell, date.order), date.part) : Number.NaN;

const numberReaders = { lenient: spelled, date: daysOf };

function readNumber(input: NumberInput, cell: unknown): number {
  const { lenient, bits } = input;
  const value = input.date ? numberReaders.date(cell, input) : lenient ? numberReaders.lenient(cell, input) : cell;
  if (isAbsent(value)) return fallback(input.missing, input, 'the cell is missing');
  if (bits && typeof value === 'boolean') return value ? 1 : 0;
  const fits = typeof value === 'number' && value >= input.least && value <= input.most;
  if (fits && (lenient || !bits || value === 0 || value === 1)) return value;
  return refuse('E_VALUE_RANGE', `column ${show(input.name)}: ${show(cell)} is not a number that the model accepts`, {
    feature: input.name,
  });
}

function readInput(input: NumberInput, row: unknown, plan: Plan): number[] {
  const { width, list: isNested, name, missing } = input;
  const isRow = isWholeRow(plan, input);
  const cell = isRow ? row : cellAt(input, row, plan);
  if (!isRow && !isNested) return [readNumber(input, cell)];
  // A missing list is a list of missing cells.
  if (isNested && isAbsent(cell)) return new Array(width).fill(fallback(missing, input, 'the list is missing'));
  if (isList(cell) && cell.length === width) return Array.from(cell, (value) => readNumber(input, value));
  if (isNested) return refuse('E_SHAPE', `column ${show(name)} holds lists of ${width}`, { feature: name });
  return refuse('E_FEATURE_COUNT', `a row has ${width} cells, got ${show(row)}`, { expected: width });
}

const dateWord = (cell: unknown, { order, part }: PlanDate): string | undefined =>
  part === 'days' ? undefined : partWord(momentOf(cell, order), part);

const levelReaders = { date: dateWord };

const indexed = new WeakMap<LevelInput, ReadonlyMap<Level, number>>();

/** The number of every listed level of an input, and of other words for them. */
export function codesOf(input: LevelInput): ReadonlyMap<Level, number> {
  let codes = indexed.get(input);
  if (!codes) {
    const levels = typeof input.levels === 'number' ? [] : input.levels;
    const codeAt = (v: number) => input.codes?.[v] ?? v;
    const aliases = (input.aliases ?? []).map(([word, own]) => [word, codeAt(levels.indexOf(own))] as const);
    codes = new Map<Level, number>([...levels.map((own, v) => [own, codeAt(v)] as const), ...aliases]);
    indexed.set(input, codes);
  }
  return codes;
}

function readLevel(input: LevelInput, given: unknown): number {
  const { levels, match, element, absent = [] } = input;
  const own = element === undefined ? given : isList(given) ? given[element] : undefined;
  const cell = input.date ? levelReaders.date(own, input.date) : own;
  const word = match === 'trimmed' && !isAbsent(cell) ? wordOf(cell) : undefined;
  const blank = typeof cell === 'string' && (word === '' || absent.includes(word as string));
  if (isAbsent(cell) || blank) return fallback(input.missing, input, 'the cell is missing');
  const unknown = () => fallback(input.unknown, input, `${show(cell)} was never learned`);
  if (typeof levels === 'number') {
    if (Number.isInteger(cell) && (cell as number) >= 0)
      return (cell as number) < levels ? (cell as number) : unknown();
    return refuse('E_TYPE', `column ${show(input.name)} holds whole numbers, got ${show(cell)}`);
  }
  if (match === 'word' && typeof cell === 'number' && levels.length > 0) {
    return refuse('E_TYPE', `column ${show(input.name)} holds words, got ${cell}`, { feature: input.name });
  }
  return codesOf(input).get((word ?? (match === 'word' ? String(cell) : cell)) as Level) ?? unknown();
}

/** The text of an input in a row. */
export function readText(plan: Plan, input: TextInput, row: unknown): string {
  const cell = cellAt(input, row, plan);
  if (input.lenient) return requireWhole(cell === null || cell === undefined ? '' : wordOf(cell), 0);
  if (typeof cell === 'string') return requireWhole(cell, 0);
  return refuse('E_TYPE', `${show(input.name)} is a text, got ${show(cell)}`, { feature: input.name });
}

/** The numbers of an input in a row: how it is written as JSON, and how its cells are read. */
interface InputOperation<T> {
  readonly shape: Shape<T>;
  readonly run: (input: T, row: unknown, plan: Plan) => number[];
}

/** All kinds of inputs, in the order of the schema. */
export const inputs: { readonly [K in PlanInput['kind']]: InputOperation<Extract<PlanInput, { readonly kind: K }>> } = {
  number: { shape: numberShape, run: readInput },
  level: { shape: levelShape, run: (input, row, plan) => [readLevel(input, cellAt(input, row, plan))] },
  text: {
    shape: textShape,
    run: ({ name }) => refuse('E_TYPE', `column ${show(name)} is a text, not a number`, { feature: name }),
  },
};

/** The numbers of an input in a row. */
export function readNumbers(plan: Plan, input: PlanInput, row: unknown): number[] {
  return inputs[input.kind].run(input as never, row, plan);
}
