import type { Shape } from '../data/batch.ts';
import type { Dictionary } from '../data/levels.ts';
import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import { type CellCounts, countCells } from '../engines/sql/cells.ts';
import type { ColumnModel, SumDistribution } from '../models/column-model.ts';
import { type Classes, sortLabels } from './classes.ts';
import { histogramFrom, type LevelPolicy } from './levels.ts';
import { momentsFrom, naturalFrom, requireSound, sumsFrom } from './numbers.ts';
import { bitReader, distributionReaders, levelReader, numberReader, type Reader, type Reading } from './requests.ts';
import { type Opened, requireNumber } from './source.ts';
import { valuesFrom } from './values.ts';

/** The classes of a table with their weights in the order of the result, and the counts of each request of each column. */
interface CountedColumns {
  readonly classes: Classes;
  readonly n: Float64Array;
  readonly cells: readonly (readonly CellCounts[])[];
}

/** How columns are counted for a statistic: what is requested of each, and the statistic of what was counted. */
export interface Counter {
  /** One request, or one for each of several sums. */
  readers(column: EngineColumn): readonly Reader[];
  statistic(counted: CountedColumns, columns: readonly EngineColumn[]): CountedStatistic;
}

/** A statistic of some columns, with their dictionaries if they have levels. */
interface CountedStatistic {
  readonly stats: Shape;
  readonly dictionaries?: readonly Dictionary[];
}

/** The shape of a statistic of counted columns. */
const shapeOf = ({ classes, cells }: CountedColumns, missing: boolean): Shape => ({
  ...{ classes: classes.labels.length, features: cells.length },
  ...(missing && { missing }),
});

/** Sums or moments of numbers. */
export const numberCounter = (engine: SqlEngine, kind: 'sum' | 'moments', reading: Reading): Counter => ({
  readers: (column) => [numberReader(engine, column, kind, reading)],
  statistic(counted) {
    const from = kind === 'sum' ? sumsFrom : momentsFrom;
    return { stats: from(counted.classes, counted.n, counted.cells.flat(), shapeOf(counted, reading.missing)) };
  },
});

/** Sums of cells above a threshold; without one, of ones and zeros. */
export const bitCounter = (engine: SqlEngine, threshold: number | null, reading: Reading): Counter => ({
  ...numberCounter(engine, 'sum', reading),
  readers: (column) => [bitReader(engine, column, threshold, reading)],
});

/** Histograms of levels. */
export const levelCounter = (engine: SqlEngine, policy: LevelPolicy): Counter => ({
  readers: (column) => [levelReader(engine, column)],
  statistic: ({ classes, n, cells }, columns) => histogramFrom(classes, n, cells.flat(), columns, policy),
});

/** The distinct values of every column with their weights by class. */
export const valueCounter = (engine: SqlEngine, reading: Reading): Counter => ({
  readers: (column) => [levelReader(engine, requireNumber(column))],
  statistic: ({ classes, n, cells }, columns) => ({
    stats: valuesFrom(classes, n, cells.flat(), columns, reading),
  }),
});

/** The sums that a distribution is estimated from. */
export const distributionCounter = (engine: SqlEngine, model: ColumnModel): Counter => ({
  readers: (column) => distributionReaders(engine, column, model.distribution as SumDistribution),
  statistic: (counted) => ({
    stats: naturalFrom(model, counted.classes, counted.n, counted.cells, shapeOf(counted, true)),
  }),
});

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
