import { partWord } from '../../data/cell-date.ts';
import { momentOf } from '../../data/cell-format.ts';
import { wordOf } from '../../data/cells.ts';
import { refuse, show } from '../../errors.ts';
import type { Plan } from '../plan.ts';
import {
  choices,
  constant,
  either,
  flag,
  list,
  numbers,
  optional,
  pair,
  place,
  record,
  type Shape,
  text,
  type ValueOf,
  whole,
} from '../shape.ts';
import {
  cellAt,
  columnEntries,
  dateShape,
  fallback,
  fallbackShape,
  type InputOperation,
  isAbsent,
  isList,
  type PlanDate,
} from './cell.ts';

type Level = string | number | boolean;

const isText = (value: unknown) => typeof value === 'string';
const level: Shape<Level> = {
  ...either(text, either(whole, flag, Number.isFinite), isText),
  schema: { anyOf: [text.schema, { type: 'number' }, flag.schema] },
  read: (json, sizes) =>
    typeof json === 'number' ? json : isText(json) ? text.read(json, sizes) : flag.read(json, sizes),
};

const shape = record(
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
export type LevelInput = ValueOf<typeof shape>;

const dateWord = (cell: unknown, { order, part }: PlanDate): string | undefined =>
  part === 'days' ? undefined : partWord(momentOf(cell, order), part);

const levelReaders = { date: dateWord };

const indexed = new WeakMap<LevelInput, ReadonlyMap<unknown, number>>();

/** The number of every word of an input. */
function codesOf(input: LevelInput, levels: readonly Level[]): ReadonlyMap<unknown, number> {
  let codes = indexed.get(input);
  if (!codes) {
    const codeAt = (v: number) => input.codes?.[v] ?? v;
    const aliases = (input.aliases ?? []).map(([word, own]) => [word, codeAt(levels.indexOf(own))] as const);
    codes = new Map<unknown, number>([...levels.map((own, v) => [own, codeAt(v)] as const), ...aliases]);
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
  return codesOf(input, levels).get(word ?? (match === 'word' ? String(cell) : cell)) ?? unknown();
}

const run = (input: LevelInput, row: unknown, plan: Plan) => [readLevel(input, cellAt(input, row, plan))];

export const levelInput: InputOperation<LevelInput> = { shape, run };
