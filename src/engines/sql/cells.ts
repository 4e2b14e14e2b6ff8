import { column, type Frame, partOf, unreported } from './frame.ts';
import { type ByClass, byClass, presentOf, weighedSum } from './grouped.ts';
import { compareTotals, countLevels, type LevelCount } from './groups.ts';
import { betterPivot, type ColumnMoments, firstPivots, MOST_ROUNDS, type Pivot, pivotOf, pivotText } from './pivots.ts';
import { countTogether } from './together.ts';
import { refuseChange } from './totals.ts';
import { wordsOf } from './words.ts';

/**
 * What to count of a column; `sql` is a number or, for levels, a text over the relation, and NULL if the cell is
 * missing.
 */
export interface CellRequest {
  readonly kind: 'moments' | 'sum' | 'levels';
  readonly name: string;
  readonly sql: string;
  /** Whether the numbers are integers, so that sums about an integer pivot are exact. */
  readonly whole?: boolean | undefined;
}

/** The counts of a column, class by class in the order of the labels. */
export type CellCounts =
  | (ColumnMoments & { readonly kind: 'moments' })
  | {
      readonly kind: 'sum';
      readonly present: Float64Array;
      readonly sum: Float64Array;
      /** The smallest cell, NaN if there is none. */
      readonly least: Float64Array;
    }
  | { readonly kind: 'levels'; readonly counts: readonly LevelCount[] };

/** The weight of every class, and the counts of every column. */
export interface Counted {
  readonly labels: readonly string[];
  readonly n: Float64Array;
  readonly cells: readonly CellCounts[];
}

/** The number of numeric columns summed by one query. */
const COLUMNS_AT_ONCE = 250;
/** The maximum number of numeric columns summed in the scan that counts levels; more are cheaper in a separate scan. */
const BESIDE_LEVELS = 64;
/** The number of grouping sets in one scan: each is a bit of one number. */
const SETS_AT_ONCE = 30;

/** Counts columns by class, in one pass over the data, or in several if there are many columns. */
export async function countCells(frame: Frame, requests: readonly CellRequest[]): Promise<Counted> {
  const numbers = requests.filter(({ kind }) => kind !== 'levels');
  const levels = requests.filter(({ kind }) => kind === 'levels');
  const pivots = await pivotsFor(frame, numbers);
  const counts = new Map<CellRequest, CellCounts>();
  const together = frame.oneScan && levels.length > 0 && numbers.length <= BESIDE_LEVELS;
  const first = numbers.slice(0, COLUMNS_AT_ONCE);
  const scans = Math.max(1, Math.ceil(numbers.length / COLUMNS_AT_ONCE));
  const { base, histograms } = await countFirst(partOf(frame, 0, scans), first, pivots, levels, together === true);
  readNumbers(base, first, pivots, counts);
  for (let from = COLUMNS_AT_ONCE; from < numbers.length; from += COLUMNS_AT_ONCE) {
    const some = numbers.slice(from, from + COLUMNS_AT_ONCE);
    const own = partOf(frame, from / COLUMNS_AT_ONCE, scans);
    readNumbers(aligned(await sumNumbers(own, some, pivots), base.labels), some, pivots, counts);
  }
  await improve(unreported(frame), base.labels, numbers, pivots, counts);
  levels.forEach((request, k) => {
    compareTotals(frame, histograms[k]);
    counts.set(request, { kind: 'levels', counts: histograms[k] });
  });
  return {
    labels: base.labels,
    n: base.values[0],
    cells: requests.map((request) => counts.get(request) as CellCounts),
  };
}

type Pivots = Map<CellRequest, Pivot>;

async function pivotsFor(frame: Frame, numbers: readonly CellRequest[]): Promise<Pivots> {
  const own = numbers.filter(({ kind }) => kind === 'moments');
  if (own.length === 0) return new Map();
  const found = await firstPivots(
    frame,
    own.map(({ sql }) => sql),
  );
  return new Map(
    own.map((request, k) => {
      const { common, own: byLabel } = found[k];
      return [request, { common: request.whole ? Math.round(common) : common, own: byLabel }];
    }),
  );
}

/** The classes and the first numeric columns, with the levels in the same scan or after it. */
async function countFirst(
  frame: Frame,
  numbers: readonly CellRequest[],
  pivots: Pivots,
  levels: readonly CellRequest[],
  together: boolean,
): Promise<{ base: ByClass; histograms: readonly LevelCount[][] }> {
  const cells = levels.map(({ sql }) => sql);
  if (!together) {
    const [one, two] = [0, 1].map((k) => (cells.length > 0 ? partOf(frame, k, 2) : frame));
    return { base: await sumNumbers(one, numbers, pivots), histograms: await histogramsOf(two, cells) };
  }
  const own = numbers.map(({ sql }) => sql);
  const first = await countTogether(frame, own, aggregatesOf(frame, numbers, pivots), cells.slice(0, SETS_AT_ONCE));
  const others = await histogramsOf(unreported(frame), cells.slice(SETS_AT_ONCE));
  return { base: first.base, histograms: [...first.histograms, ...others] };
}

/**
 * Histograms of columns: one query for each, or, if the source is text, as few scans as the limit of grouping sets
 * allows.
 */
async function histogramsOf(frame: Frame, cells: readonly string[]): Promise<LevelCount[][]> {
  if (!frame.oneScan) return countLevels(frame, cells);
  const histograms: LevelCount[][] = [];
  for (let from = 0; from < cells.length; from += SETS_AT_ONCE) {
    const own = partOf(frame, from / SETS_AT_ONCE, Math.ceil(cells.length / SETS_AT_ONCE));
    histograms.push(...(await countTogether(own, [], [], cells.slice(from, from + SETS_AT_ONCE))).histograms);
  }
  return histograms;
}

const sumNumbers = (frame: Frame, numbers: readonly CellRequest[], pivots: Pivots): Promise<ByClass> =>
  byClass(
    frame,
    numbers.map(({ sql }) => sql),
    aggregatesOf(frame, numbers, pivots),
  );

/** Three aggregates for each column: its weight, and its sums about the pivot, or its sum and its smallest cell. */
function aggregatesOf(frame: Frame, numbers: readonly CellRequest[], pivots: Pivots): string[] {
  const { double, product } = wordsOf(frame.engine.dialect);
  return numbers.flatMap((request, j) => {
    const x = column(frame, `x${j}`);
    const pivot = pivots.get(request);
    if (!pivot) return [presentOf(frame, x), weighedSum(frame, x), double(`min(${x})`)];
    const distance = `(${x} - ${pivotText(frame, pivot)})`;
    return [presentOf(frame, x), weighedSum(frame, distance), weighedSum(frame, product(distance, distance))];
  });
}

function readNumbers(
  { labels, values: [, ...values] }: ByClass,
  numbers: readonly CellRequest[],
  pivots: Pivots,
  counts: Map<CellRequest, CellCounts>,
): void {
  numbers.forEach((request, j) => {
    const [present, second, third] = values.slice(3 * j, 3 * j + 3);
    const pivot = pivots.get(request);
    if (!pivot) counts.set(request, { kind: 'sum', present, sum: second, least: third });
    else {
      const shift = Float64Array.from(labels, (label) => pivotOf(pivot, label));
      const found = { kind: 'moments' as const, present, shift, s1: second, s2: third };
      if (request.whole) recentre(found);
      counts.set(request, found);
    }
  });
}

/**
 * Moves integer sums to the integer next to the mean of each class, without rounding: with e = shift′ − shift, Σd′ = Σd
 * − n·e and Σd′² = Σd² − 2e·Σd + n·e². Sums beyond 2^53 were rounded by the engine and are not moved, nor are those of
 * weighted rows.
 */
function recentre({ present, shift, s1, s2 }: ColumnMoments): void {
  for (let c = 0; c < present.length; c++) {
    const step = Math.round(s1[c] / present[c]);
    if (!step || ![present[c], s1[c], s2[c], shift[c] + step].every(Number.isSafeInteger)) continue;
    const [n, first, second, e] = [present[c], s1[c], s2[c], step].map(BigInt);
    shift[c] += step;
    s1[c] = Number(first - n * e);
    s2[c] = Number(second - 2n * e * first + n * e * e);
  }
}

/** Repeats sums that were taken about a pivot far from the mean of a class. */
async function improve(
  frame: Frame,
  labels: readonly string[],
  numbers: readonly CellRequest[],
  pivots: Pivots,
  counts: Map<CellRequest, CellCounts>,
): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const far = numbers.filter((request) => {
      const [pivot, counted] = [pivots.get(request), counts.get(request)];
      const better = pivot && counted?.kind === 'moments' ? betterPivot(labels, pivot, counted) : undefined;
      if (better) pivots.set(request, better);
      return better !== undefined;
    });
    if (far.length === 0) return;
    for (let from = 0; from < far.length; from += COLUMNS_AT_ONCE) {
      const some = far.slice(from, from + COLUMNS_AT_ONCE);
      readNumbers(aligned(await sumNumbers(frame, some, pivots), labels), some, pivots, counts);
    }
  }
}

/** A result with its classes in another order; a new or missing class means that the table has changed. */
export function aligned({ labels, values }: ByClass, order: readonly string[]): ByClass {
  const place = new Map(labels.map((label, c) => [label, c]));
  const from = order.map((label) => place.get(label) ?? -1);
  if (labels.length !== order.length || from.includes(-1)) refuseChange('its classes are not those of the first query');
  return { labels: order, values: values.map((list) => Float64Array.from(from, (c) => list[c])) };
}
