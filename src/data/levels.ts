import { refuse, show } from '../errors.ts';
import { type DenseRows, toDense } from './batch.ts';
import { type Expectation, type Features, type NamedRow, readContainer, requireWidth } from './input.ts';
import { Matrix } from './matrix.ts';
import { compareCodePoints, requireWellFormed } from './order.ts';

/** What a column of levels may hold: words (true and false are words), or whole numbers from 0. */
export type Level = string | number | boolean;

/** What callers may hand in as levels. */
export type LevelFeatures =
  | Features
  | ArrayLike<ArrayLike<Level | null | undefined>>
  | readonly NamedRow[]
  | Readonly<Record<string, ArrayLike<Level | null>>>;

/** The levels of one column: words in order, or whole numbers below a bound; null while nothing is known of the column. */
export type Dictionary = readonly string[] | number | null;

/** What becomes of a level at prediction that is in no dictionary. */
export type UnknownPolicy = 'smooth' | 'ignore' | 'error';

/** How levels are read. */
export interface LevelPolicy {
  /** NaN and null are missing cells rather than mistakes. */
  readonly missing?: boolean;
  /** New levels join the dictionaries. */
  readonly grow?: boolean;
  readonly unknown?: UnknownPolicy;
  /** How many levels columns have at least: all of them, or one number for each. */
  readonly least?: number | readonly number[] | undefined;
  /** Rows that teach no levels, since they weigh nothing. */
  readonly silent?: ((row: number) => boolean) | undefined;
}

/** Rows of numbers of levels, and the dictionaries by which they are read. A missing cell is NaN. */
export interface LevelInput {
  readonly rows: DenseRows;
  readonly names: readonly string[] | undefined;
  readonly dictionaries: readonly Dictionary[];
}

/** Whole numbers as levels end here: tables of counts have a cell for every number below the largest. */
const MOST_LEVELS = 2 ** 20;

/** How many levels a dictionary has. */
export function levelsIn(dictionary: Dictionary): number {
  if (dictionary === null) return 0;
  return typeof dictionary === 'number' ? dictionary : dictionary.length;
}

/** How many levels each column has room for. */
export function levelCounts(dictionaries: readonly Dictionary[], least?: LevelPolicy['least']): Int32Array {
  const floor = (j: number) => (typeof least === 'number' ? least : (least?.[j] ?? 0));
  return Int32Array.from(dictionaries, (dictionary, j) => Math.max(levelsIn(dictionary), floor(j)));
}

/**
 * Reads levels from any accepted container. A level that is in no dictionary joins it or follows the policy: under `smooth` it
 * becomes the first number past the levels of its column, under `ignore` a missing cell.
 */
export function readLevels(
  X: LevelFeatures,
  expected: Expectation,
  known: readonly Dictionary[] | undefined,
  policy: LevelPolicy,
): LevelInput {
  const columns: Column[] = (known ?? []).map((dictionary) => newColumn(dictionary));
  const convert = (value: unknown, row: number, j: number) =>
    readLevel((columns[j] ??= newColumn(null)), value, row, j, policy);
  const { rows, names } = readContainer(X as Features, { ...expected, missing: policy.missing ?? false }, convert);
  const cells = toDense(rows);
  if (X instanceof Matrix) cells.x.forEach((value, k) => void convert(value, Math.floor(k / X.cols), k % X.cols));
  if (rows.rows > 0) requireWidth(rows, expected.features);
  const before = Array.from({ length: rows.rows > 0 ? rows.features : columns.length }, (_, j) => known?.[j] ?? null);
  const dictionaries = policy.grow ? before.map((_, j) => grown(columns[j])) : before;
  return { rows: recode(cells, columns, dictionaries, policy), names, dictionaries };
}

/** What is seen of one column while it is read; words have numbers by arrival until all have arrived. */
interface Column {
  kind: 'word' | 'number' | undefined;
  readonly known: Dictionary;
  readonly words: Map<string, number>;
  readonly taught: Set<string>;
  bound: number;
}

function newColumn(known: Dictionary): Column {
  const kind = known === null ? undefined : typeof known === 'number' ? 'number' : 'word';
  return { kind, known, words: new Map(), taught: new Set(), bound: typeof known === 'number' ? known : 0 };
}

function readLevel(column: Column, value: unknown, row: number, j: number, policy: LevelPolicy): number {
  if (policy.missing && (value === null || value === undefined || Number.isNaN(value))) return Number.NaN;
  const teaches = !policy.silent?.(row);
  if (typeof value === 'number') {
    requireNumber(value, row, j);
    requireKind(column, 'number', value, row, j);
    if (teaches) column.bound = Math.max(column.bound, value + 1);
    return value;
  }
  if (typeof value !== 'string' && typeof value !== 'boolean') {
    const sentence = `row ${row}, column ${j}: a level is a word or a whole number, got ${typeof value} ${show(value)}`;
    return refuse('E_TYPE', sentence, { row, column: j, actual: typeof value });
  }
  const word = String(value);
  requireKind(column, 'word', word, row, j);
  requireWellFormed(word, `row ${row}, column ${j}:`);
  if (teaches) column.taught.add(word);
  let code = column.words.get(word);
  if (code === undefined) column.words.set(word, (code = column.words.size));
  return code;
}

function requireKind(column: Column, kind: 'word' | 'number', value: unknown, row: number, j: number): void {
  column.kind ??= kind;
  if (column.kind === kind) return;
  const sentence = `row ${row}, column ${j}: ${show(value)} is a ${kind}, the column holds ${column.kind}s`;
  refuse('E_TYPE', sentence, { row, column: j, expected: column.kind, actual: kind });
}

function requireNumber(value: number, row: number, column: number): void {
  if (value >= 0 && value < MOST_LEVELS && Number.isInteger(value)) return;
  const where = `row ${row}, column ${column}`;
  if (!Number.isFinite(value)) refuse('E_NOT_FINITE', `${where}: ${value} is not a finite number`, { row, column });
  if (value < 0) refuse('E_NEGATIVE', `${where}: ${value} is negative, levels are not`, { row, column, actual: value });
  const limit = MOST_LEVELS - 1;
  const sentence = `${where}: ${value} is not a level; levels are whole numbers up to ${limit}, or words`;
  refuse('E_VALUE_RANGE', sentence, { row, column, limit, actual: value });
}

/** The dictionary of a column with all that it has been taught. */
function grown(column: Column | undefined): Dictionary {
  if (!column) return null;
  const { known, taught, bound } = column;
  if (bound > 0) return bound;
  if (taught.size === 0) return known;
  return [...new Set([...((known as readonly string[] | null) ?? []), ...taught])].sort(compareCodePoints);
}

/** Puts every word in its place in the dictionary, and what has none where the policy says. */
function recode(
  { rows, features, x }: DenseRows,
  columns: readonly Column[],
  dictionaries: readonly Dictionary[],
  { grow, unknown = 'smooth', least }: LevelPolicy,
): DenseRows {
  const counts = levelCounts(dictionaries, least);
  const outside = (cell: number, value: Level) => {
    const [row, column] = [Math.floor(cell / features), cell % features];
    if (unknown === 'error' && !grow) {
      refuse('E_CATEGORY_UNKNOWN', `row ${row}, column ${column}: ${show(value)} was never learned`, { row, column });
    }
    return unknown === 'ignore' || grow ? Number.NaN : counts[column];
  };
  const tables = columns.map(({ words }, j) => {
    const place = new Map(Array.isArray(dictionaries[j]) ? dictionaries[j].map((word, v) => [word, v]) : []);
    return [...words.keys()].map((word) => ({ word, level: place.get(word) ?? -1 }));
  });
  const recoded = x.map((code, cell) => {
    const j = cell % features;
    if (Number.isNaN(code)) return code;
    if (columns[j].kind === 'number') return code < counts[j] ? code : outside(cell, code);
    const { word, level } = tables[j][code];
    return level < 0 ? outside(cell, word) : level;
  });
  return { rows, features, x: recoded };
}
