import type { Shape } from '../data/batch.ts';
import type { CellCounts, Counted } from '../engines/sql/cells.ts';
import { refuseFaults } from '../engines/sql/faults.ts';
import type { Frame } from '../engines/sql/frame.ts';
import { refuse, show } from '../errors.ts';
import type { ColumnModel, SumDistribution } from '../models/column-model.ts';
import { type Moments, moments } from '../stats/moments.ts';
import type { NaturalSums } from '../stats/natural-sums.ts';
import { type Sums, sums } from '../stats/sums.ts';
import { type Classes, ordered } from './classes.ts';
import type { Reader } from './requests.ts';

/** Sums of squares from here on may come from numbers beyond the limit. */
const SUSPICIOUS = 1e280;

function isFaulty(counts: CellCounts, n: Float64Array, { demand, marked }: Reader): boolean {
  if (counts.kind === 'levels' || !demand) return false;
  const [first, second] = counts.kind === 'sum' ? [counts.sum, counts.least] : [counts.s1, counts.s2];
  return counts.present.some((weight, c) => {
    if (!demand.missing && weight < n[c]) return true;
    if (counts.kind === 'sum') return !Number.isFinite(first[c]) || (demand.nonNegative && !marked && second[c] < 0);
    return !Number.isFinite(first[c]) || !(second[c] < SUSPICIOUS);
  });
}

/**
 * Throws if columns have numbers that the estimator does not accept, with the name of the column and the number of
 * rows.
 */
export async function requireSound(frame: Frame, { n, cells }: Counted, readers: readonly Reader[]): Promise<void> {
  const faulty = readers.filter((reader, j) => isFaulty(cells[j], n, reader));
  await refuseFaults(
    frame,
    faulty.flatMap(({ demand }) => demand ?? []),
  );
  for (const reader of faulty) {
    const counts = cells[readers.indexOf(reader)];
    if (counts.kind === 'moments' && counts.s2.every(Number.isFinite)) continue;
    const { name } = reader.request;
    refuse(
      'E_VALUE_RANGE',
      `column ${show(name)} holds numbers that cannot be counted: outside of the range of its family, or too large`,
      {
        column: name,
      },
    );
  }
}

/** The counts of some columns, as sums. */
export function sumsFrom(classes: Classes, n: Float64Array, cells: readonly CellCounts[], shape: Shape): Sums {
  const stats = sums.empty(shape);
  stats.n.set(ordered(classes, n));
  cells.forEach((counts, j) => {
    if (counts.kind !== 'sum') return;
    place(stats.s, ordered(classes, counts.sum), j, shape);
    if (shape.missing) place(stats.m, gaps(stats.n, ordered(classes, counts.present)), j, shape);
  });
  return stats;
}

/** The counts of some columns, as moments; merging moves their shifts to the means if they are far apart. */
export function momentsFrom(classes: Classes, n: Float64Array, cells: readonly CellCounts[], shape: Shape): Moments {
  const found = moments.empty(shape);
  found.n.set(ordered(classes, n));
  cells.forEach((counts, j) => {
    if (counts.kind !== 'moments') return;
    for (const name of ['shift', 's1', 's2'] as const) place(found[name], ordered(classes, counts[name]), j, shape);
    if (shape.missing) place(found.m, gaps(found.n, ordered(classes, counts.present)), j, shape);
    forgetAbsent(found, ordered(classes, counts.present), j);
  });
  const stats = moments.empty(shape);
  moments.merge(stats, found);
  return stats;
}

/** A class without a number in a column has no shift for it, not even the pivot. */
function forgetAbsent({ features, shift }: Moments, present: Float64Array, j: number): void {
  for (let c = 0; c < present.length; c++) if (present[c] === 0) shift[c * features + j] = 0;
}

const gaps = (n: Float64Array, present: Float64Array) => n.map((weight, c) => Math.max(0, weight - present[c]));

/** Sums of functions of the cells: `cells` has one list for each column, in the order of the functions. */
export function naturalFrom(
  { statistic, distribution }: ColumnModel,
  classes: Classes,
  n: Float64Array,
  cells: readonly (readonly CellCounts[])[],
  shape: Shape,
): NaturalSums {
  const stats = statistic.empty(shape);
  stats.n.set(ordered(classes, n));
  const names = Object.keys((distribution as SumDistribution).statistics);
  cells.forEach((own, j) => {
    own.forEach((counts, k) => {
      if (counts.kind !== 'sum') return;
      place((stats as unknown as Record<string, Float64Array>)[names[k]], ordered(classes, counts.sum), j, shape);
      place(stats.m, gaps(stats.n, ordered(classes, counts.present)), j, shape);
    });
  });
  return stats;
}

function place(to: Float64Array, values: Float64Array, j: number, { features }: Shape): void {
  for (let c = 0; c < values.length; c++) to[c * features + j] = values[c];
}
