import { refuse, show } from '../errors.ts';
import { type DenseRows, toDense } from './batch.ts';
import { type Expectation, type Features, type NamedRow, readContainer, requireWidth } from './input.ts';
import { Matrix } from './matrix.ts';
import { compareCodePoints, requireWellFormed } from './order.ts';
import { CodedColumn, cellAt, type PackedColumn } from './packed-columns.ts';

/** A categorical value: a word (true and false are words), or an integer from 0. */
export type Level = string | number | boolean;

/** Accepted containers of levels. */
export type LevelFeatures =
  | Features
  | ArrayLike<ArrayLike<Level | null | undefined>>
  | readonly NamedRow[]
  | Readonly<Record<string, ArrayLike<Level | null>>>;

/** The levels of one column: sorted words, or integers below a bound; null while the column is unknown. */
export type Dictionary = readonly string[] | number | null;

/** What to do with an unknown level at prediction. */
export type UnknownPolicy = 'smooth' | 'ignore' | 'error';

/** How levels are read. */
export interface LevelPolicy {
  /** Whether NaN and null are missing cells rather than errors. Default: false. */
  readonly missing?: boolean;
  /** Whether new levels are added to the dictionaries. Default: false. */
  readonly grow?: boolean;
  readonly unknown?: UnknownPolicy;
  /** The minimum number of levels: for all columns, or one number for each. */
  readonly least?: number | readonly number[] | undefined;
  /** Rows of weight zero, which add no levels. */
  readonly silent?: ((row: number) => boolean) | undefined;
}

/** Rows of level numbers, and the dictionaries they refer to. A missing cell is NaN. */
export interface LevelInput {
  readonly rows: DenseRows;
  readonly names: readonly string[] | undefined;
  readonly dictionaries: readonly Dictionary[];
}

/** The maximum integer level: count tables have a cell for every number below the largest. */
const MOST_LEVELS = 2 ** 20;

/** How many levels a dictionary has. */
export function levelsIn(dictionary: Dictionary): number {
  if (dictionary === null) return 0;
  return typeof dictionary === 'number' ? dictionary : dictionary.length;
}

/** The number of levels of each column. */
export function levelCounts(dictionaries: readonly Dictionary[], least?: LevelPolicy['least']): Int32Array {
  const floor = (j: number) => (typeof least === 'number' ? least : (least?.[j] ?? 0));
  return Int32Array.from(dictionaries, (dictionary, j) => Math.max(levelsIn(dictionary), floor(j)));
}

/**
 * Reads levels from any accepted container. An unknown level is added or follows the policy: under `smooth` it becomes
 * the first number past the levels of its column, under `ignore` a missing cell.
 */
export function readLevels(
  X: LevelFeatures,
  expected: Expectation,
  known: readonly Dictionary[] | undefined,
  policy: LevelPolicy,
): LevelInput {
  const columns = (known ?? []).map((dictionary, j) => new LevelColumn(dictionary, j, policy));
  const convert = (value: unknown, row: number, j: number) =>
    (columns[j] ??= new LevelColumn(null, j, policy)).read(value, row);
  const { rows, names } = readContainer(X as Features, { ...expected, missing: policy.missing ?? false }, convert);
  const { features, x: cells } = toDense(rows);
  const x =
    X instanceof Matrix ? cells.map((value, k) => convert(value, Math.floor(k / features), k % features)) : cells;
  if (rows.rows > 0) requireWidth(rows, expected.features);
  columns.forEach((column, j) => void column.settle(x, j, features));
  const width = rows.rows > 0 ? features : columns.length;
  const dictionaries = Array.from({ length: width }, (_, j) => columns[j]?.dictionary ?? null);
  return { rows: { rows: rows.rows, features, x }, names, dictionaries };
}

const NONE: ReadonlyMap<unknown, number> = new Map();

/** The index of each word, by dictionary: dictionaries never change, and batches after the first rarely add a word. */
const places = new WeakMap<readonly string[], ReadonlyMap<unknown, number>>();

function placesOf(dictionary: Dictionary): ReadonlyMap<unknown, number> {
  if (dictionary === null || typeof dictionary === 'number') return NONE;
  let own = places.get(dictionary);
  if (!own) places.set(dictionary, (own = new Map(dictionary.map((word, v) => [word, v]))));
  return own;
}

/**
 * Reads the cells of one categorical column as numbers. Known words have their index in the dictionary; new words come
 * after them in order of arrival until `settle` sorts them.
 */
export class LevelColumn {
  private readonly known: Dictionary;
  private readonly column: number;
  private readonly policy: LevelPolicy;
  private readonly places: ReadonlyMap<unknown, number>;
  private readonly more = new Map<unknown, number>();
  private readonly taught = new Set<string>();
  private kind: 'word' | 'number' | undefined;
  /** One more than the largest number learned (`bound`) and read (`end`). */
  private bound: number;
  private end = 0;

  /** `column` is its number in error messages. */
  constructor(known: Dictionary, column: number, policy: LevelPolicy) {
    this.known = known;
    this.column = column;
    this.policy = policy;
    this.places = placesOf(known);
    this.kind = known === null ? undefined : typeof known === 'number' ? 'number' : 'word';
    this.bound = typeof known === 'number' ? known : 0;
  }

  /** Reads all cells of the column into every `stride`th element of `x` from `start` on. */
  readAll(cells: ArrayLike<unknown> | PackedColumn, x: Float64Array, start: number, stride: number): void {
    if (cells instanceof CodedColumn && !this.policy.silent) this.readCodes(cells, x, start, stride);
    else for (let i = 0; i < cells.length; i++) x[start + i * stride] = this.read(cellAt(cells, i), i);
  }

  /** Reads each distinct cell once, in its first row. */
  private readCodes({ codes, values }: CodedColumn, x: Float64Array, start: number, stride: number): void {
    const levels = new Float64Array(values.length);
    let next = 0;
    for (let i = 0, cell = start; i < codes.length; i++, cell += stride) {
      const code = codes[i];
      if (code === next) levels[next++] = this.read(values[code], i);
      x[cell] = levels[code];
    }
  }

  /** Reads a cell; NaN if it is missing. */
  read(value: unknown, row: number): number {
    if (typeof value === 'number') return this.readNumber(value, row);
    return (
      this.places.get(value) ?? (this.policy.silent ? undefined : this.more.get(value)) ?? this.readWord(value, row)
    );
  }

  private readNumber(value: number, row: number): number {
    if (Number.isNaN(value) && this.policy.missing) return value;
    requireNumber(value, row, this.column);
    this.requireKind('number', value, row);
    if (value >= this.end) this.end = value + 1;
    if (value >= this.bound && !this.policy.silent?.(row)) this.bound = value + 1;
    return value;
  }

  private readWord(value: unknown, row: number): number {
    const { column, policy, more } = this;
    if (policy.missing && (value === null || value === undefined)) return Number.NaN;
    if (typeof value !== 'string' && typeof value !== 'boolean') {
      const what = `a level is a word or a whole number, got ${typeof value} ${show(value)}`;
      return refuse('E_TYPE', `row ${row}, column ${column}: ${what}`, { row, column, actual: typeof value });
    }
    const word = String(value);
    this.requireKind('word', word, row);
    const known = this.places.get(word);
    if (known !== undefined) return known;
    requireWellFormed(word, `row ${row}, column ${column}:`);
    if (!policy.silent?.(row)) this.taught.add(word);
    let code = more.get(word);
    if (code === undefined) more.set(word, (code = this.places.size + more.size));
    return code;
  }

  private requireKind(kind: 'word' | 'number', value: unknown, row: number): void {
    this.kind ??= kind;
    if (this.kind === kind) return;
    const { column, kind: expected } = this;
    const sentence = `row ${row}, column ${column}: ${show(value)} is a ${kind}, the column holds ${expected}s`;
    refuse('E_TYPE', sentence, { row, column, expected, actual: kind });
  }

  /** The dictionary, including new levels if they are learned. */
  get dictionary(): Dictionary {
    const { known, taught, bound, policy } = this;
    if (!policy.grow) return known;
    if (bound > 0) return bound;
    if (taught.size === 0) return known;
    return [...((known as readonly string[] | null) ?? []), ...taught].sort(compareCodePoints);
  }

  /** Replaces the numbers in `x` by their final index in the dictionary, and unknown levels according to the policy. */
  settle(x: Float64Array, start: number, stride: number): Dictionary {
    const { known, more, column, policy } = this;
    const { dictionary } = this;
    const { grow, unknown = 'smooth', least } = policy;
    const count = Math.max(levelsIn(dictionary), (typeof least === 'number' ? least : least?.[column]) ?? 0);
    const words = this.kind === 'word';
    if (words ? more.size === 0 : this.end <= count) return dictionary;
    const place = placesOf(dictionary);
    const names = words ? [...((known as readonly string[] | null) ?? []), ...more.keys()] : [];
    const levels = Float64Array.from(names, (word) => place.get(word) ?? -1);
    for (let cell = start, row = 0; cell < x.length; cell += stride, row++) {
      const code = x[cell];
      if (Number.isNaN(code)) continue;
      const level = words ? levels[code] : code < count ? code : -1;
      if (level < 0 && unknown === 'error' && !grow) {
        const name = show(words ? names[code] : code);
        refuse('E_CATEGORY_UNKNOWN', `row ${row}, column ${column}: ${name} was never learned`, { row, column });
      }
      x[cell] = level >= 0 ? level : unknown === 'ignore' || grow ? Number.NaN : count;
    }
    return dictionary;
  }
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
