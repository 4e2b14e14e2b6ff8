import type { Shape } from '../data/batch.ts';
import { type Dictionary, levelCounts } from '../data/levels.ts';
import { compareCodePoints } from '../data/order.ts';
import type { EngineColumn } from '../engines/engine.ts';
import type { CellCounts } from '../engines/sql/cells.ts';
import type { LevelCount } from '../engines/sql/groups.ts';
import { refuseChange } from '../engines/sql/totals.ts';
import { refuse, show } from '../errors.ts';
import { type Histogram, histogram } from '../stats/histogram.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Classes, ordered } from './classes.ts';

/** The maximum integer level, as in memory. */
const MOST_LEVELS = 2 ** 20;

/** The level number of a value in a numeric column. */
function numberLevel(level: string, { name }: EngineColumn): number {
  const value = Number(level);
  if (Number.isInteger(value) && value >= 0 && value < MOST_LEVELS) return value;
  if (value < 0) refuse('E_NEGATIVE', `column ${show(name)} holds ${value}; levels are not negative`, { column: name });
  if (!Number.isFinite(value)) refuse('E_NOT_FINITE', `column ${show(name)} holds ${value}`, { column: name });
  return refuse(
    'E_VALUE_RANGE',
    `column ${show(name)} holds ${value}; levels are words, or whole numbers up to ${MOST_LEVELS - 1}`,
    {
      column: name,
      limit: MOST_LEVELS - 1,
      actual: value,
    },
  );
}

const isNumeric = ({ kind }: EngineColumn) => kind === 'integer' || kind === 'real';

/** The dictionary of a column, and the index of a level in it. */
export interface Column {
  readonly dictionary: Dictionary;
  placeOf(level: string): number;
}

/** The levels of a column in order, as in memory: words by code point, or integers below a bound. */
export function columnOf(levels: Iterable<string | null>, column: EngineColumn, missing: boolean): Column {
  const seen = new Set(levels);
  if (seen.delete(null) && !missing) {
    refuse('E_TYPE', `column ${show(column.name)} has missing cells; missing: 'ignore' takes them as such`, {
      column: column.name,
    });
  }
  const words = seen as Set<string>;
  if (isNumeric(column)) {
    let bound = 0;
    const numbered = (level: string) => {
      const place = numberLevel(level, column);
      return place < bound ? place : refuseChange('a level was added');
    };
    for (const word of words) bound = Math.max(bound, numberLevel(word, column) + 1);
    return { dictionary: bound > 0 ? bound : null, placeOf: numbered };
  }
  const sorted = [...words].sort(compareCodePoints);
  const places = new Map(sorted.map((word, v) => [word, v]));
  return {
    dictionary: sorted.length > 0 ? sorted : null,
    placeOf: (level) => places.get(level) ?? refuseChange('a level was added'),
  };
}

/** Whether cells may be missing, and the least number of levels of every column. */
export interface LevelPolicy {
  readonly missing: boolean;
  readonly least?: number | readonly number[] | undefined;
}

/** The histograms of some columns, with their dictionaries. */
export function histogramFrom(
  classes: Classes,
  n: Float64Array,
  cells: readonly CellCounts[],
  columns: readonly EngineColumn[],
  { missing, least }: LevelPolicy,
): { stats: Histogram; dictionaries: readonly Dictionary[] } {
  const lists = cells.map((counts): readonly LevelCount[] => (counts.kind === 'levels' ? counts.counts : []));
  const known = lists.map((list, j) =>
    columnOf(
      list.map(({ level }) => level),
      columns[j],
      missing,
    ),
  );
  const dictionaries = known.map(({ dictionary }) => dictionary);
  const levels = levelCounts(dictionaries, least);
  const shape: Shape = { classes: classes.labels.length, features: columns.length, levels };
  const stats = histogram.empty(shape);
  stats.n.set(ordered(classes, n));
  const offsets = levelOffsets(levels);
  const width = offsets[columns.length];
  lists.forEach((list, j) => {
    for (const { label, level, weight } of list) {
      if (level === null) continue;
      stats.h[classes.placeOf(label) * width + offsets[j] + known[j].placeOf(level)] += weight;
    }
  });
  return { stats, dictionaries };
}
