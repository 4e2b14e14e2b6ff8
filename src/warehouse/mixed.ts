import type { Shape } from '../data/batch.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import type { CellCounts } from '../engines/sql/cells.ts';
import { numberLiteral } from '../engines/sql/dialect.ts';
import { refuse, show } from '../errors.ts';
import {
  blocksOf,
  type ColumnFamilies,
  type MixedColumn,
  shapeWith,
  withDictionaries,
} from '../estimators/mixed-columns.ts';
import type { ColumnModel, SumDistribution } from '../models/column-model.ts';
import { type Family, modelNamed, supportOf } from '../models/mixed.ts';
import type { Sums } from '../stats/sums.ts';
import { values } from '../stats/values.ts';
import { type Classes, ordered } from './classes.ts';
import { countColumns } from './columns.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import { histogramFrom } from './levels.ts';
import { momentsFrom, naturalFrom, sumsFrom } from './numbers.ts';
import {
  bitReader,
  distributionReaders,
  LARGEST,
  levelReader,
  numberReader,
  type Reader,
  type Reading,
  refuseFamily,
} from './requests.ts';
import { type Opened, requireNumber } from './source.ts';
import { valuesOf } from './values.ts';

const KINDS = {
  integer: 'gaussian',
  real: 'gaussian',
  boolean: 'bernoulli',
  text: 'categorical',
  date: 'categorical',
} as const;

/** The family of a column: the requested one, or the one for its type. */
function familyOf({ name, kind, type }: EngineColumn, k: number, asked: ColumnFamilies | null): Family {
  const wanted = Array.isArray(asked)
    ? asked[k]
    : asked && Object.hasOwn(asked, name)
      ? (asked as Record<string, Family>)[name]
      : undefined;
  if (wanted) return wanted;
  if (kind !== 'other') return KINDS[kind];
  return refuse('E_TYPE', `column ${show(name)} is of type ${type}, which is neither number, word nor yes and no`, {
    column: name,
    actual: type,
  });
}

/** The distribution of a family that is estimated from sums of functions of a cell. */
function distributionOf(family: Family): ColumnModel | undefined {
  const model = modelNamed(family) as Partial<ColumnModel> | undefined;
  return model?.distribution && 'statistics' in model.distribution ? (model as ColumnModel) : undefined;
}

const isOfValues = (family: Family): boolean => modelNamed(family)?.statistic === values;

/** How the cells of a family are read; `limit` and `nonNegative` are requirements on its numbers. */
const readingFor = (family: Family): Reading => ({
  missing: true,
  nonNegative: family !== 'gaussian' && supportOf(family) !== 'real',
  limit: LARGEST,
});

/** What is counted of a column: one request, or one for each sum of its distribution. */
function readersFor(engine: SqlEngine, column: EngineColumn, family: Family): Reader[] {
  const reading = readingFor(family);
  if (family === 'categorical') return [levelReader(engine, column)];
  if (family === 'bernoulli') return [bitReader(engine, column, null, reading)];
  if (isOfValues(family)) return [levelReader(engine, requireNumber(column))];
  const model = distributionOf(family);
  if (model) return distributionReaders(engine, column, model.distribution as SumDistribution);
  if (!['gaussian', 'poisson', 'multinomial'].includes(family)) refuseFamily(column.name, family);
  const reader = numberReader(engine, column, family === 'gaussian' ? 'moments' : 'sum', reading);
  if (family !== 'multinomial') return [reader];
  const { request } = reader; // a missing count is the same as zero
  const sql = `COALESCE(${request.sql}, ${numberLiteral(engine.dialect, 0)})`;
  return [{ ...reader, request: { ...request, sql } }];
}

/**
 * Columns of different kinds: each is counted by its family, all in the same pass; `words` are texts that were counted
 * before.
 */
export async function mixedFrom(
  estimator: AnyClassifier,
  opened: Opened,
  words: ReadonlyMap<string, Sums> = new Map(),
): Promise<EngineCounts> {
  const { frame, features } = opened;
  const { columns: asked } = estimator.getParams() as { columns: ColumnFamilies | null };
  let columns = features.map((column, k): MixedColumn => {
    const text = words.get(column.name);
    if (text) return { name: column.name, family: 'multinomial', width: text.features };
    const family = familyOf(column, k, asked);
    return { name: column.name, family, ...(family === 'categorical' && { levels: [null] }) };
  });
  const single = features.filter(({ name }) => !words.has(name));
  const families = columns.filter(({ width }) => width === undefined).map(({ family }) => family);
  const readers = single.map((column, k) => readersFor(frame.engine, column, families[k]));
  const counted = await countColumns(opened, readers);
  const { classes, n } = counted;
  const cellsOf = new Map(single.map(({ name }, k) => [name, counted.cells[k]]));
  const parts: Record<string, Shape> = {};
  for (const [name, block] of blocksOf(columns)) {
    const text = words.get(features[block.columns[0]].name);
    const own = block.columns.map((k) => features[k]);
    const cells = own.map((column) => cellsOf.get(column.name) as readonly CellCounts[]);
    if (text) parts[name] = text;
    else if (block.family !== 'categorical') parts[name] = partFrom(block.family, classes, n, cells, own);
    else {
      const { stats, dictionaries } = histogramFrom(classes, n, cells.flat(), own, { missing: true });
      parts[name] = stats;
      columns = withDictionaries(columns, block, dictionaries);
    }
  }
  const shape = shapeWith(classes.labels.length, columns);
  const stats = { classes: shape.classes, features: shape.features, n: ordered(classes, n), parts };
  return { names: undefined, classes: classes.labels, stats, schema: columns as unknown as JsonValue };
}

function partFrom(
  family: Family,
  classes: Classes,
  n: Float64Array,
  cells: readonly (readonly CellCounts[])[],
  columns: readonly EngineColumn[],
): Shape {
  const shape = { classes: classes.labels.length, features: cells.length };
  const gaps = family === 'multinomial' ? shape : { ...shape, missing: true };
  const model = distributionOf(family);
  if (model) return naturalFrom(model, classes, n, cells, gaps);
  const single = cells.map(([counts]) => counts);
  if (isOfValues(family)) return valuesOf(classes, n, single, columns, readingFor(family));
  return family === 'gaussian' ? momentsFrom(classes, n, single, gaps) : sumsFrom(classes, n, single, gaps);
}
