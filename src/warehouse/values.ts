import { countCells } from '../engines/sql/cells.ts';
import { values } from '../stats/values.ts';
import { ordered, sortLabels } from './classes.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import { requireSound } from './numbers.ts';
import { levelReader, numberReader, readingOf } from './requests.ts';
import { type Opened, requireNumber } from './source.ts';

const LARGEST = 1e150;

/**
 * The distinct values of every column with their weights by class: a group of equal values is a row with a larger
 * weight.
 */
export async function valuesFrom(estimator: AnyClassifier, { frame, target, features }: Opened): Promise<EngineCounts> {
  const reading = readingOf(estimator, LARGEST);
  const sound = features.map((column) => numberReader(frame.engine, column, 'moments', reading));
  const levels = features.map((column) => levelReader(frame.engine, requireNumber(column)));
  const counted = await countCells(
    frame,
    [...sound, ...levels].map(({ request }) => request),
  );
  await requireSound(frame, { ...counted, cells: counted.cells.slice(0, features.length) }, sound);
  const classes = sortLabels(counted.labels, target);
  const shape = {
    classes: classes.labels.length,
    features: features.length,
    ...(reading.missing && { missing: true }),
  };
  const stats = values.empty(shape);
  counted.cells.slice(features.length).forEach((counts, j) => {
    if (counts.kind !== 'levels') return;
    const rows = counts.counts.length;
    const x = new Float64Array(rows * features.length).fill(Number.NaN);
    counts.counts.forEach(({ level }, i) => {
      if (level !== null) x[i * features.length + j] = Number(level);
    });
    const y = Int32Array.from(counts.counts, ({ label }) => classes.placeOf(label));
    const w = Float64Array.from(counts.counts, ({ weight }) => weight);
    values.add(stats, { ...shape, missing: true, rows, x, y, w });
  });
  stats.n.set(ordered(classes, counted.n)); // every group was a row of one column
  return { names: features.map(({ name }) => name), classes: classes.labels, stats, schema: undefined };
}
