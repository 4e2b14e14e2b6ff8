import type { JsonValue } from '../data/strict-json.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { countProducts, momentsAt } from '../engines/sql/scatter.ts';
import { refuse } from '../errors.ts';
import type { Scatter } from '../stats/scatter.ts';
import { ordered, sortLabels } from './classes.ts';
import { countColumns } from './columns.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import { histogramFrom } from './levels.ts';
import { mixedFrom } from './mixed.ts';
import { momentsFrom, requireSound, sumsFrom } from './numbers.ts';
import { contextsFrom, pairsFrom } from './pairs.ts';
import { bitReader, LARGEST, levelReader, numberReader, type Reader, type Reading, readingOf } from './requests.ts';
import type { Opened } from './source.ts';
import { valuesFrom } from './values.ts';

/** Beyond this, fourth powers of differences overflow. */
const LARGEST_QUARTIC = 1e75;

const namesOf = (features: readonly EngineColumn[]) => features.map(({ name }) => name);

/** Counts a table for an estimator of columns, by its statistic. */
export function countTable(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  const { name } = estimator.model.statistic;
  const count = counters[name];
  if (count) return count(estimator, opened);
  return refuse(
    'E_ENGINE_CAPABILITY',
    `an engine cannot count for a ${estimator.kind}: it learns from rows, not from sums`,
    {
      estimator: estimator.kind,
    },
  );
}

const counters: Readonly<Record<string, (estimator: AnyClassifier, opened: Opened) => Promise<EngineCounts>>> = {
  sums: countSums,
  moments: countMoments,
  histogram: countHistogram,
  scatter: countScatter,
  gappedScatter: countScatter,
  quartic: countScatter,
  blocks: (estimator, opened) => mixedFrom(estimator, opened),
  pairs: pairsFrom,
  contexts: contextsFrom,
  values: valuesFrom,
};

/** Sums of every column; for Bernoulli models, of cells above their threshold. */
function countSums(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  const { binarize } = estimator.getParams() as { binarize?: number | null };
  const reading = readingOf(estimator, estimator.kind === 'PoissonNB' ? LARGEST : Number.POSITIVE_INFINITY);
  const { engine } = opened.frame;
  const bits = estimator.kind === 'BernoulliNB';
  return countNumbers(opened, reading, sumsFrom, (column) =>
    bits ? bitReader(engine, column, binarize ?? null, reading) : numberReader(engine, column, 'sum', reading),
  );
}

function countMoments(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  const reading = readingOf(estimator, LARGEST);
  return countNumbers(opened, reading, momentsFrom, (column) =>
    numberReader(opened.frame.engine, column, 'moments', reading),
  );
}

async function countNumbers(
  opened: Opened,
  { missing }: Reading,
  statsFrom: typeof sumsFrom | typeof momentsFrom,
  readerOf: (column: EngineColumn) => Reader,
): Promise<EngineCounts> {
  const { features } = opened;
  const { classes, n, cells } = await countColumns(
    opened,
    features.map((column) => [readerOf(column)]),
  );
  const shape = { classes: classes.labels.length, features: features.length, ...(missing && { missing: true }) };
  const stats = statsFrom(classes, n, cells.flat(), shape);
  return { names: namesOf(features), classes: classes.labels, stats, schema: undefined };
}

async function countHistogram(estimator: AnyClassifier, opened: Opened): Promise<EngineCounts> {
  const { frame, features } = opened;
  const { minCategories } = estimator.getParams() as { minCategories?: number | readonly number[] | null };
  const { classes, n, cells } = await countColumns(
    opened,
    features.map((column) => [levelReader(frame.engine, column)]),
  );
  const policy = { missing: estimator.capabilities.missing, least: minCategories ?? undefined };
  const { stats, dictionaries } = histogramFrom(classes, n, cells.flat(), features, policy);
  return { names: namesOf(features), classes: classes.labels, stats, schema: dictionaries as JsonValue };
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
  return { names: namesOf(features), classes: classes.labels, stats, schema: undefined };
}
