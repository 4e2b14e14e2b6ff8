import { partPlace, partWord } from '../../data/cell-date.ts';
import { momentOf, truthOf } from '../../data/cell-format.ts';
import { type DataRow, numberOf, wordOf } from '../../data/cells.ts';
import { nestedCell } from '../../data/flatten.ts';
import { refuse, show } from '../../errors.ts';
import { isWholeRow } from '../plan/names.ts';
import type { Fallback, LevelInput, NumberInput, Plan, PlanDate, PlanInput, TextInput } from '../plan.ts';

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

const isAbsent = (cell: unknown): boolean => cell === null || cell === undefined || Number.isNaN(cell);

/** The cell of a column in a row: by place in a list, by a name that the row itself has in an object. */
function cellAt(plan: Plan, row: unknown, { name, column }: PlanInput): unknown {
  if (plan.row === 'value') return row;
  if (isList(row)) return row[column];
  if (plan.row === 'list' || typeof row !== 'object' || row === null) {
    return refuse('E_SHAPE', `a row is a ${plan.row} of cells, got ${show(row)}`);
  }
  return nestedCell(row as DataRow, name);
}

function fallback(rule: Fallback, { name }: PlanInput, what: string): number {
  if (rule === 'refuse') return refuse('E_VALUE_RANGE', `column ${show(name)}: ${what}`, { feature: name });
  return rule === 'missing' ? Number.NaN : rule;
}

/** What a row says of an input, as numbers. */
export function readNumbers(plan: Plan, input: PlanInput, row: unknown): ArrayLike<number> {
  if (input.kind === 'level') return [readLevel(input, cellAt(plan, row, input))];
  if (input.kind === 'text') return refuse('E_TYPE', `column ${show(input.name)} is a text`, { feature: input.name });
  if (input.list) return readListed(input, cellAt(plan, row, input));
  if (!isWholeRow(plan, input)) return [readNumber(input, cellAt(plan, row, input))];
  const { width } = input;
  if (!isList(row) || row.length !== width) {
    return refuse('E_FEATURE_COUNT', `a row has ${width} cells, got ${show(row)}`, { expected: width });
  }
  return Float64Array.from({ length: width }, (_, k) => readNumber(input, row[k]));
}

/** A missing list is a list of missing cells. */
function readListed(input: NumberInput, cell: unknown): ArrayLike<number> {
  if (isAbsent(cell)) return new Float64Array(input.width).fill(fallback(input.missing, input, 'the list is missing'));
  if (isList(cell) && cell.length === input.width) return Array.from(cell, (value) => readNumber(input, value));
  return refuse('E_SHAPE', `column ${show(input.name)} holds lists of ${input.width}`, { feature: input.name });
}

/** The number that a cell of a record is or spells, or the days of its date; NaN for everything else. */
function spelled(cell: unknown, { bits, spelling, date }: NumberInput): number {
  if (date) return partPlace(momentOf(cell, date.order), date.part);
  const truth = bits ? truthOf(wordOf(cell)) : undefined;
  return truth === undefined ? numberOf(cell, spelling) : Number(truth);
}

function readNumber(input: NumberInput, cell: unknown): number {
  const { lenient, bits } = input;
  const value = lenient ? spelled(cell, input) : cell;
  if (isAbsent(value)) return fallback(input.missing, input, 'the cell is missing');
  if (bits && typeof value === 'boolean') return value ? 1 : 0;
  const fits = typeof value === 'number' && value >= input.least && value <= input.most;
  if (fits && (lenient || !bits || value === 0 || value === 1)) return value;
  return refuse('E_VALUE_RANGE', `column ${show(input.name)}: ${show(cell)} is no number that the model takes`, {
    feature: input.name,
  });
}

function readLevel(input: LevelInput, given: unknown): number {
  const { levels, match, element } = input;
  const own = element === undefined ? given : isList(given) ? given[element] : undefined;
  const cell = input.date ? dateWord(own, input.date) : own;
  const blank = match === 'trimmed' && typeof cell === 'string' && isAbsentWord(input, cell.trim());
  if (isAbsent(cell) || blank) return fallback(input.missing, input, 'the cell is missing');
  const unknown = () => fallback(input.unknown, input, `${show(cell)} was never learned`);
  if (typeof levels === 'number') {
    if (!(Number.isInteger(cell) && (cell as number) >= 0)) {
      return refuse('E_TYPE', `column ${show(input.name)} holds whole numbers, got ${show(cell)}`);
    }
    return (cell as number) < levels ? (cell as number) : unknown();
  }
  if (match === 'word' && typeof cell === 'number' && levels.length > 0) {
    return refuse('E_TYPE', `column ${show(input.name)} holds words, got ${cell}`, { feature: input.name });
  }
  const key = match === 'trimmed' ? wordOf(cell) : match === 'word' ? String(cell) : cell === 0 ? 0 : cell;
  const alias = input.aliases?.find(([word]) => word === key);
  const place = levels.indexOf(alias ? alias[1] : (key as string));
  return place < 0 ? unknown() : (input.codes?.[place] ?? place);
}

const isAbsentWord = ({ absent = [] }: LevelInput, word: string): boolean => word === '' || absent.includes(word);

function dateWord(cell: unknown, { order, part }: PlanDate): string | undefined {
  return part === 'days' ? undefined : partWord(momentOf(cell, order), part);
}

/** What a row says of an input, as a text. */
export function readText(plan: Plan, input: TextInput, row: unknown): string {
  const cell = cellAt(plan, row, input);
  if (input.lenient) return cell === null || cell === undefined ? '' : wordOf(cell);
  if (typeof cell === 'string') return cell;
  return refuse('E_TYPE', `${show(input.name)} is a text, got ${show(cell)}`, { feature: input.name });
}
