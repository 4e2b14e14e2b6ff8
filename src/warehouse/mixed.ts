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
import type { ColumnModel } from '../models/column-model.ts';
import { type Family, modelNamed, supportOf } from '../models/mixed.ts';
import type { Sums } from '../stats/sums.ts';
import { values } from '../stats/values.ts';
import { ordered } from './classes.ts';
import {
  bitCounter,
  type Counter,
  countColumns,
  distributionCounter,
  levelCounter,
  numberCounter,
  valueCounter,
} from './counters.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import { LARGEST, numberReader, type Reading, refuseFamily } from './requests.ts';
import type { Opened } from './source.ts';

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

/** How the columns of a family are counted. */
function counterOf(engine: SqlEngine, family: Family): Counter {
  const nonNegative = family !== 'gaussian' && supportOf(family) !== 'real';
  const reading = { missing: true, nonNegative, limit: LARGEST };
  if (family === 'categorical') return levelCounter(engine, reading);
  if (family === 'bernoulli') return bitCounter(engine, null, reading);
  if (modelNamed(family)?.statistic === values) return valueCounter(engine, reading);
  const model = distributionOf(family);
  if (model) return distributionCounter(engine, model);
  if (family === 'gaussian') return numberCounter(engine, 'moments', reading);
  if (family === 'multinomial') return filledCounter(engine, reading);
  const sums = numberCounter(engine, 'sum', reading);
  return family === 'poisson' ? sums : { ...sums, readers: ({ name }) => refuseFamily(name, family) };
}

/** Sums of counts, of which a missing one is the same as zero. */
const filledCounter = (engine: SqlEngine, reading: Reading): Counter => ({
  ...numberCounter(engine, 'sum', { ...reading, missing: false }),
  readers(column) {
    const { request, ...reader } = numberReader(engine, column, 'sum', reading);
    const sql = `COALESCE(${request.sql}, ${numberLiteral(engine.dialect, 0)})`;
    return [{ ...reader, request: { ...request, sql } }];
  },
});

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
  const readers = single.map((column, k) => counterOf(frame.engine, families[k]).readers(column));
  const counted = await countColumns(opened, readers);
  const { classes, n } = counted;
  const cellsOf = new Map(single.map(({ name }, k) => [name, counted.cells[k]]));
  const parts: Record<string, Shape> = {};
  for (const [name, block] of blocksOf(columns)) {
    const text = words.get(features[block.columns[0]].name);
    const own = block.columns.map((k) => features[k]);
    const cells = own.map((column) => cellsOf.get(column.name) as readonly CellCounts[]);
    if (text) parts[name] = text;
    else {
      const { stats, dictionaries } = counterOf(frame.engine, block.family).statistic({ classes, n, cells }, own);
      parts[name] = stats;
      if (dictionaries) columns = withDictionaries(columns, block, dictionaries);
    }
  }
  const shape = shapeWith(classes.labels.length, columns);
  const stats = { classes: shape.classes, features: shape.features, n: ordered(classes, n), parts };
  return { names: undefined, classes: classes.labels, stats, schema: columns as unknown as JsonValue };
}
