import { type CellFormat, truthWords } from '../../data/cell-format.ts';
import type { Expectation } from '../../data/input.ts';
import type { Dictionary } from '../../data/levels.ts';
import type { Fallback, LevelInput, NumberInput } from '../plan.ts';
import type { PlanBuilder } from './builder.ts';
import { cannotCarry } from './inside.ts';

/** Where a step reads its cells: the columns of a row, or the vector of the step before it. */
export type Source = RowSource | { readonly vector: number };

/** Columns of a row, by name or by place; all of them if `columns` is absent. */
export interface RowSource {
  readonly names: readonly string[] | undefined;
  readonly columns?: readonly number[];
}

/** The whole row. */
export const wholeRow: RowSource = { names: undefined };

/** A source whose columns get these names unless it has names or places already. */
export function withNames(source: Source, names: readonly string[] | undefined): Source {
  return 'vector' in source || source.names || source.columns ? source : { names };
}

/** The name and the place of the k-th column of a source. */
function columnAt(builder: PlanBuilder, { names, columns }: RowSource, k: number): { name: string; column: number } {
  const column = columns?.[k] ?? k;
  if (names) builder.named = true;
  return { name: names?.[column] ?? `x${column}`, column };
}

const LIMIT = Number.MAX_VALUE;

/** An input of numbers; by default one number of any size that may be missing. */
export function numberInput(at: Pick<NumberInput, 'name' | 'column' | 'date'>, own: Partial<NumberInput>): NumberInput {
  const one = {
    width: 1,
    list: false,
    least: -LIMIT,
    most: LIMIT,
    bits: false,
    missing: 'missing',
    lenient: false,
  } as const;
  return { kind: 'number', ...at, ...one, ...own };
}

/** The cells of a source as one vector of numbers within the limits of a model; with `bits` only 0 and 1 are valid. */
export function numbersFrom(
  builder: PlanBuilder,
  source: Source,
  width: number,
  { missing = false, nonNegative = false, limit = LIMIT }: Expectation,
  bits = false,
): number {
  if ('vector' in source) return source.vector;
  const least = nonNegative ? 0 : -limit;
  const reading = { least, most: limit, bits, missing: missing ? 'missing' : 'refuse' } as const;
  if (!source.names && !source.columns) {
    return builder.read([numberInput({ name: 'x', column: 0 }, { ...reading, width })]);
  }
  return builder.read(Array.from({ length: width }, (_, k) => numberInput(columnAt(builder, source, k), reading)));
}

/** The levels of a column, how cells are compared with them, and how other cells are read. */
export type Levels = Pick<LevelInput, 'levels' | 'codes' | 'match' | 'missing' | 'unknown'>;

/** The cells of a row as one vector of numbers of levels. */
export function levelsFrom(builder: PlanBuilder, source: RowSource, levels: readonly Levels[]): number {
  return builder.read(levels.map((own, k) => ({ kind: 'level', ...columnAt(builder, source, k), ...own })));
}

/** How a column with a dictionary and `count` levels is read. */
export function levelsOf(
  dictionary: Dictionary,
  count: number,
  unknown: string,
  missing: 'missing' | 'refuse',
): Levels {
  const levels = typeof dictionary === 'number' ? count : (dictionary ?? []);
  return { levels, match: 'word', missing, unknown: unknownLevel(unknown, count) };
}

/** How an unknown level is read, by the policy of an estimator. */
export function unknownLevel(policy: string, levels: number): Fallback {
  if (policy === 'error') return 'refuse';
  return policy === 'ignore' ? 'missing' : levels;
}

/** The words of a column of levels besides the levels: those for a missing cell, and other spellings of true and false. */
export function levelWords(
  { missing, truth }: CellFormat,
  levels: readonly unknown[],
): Pick<LevelInput, 'absent' | 'aliases'> {
  const known = new Set(levels);
  const absent = missing?.filter((word) => !known.has(word)) ?? [];
  const [yes, no] = truth ?? [];
  const other = (words: readonly string[], level: string | undefined): [string, string][] =>
    level === undefined || !known.has(level) ? [] : words.filter((word) => word !== level).map((word) => [word, level]);
  const aliases = [...other(truthWords.yes, yes), ...other(truthWords.no, no)];
  return { ...(absent.length > 0 && { absent }), ...(aliases.length > 0 && { aliases }) };
}

/** The one text of a row, or of one of its columns. */
export function textFrom(builder: PlanBuilder, source: Source): number {
  if ('vector' in source) return cannotCarry('a vectorizer behind another step', 'its input is a vector, not a text');
  const at = source.columns ? columnAt(builder, source, 0) : { name: 'text', column: 0 };
  return builder.input({ kind: 'text', ...at, lenient: false });
}
