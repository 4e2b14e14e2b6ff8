import { partPlace } from '../../data/cell-date.ts';
import { momentOf, truthOf } from '../../data/cell-format.ts';
import { numberOf, wordOf } from '../../data/cells.ts';
import { refuse, show } from '../../errors.ts';
import { isWholeRow } from '../names.ts';
import type { Plan } from '../plan.ts';
import { choices, constant, flag, number, optional, place, record } from '../shape.ts';
import {
  type Column,
  cellAt,
  columnEntries,
  dateShape,
  type Fallback,
  fallback,
  fallbackShape,
  type InputOperation,
  isAbsent,
  isList,
  type PlanDate,
} from './cell.ts';

/** A number, or `width` of them: consecutive cells of a row that is a list, or with `list` the elements of one cell. */
export interface NumberInput extends Column {
  readonly kind: 'number';
  readonly width: number;
  readonly list: boolean;
  /** The least and the greatest number that is taken. */
  readonly least: number;
  readonly most: number;
  /** true and false are 1 and 0, and no other numbers are taken. */
  readonly bits: boolean;
  /** null, NaN and undefined. */
  readonly missing: Fallback;
  /**
   * Strings that spell numbers are numbers, and whatever is none is missing; with `bits` the words true and false are 1 and 0,
   * whatever their case, and other numbers stay.
   */
  readonly lenient: boolean;
  /**
   * With `lenient`, strings may have a currency sign, a percent sign, separators between thousands, or parentheses for a negative
   * amount, and this decimal mark; without it they are plain numbers.
   */
  readonly spelling?: 'point' | 'comma';
  /** With `lenient`, the cell is a date, and the number its days. */
  readonly date?: PlanDate;
}

const shape = record<NumberInput>(
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
  return refuse('E_VALUE_RANGE', `column ${show(input.name)}: ${show(cell)} is no number that the model takes`, {
    feature: input.name,
  });
}

function run(input: NumberInput, row: unknown, plan: Plan): number[] {
  const { width, list, name, missing } = input;
  const whole = isWholeRow(plan, input);
  const cell = whole ? row : cellAt(input, row, plan);
  if (!whole && !list) return [readNumber(input, cell)];
  // A missing list is a list of missing cells.
  if (list && isAbsent(cell)) return new Array(width).fill(fallback(missing, input, 'the list is missing'));
  if (isList(cell) && cell.length === width) return Array.from(cell, (value) => readNumber(input, value));
  if (list) return refuse('E_SHAPE', `column ${show(name)} holds lists of ${width}`, { feature: name });
  return refuse('E_FEATURE_COUNT', `a row has ${width} cells, got ${show(row)}`, { expected: width });
}

export const numberInput: InputOperation<NumberInput> = { shape, run };
