import { refuse, show } from '../../errors.ts';
import { isWholeRow } from '../plan/names.ts';
import type { Fallback, LevelInput, NumberInput, Plan, PlanInput, TextInput } from '../plan.ts';

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
  return Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : undefined;
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

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a cell of a record is or spells; NaN for everything else. */
function spelled(cell: unknown): number {
  if (typeof cell === 'bigint') return Number(cell);
  const value = typeof cell === 'string' && NUMBER.test(cell.trim()) ? Number(cell.trim()) : cell;
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}

/** Among flags the words true and false are 1 and 0. */
function flagged(cell: unknown): number {
  const word = wordOf(cell).toLowerCase();
  return word === 'true' ? 1 : word === 'false' ? 0 : spelled(cell);
}

function readNumber(input: NumberInput, cell: unknown): number {
  const { lenient, bits } = input;
  const value = lenient ? (bits ? flagged(cell) : spelled(cell)) : cell;
  if (isAbsent(value)) return fallback(input.missing, input, 'the cell is missing');
  if (bits && typeof value === 'boolean') return value ? 1 : 0;
  const fits = typeof value === 'number' && value >= input.least && value <= input.most;
  if (fits && (lenient || !bits || value === 0 || value === 1)) return value;
  return refuse('E_VALUE_RANGE', `column ${show(input.name)}: ${show(cell)} is no number that the model takes`, {
    feature: input.name,
  });
}

/** A cell of a record as a word. */
function wordOf(cell: unknown): string {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? '' : cell.toISOString();
  return typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : String(cell).trim();
}

function readLevel(input: LevelInput, given: unknown): number {
  const { levels, match, element } = input;
  const cell = element === undefined ? given : isList(given) ? given[element] : undefined;
  const blank = match === 'trimmed' && typeof cell === 'string' && cell.trim() === '';
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
  const place = levels.indexOf(key as string);
  return place < 0 ? unknown() : (input.codes?.[place] ?? place);
}

/** What a row says of an input, as a text. */
export function readText(plan: Plan, input: TextInput, row: unknown): string {
  const cell = cellAt(plan, row, input);
  if (input.lenient) return cell === null || cell === undefined ? '' : wordOf(cell);
  if (typeof cell === 'string') return cell;
  return refuse('E_TYPE', `${show(input.name)} is a text, got ${show(cell)}`, { feature: input.name });
}
