import type { JsonValue } from '../data/strict-json.ts';
import { countCells } from '../engines/sql/cells.ts';
import { countPairs } from '../engines/sql/pairs.ts';
import { requirePairs } from '../estimators/pair-limit.ts';
import { levelOffsets } from '../stats/layout.ts';
import { pairs } from '../stats/pairs.ts';
import type { AnyClassifier, Found } from './adopt.ts';
import { sortLabels } from './classes.ts';
import { columnOf, histogramFrom } from './levels.ts';
import { levelReader } from './requests.ts';
import type { Opened } from './source.ts';

/** Pairs of levels by class: first the levels of every column, then the groups of every two columns. */
export async function pairsFrom(estimator: AnyClassifier, { frame, target, features }: Opened): Promise<Found> {
  const { missing } = estimator.capabilities;
  const requests = features.map((column) => levelReader(frame.engine, column).request);
  const counted = await countCells(frame, requests);
  const classes = sortLabels(counted.labels, target);
  const { stats: single, dictionaries } = histogramFrom(classes, counted.n, counted.cells, features, { missing });
  const columns = counted.cells.map((counts, j) =>
    columnOf(counts.kind === 'levels' ? counts.counts.map(({ level }) => level) : [], features[j], missing),
  );
  const shape = { classes: single.classes, features: single.features, levels: single.levels };
  requirePairs(shape);
  const stats = pairs.empty(shape);
  const offsets = levelOffsets(single.levels);
  const width = offsets[features.length];
  stats.n.set(single.n);
  for (let c = 0; c < shape.classes; c++) {
    for (let v = 0; v < width; v++) stats.p[(c * width + v) * width + v] = single.h[c * width + v];
  }
  await countPairs(
    frame,
    requests.map(({ sql }) => sql),
    ({ j, k, label, first, second, weight }) => {
      const c = classes.placeOf.get(label) as number;
      const [u, v] = [offsets[j] + columns[j].placeOf(first), offsets[k] + columns[k].placeOf(second)];
      stats.p[(c * width + u) * width + v] += weight;
      stats.p[(c * width + v) * width + u] += weight;
    },
  );
  return { names: features.map(({ name }) => name), classes: classes.labels, stats, schema: dictionaries as JsonValue };
}
