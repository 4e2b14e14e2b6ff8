import type { Cell, Sheet } from './sheet.ts';
import { cannotSay } from './words.ts';

/** Every number of a table of pairs of levels stands in the query once; beyond this many it would be longer than engines like. */
const MOST_PAIRS = 10_000;

/** Refuses a table of more pairs of levels than a query should hold. */
export function requireFewPairs(what: string, pairs: number): void {
  if (pairs <= MOST_PAIRS) return;
  cannotSay(
    `${what} over ${pairs} pairs of levels`,
    `all of them would be parts of the query, and ${MOST_PAIRS} are the most`,
  );
}

/**
 * The value at the place that a cell says; beyond the last place it is the last value, and `gap` where the place is missing.
 */
export function lookup(sheet: Sheet, x: Cell, values: readonly (number | Cell)[], gap: number | Cell = 0): Cell {
  const places = values.slice(0, -1).map((_, v) => v);
  return arms(sheet, x, places, values, values[values.length - 1], x.nullable ? gap : undefined);
}

/** The value whose place a cell says, places from 1 unless they are listed; `otherwise` where there is none. */
export function match(
  sheet: Sheet,
  x: Cell,
  values: readonly number[],
  otherwise: number | Cell,
  places: readonly number[] = values.map((_, k) => k + 1),
): Cell {
  return arms(sheet, x, places, values, otherwise, undefined);
}

function arms(
  sheet: Sheet,
  x: Cell,
  places: readonly number[],
  values: readonly (number | Cell)[],
  otherwise: number | Cell,
  gap: number | Cell | undefined,
): Cell {
  const cases = places.map((place, k) => sheet.cell`WHEN ${x} = ${place} THEN ${values[k]}`);
  if (gap !== undefined) cases.unshift(sheet.cell`WHEN ${x} IS NULL THEN ${gap}`);
  if (cases.length === 0) return sheet.cell`${otherwise}`;
  const stage = Math.max(...cases.map((own) => own.stage));
  const all: Cell = { text: cases.map(({ text }) => text).join(' '), stage, nullable: false };
  return { ...sheet.cell`CASE ${all} ELSE ${otherwise} END`, nullable: false };
}

/** A level, or the place behind the last where it is on no list; what is missing stays so. */
export function capped(sheet: Sheet, x: Cell, levels: number): Cell {
  return sheet.keep(sheet.cell`CASE WHEN ${x} >= ${levels} THEN ${levels} ELSE ${x} END`);
}
