import type { Shape } from '../data/batch.ts';
import type { JsonValue } from '../data/strict-json.ts';
import type { EngineColumn, SqlEngine } from '../engines/engine.ts';
import { type CellCounts, countCells } from '../engines/sql/cells.ts';
import { numberLiteral } from '../engines/sql/dialect.ts';
import { refuse, show } from '../errors.ts';
import {
  blocksOf,
  type ColumnFamilies,
  type MixedColumn,
  shapeWith,
  withDictionaries,
} from '../estimators/mixed-columns.ts';
import type { Family } from '../models/mixed.ts';
import type { Sums } from '../stats/sums.ts';
import { type Classes, ordered, sortLabels } from './classes.ts';
import type { AnyClassifier, EngineCounts } from './engine-counts.ts';
import { histogramFrom } from './levels.ts';
import { momentsFrom, requireSound, sumsFrom } from './numbers.ts';
import { bitReader, levelReader, numberReader, type Reader } from './requests.ts';
import type { Opened } from './source.ts';

const LARGEST = 1e150;
const KINDS = { integer: 'gaussian', real: 'gaussian', boolean: 'bernoulli', text: 'categorical' } as const;

/** The families whose sums are SQL aggregates; the others need sums of logarithms or cosines. */
const COUNTED: ReadonlySet<Family> = new Set(['gaussian', 'bernoulli', 'categorical', 'poisson', 'multinomial']);

/** The family of a column: the requested one, or the one for its type. */
function familyOf({ name, kind, type }: EngineColumn, k: number, asked: ColumnFamilies | null): Family {
  const wanted = Array.isArray(asked)
    ? asked[k]
    : asked && Object.hasOwn(asked, name)
      ? (asked as Record<string, Family>)[name]
      : undefined;
  if (wanted && COUNTED.has(wanted)) return wanted;
  if (wanted) {
    const sentence = `column ${show(name)}: a database does not count columns of the family ${wanted}; fit from rows`;
    refuse('E_ENGINE_CAPABILITY', sentence, { column: name, family: wanted });
  }
  if (kind !== 'other') return KINDS[kind];
  return refuse('E_TYPE', `column ${show(name)} is of type ${type}, which is neither number, word nor yes and no`, {
    column: name,
    actual: type,
  });
}

function readerFor(engine: SqlEngine, column: EngineColumn, family: Family): Reader {
  const reading = { missing: true, nonNegative: family !== 'gaussian', limit: LARGEST };
  if (family === 'categorical') return levelReader(engine, column);
  if (family === 'bernoulli') return bitReader(engine, column, null, reading);
  const reader = numberReader(engine, column, family === 'gaussian' ? 'moments' : 'sum', reading);
  if (family !== 'multinomial') return reader;
  const { request } = reader; // a missing count is the same as zero
  return { ...reader, request: { ...request, sql: `COALESCE(${request.sql}, ${numberLiteral(engine.dialect, 0)})` } };
}

/**
 * Columns of different kinds: each is counted by its family, all in the same pass; `words` are texts that were counted
 * before.
 */
export async function mixedFrom(
  estimator: AnyClassifier,
  { frame, target, features }: Opened,
  words: ReadonlyMap<string, Sums> = new Map(),
): Promise<EngineCounts> {
  const { columns: asked } = estimator.getParams() as { columns: ColumnFamilies | null };
  let columns = features.map((column, k): MixedColumn => {
    const text = words.get(column.name);
    if (text) return { name: column.name, family: 'multinomial', width: text.features };
    const family = familyOf(column, k, asked);
    return { name: column.name, family, ...(family === 'categorical' && { levels: [null] }) };
  });
  const single = features.filter(({ name }) => !words.has(name));
  const families = columns.filter(({ width }) => width === undefined).map(({ family }) => family);
  const readers = single.map((column, k) => readerFor(frame.engine, column, families[k]));
  const requests = readers.map(({ request }) => request);
  const counted = await countCells(frame, requests);
  await requireSound(frame, counted, readers);
  const cellsOf = new Map(single.map(({ name }, k) => [name, counted.cells[k]]));
  const classes = sortLabels(counted.labels, target);
  const parts: Record<string, Shape> = {};
  for (const [name, block] of blocksOf(columns)) {
    const text = words.get(features[block.columns[0]].name);
    const cells = block.columns.map((k) => cellsOf.get(features[k].name) as CellCounts);
    if (text) parts[name] = text;
    else if (block.family !== 'categorical') parts[name] = partFrom(block.family, classes, counted.n, cells);
    else {
      const own = block.columns.map((k) => features[k]);
      const { stats, dictionaries } = histogramFrom(classes, counted.n, cells, own, { missing: true });
      parts[name] = stats;
      columns = withDictionaries(columns, block, dictionaries);
    }
  }
  const shape = shapeWith(classes.labels.length, columns);
  const stats = { classes: shape.classes, features: shape.features, n: ordered(classes, counted.n), parts };
  return { names: undefined, classes: classes.labels, stats, schema: columns as unknown as JsonValue };
}

function partFrom(family: Family, classes: Classes, n: Float64Array, cells: readonly CellCounts[]): Shape {
  const shape = { classes: classes.labels.length, features: cells.length };
  const gaps = family === 'multinomial' ? shape : { ...shape, missing: true };
  return family === 'gaussian' ? momentsFrom(classes, n, cells, gaps) : sumsFrom(classes, n, cells, gaps);
}
