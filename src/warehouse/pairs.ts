import type { JsonValue } from '../data/strict-json.ts';
import { type Frame, partOf, stepOf } from '../engines/sql/frame.ts';
import { countGroups } from '../engines/sql/groups.ts';
import { refuse } from '../errors.ts';
import { KDependenceNB } from '../estimators/k-dependence-nb.ts';
import { requirePairs } from '../estimators/kinds/level-columns.ts';
import { codeOf, codingOf, contexts } from '../stats/contexts.ts';
import { levelOffsets } from '../stats/layout.ts';
import { type Pairs, pairs } from '../stats/pairs.ts';
import { plainWeights, sortRun } from '../stats/runs.ts';
import { countColumns } from './counters.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import { columnOf, histogramFrom } from './levels.ts';
import { levelReader } from './requests.ts';
import type { Opened } from './source.ts';

/** The levels of every column with their weights by class, and how their cells are read. */
async function levelsFrom(estimator: AnyClassifier, opened: Opened) {
  const { frame, features } = opened;
  const { missing } = estimator.capabilities;
  const readers = features.map((column) => levelReader(frame.engine, column));
  const counted = await countColumns(
    opened,
    readers.map((own) => [own]),
  );
  const { classes } = counted;
  const counts = counted.cells.flat();
  const { stats: single, dictionaries } = histogramFrom(classes, counted.n, counts, features, { missing });
  const columns = counts.map((own, j) =>
    columnOf(own.kind === 'levels' ? own.counts.map(({ level }) => level) : [], features[j], missing),
  );
  const shape = { classes: single.classes, features: single.features, levels: single.levels };
  const names = features.map(({ name }) => name);
  const found = { names, classes: classes.labels, schema: dictionaries as JsonValue };
  return { cells: readers.map(({ request }) => request.sql), classes, columns, single, shape, found };
}

type Levels = Awaited<ReturnType<typeof levelsFrom>>;

/** Pairs of levels by class: the levels of every column, and the groups of every two columns. */
async function pairCounts(frame: Frame, { cells, classes, columns, single, shape }: Levels): Promise<Pairs> {
  requirePairs(shape);
  const stats = pairs.empty(shape);
  const offsets = levelOffsets(single.levels);
  const width = offsets[shape.features];
  stats.n.set(single.n);
  for (let c = 0; c < shape.classes; c++) {
    for (let v = 0; v < width; v++) stats.p[(c * width + v) * width + v] = single.h[c * width + v];
  }
  const all = cells.flatMap((_, k) => Array.from({ length: k }, (_none, j) => [j, k] as const));
  const sets = all.map(([j, k]) => [cells[j], cells[k]]);
  await countGroups(frame, sets, 2, (place, label, [first, second], weight) => {
    const [j, k] = all[place];
    const c = classes.placeOf(label);
    const [u, v] = [
      offsets[j] + columns[j].placeOf(first as string),
      offsets[k] + columns[k].placeOf(second as string),
    ];
    stats.p[(c * width + u) * width + v] += weight;
    stats.p[(c * width + v) * width + u] += weight;
  });
  return stats;
}

/** Pairs of levels by class. */
export async function pairsFrom(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  const levels = await levelsFrom(estimator, stepOf(opened, 0, 2));
  return { ...levels.found, stats: await pairCounts(partOf(opened.frame, 1, 2), levels) };
}

/**
 * Values in the context of their parents by class: parents from the pairs of levels, then the groups of every column
 * and its parents.
 */
export async function contextsFrom(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  if (!(estimator instanceof KDependenceNB) || estimator.choosesByRows) {
    const advice = "give k: 2, selectColumns: false and concentration: 'likelihood', or other numbers";
    return refuse('E_ENGINE_CAPABILITY', `an engine cannot leave rows out one by one to choose a submodel; ${advice}`, {
      estimator: estimator.kind,
    });
  }
  const { frame } = opened;
  const levels = await levelsFrom(estimator, stepOf(opened, 0, 3));
  const { cells, classes, columns, single, shape, found } = levels;
  const given = estimator.parentsFrom(
    shape.features,
    await (estimator.needsPairs && pairCounts(partOf(frame, 1, 3), levels)),
  );
  const lists: [cells: number[], codes: number[], weights: number[]] = [[], [], []];
  for (let j = 0; j < shape.features; j++) {
    const coding = codingOf({ ...shape, given }, j);
    const places = [...coding.parents, j];
    const own = places.map((place) => cells[place]);
    await countGroups(partOf(partOf(frame, 2, 3), j, shape.features), [own], 1, (_, label, values, weight) => {
      const gap = values.indexOf(null);
      const digits = values.map((level, d) =>
        level === null || (gap >= 0 && d > gap && d < places.length - 1)
          ? coding.radix[d] - 1
          : columns[places[d]].placeOf(level),
      );
      const c = classes.placeOf(label);
      [c * shape.features + j, codeOf(coding, digits), weight].forEach((value, k) => void lists[k].push(value));
    });
  }
  const [cellsOf, codes, weights] = lists.map((list) => Float64Array.from(list));
  const stats = contexts.empty({ ...shape, given });
  stats.n.set(single.n);
  stats.runs.push(sortRun(plainWeights, cellsOf, codes, weights));
  return { ...found, stats };
}
