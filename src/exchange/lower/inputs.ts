import { codesOf } from '../inputs.ts';
import type { LevelInput, NumberInput, PlanInput } from '../plan.ts';
import type { Algebra, Tensor } from './algebra.ts';

/** What a target reads of its columns. */
export interface CellReader<T> {
  /** The numbers of the columns of an input; what is no number is missing. */
  numbers(input: NumberInput | LevelInput): T;
  /** Where a word is missing, and the codes of words; that of a word without one is `other`, or missing where it is NaN. */
  words(input: LevelInput, codes: readonly (readonly [word: string, code: number])[], other: number): Words<T>;
}

/** The words of a column. */
export interface Words<T> {
  readonly gap: T;
  readonly code: T;
}

/** The numbers of an input. Rows that the library refuses get no result. */
export function lowerInput<T extends Tensor>(a: Algebra<T>, input: PlanInput, reader: CellReader<T>): T {
  return a.keep(input.kind === 'level' ? level(a, input, reader) : number(a, input as NumberInput, reader));
}

/** Throws for cells that need more than a cast, in targets that read plain columns. */
export function requirePlain(input: PlanInput, cannotSay: (what: string, why: string) => never): void {
  if (input.kind === 'text') return;
  if (input.date) cannotSay(`the dates in ${input.name}`, 'make numbers of them first, or export as JavaScript');
  if (input.kind === 'number' && input.spelling) {
    cannotSay(`the numbers in ${input.name}`, 'they have signs or separators; fit a model to plain numbers');
  }
  if (input.kind === 'level' ? input.element !== undefined : input.list) {
    cannotSay('a column of lists', 'give every element a column of its own');
  }
}

/** Whether the levels of an input are numbers. */
export const isNumeric = ({ levels }: LevelInput): boolean =>
  typeof levels === 'number' || (levels.length > 0 && levels.every((own) => typeof own === 'number'));

function number<T extends Tensor>(a: Algebra<T>, input: NumberInput, reader: CellReader<T>): T {
  const { least, most, bits, lenient, missing } = input;
  const x = reader.numbers(input);
  const within = bits && !lenient ? [a.equal(x, 0), a.equal(x, 1)] : [a.lessOrEqual(least, x), a.lessOrEqual(x, most)];
  const fits = within.reduce(bits && !lenient ? a.or : a.and);
  const gap = a.missing(x);
  const value = a.keep(a.where(fits, x, Number.NaN)); // nothing is computed with a number that does not fit
  const known = a.not(a.missing(value));
  a.require(missing === 'refuse' ? known : a.or(gap, known));
  if (missing === 'missing') return value;
  return a.present(typeof missing === 'number' ? a.where(gap, missing, value) : value);
}

function level<T extends Tensor>(a: Algebra<T>, input: LevelInput, reader: CellReader<T>): T {
  const { unknown } = input;
  const other = typeof unknown === 'number' ? unknown : Number.NaN;
  if (!isNumeric(input)) {
    const codes = [...codesOf(input)].map(([word, code]) => [String(word), code] as const);
    const { gap, code } = reader.words(input, codes, other);
    return filled(a, gap, code, input);
  }
  const x = reader.numbers(input);
  const gap = a.missing(x);
  if (typeof input.levels === 'number') {
    const floor = a.floor(a.where(gap, 0, x)); // PMML has no floor of a missing number
    a.require(a.or(gap, a.and(a.lessOrEqual(0, x), a.equal(x, floor))));
    return filled(a, gap, a.keep(a.where(a.less(x, input.levels), x, other)), input);
  }
  const codes = [...codesOf(input)].sort(([first], [second]) => Number(first) - Number(second));
  const [values, numbers] = [0, 1].map((k) => Float64Array.from(codes, (pair) => Number(pair[k])));
  const place = a.keep(a.max(a.sub(a.pieces(x, [values], true), 1), 0));
  const [value, code] = [values, numbers].map((own) => a.reshape(a.lookup(place, [own], 1), 1));
  return filled(a, gap, a.keep(a.where(a.equal(x, value), code, other)), input);
}

/** The codes of levels with their replacement where cells are missing; the code of an unknown level may be missing too. */
function filled<T extends Tensor>(a: Algebra<T>, gap: T, value: T, { missing, unknown }: LevelInput): T {
  if (missing === 'refuse') a.require(a.not(gap));
  if (unknown === 'refuse') a.require(a.or(gap, a.not(a.missing(value))));
  const instead = typeof missing === 'number' ? missing : Number.NaN;
  const all = missing === 'refuse' ? value : a.where(gap, instead, value);
  return missing === 'missing' || unknown === 'missing' ? all : a.present(all);
}
