import { numberLiteral, quoteString } from './dialect.ts';
import { column, type Frame, unreported } from './frame.ts';
import { byClass } from './grouped.ts';
import { wordsOf } from './words.ts';

/** The origin of a column's distances: one number for all classes, with exceptions for some of them. */
export interface Pivot {
  readonly common: number;
  readonly own: ReadonlyMap<string, number>;
}

/** The number of rows used for the first pivots. */
const SAMPLE_ROWS = 1000;

/**
 * Numbers near the means of the first rows as pivots, by a query that ends early. Any number is a valid pivot; a near one keeps digits. They
 * are rounded, because Spark compiles the numbers of a query into its code: a fit that is repeated would otherwise be compiled anew.
 */
export async function firstPivots(frame: Frame, cells: readonly string[]): Promise<Pivot[]> {
  const { dialect } = frame.engine;
  const bare = {
    ...unreported(frame),
    weight: undefined,
    label: quoteString(dialect, ''),
  };
  const { double } = wordsOf(dialect);
  // not avg: PostgreSQL's avg squares the numbers internally and fails for those whose squares overflow
  const wanted = ['sum', 'count', 'min', 'max'];
  const aggregates = cells.flatMap((_, j) => wanted.map((name) => double(`${name}(${column(frame, `x${j}`)})`)));
  const { values } = await byClass(bare, cells, aggregates, SAMPLE_ROWS);
  return cells.map((_, j) => {
    const [sum, count, least, most] = wanted.map((_name, k) => values[1 + wanted.length * j + k]?.[0] ?? 0);
    const mean = sum / count;
    return { common: Number.isFinite(mean) ? rounded(mean, Math.min(mean - least, most - mean)) : 0, own: new Map() };
  });
}

/** A number to the next multiple of the power of two below a distance; as it is if there is none. */
function rounded(value: number, distance: number): number {
  const step = 2 ** Math.floor(Math.log2(distance));
  const near = Math.round(value / step) * step;
  return Number.isFinite(near) ? near : value;
}

/** A pivot as SQL over the rows of a frame. */
export function pivotText(frame: Frame, { common, own }: Pivot): string {
  const { dialect } = frame.engine;
  const literal = numberLiteral(dialect, common);
  if (own.size === 0) return literal;
  const cases = Array.from(
    own,
    ([label, value]) => `WHEN ${quoteString(dialect, label)} THEN ${numberLiteral(dialect, value)}`,
  );
  return `CASE ${column(frame, 'y')} ${cases.join(' ')} ELSE ${literal} END`;
}

/** The pivot of a class. */
export function pivotOf({ common, own }: Pivot, label: string): number {
  return own.get(label) ?? common;
}

/**
 * A mean this many deviations from its pivot costs three digits of the variance: the column is summed again about that
 * mean.
 */
const FAR = 32;

/** The weight of a column's cells and their sums about its pivots, class by class in the order of the labels. */
export interface ColumnMoments {
  readonly present: Float64Array;
  readonly shift: Float64Array;
  readonly s1: Float64Array;
  readonly s2: Float64Array;
}

/** The pivot with the means of the classes that are far from it; undefined if there are none. */
export function betterPivot(
  labels: readonly string[],
  { common, own }: Pivot,
  { present, shift, s1, s2 }: ColumnMoments,
): Pivot | undefined {
  const better = new Map(own);
  let found = false;
  labels.forEach((label, c) => {
    const distance = s1[c] / present[c];
    const mean = shift[c] + distance;
    const isFar = distance * distance > FAR * FAR * Math.max(0, s2[c] / present[c] - distance * distance);
    if (!isFar || !Number.isFinite(mean) || mean === shift[c]) return;
    better.set(label, mean);
    found = true;
  });
  return found ? { common, own: better } : undefined;
}

/** How often sums are repeated about better pivots; the first time is enough for nearly all columns. */
export const MOST_ROUNDS = 3;
