import { type CellCounts, countCells } from '../engines/sql/cells.ts';
import { type Classes, sortLabels } from './classes.ts';
import { requireSound } from './numbers.ts';
import type { Reader } from './requests.ts';
import type { Opened } from './source.ts';

/** The classes of a table with their weights in the order of the result, and the counts of each request of each column. */
export interface CountedColumns {
  readonly classes: Classes;
  readonly n: Float64Array;
  readonly cells: readonly (readonly CellCounts[])[];
}

/** Counts what is requested of each column, in one pass where that is cheaper; throws for cells that are not allowed. */
export async function countColumns(
  { frame, target }: Opened,
  readers: readonly (readonly Reader[])[],
): Promise<CountedColumns> {
  const all = readers.flat();
  const counted = await countCells(
    frame,
    all.map(({ request }) => request),
  );
  await requireSound(frame, counted, all);
  let at = 0;
  const cells = readers.map(({ length }) => counted.cells.slice(at, (at += length)));
  return { classes: sortLabels(counted.labels, target), n: counted.n, cells };
}
