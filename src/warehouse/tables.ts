import type { JsonValue } from '../data/strict-json.ts';
import type { SqlEngine } from '../engines/engine.ts';
import { countProducts, momentsAt } from '../engines/sql/scatter.ts';
import { refuse } from '../errors.ts';
import type { Scatter } from '../stats/scatter.ts';
import { ordered, sortLabels } from './classes.ts';
import { bitCounter, type Counter, countColumns, levelCounter, numberCounter, valueCounter } from './counters.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import type { LevelPolicy } from './levels.ts';
import { mixedFrom } from './mixed.ts';
import { requireSound } from './numbers.ts';
import { contextsFrom, pairsFrom } from './pairs.ts';
import { LARGEST, numberReader, readingOf } from './requests.ts';
import type { Opened } from './source.ts';

/** Beyond this, fourth powers of differences overflow. */
const LARGEST_QUARTIC = 1e75;

/** Counts a table for an estimator of columns, by its statistic. */
export async function countTable(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  const { name } = estimator.model.statistic;
  const whole = wholeCounters[name];
  if (whole) return whole(estimator, opened);
  const counter = counterOf(estimator, opened.frame.engine);
  if (!counter) {
    return refuse(
      'E_ENGINE_CAPABILITY',
      `an engine cannot count for a ${estimator.kind}: it learns from rows, not from sums`,
      { estimator: estimator.kind },
    );
  }
  const { features } = opened;
  const counted = await countColumns(opened, features.map(counter.readers));
  const { stats, dictionaries } = counter.statistic(counted, features);
  const names = features.map((column) => column.name);
  return { names, classes: counted.classes.labels, stats, schema: dictionaries as JsonValue | undefined };
}

/** Statistics of columns together. */
const wholeCounters: Readonly<Record<string, (estimator: AnyClassifier, opened: Opened) => Promise<EngineCounts>>> = {
  scatter: countScatter,
  gappedScatter: countScatter,
  quartic: countScatter,
  blocks: (estimator, opened) => mixedFrom(estimator, opened),
  pairs: pairsFrom,
  contexts: contextsFrom,
};

/** How each column of an estimator is counted; undefined if its statistic is none of columns by themselves. */
function counterOf(estimator: AnyClassifier, engine: SqlEngine): Counter | undefined {
  const { binarize = null, minCategories } = estimator.getParams() as {
    binarize?: number | null;
    minCategories?: LevelPolicy['least'] | null;
  };
  const { missing } = estimator.capabilities;
  const bounded = readingOf(estimator, LARGEST);
  const counters: Readonly<Record<string, () => Counter>> = {
    sums() {
      const reading = estimator.kind === 'PoissonNB' ? bounded : readingOf(estimator, Number.POSITIVE_INFINITY);
      if (estimator.kind === 'BernoulliNB') return bitCounter(engine, binarize, reading);
      return numberCounter(engine, 'sum', reading);
    },
    moments: () => numberCounter(engine, 'moments', bounded),
    histogram: () => levelCounter(engine, { missing, least: minCategories ?? undefined }),
    values: () => valueCounter(engine, bounded),
  };
  return counters[estimator.model.statistic.name]?.();
}

/** Products of all pairs of columns over the rows that have both; a missing cell is an error unless the estimator ignores them. */
async function countScatter(estimator: AnyClassifier, { frame, target, features }: Opened): Promise<EngineCounts> {
  const { statistic } = estimator.model;
  const fourth = statistic.name === 'quartic';
  const { missing } = estimator.capabilities;
  const reading = readingOf(estimator, fourth ? LARGEST_QUARTIC : LARGEST);
  const readers = features.map((column) => numberReader(frame.engine, column, 'moments', reading));
  const products = await countProducts(
    frame,
    readers.map(({ request }) => request.sql),
    fourth ? 'fourth powers' : missing ? 'gaps' : undefined,
  );
  const d = features.length;
  const classes = sortLabels(products.labels, target);
  const cells = features.map((_, j) => ({ kind: 'moments' as const, ...momentsAt(products, j) }));
  await requireSound(frame, { labels: products.labels, n: products.n, cells }, readers);
  const shape = { classes: classes.labels.length, features: d, ...(missing && { missing }) };
  const [found, stats] = [statistic.empty(shape), statistic.empty(shape)] as [Scatter, Scatter];
  found.n.set(ordered(classes, products.n));
  for (const [name, array] of Object.entries(products)) {
    if (!(array instanceof Float64Array) || name === 'n' || !(name in found)) continue;
    const width = array.length / classes.labels.length;
    classes.places.forEach((c, from) => {
      (found as unknown as Record<string, Float64Array>)[name].set(
        array.subarray(from * width, (from + 1) * width),
        c * width,
      );
    });
  }
  statistic.merge(stats as never, found as never);
  return { names: features.map(({ name }) => name), classes: classes.labels, stats, schema: undefined };
}
