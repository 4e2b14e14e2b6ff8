import type { EngineColumn } from '../engines/engine.ts';
import type { CellCounts } from '../engines/sql/cells.ts';
import { refuseWhere } from '../engines/sql/faults.ts';
import { type Values, values } from '../stats/values.ts';
import { type Classes, ordered } from './classes.ts';
import type { Reading } from './requests.ts';

/** The counts of some columns, as values: a group of equal cells is a row with a larger weight. */
export function valuesFrom(
  classes: Classes,
  n: Float64Array,
  cells: readonly CellCounts[],
  columns: readonly EngineColumn[],
  reading: Reading,
): Values {
  const features = columns.length;
  const shape = { classes: classes.labels.length, features, ...(reading.missing && { missing: true }) };
  const stats = values.empty(shape);
  cells.forEach((counts, j) => {
    if (counts.kind !== 'levels') return;
    const rows = counts.counts.length;
    const x = new Float64Array(rows * features).fill(Number.NaN);
    const found = { absent: 0, notNumbers: 0, infinite: 0, large: 0, negative: 0 };
    counts.counts.forEach(({ level, weight }, i) => {
      const value = level === null ? Number.NaN : Number(level);
      if (level === null) found.absent += weight;
      else if (!Number.isFinite(value)) found.infinite += weight;
      else if (Math.abs(value) > reading.limit) found.large += weight;
      else if (value < 0) found.negative += weight;
      x[i * features + j] = value;
    });
    refuseWhere({ ...reading, name: columns[j].name }, found);
    const y = Int32Array.from(counts.counts, ({ label }) => classes.placeOf(label));
    const w = Float64Array.from(counts.counts, ({ weight }) => weight);
    values.add(stats, { ...shape, missing: true, rows, x, y, w });
  });
  stats.n.set(ordered(classes, n)); // every group was a row of one column
  return stats;
}
