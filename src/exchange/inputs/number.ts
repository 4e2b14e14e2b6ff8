import { partPlace } from '../../data/cell-date.ts';
import { momentOf, truthOf } from '../../data/cell-format.ts';
import { numberOf, wordOf } from '../../data/cells.ts';
import { refuse, show } from '../../errors.ts';
import { isWholeRow } from '../names.ts';
import type { Plan } from '../plan.ts';
import { choices, constant, flag, number, optional, place, record, type ValueOf } from '../shape.ts';
import {
  cellAt,
  columnEntries,
  dateShape,
  fallback,
  fallbackShape,
  type InputOperation,
  isAbsent,
  isList,
} from './cell.ts';

const shape = record(
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
export type NumberInput = ValueOf<typeof shape>;

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
