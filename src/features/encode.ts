import { compareLabels } from '../data/labels.ts';
import { requireWellFormed } from '../data/order.ts';
import { refuse, show } from '../errors.ts';

/** A category: a string, a finite number or a boolean; null and NaN are the missing one. */
export type Category = string | number | boolean | null;

/** The types of which all categories of a column are; 'none' where all cells are missing. */
export type CategoryType = 'string' | 'number' | 'boolean' | 'none';

/** The categories of a column in order, the missing one last, and how much weight each was seen with. */
export interface Categories {
  readonly type: CategoryType;
  readonly values: readonly Category[];
  readonly counts: Float64Array;
}

/** Whether a cell is missing. */
export function isMissing(cell: unknown): boolean {
  return cell === null || cell === undefined || Number.isNaN(cell);
}

/** The missing category as it is shown: NaN among numbers, null elsewhere. */
export function missingOf(type: CategoryType): Category {
  return type === 'number' ? Number.NaN : null;
}

/** Checks a cell of a column and returns it as a key: missing cells are all null, and −0 is 0. */
export function toKey(cell: unknown, row: number, column: number): string | number | boolean | null {
  if (isMissing(cell)) return null;
  if (typeof cell === 'string') requireWellFormed(cell, `row ${row}, column ${column}:`);
  else if (typeof cell === 'number') {
    if (!Number.isFinite(cell)) {
      refuse('E_NOT_FINITE', `row ${row}, column ${column}: ${cell} is not a finite number`, { row, column });
    }
  } else if (typeof cell !== 'boolean') {
    const what = `row ${row}, column ${column}: a category is text, a number, a truth value or null, got`;
    refuse('E_TYPE', `${what} ${typeof cell} ${show(cell)}`, { row, column, actual: typeof cell });
  }
  return cell === 0 ? 0 : (cell as string | number | boolean);
}

/** Refuses a column with categories of two types. */
function requireType(type: CategoryType, key: string | number | boolean, row: number, column: number): CategoryType {
  if (type !== 'none' && typeof key !== type) {
    refuse('E_TYPE', `row ${row}, column ${column}: ${show(key)} is a ${typeof key}, the column is of type ${type}`, {
      row,
      column,
      expected: type,
      actual: typeof key,
    });
  }
  return typeof key as CategoryType;
}

/** The categories of a column: strings by code point, numbers by size, the missing one last. */
export function findCategories(cells: ArrayLike<unknown>, weights: Float64Array, column: number): Categories {
  const seen = new Map<string | number | boolean | null, number>();
  let type: CategoryType = 'none';
  for (let i = 0; i < cells.length; i++) {
    const key = toKey(cells[i], i, column);
    if (key !== null) type = requireType(type, key, i, column);
    if (weights[i] > 0) seen.set(key, (seen.get(key) ?? 0) + weights[i]);
  }
  const present = [...seen.keys()].filter((key) => key !== null).sort(compareLabels);
  const keys = seen.has(null) ? [...present, null] : present;
  return {
    type,
    values: keys.map((key) => key ?? missingOf(type)),
    counts: Float64Array.from(keys, (key) => seen.get(key)!),
  };
}

/** Counts given categories in a column, in their order; each must be distinct, and all of one type. */
export function countCategories(
  given: readonly unknown[],
  cells: ArrayLike<unknown>,
  weights: Float64Array,
  column: number,
): Categories {
  const keys = given.map((value, v) => toKey(value, v, column));
  let type: CategoryType = 'none';
  keys.forEach((key, v) => {
    if (key !== null) type = requireType(type, key, v, column);
  });
  const places = new Map(keys.map((key, v) => [key, v]));
  const missingAt = keys.indexOf(null);
  if (keys.length === 0 || places.size !== keys.length || (missingAt >= 0 && missingAt < keys.length - 1)) {
    refuse('E_PARAM', `the categories of column ${column} must be distinct, the missing one last`, {
      name: 'categories',
      column,
    });
  }
  const counts = new Float64Array(keys.length);
  for (let i = 0; i < cells.length; i++) {
    const place = places.get(toKey(cells[i], i, column));
    if (place !== undefined) counts[place] += weights[i];
  }
  return { type, values: keys.map((key) => key ?? missingOf(type)), counts };
}

/** The place of every cell of a column among its categories; −1 for a cell that is none of them. */
export function placesOf(
  { values }: Pick<Categories, 'values'>,
  cells: ArrayLike<unknown>,
  column: number,
): Int32Array {
  const places = new Map(values.map((value, v) => [isMissing(value) ? null : value, v]));
  return Int32Array.from({ length: cells.length }, (_, i) => places.get(toKey(cells[i], i, column)) ?? -1);
}

/** Refuses the first cell that is of no category. */
export function requireKnown(places: Int32Array, cells: ArrayLike<unknown>, column: number): void {
  const row = places.indexOf(-1);
  if (row < 0) return;
  const value = cells[row] as Category;
  refuse('E_CATEGORY_UNKNOWN', `row ${row}, column ${column}: the category ${show(value)} was never seen in training`, {
    row,
    column,
    category: isMissing(value) ? null : value,
  });
}

/** When a category is too rare to stand alone. */
export interface Rarity {
  /** A count, or below 1 a share of the rows. */
  readonly minFrequency: number | null;
  /** Categories to keep, the common one of the rare among them. */
  readonly maxCategories: number | null;
}

/**
 * The indices of rare categories: those seen fewer than `minFrequency` times, and those beyond the `maxCategories − 1` most frequent (of
 * ties the later one is kept).
 */
export function findRare(counts: Float64Array, rows: number, { minFrequency, maxCategories }: Rarity): number[] {
  const least = minFrequency === null ? 0 : minFrequency < 1 ? rows * minFrequency : minFrequency;
  const rare = new Set(Array.from(counts.keys()).filter((v) => counts[v] < least));
  if (maxCategories !== null && maxCategories < counts.length - rare.size + 1) {
    const order = Array.from(counts.keys()).sort((a, b) => counts[a] - counts[b] || a - b);
    for (const v of order.slice(0, Math.max(0, counts.length - (maxCategories - 1)))) rare.add(v);
  }
  return [...rare].sort((a, b) => a - b);
}

/** The new index of every category if the rare ones share the last one. */
export function groupRare(length: number, rare: readonly number[]): Int32Array {
  const together = new Set(rare);
  let next = 0;
  return Int32Array.from({ length }, (_, v) => (together.has(v) ? length - together.size : next++));
}
